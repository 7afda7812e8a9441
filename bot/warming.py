"""What the first turn needs and the start doesn't: made ready once there is nothing more urgent to do.

Each piece takes a thread of its own, one after the other, so that whoever is talked with meanwhile is held up little.
Whoever needs a piece before it is its turn makes it ready themselves.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial

import structlog

from bot.loading import loading
from core.characters.pack import CharacterPack
from core.facts.capsule.inspection import inspect_capsule
from core.facts.schedule.timetable import Timetable
from core.language_model.client import import_package
from core.recall.question import prepare as prepare_questions
from core.turn.checks.registry import prepare as prepare_checks
from prompts.loader import PromptLibrary

Piece = Callable[[], object]

_log = structlog.get_logger(__name__)


class Warming:
    """Makes ready what turns need: first what a turn would otherwise make on the event loop, then what in a thread."""

    def __init__(self, *loads: Callable[[], Awaitable[None]]) -> None:
        """Take what is loaded last; each takes a thread of its own."""
        self._loads = loads
        self._task: asyncio.Task[None] | None = None

    def begin(self, pieces: Iterable[Piece] = ()) -> None:
        """Begin with some pieces, if it has not begun yet; returns at once."""
        if self._task is None:
            self._task = asyncio.create_task(self._run((*pieces, prepare_questions, prepare_checks, import_package)))

    async def close(self) -> None:
        """Go no further."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, pieces: Sequence[Piece]) -> None:
        # Looking for garbage among so much that stays would hold up every conversation, now and later.
        with loading():
            for piece in pieces:
                await _guarded(asyncio.to_thread(piece))
            for load in self._loads:
                await _guarded(load())
        _log.info("warming.done")


async def _guarded(work: Awaitable[object]) -> None:
    """Wait for a piece. If it fails, the first turn that needs it will tell."""
    try:
        await work
    except Exception as error:  # noqa: BLE001 - one that ended here would leave all others unmade, and say nothing
        _log.error("warming.failed", error=type(error).__name__, reason=str(error))


def pieces_of(
    pack: CharacterPack, timetable: Timetable | None, prompts: PromptLibrary, now: datetime
) -> Iterator[Piece]:
    """Give what a character's first turn needs: its days, and the templates of its languages."""
    if timetable is not None:
        yield partial(timetable.prepare, now)
    for locale in pack.character.locales:
        yield partial(prompts.prepare, "chat-frame", locale)
        yield partial(inspect_capsule, pack, prompts, at=now, locale=locale)
