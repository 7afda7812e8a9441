"""A chat model and an embedder without a network."""

import asyncio
import hashlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence

from core.errors import ModelError
from core.language_model.tokens import estimate_tokens
from core.language_model.types import ChatEvent, ChatRequest, Completion, Delta, Finished, TokenUsage

Script = Callable[[ChatRequest], str | ModelError]


class ScriptedModel:
    """A chat model that says what it is told to (`core.ports.ChatModel`).

    `replies` are used up one a request; an error among them is raised. Then `script`, a callable, answers; without
    it the last reply is repeated. While `gate` is cleared, requests wait before their first word; with a `step`
    semaphore, every delta waits for a release of it. `written_before_failing` is streamed before an error is raised.
    `abandoned` counts streams that were closed before their end.
    """

    def __init__(
        self,
        replies: Iterable[str | ModelError] = (),
        *,
        script: Script | None = None,
        name: str = "scripted",
        chunk: int = 5,
        accepts_images: bool = False,
        can_look_up: bool = True,
        cost_micros: int = 0,
        written_before_failing: str = "",
    ) -> None:
        self.requests: list[ChatRequest] = []
        self.abandoned = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.step: asyncio.Semaphore | None = None
        self._name = name
        self._accepts_images = accepts_images
        self._can_look_up = can_look_up
        self._replies = deque(replies)
        self._script = script
        self._chunk = chunk
        self._cost_micros = cost_micros
        self._written_before_failing = written_before_failing
        self._last: str | ModelError = "はい。"
        self._arrived = asyncio.Condition()

    @property
    def name(self) -> str:
        return self._name

    @property
    def accepts_images(self) -> bool:
        return self._accepts_images

    @property
    def can_look_up(self) -> bool:
        return self._can_look_up

    def cost_micros(self, usage: TokenUsage) -> int:
        return self._cost_micros

    def add(self, *replies: str | ModelError) -> None:
        """Add replies for the next requests."""
        self._replies.extend(replies)

    async def wait_for_requests(self, count: int) -> None:
        """Wait until so many requests have come in, counted from the start."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.requests) >= count)

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        reply = await self._next_reply(request)
        try:
            text = self._written_before_failing if isinstance(reply, ModelError) else reply
            for start in range(0, len(text), self._chunk):
                if self.step is not None:
                    await self.step.acquire()
                yield Delta(text[start : start + self._chunk])
            if isinstance(reply, ModelError):
                raise reply
            yield Finished(self._name, self._usage(request, reply), self._cost_micros)
        except (GeneratorExit, asyncio.CancelledError):
            self.abandoned += 1
            raise

    async def complete(self, request: ChatRequest) -> Completion:
        reply = await self._next_reply(request)
        if isinstance(reply, ModelError):
            raise reply
        return Completion(reply, self._name, self._usage(request, reply), self._cost_micros)

    async def _next_reply(self, request: ChatRequest) -> str | ModelError:
        async with self._arrived:
            self.requests.append(request)
            self._arrived.notify_all()
        await self.gate.wait()
        if self._replies:
            self._last = self._replies.popleft()
        elif self._script is not None:
            self._last = self._script(request)
        return self._last

    def _usage(self, request: ChatRequest, reply: str) -> TokenUsage:
        prompt = sum(estimate_tokens(message.text) for message in request.messages)
        return TokenUsage(prompt, estimate_tokens(reply))


class HashEmbedder:
    """Vectors that depend on nothing but the text; equal texts are equal, others unrelated (`core.ports.Embedder`)."""

    name = "hash"

    def __init__(self, dimensions: int = 16) -> None:
        self.dimensions = dimensions
        self.embedded: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        self.embedded += [text for text in texts if text.strip()]
        return [self._vector(text) if text.strip() else None for text in texts]

    def _vector(self, text: str) -> list[float]:
        digest = hashlib.shake_256(text.encode()).digest(self.dimensions)
        raw = [byte / 127.5 - 1 for byte in digest]
        length = sum(value * value for value in raw) ** 0.5 or 1.0
        return [value / length for value in raw]
