"""Reading a model's answer to its end, or leaving it half-way."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from core.language_model.types import ChatEvent


@asynccontextmanager
async def reading(events: AsyncIterator[ChatEvent]) -> AsyncIterator[AsyncIterator[ChatEvent]]:
    """Close the stream on the way out, so that a model that is no longer listened to stops writing at once."""
    try:
        yield events
    finally:
        close = getattr(events, "aclose", None)
        if close is not None:
            await close()
