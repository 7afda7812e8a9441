"""What a search came to: one of three honest outcomes, and what was found."""

from dataclasses import dataclass
from enum import StrEnum

from core.ports import ArchiveEntry
from core.recall.question import NO_QUESTION, RecallQuestion


class Outcome(StrEnum):
    """How a search ended. `NONE`: there was nothing to look up."""

    NONE = "none"
    FOUND = "found"
    NOT_FOUND = "not_found"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """The end of a search.

    `cited` are the messages found, best first, and `beside` their neighbours. `literal` and `offered` are ids: what
    the literal search found, best first, and what a model was shown. `complete`: nothing was left out of that.
    `why` tells the trace how it came about.
    """

    question: RecallQuestion = NO_QUESTION
    outcome: Outcome = Outcome.NONE
    cited: tuple[ArchiveEntry, ...] = ()
    beside: tuple[ArchiveEntry, ...] = ()
    literal: tuple[int, ...] = ()
    offered: tuple[int, ...] = ()
    complete: bool = True
    why: str = ""

    @property
    def evidence(self) -> tuple[ArchiveEntry, ...]:
        """Everything that was found, in the order of time."""
        return tuple(sorted((*self.cited, *self.beside), key=lambda entry: (entry.sent_at, entry.message_id)))


NOTHING_ASKED = Recollection()
