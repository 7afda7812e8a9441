"""What leaves a turn."""

from dataclasses import dataclass
from enum import StrEnum


class ReplyKind(StrEnum):
    """`ANSWER` is the character's own and may be generated again; `NOTICE` is a written text (refusal, apology)."""

    ANSWER = "answer"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A finished text. `footnote` is small print below it (told once: this is an AI, what is kept)."""

    text: str
    kind: ReplyKind
    footnote: str | None = None
