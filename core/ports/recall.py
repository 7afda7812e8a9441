"""What recall needs of the archive: searching it by words and by meaning. Only readable messages ever come out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from core.ports.archive import ArchiveEntry
from core.values import ConversationKey

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What a search looks at of a message: enough to judge it by, not to cite it."""

    message_id: int
    text: str
    is_self: bool


@dataclass(frozen=True, slots=True)
class TermHit:
    """A message that holds some of the terms searched for."""

    message: Candidate
    terms: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TermSearch:
    """What a search by terms found. `frequencies`: in how many messages a term stands, as far as they were counted.

    `size`: how many messages the conversation has, as far as they were counted.
    """

    hits: tuple[TermHit, ...] = ()
    frequencies: Mapping[str, int]
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatePool:
    """The newest readable messages of a conversation, oldest first, and what they mean.

    A column for each thing that is known of them: tens of thousands of objects would hold everything up whenever the
    interpreter looks for garbage. `vectors`: one row of 512 stored bytes for each, zeros where there is none yet.
    `whole`: there are no others.
    """

    message_ids: "NDArray[np.int64]"
    texts: Sequence[str]
    by_self: "NDArray[np.bool_]"
    vectors: "NDArray[np.int8]"
    whole: bool


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A message whose meaning isn't stored yet. `key` is the store's own."""

    key: int
    text: str


class RecallStore(Protocol):
    """The archive as recall sees it.

    Readable is what has text, isn't sensitive, and wasn't written by somebody who opted out.
    """

    async def search(self, conversation: ConversationKey, terms: Sequence[str], *, limit: int) -> TermSearch:
        """Return messages of this conversation that hold any of the terms: of many, those with most and rarest."""

    async def newest(self, conversation: ConversationKey, *, limit: int) -> list[ArchiveEntry]:
        """Return the newest readable messages, oldest first."""

    async def pool(self, conversation: ConversationKey, *, model: str, limit: int) -> CandidatePool:
        """Return the newest readable messages with their vectors of that model."""

    async def entries(self, conversation: ConversationKey, message_ids: Sequence[int]) -> list[ArchiveEntry]:
        """Return those of the messages that are readable now, oldest first."""

    async def beside(self, conversation: ConversationKey, message_id: int) -> list[ArchiveEntry]:
        """Return the message directly before and the one directly after, as far as they are readable."""

    async def unembedded(
        self, conversation: ConversationKey, *, model: str, beyond: int, limit: int
    ) -> list[Unembedded]:
        """Return readable messages without a vector of that model, newest first.

        [] for a conversation of no more than `beyond` messages, which are all shown anyway.
        """

    async def keep_vectors(self, model: str, vectors: Sequence[tuple[Unembedded, bytes]]) -> None:
        """Store vectors, each only if the message still has that text."""
