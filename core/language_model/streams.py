"""Reading a model's answer to its end, or leaving it half-way."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.errors import ModelOutputError
from core.language_model.types import ChatEvent, Completion, Delta, Finished


@asynccontextmanager
async def reading(events: AsyncIterator[ChatEvent]) -> AsyncIterator[AsyncIterator[ChatEvent]]:
    """Close the stream on the way out, so that a model that is no longer listened to stops writing at once."""
    try:
        yield events
    finally:
        close = getattr(events, "aclose", None)
        if close is not None:
            await close()


async def collect(stream: AsyncIterator[ChatEvent], *, most: int | None = None) -> Completion:
    """Return a stream's whole answer; one of more than `most` characters is not read to its end.

    Raises:
        ModelOutputError: It is longer, or broke off.
    """
    written = ""
    async with reading(stream) as events:
        async for event in events:
            if isinstance(event, Finished):
                return Completion(written, event.model, event.usage, event.cost_micros, event.cut_off)
            written = written + event.text if isinstance(event, Delta) else ""
            if most is not None and len(written) > most:
                raise ModelOutputError("a model wrote far more than it was asked for")
    raise ModelOutputError("a model's stream ended without its end")
