"""What leaves a turn."""

from dataclasses import dataclass
from enum import StrEnum

from core.memory.offer import KeepOffer


class ReplyKind(StrEnum):
    """`ANSWER` is the character's own and may be generated again; `NOTICE` is a written text (refusal, apology)."""

    ANSWER = "answer"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A finished text. `footnote` is small print below it (told once: this is an AI, what is kept).

    `offer` is something the person asked to have remembered: the transport asks them below the reply.
    """

    text: str
    kind: ReplyKind
    footnote: str | None = None
    offer: KeepOffer | None = None
