"""What a model may answer when it is asked which messages are meant: references, and nothing else.

It gets messages under short aliases and gives aliases back. Code checks each of them; a reference that was never
offered means that the answer can't be relied on.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from core.ports import ArchiveEntry

MOST_PICKS = 3
CONFIDENT = 0.6


class Pick(BaseModel):
    """A reference to a message that was shown, and how sure it is the one that is asked for."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    id: str = Field(description="the id of a message, as it stands before it (m1, m2, ...)")
    confidence: float = Field(ge=0.0, le=1.0, description="1: certainly the one asked for; 0: certainly not")


class Picks(BaseModel):
    """The messages that answer the question, or none."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    messages: list[Pick]


@dataclass(frozen=True, slots=True)
class Offer:
    """The messages that are shown, oldest first, by their aliases."""

    question: str
    messages: Mapping[str, ArchiveEntry]

    @classmethod
    def of(cls, question: str, entries: Sequence[ArchiveEntry]) -> "Offer":
        """Return the offer of these messages."""
        return cls(question, {f"m{number}": entry for number, entry in enumerate(entries, 1)})


Select = Callable[[Offer], Awaitable[Sequence[Pick]]]
"""Asks a model which of the offered messages are meant. Raises `NoSelectionError` if it can't be asked or read."""


class Fault(StrEnum):
    """Why nothing can be made of an answer."""

    NOT_OFFERED = "not_offered"


@dataclass(frozen=True, slots=True)
class Checked:
    """What is left of a model's answer: ids of messages, surest first. `fault`: it can't be relied on."""

    message_ids: tuple[int, ...] = ()
    fault: Fault | None = None


def check(picks: Sequence[Pick], offer: Offer) -> Checked:
    """Return the messages that were offered and picked with confidence, at most three.

    An answer that names a message which wasn't offered is only as good as its other picks; with none it is a fault,
    not a "there is none".
    """
    offered = [pick for pick in picks if pick.id in offer.messages]
    sure = sorted((pick for pick in offered if pick.confidence >= CONFIDENT), key=lambda pick: -pick.confidence)
    ids = tuple(dict.fromkeys(offer.messages[pick.id].message_id for pick in sure))[:MOST_PICKS]
    return Checked(ids, Fault.NOT_OFFERED if not ids and len(offered) < len(picks) else None)
