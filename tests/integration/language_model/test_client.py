import asyncio
import subprocess
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from core.clock import Clock, SimulatedClock, SystemClock
from core.errors import ModelError, ModelOutputError, ModelRejectedError, ModelUnavailableError
from core.language_model.client import OpenAIChatModel, OpenAIEmbedder
from core.language_model.endpoint import Endpoint, Timeouts
from core.language_model.types import ChatMessage, Delta, Finished, Image, Role, TokenUsage
from tests.integration.language_model.requests import ask
from tests.model_server import Answer, Behaviour, Broken, Empty, Failure, Garbage, Hang, ModelServer
from tests.model_server.server import fake_vector

KEY = "sk-very-secret-key"
PRIVATE = "誰にも言っていない秘密"


@asynccontextmanager
async def model_at(server: ModelServer, clock: Clock | None = None, **options: Any) -> AsyncIterator[OpenAIChatModel]:
    endpoint = Endpoint(base_url=server.url, api_key=KEY, model="test-model", **options)
    model = OpenAIChatModel(endpoint, clock=clock or SystemClock())
    try:
        yield model
    finally:
        await model.aclose()


async def test_text_is_streamed_as_it_is_written_and_ends_with_one_finished(server: ModelServer) -> None:
    server.script(Answer(text="こんにちは、今日もいい天気だね。", chunk=5, usage=(21, 11)))
    async with model_at(server) as model:
        events = [event async for event in model.stream(ask())]
    deltas = [event for event in events if isinstance(event, Delta)]
    assert len(deltas) == 4
    assert "".join(delta.text for delta in deltas) == "こんにちは、今日もいい天気だね。"
    assert events[-1] == Finished("test-model", TokenUsage(21, 11))
    assert sum(isinstance(event, Finished) for event in events) == 1


async def test_first_words_arrive_before_the_answer_is_complete(server: ModelServer) -> None:
    rest = asyncio.Event()
    server.script(Answer(text="one two", chunk=3, pause=(rest, 1)))
    async with model_at(server) as model, aclosing(model.stream(ask())) as events:  # type: ignore[type-var]
        assert await anext(events) == Delta("one")
        rest.set()
        assert [event async for event in events][-1] == Finished("test-model", TokenUsage(12, 7))


async def test_request_carries_model_key_messages_and_limits(server: ModelServer) -> None:
    async with model_at(server) as model:
        await model.complete(replace(ask(), stop=("\n\n",), temperature=0.3))
    (received,) = server.requests
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.body["model"] == "test-model"
    assert received.body["max_tokens"] == 64
    assert received.body["temperature"] == 0.3
    assert received.body["stop"] == ["\n\n"]
    assert received.messages == [
        {"role": "system", "content": "You are Hinata."},
        {"role": "user", "content": "こんにちは"},
    ]


async def test_usage_is_estimated_when_the_server_reports_none(server: ModelServer) -> None:
    server.script(Answer(text="はい、そうだね", usage=None))
    async with model_at(server) as model:
        completion = await model.complete(ask())
    assert completion.usage.estimated
    assert completion.usage.output_tokens == 7
    assert completion.usage.input_tokens > 5


async def test_cost_follows_the_prices_per_million_tokens(server: ModelServer) -> None:
    server.script(Answer(text="x", usage=(1000, 100)))
    async with model_at(server, input_price=0.4, output_price=1.6) as model:
        completion = await model.complete(ask())
    assert completion.cost_micros == 400 + 160


async def test_answer_that_ran_into_its_limit_is_marked_as_cut_off(server: ModelServer) -> None:
    server.script(Answer(text="half an", finish_reason="length"))
    async with model_at(server) as model:
        assert (await model.complete(ask())).cut_off


async def test_thoughts_are_not_part_of_the_answer(server: ModelServer) -> None:
    server.script(
        Answer(text="<think>hm, what to say?</think>\n\nHi!", chunk=3), Answer(text="Hi!", thoughts="hm, what to say?")
    )
    async with model_at(server) as model:
        assert (await model.complete(ask())).text == "Hi!"
        assert (await model.complete(ask())).text == "Hi!"


async def test_image_is_sent_as_a_data_url_only_to_models_that_take_images(server: ModelServer) -> None:
    picture = replace(ask(), messages=(ChatMessage(Role.USER, "look", (Image("image/png", b"\x89PNG"),)),))
    async with model_at(server, accepts_images=True) as seeing, model_at(server) as blind:
        await seeing.complete(picture)
        await blind.complete(picture)
    first, second = server.requests
    assert first.messages[0]["content"][1]["image_url"]["url"] == "data:image/png;base64,iVBORw=="
    assert second.messages[0]["content"] == "look\n[image not visible]"


