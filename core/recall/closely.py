"""Reading texts one by one for words that stand there otherwise than the index knows, and long work in pieces."""

import asyncio
from collections.abc import Callable, Collection, Set
from dataclasses import dataclass
from typing import TypeVar

from core.analysis.japanese import JapaneseAnalyser
from core.ports import CandidatePool
from core.recall.literal import Hit
from core.recall.spelling import Spellings

_PIECE = 500  # texts: a few milliseconds

_Done = TypeVar("_Done")


async def in_pieces(work: Callable[[slice], list[_Done]], count: int) -> list[_Done]:
    """Have work done in a thread on so many things, a piece at a time: in between the event loop gets its turn."""
    done: list[_Done] = []
    for at in range(0, count, _PIECE):
        done += await asyncio.to_thread(work, slice(at, min(at + _PIECE, count)))
    return done


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseReading:
    """Reads a pool for words in other spellings. `terms`: all that are sought, `without`: messages that don't count."""

    analyser: JapaneseAnalyser
    pool: CandidatePool
    spellings: Spellings
    terms: Set[str]
    without: Collection[int]

    def hits(self, piece: slice) -> list[Hit]:
        """Return the messages of a piece of the pool that hold one."""
        if not self.spellings.can_be_in(self.pool.texts[piece]):
            return []
        return [hit for at in range(piece.start, piece.stop) if (hit := self._hit(at)) is not None]

    def _hit(self, at: int) -> Hit | None:
        message_id, text = int(self.pool.message_ids[at]), self.pool.texts[at]
        if message_id in self.without or not (otherwise := self.spellings.held(text)):
            return None
        held = self.terms & set(self.analyser.index_terms(text))
        is_self = bool(self.pool.by_self[at])
        return Hit(order=message_id, text=text, terms=held, otherwise=otherwise, is_self=is_self)
