"""The only user of the `openai` package: chat and embeddings over any OpenAI-compatible server.

The package takes most of a second to import, so it is imported in a thread when the first request is made.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import structlog

from core.clock import Clock
from core.errors import ModelError, ModelOutputError, ModelUnavailableError
from core.language_model.answer import Answer, Piece
from core.language_model.deadline import Patience, within
from core.language_model.dialect import Dialect, adapt
from core.language_model.endpoint import Endpoint
from core.language_model.faults import from_status
from core.language_model.payload import request_body
from core.language_model.streams import collect, reading
from core.language_model.types import ChatEvent, ChatRequest, Completion, Delta, TokenUsage

if TYPE_CHECKING:
    from openai import AsyncOpenAI, AsyncStream
    from openai.types.chat import ChatCompletionChunk

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_MOST_CHARACTERS_A_TOKEN = 16
"""Beyond what any tokenizer makes of text: a server that writes on keeps to no limit."""
_KEYLESS = "none"  # the package insists on a key; servers without keys ignore it
_log = structlog.get_logger(__name__)


class Connection:
    """The HTTP client of one endpoint, made on first use; tells what a failure means."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._client: AsyncOpenAI | None = None
        self._making = asyncio.Lock()

    async def client(self) -> "AsyncOpenAI":
        """Return the client."""
        async with self._making:
            if self._client is None:
                self._client = await asyncio.to_thread(_make_client, self.endpoint)
            return self._client

    async def aclose(self) -> None:
        """Close the client's sockets; a later use opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def meaning(self, error: Exception) -> ModelError | None:
        """Return the `ModelError` for an exception raised during a call; None for one that is a fault of ours."""
        import openai  # noqa: PLC0415

        label = self.endpoint.label
        match error:
            case ModelError():
                return error
            case openai.APIStatusError():
                wait = _seconds(error.response.headers.get("retry-after"))
                return from_status(self.endpoint, error.status_code, code=error.code, retry_after=wait)
            case json.JSONDecodeError() | UnicodeDecodeError() | openai.APIResponseValidationError():
                return ModelOutputError(f"{label}: sent something that isn't an answer of its kind")
            case TimeoutError() | openai.APITimeoutError():
                unavailable = "gave no answer in time"
            case openai.APIConnectionError() | OSError():
                unavailable = "can't be reached, or the connection broke off"
            case openai.OpenAIError():
                unavailable = f"the call failed ({type(error).__name__})"
            case _:
                return None
        return ModelUnavailableError(f"{label}: {unavailable}")


class OpenAIChatModel:
    """A chat model behind an OpenAI-compatible server (`core.ports.ChatModel`). Tries once: see `ModelChain`."""

    def __init__(self, endpoint: Endpoint, *, clock: Clock) -> None:
        self._endpoint = endpoint
        self._clock = clock
        self._connection = Connection(endpoint)
        self._dialect = Dialect()
        limit = endpoint.max_concurrency
        self._places: AbstractAsyncContextManager[Any] = asyncio.Semaphore(limit) if limit else nullcontext()

    @property
    def name(self) -> str:
        """The model's name."""
        return self._endpoint.model

    @property
    def accepts_images(self) -> bool:
        """Whether images may be put into a request."""
        return self._endpoint.accepts_images

    @property
    def can_look_up(self) -> bool:
        """Whoever runs an endpoint of their own has chosen a model for it."""
        return True

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return what a call costs, in millionths of the currency."""
        return self._endpoint.cost_micros(usage)

    async def prepare(self) -> None:
        """Import and set up what a request needs, ahead of the first one; nothing is sent."""
        await self._connection.client()

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        """Yield text as it is written, then exactly one `Finished`."""
        try:
            async with self._places, reading(self._events(request)) as events:
                async for event in events:
                    yield event
        except Exception as error:
            meaning = self._connection.meaning(error)
            if meaning is None or meaning is error:
                raise
            raise meaning from None  # the server's own words may quote the prompt or the key

    async def complete(self, request: ChatRequest) -> Completion:
        """Return the whole answer at once."""
        return await collect(self.stream(request), most=request.max_output_tokens * _MOST_CHARACTERS_A_TOKEN)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._connection.aclose()

    async def _events(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        limits = self._endpoint.timeouts
        patience = Patience(self._clock, piece=limits.piece, total=limits.total)
        answer = Answer(request, self._endpoint)
        async with await patience.wait(self._open(request)) as chunks:
            while (chunk := await patience.wait(_next(chunks))) is not None:
                piece = self._read(chunk)
                if piece.alive:
                    patience.renew()
                if text := answer.take(piece):
                    yield Delta(text)
        if text := answer.rest():
            yield Delta(text)
        yield answer.finish()

    def _read(self, chunk: "ChatCompletionChunk") -> Piece:
        try:
            return _piece(chunk)
        except (AttributeError, TypeError):
            raise ModelOutputError(f"{self._endpoint.label}: sent something that isn't an answer of its kind") from None

    async def _open(self, request: ChatRequest) -> "AsyncStream[ChatCompletionChunk]":
        """Send the request; again, in another dialect, where the server refuses a parameter."""
        client = await self._connection.client()
        import openai  # noqa: PLC0415

        while True:
            body = request_body(request, self._endpoint, self._dialect)
            try:
                stream: AsyncStream[ChatCompletionChunk] = await client.chat.completions.create(**body)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as refusal:
                adapted = adapt(self._dialect, refusal.message)
                if adapted is None:
                    raise
                self._dialect = adapted
                _log.info("model_dialect_adapted", model=self.name, dialect=str(adapted))
            else:
                return stream


class OpenAIEmbedder:
    """An embedding model behind an OpenAI-compatible server (`core.ports.Embedder`)."""

    def __init__(self, endpoint: Endpoint, *, clock: Clock, batch: int = 128) -> None:
        self._endpoint = endpoint
        self._clock = clock
        self._batch = batch
        self._connection = Connection(endpoint)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._endpoint.model

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        """Return one vector per text, None for an empty text."""
        wanted = [index for index, text in enumerate(texts) if text.strip()]
        vectors: list[list[float] | None] = [None] * len(texts)
        for start in range(0, len(wanted), self._batch):
            part = wanted[start : start + self._batch]
            for index, vector in zip(part, await self._request([texts[index] for index in part]), strict=True):
                vectors[index] = vector
        return vectors

    async def aclose(self) -> None:
        """Close the connections."""
        await self._connection.aclose()

    async def _request(self, texts: list[str]) -> list[list[float]]:
        try:
            return await within(self._clock, self._endpoint.timeouts.total, self._ask(texts))
        except Exception as error:
            meaning = self._connection.meaning(error)
            if meaning is None or meaning is error:
                raise
            raise meaning from None

    async def _ask(self, texts: list[str]) -> list[list[float]]:
        client = await self._connection.client()
        answer = await client.embeddings.create(model=self.name, input=texts, encoding_format="float")
        rows = sorted(answer.data or (), key=lambda row: row.index)
        if len(rows) != len(texts):
            raise ModelOutputError(f"{self._endpoint.label}: answered {len(texts)} texts with {len(rows)} vectors")
        return [row.embedding for row in rows]


def import_package() -> None:
    """Import what a chat needs of the package, ahead of the first request; in a thread."""
    from openai import AsyncOpenAI  # noqa: F401, PLC0415
    from openai.resources.chat import AsyncChat  # noqa: F401, PLC0415 - the package imports it when it is first used


def _make_client(endpoint: Endpoint) -> "AsyncOpenAI":
    import openai  # noqa: PLC0415

    limits = endpoint.timeouts
    address = urlsplit(endpoint.base_url)
    return openai.AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.api_key or _KEYLESS,
        max_retries=0,
        timeout=openai.Timeout(limits.total, connect=limits.connect),
        # Small servers (llama.cpp's for one) close a connection after an answer without a word; a request that was
        # just being sent on it is lost. Without TLS a new connection costs next to nothing.
        default_headers={"Connection": "close"} if address.scheme == "http" else None,
        # A proxy of the environment is meant for the outside and can't reach this machine's own servers.
        http_client=openai.DefaultAsyncHttpxClient(trust_env=address.hostname not in _LOOPBACK),
    )


async def _next(chunks: "AsyncStream[ChatCompletionChunk]") -> "ChatCompletionChunk | None":
    try:
        return await anext(chunks)
    except StopAsyncIteration:
        return None


def _piece(chunk: "ChatCompletionChunk") -> Piece:
    """Return what a chunk holds; servers may leave out anything, whatever the package's types promise."""
    usage = TokenUsage(chunk.usage.prompt_tokens or 0, chunk.usage.completion_tokens or 0) if chunk.usage else None
    for choice in chunk.choices or ():
        delta: Any = choice.delta
        text = getattr(delta, "content", None) or ""
        thought = getattr(delta, "reasoning_content", None) or getattr(delta, "reasoning", None)
        return Piece(text=text, alive=bool(text or thought), finish_reason=choice.finish_reason, usage=usage)
    return Piece(usage=usage)


def _seconds(retry_after: str | None) -> float | None:
    try:
        return max(0.0, float(retry_after)) if retry_after else None
    except ValueError:
        return None