@pytest.mark.parametrize(
    ("parameter", "left_out", "used_instead"),
    [
        ("stream_options", "stream_options", None),
        ("max_tokens", "max_tokens", "max_completion_tokens"),
        ("temperature", "temperature", None),
    ],
)
async def test_refused_parameter_is_done_without_from_then_on(
    server: ModelServer, parameter: str, left_out: str, used_instead: str | None
) -> None:
    server.refuses = {parameter}
    async with model_at(server) as model:
        await model.complete(ask())
        await model.complete(ask())
    assert len(server.requests) == 3
    for request in server.requests[1:]:
        assert left_out not in request.body
        assert used_instead is None or request.body[used_instead] == 64


@pytest.mark.parametrize(
    ("behaviour", "kind", "advice"),
    [
        (Failure(status=400), ModelRejectedError, "refused as invalid"),
        (Failure(status=401, code="invalid_api_key"), ModelRejectedError, "check the key"),
        (Failure(status=402), ModelRejectedError, "billing"),
        (Failure(status=403), ModelRejectedError, "may use this model"),
        (Failure(status=404), ModelRejectedError, "check the base_url"),
        (Failure(status=413), ModelRejectedError, "too large"),
        (Failure(status=400, code="context_length_exceeded"), ModelRejectedError, "too large"),
        (Failure(status=429, code="insufficient_quota"), ModelRejectedError, "billing"),
        (Failure(status=429, retry_after="3"), ModelUnavailableError, "rate limit"),
        (Failure(status=500), ModelUnavailableError, "HTTP 500"),
        (Failure(status=503), ModelUnavailableError, "HTTP 503"),
        (Broken(), ModelUnavailableError, "broke off"),
        (Broken(text="half of it"), ModelUnavailableError, "broke off"),
        (Broken(text="half of it", politely=True), ModelUnavailableError, "broke off"),
        (Garbage(), ModelOutputError, "isn't an answer"),
        (Garbage(body=b'data: "text"\n\n'), ModelOutputError, "isn't an answer"),
        (Garbage(body=b'data: {"choices": [7]}\n\n'), ModelOutputError, "isn't an answer"),
        (Garbage(body=b'data: {"error": {"message": "out of memory"}}\n\n'), ModelUnavailableError, "failed"),
        (Garbage(body=b"<html>hello</html>", content_type="text/html"), ModelUnavailableError, "broke off"),
        (Empty(), ModelOutputError, "empty"),
        (Answer(text=" \n "), ModelOutputError, "empty"),
        (Answer(text="<think>and on and on", finish_reason="length"), ModelOutputError, "empty"),
    ],
)
async def test_failure_of_the_server_becomes_the_right_error(
    server: ModelServer, behaviour: Behaviour, kind: type[ModelError], advice: str
) -> None:
    server.script(behaviour)
    async with model_at(server) as model:
        with pytest.raises(kind, match=advice) as caught:
            await model.complete(ask())
    assert "test-model" in str(caught.value)
    assert server.url in str(caught.value)
    assert len(server.requests) == 1


async def test_retry_after_of_the_server_is_handed_on(server: ModelServer) -> None:
    server.script(Failure(status=429, retry_after="2.5"))
    async with model_at(server) as model:
        with pytest.raises(ModelUnavailableError) as caught:
            await model.complete(ask())
    assert caught.value.retry_after == 2.5


async def test_server_that_is_not_there_is_unavailable() -> None:
    clock = SystemClock()
    model = OpenAIChatModel(Endpoint(base_url="http://127.0.0.1:9/v1", model="m", api_key=KEY), clock=clock)
    with pytest.raises(ModelUnavailableError, match="can't be reached"):
        await model.complete(ask())
    await model.aclose()


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
async def test_error_shows_neither_key_nor_message_even_where_the_server_quotes_them(
    server: ModelServer, status: int
) -> None:
    server.script(Failure(status=status, echo=f"bad key {KEY} for prompt {PRIVATE}"))
    async with model_at(server) as model:
        with pytest.raises(ModelError) as caught:
            await model.complete(ask(PRIVATE))
    shown = "".join(traceback.format_exception(caught.value))
    assert KEY not in shown
    assert PRIVATE not in shown


def test_key_is_not_part_of_the_endpoints_repr() -> None:
    assert KEY not in repr(Endpoint(base_url="http://x/v1", model="m", api_key=KEY))


async def _unavailable_after(
    clock: SimulatedClock, seconds: float, call: Callable[[], Awaitable[object]], ready: Awaitable[object]
) -> None:
    running = asyncio.ensure_future(call())
    await ready
    while not clock.sleepers:  # noqa: ASYNC110 - the call has yet to look at the clock
        await asyncio.sleep(0)
    await clock.advance(seconds - 1)
    assert not running.done()
    await clock.advance(2)
    with pytest.raises(ModelUnavailableError, match="in time"):
        await running


