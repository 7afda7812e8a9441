"""The server itself."""

import asyncio
import hashlib
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from tests.model_server.script import Answer, Behaviour, Broken, Empty, Failure, Garbage, Hang, ReceivedRequest

Responder = Callable[[ReceivedRequest], Behaviour | str]


class ModelServer:
    """Chat completions (streaming or not), embeddings and a list of models.

    Behaviours of `script()` are used up one a request; then `respond` answers, a callable from the request to a
    text or a behaviour. `refuses` names parameters that are answered with 400, as servers do that don't know them.
    """

    def __init__(self) -> None:
        self.requests: list[ReceivedRequest] = []
        self.embedding_requests: list[ReceivedRequest] = []
        self.respond: Responder = lambda request: f"echo: {request.last_line}"
        self.refuses: set[str] = set()
        self.api_key: str | None = None
        self.disconnected = asyncio.Event()
        self.url = ""
        self._script: deque[Behaviour] = deque()
        self._arrived = asyncio.Condition()

    def script(self, *behaviours: Behaviour | str) -> None:
        """Add behaviours for the next requests; a plain text is a good answer."""
        self._script.extend(_as_behaviour(behaviour) for behaviour in behaviours)

    async def wait_for_requests(self, count: int) -> None:
        """Wait until so many chat requests have come in, counted from the start."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.requests) >= count)

    def application(self) -> web.Application:
        """Return the routes."""
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.router.add_post("/v1/chat/completions", self._chat)
        application.router.add_post("/v1/embeddings", self._embeddings)
        application.router.add_get("/v1/models", self._models)
        return application

    async def _models(self, _: web.Request) -> web.StreamResponse:
        return web.json_response({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    async def _embeddings(self, request: web.Request) -> web.StreamResponse:
        received = await _received(request)
        self.embedding_requests.append(received)
        if self._script and isinstance(self._script[0], Failure):
            return _failure(self._script.popleft())
        rows = [
            {"object": "embedding", "index": index, "embedding": fake_vector(text)}
            for index, text in enumerate(received.body["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        answer = {"object": "list", "model": received.body["model"], "data": rows[::-1], "usage": usage}
        return web.json_response(answer)

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        received = await _received(request)
        async with self._arrived:
            self.requests.append(received)
            self._arrived.notify_all()
        refused = sorted(self.refuses & set(received.body))
        if self.api_key is not None and received.headers.get("authorization") != f"Bearer {self.api_key}":
            return _failure(Failure(status=401, code="invalid_api_key"))
        if refused:
            return _failure(Failure(status=400, echo=f"Unsupported parameter: '{refused[0]}'"))
        behaviour = self._script.popleft() if self._script else _as_behaviour(self.respond(received))
        try:
            return await _perform(behaviour, request, received)
        except (ConnectionError, asyncio.CancelledError):
            self.disconnected.set()
            raise


@asynccontextmanager
async def model_server() -> AsyncIterator[ModelServer]:
    """Run a server on a free port; its `url` is a base_url for any client."""
    server = ModelServer()
    runner = web.AppRunner(server.application(), handler_cancellation=True, shutdown_timeout=1.0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    server.url = f"http://{host}:{port}/v1"
    try:
        yield server
    finally:
        await runner.cleanup()


def fake_vector(text: str, dimensions: int = 8) -> list[float]:
    """Return a vector that depends on nothing but the text."""
    digest = hashlib.sha256(text.encode()).digest()
    return [byte / 255 - 0.5 for byte in digest[:dimensions]]


def _as_behaviour(behaviour: Behaviour | str) -> Behaviour:
    return Answer(text=behaviour) if isinstance(behaviour, str) else behaviour


async def _received(request: web.Request) -> ReceivedRequest:
    headers = {name.lower(): value for name, value in request.headers.items()}
    return ReceivedRequest(await request.json(), headers)


def _failure(failure: Behaviour) -> web.StreamResponse:
    assert isinstance(failure, Failure)
    error = {"message": failure.echo, "type": "error", "code": failure.code, "param": None}
    headers = {"Retry-After": failure.retry_after} if failure.retry_after else {}
    return web.json_response({"error": error}, status=failure.status, headers=headers)


async def _perform(behaviour: Behaviour, request: web.Request, received: ReceivedRequest) -> web.StreamResponse:
    match behaviour:
        case Failure():
            return _failure(behaviour)
        case Garbage():
            return web.Response(body=behaviour.body, content_type=behaviour.content_type)
        case Broken():
            return await _break_off(behaviour, request)
        case Hang():
            behaviour.entered.set()
            await behaviour.release.wait()
            return await _write(Answer(text=""), request, received)
        case Empty():
            return await _write(Answer(text=""), request, received)
        case Answer():
            return await _write(behaviour, request, received)


async def _break_off(behaviour: Broken, request: web.Request) -> web.StreamResponse:
    response = await _open_stream(request)
    for piece in _pieces(behaviour.text, 4):
        await response.write(_event({"choices": [_choice({"content": piece})]}))
    if not behaviour.politely and request.transport is not None:
        request.transport.abort()
    return response


async def _write(answer: Answer, request: web.Request, received: ReceivedRequest) -> web.StreamResponse:
    if answer.hold is not None:
        await answer.hold.wait()
    if not received.body.get("stream"):
        return web.json_response(_whole(answer, received))
    response = await _open_stream(request)
    await response.write(_event({"choices": [_choice({"role": "assistant", "content": ""})]}))
    if answer.thoughts:
        await response.write(_event({"choices": [_choice({"reasoning_content": answer.thoughts})]}))
    for number, piece in enumerate(_pieces(answer.text, answer.chunk)):
        if answer.pause is not None and answer.pause[1] == number:
            await answer.pause[0].wait()
        await response.write(_event({"choices": [_choice({"content": piece})]}))
    await response.write(_event({"choices": [_choice({}, answer.finish_reason)]}))
    if answer.usage and received.body.get("stream_options", {}).get("include_usage"):
        await response.write(_event({"choices": [], "usage": _usage(answer.usage)}))
    await response.write(b"data: [DONE]\n\n")
    return response


async def _open_stream(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    return response


def _whole(answer: Answer, received: ReceivedRequest) -> Mapping[str, Any]:
    message = {"role": "assistant", "content": answer.text}
    choice = {"index": 0, "message": message, "finish_reason": answer.finish_reason}
    usage = {"usage": _usage(answer.usage)} if answer.usage else {}
    return {"id": "1", "object": "chat.completion", "model": received.body["model"], "choices": [choice], **usage}


def _usage(usage: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}


def _choice(delta: Mapping[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def _event(data: Mapping[str, Any]) -> bytes:
    chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "scripted", **data}
    return b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n"


def _pieces(text: str, size: int) -> Sequence[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]
