"""The community, round by round: one character after the other, and posts summarised in between."""

import asyncio
from collections.abc import Callable
from datetime import datetime

import structlog

from core.errors import CoreError
from core.social.cycle import Cycle, CycleReport
from core.social.digesting import Digested, Digesting

_log = structlog.get_logger(__name__)

MakeCycle = Callable[[bool], Cycle]
"""Returns a cycle to be run once; True: a rehearsal."""


class CommunityTick:
    """The characters that take part. One cycle at a time, whoever begins it: the round, or an operator."""

    def __init__(self) -> None:
        self._members: dict[str, MakeCycle] = {}
        self._one_at_a_time = asyncio.Lock()

    def join(self, character: str, make: MakeCycle) -> None:
        """Let a character take part from now on."""
        self._members[character] = make

    def leave(self, character: str) -> None:
        """Let it take part no more; a cycle under way goes on to its end."""
        self._members.pop(character, None)

    async def tick(self, now: datetime) -> int:
        """Go through a cycle of each character; return how many ended well. One that fails leaves the others."""
        del now
        ended = 0
        for character in list(self._members):
            try:
                ended += await self.run(character) is not None
            except CoreError as error:
                _log.error("social.cycle_failed", character=character, reason=str(error))
            except Exception as error:  # noqa: BLE001 - one character's trouble must not stop the others
                _log.error("social.cycle_failed", character=character, error=type(error).__name__)
        return ended

    async def run(self, character: str, *, rehearsal: bool = False) -> CycleReport | None:
        """Go through a cycle of one character when it is its turn; None if it takes no part."""
        async with self._one_at_a_time:
            make = self._members.get(character)
            if make is None:
                return None
            report = await make(rehearsal).run()
        record = report.record
        _log.info(
            "social.cycle_done",
            character=character,
            rehearsal=rehearsal,
            calls=report.calls,
            done=dict(record.done),
            failed=dict(record.failed),
            note=record.note,
        )
        return report


class DigestTick:
    """Summarises posts that wait for it."""

    def __init__(self, make: Callable[[], Digesting]) -> None:
        self._make = make

    async def tick(self, now: datetime) -> Digested:
        """Summarise a few; a store or an embedding model that fails is tried again with the next tick."""
        del now
        try:
            digested = await self._make().run()
        except CoreError as error:
            _log.error("social.digests_failed", reason=str(error))
            return Digested()
        if digested.made or digested.failed:
            _log.info("social.digests_made", made=digested.made, failed=digested.failed)
        return digested