async def test_silent_server_is_given_up_when_the_time_for_a_piece_is_over(server: ModelServer) -> None:
    clock, hang = SimulatedClock(datetime(2030, 1, 1, tzinfo=UTC)), Hang()
    server.script(hang)
    async with model_at(server, clock, timeouts=Timeouts(piece=60, total=180)) as model:
        await _unavailable_after(clock, 60, lambda: model.complete(ask()), hang.entered.wait())
    await asyncio.wait_for(server.disconnected.wait(), 10)


async def test_answer_that_stops_half_way_is_given_up(server: ModelServer) -> None:
    clock, never, seen = SimulatedClock(datetime(2030, 1, 1, tzinfo=UTC)), asyncio.Event(), asyncio.Event()
    server.script(Answer(text="one two", chunk=3, pause=(never, 1)))

    async def read(model: OpenAIChatModel) -> None:
        async for _ in model.stream(ask()):
            seen.set()

    async with model_at(server, clock, timeouts=Timeouts(piece=60, total=180)) as model:
        await _unavailable_after(clock, 60, lambda: read(model), seen.wait())


async def test_answer_that_trickles_is_given_up_when_the_whole_time_is_over(server: ModelServer) -> None:
    clock = SimulatedClock(datetime(2030, 1, 1, tzinfo=UTC))
    never = asyncio.Event()
    server.script(Answer(text="abc", chunk=1, pause=(never, 2)))
    async with model_at(server, clock, timeouts=Timeouts(piece=500, total=180)) as model:
        with pytest.raises(ModelUnavailableError, match="in time"):  # noqa: PT012
            async for _ in model.stream(ask()):
                await clock.advance(100)


async def test_leaving_the_stream_ends_the_request(server: ModelServer) -> None:
    never = asyncio.Event()
    server.script(Answer(text="one two", chunk=3, pause=(never, 1)))
    async with model_at(server) as model:
        async with aclosing(model.stream(ask())) as events:  # type: ignore[type-var]
            await anext(events)
        await asyncio.wait_for(server.disconnected.wait(), 10)


async def test_cancelling_a_call_ends_the_request(server: ModelServer) -> None:
    hang = Hang()
    server.script(hang)
    async with model_at(server) as model:
        call = asyncio.create_task(model.complete(ask()))
        await hang.entered.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.wait_for(server.disconnected.wait(), 10)


async def test_requests_beyond_the_limit_wait_in_order(server: ModelServer) -> None:
    first = Hang()
    server.script(first)
    async with model_at(server, max_concurrency=1) as model:
        calls = [asyncio.create_task(model.complete(ask(text))) for text in ("first", "second", "third")]
        await first.entered.wait()
        assert len(server.requests) == 1
        first.release.set()
        answers = await asyncio.gather(*calls, return_exceptions=True)
    assert [request.last_text for request in server.requests] == ["first", "second", "third"]
    assert isinstance(answers[0], ModelOutputError)
    assert not any(isinstance(answer, BaseException) for answer in answers[1:])


async def test_remote_vectors_come_back_in_order_without_asking_for_empty_texts(server: ModelServer) -> None:
    embedder = OpenAIEmbedder(Endpoint(base_url=server.url, model="embed"), clock=SystemClock(), batch=2)
    vectors = await embedder.embed(["one", "", "two", "  ", "three"])
    assert vectors == [pytest.approx(fake_vector(t)) if t.strip() else None for t in ("one", "", "two", "  ", "three")]
    assert [request.body["input"] for request in server.embedding_requests] == [["one", "two"], ["three"]]
    await embedder.aclose()


async def test_remote_embedding_failure_is_a_model_error(server: ModelServer) -> None:
    server.script(Failure(status=500))
    embedder = OpenAIEmbedder(Endpoint(base_url=server.url, model="embed"), clock=SystemClock())
    with pytest.raises(ModelUnavailableError):
        await embedder.embed(["one"])
    await embedder.aclose()


def test_importing_the_client_does_not_import_openai() -> None:
    program = "import sys, core.language_model.client; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


async def test_schema_is_asked_for_and_more_loosely_where_the_server_refuses(server: ModelServer) -> None:
    request = replace(ask(), schema={"type": "object"}, schema_name="mood")
    async with model_at(server) as model:
        await model.complete(request)
        server.refuses = {"response_format"}
        await model.complete(request)
    formats = [received.body.get("response_format") for received in server.requests]
    assert formats == [
        {"type": "json_schema", "json_schema": {"name": "mood", "schema": {"type": "object"}, "strict": True}},
        {"type": "json_schema", "json_schema": {"name": "mood", "schema": {"type": "object"}, "strict": True}},
        {"type": "json_object"},
        None,
    ]


async def test_server_without_keys_is_asked_without_one(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    model = OpenAIChatModel(Endpoint(base_url=server.url, model="m"), clock=SystemClock())
    await model.complete(ask())
    await model.aclose()
    assert KEY not in server.requests[0].headers["authorization"]


async def test_proxy_of_the_environment_is_not_used_for_this_machine(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    async with model_at(server) as model:
        assert (await model.complete(ask())).text
