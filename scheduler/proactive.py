"""Speaking first, tick by tick: what was left unfinished, then what is due, each recipient on its own."""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog

from core.errors import StorageError
from core.ports import SlotStore, SubscriptionStore
from core.proactive.occasions import Occasions
from core.proactive.types import Recipient, RecipientKind
from core.sharding.shards import EVERYTHING, Shards

_FAR = timedelta(days=366)
_BATCH = 200

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticked:
    """What a tick began: slots that are due, and claims that were found unfinished."""

    due: int = 0
    unfinished: int = 0


class ProactiveTick:
    """One character's occasions. A tick begins what is due and doesn't wait for it; `idle` does.

    So a model that takes its time with one recipient keeps nobody else waiting for the next tick. At most
    `concurrency` recipients are worked on at once, and none twice at a time.
    """

    def __init__(
        self,
        *,
        character: str,
        occasions: Occasions,
        subscriptions: SubscriptionStore,
        slots: SlotStore,
        concurrency: int = 8,
        shards: Shards = EVERYTHING,
    ) -> None:
        """Take the parts; only recipients of these `shards` are looked after."""
        self._character = character
        self._occasions = occasions
        self._subscriptions = subscriptions
        self._slots = slots
        self._shards = shards
        self._room = asyncio.Semaphore(concurrency)
        self._under_way: dict[Recipient, asyncio.Task[None]] = {}
        self._closed = False

    async def tick(self, now: datetime) -> Ticked:
        """Begin what is due at `now` and what was left unfinished; return how much that is."""
        if self._closed:
            return Ticked()
        try:
            return Ticked(unfinished=await self._take_up(now), due=await self._begin(now))
        except StorageError as error:
            _log.error("proactive.tick_failed", character=self._character, reason=str(error))
            return Ticked()

    async def idle(self) -> None:
        """Wait until nothing is under way."""
        while self._under_way:
            await asyncio.gather(*self._under_way.values())

    async def let_go(self, user_id: int) -> None:
        """Stop what is under way for a person, whose rows are about to be deleted."""
        task = self._under_way.get(Recipient(self._character, RecipientKind.USER, user_id))
        await _stop([] if task is None else [task])

    async def close(self) -> None:
        """Begin nothing more and stop; a message that is on its way out is looked after at the next start."""
        self._closed = True
        await _stop(list(self._under_way.values()))

    async def _take_up(self, now: datetime) -> int:
        # Also what was claimed "later": the clock may have been set back.
        records = await self._slots.unfinished(
            self._character, claimed_before=now + _FAR, limit=_BATCH, shards=self._shards
        )
        mine = [record for record in records if record.recipient not in self._under_way]
        for record in mine:
            self._start(record.recipient, self._occasions.recover(record))
        return len(mine)

    async def _begin(self, now: datetime) -> int:
        limit = _BATCH + len(self._under_way)
        due = await self._subscriptions.due(self._character, now=now, limit=limit, shards=self._shards)
        waiting = [subscription for subscription in due if subscription.recipient not in self._under_way]
        if not waiting:
            return 0
        house = await self._occasions.lookout.house()
        for subscription in waiting:
            self._start(subscription.recipient, self._occasions.handle(subscription, house))
        return len(waiting)

    def _start(self, recipient: Recipient, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guarded(work))
        self._under_way[recipient] = task
        task.add_done_callback(lambda _: self._under_way.pop(recipient, None))

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Do one recipient's work; whatever goes wrong with it stays with it."""
        try:
            async with self._room:
                await work
        except StorageError as error:
            _log.error("proactive.not_stored", character=self._character, reason=str(error))
        except Exception as error:  # noqa: BLE001 - one recipient's trouble must not stop the others
            _log.error("proactive.fault", character=self._character, error=type(error).__name__)
        finally:
            work.close()


async def _stop(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
