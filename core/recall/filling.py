"""Works out what archived messages mean, in the background, and stores it beside them.

Only for conversations with more messages than a model can be shown: others need no vectors, and no encoder is loaded.
The newest messages stand in the prompt anyway, so there is no haste: several at a time take half as long each as one
by one, and where many are missing the encoder is left to those who talk most of the time.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence

import structlog

from core.clock import Clock, SystemClock
from core.errors import CoreError
from core.ports import Embedder, RecallStore, Unembedded
from core.social.vectors import encode
from core.values import ConversationKey

_AT_ONCE = 32
_SHARE = 1 / 16
"""A conversation is seen to again when as many turns were archived as are this share of what a model is shown."""
_REST = 3.0
"""How many times as long as it worked the encoder rests where there is more to do."""
_COUNTED = 10_000
"""Conversations of which that is remembered."""

_log = structlog.get_logger(__name__)


class VectorFiller:
    """Fills in the missing vectors of conversations, one conversation at a time. To be closed at the end."""

    def __init__(self, *, store: RecallStore, embedder: Embedder, beyond: int, clock: Clock | None = None) -> None:
        self._store = store
        self._embedder = embedder
        self._beyond = beyond
        self._clock = clock or SystemClock()
        self._noted: OrderedDict[ConversationKey, int] = OrderedDict()
        self._waiting: dict[ConversationKey, None] = {}
        self._worker: asyncio.Task[None] | None = None

    def noted(self, conversation: ConversationKey) -> None:
        """Take in that something was archived; the conversation is seen to at the first time, and then now and then."""
        times = self._noted.pop(conversation, 0)
        self._noted[conversation] = times + 1
        while len(self._noted) > _COUNTED:
            self._noted.popitem(last=False)
        if times % max(1, int(self._beyond * _SHARE)) == 0:
            self._begin(conversation)

    def _begin(self, conversation: ConversationKey) -> None:
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
            began = self._clock.monotonic()
            vectors = await self._embedder.embed([of.text for of in waiting])
            await self._store.keep_vectors(model, await asyncio.to_thread(_stored, waiting, vectors))
            if len(waiting) < _AT_ONCE:
                return
            await self._clock.sleep(_REST * (self._clock.monotonic() - began))


def _stored(waiting: Sequence[Unembedded], vectors: Sequence[Sequence[float] | None]) -> list[tuple[Unembedded, bytes]]:
    """Return the vectors as they are stored; a text without words has a zero one, so that it isn't asked for again."""
    return [(of, encode(vector or ()).tobytes()) for of, vector in zip(waiting, vectors, strict=True)]
