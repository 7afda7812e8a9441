"""Models that write, and the one that embeds."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from core.language_model.types import ChatEvent, ChatRequest, Completion, TokenUsage


class ChatModel(Protocol):
    """One chat model behind one endpoint. Raises the `ModelError`s of `core.errors`, nothing else."""

    @property
    def name(self) -> str:
        """The model's name as it stands in usage and traces."""

    @property
    def accepts_images(self) -> bool:
        """Whether images may be put into a request."""

    @property
    def can_look_up(self) -> bool:
        """Whether it can tell which of many messages answer a question, and when none does."""

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return what a call costs, in millionths of the currency; of a chain, at most."""

    def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        """Yield text as it is written, then exactly one `Finished`."""

    async def complete(self, request: ChatRequest) -> Completion:
        """Return the whole answer at once; used where structure is asked for."""


class Embedder(Protocol):
    """The one embedding model of the system."""

    @property
    def name(self) -> str:
        """Recorded in the database; vectors of another model can't be compared with these."""

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        """Return one vector per text, None for an empty text."""
