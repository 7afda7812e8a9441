"""Works out what archived messages mean, in the background, and stores it beside them.

Only for conversations with more messages than a model can be shown: others need no vectors, and no encoder is loaded.
"""

import asyncio
from collections.abc import Sequence

import structlog

from core.errors import CoreError
from core.ports import Embedder, RecallStore, Unembedded
from core.social.vectors import encode
from core.values import ConversationKey

_AT_ONCE = 32

_log = structlog.get_logger(__name__)


class VectorFiller:
    """Fills in the missing vectors of conversations, one conversation at a time. To be closed at the end."""

    def __init__(self, *, store: RecallStore, embedder: Embedder, beyond: int) -> None:
        self._store = store
        self._embedder = embedder
        self._beyond = beyond
        self._waiting: dict[ConversationKey, None] = {}
        self._worker: asyncio.Task[None] | None = None

    def begin(self, conversation: ConversationKey) -> None:
        """See to a conversation soon; returns at once."""
        self._waiting[conversation] = None
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())

    async def idle(self) -> None:
        """Wait until everything is filled in."""
        if self._worker is not None:
            await asyncio.wait({self._worker})

    async def close(self) -> None:
        """Stop; what isn't filled in yet will be after a later turn."""
        self._waiting.clear()
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.wait({self._worker})

    async def _work(self) -> None:
        while self._waiting:
            conversation = next(iter(self._waiting))
            del self._waiting[conversation]
            try:
                await self._fill(conversation)
            except CoreError as error:
                _log.warning("recall.vectors_missing", channel_id=conversation.channel_id, reason=str(error))
            except Exception as error:  # noqa: BLE001 - a message whose meaning isn't stored is still found by its words
                _log.warning("recall.vectors_missing", channel_id=conversation.channel_id, reason=type(error).__name__)

    async def _fill(self, conversation: ConversationKey) -> None:
        model = self._embedder.name
        seen: set[int] = set()
        while True:
            waiting = await self._store.unembedded(conversation, model=model, beyond=self._beyond, limit=_AT_ONCE)
            if not waiting or seen.issuperset(of.key for of in waiting):
                return
            seen.update(of.key for of in waiting)
            vectors = await self._embedder.embed([of.text for of in waiting])
            await self._store.keep_vectors(model, await asyncio.to_thread(_stored, waiting, vectors))


def _stored(waiting: Sequence[Unembedded], vectors: Sequence[Sequence[float] | None]) -> list[tuple[Unembedded, bytes]]:
    """Return the vectors as they are stored; a text without words has a zero one, so that it isn't asked for again."""
    return [(of, encode(vector or ()).tobytes()) for of, vector in zip(waiting, vectors, strict=True)]
