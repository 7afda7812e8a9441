import asyncio
import random
from collections.abc import Coroutine
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest

from core.clock import SimulatedClock
from core.errors import AllModelsFailedError, ModelOutputError, ModelRejectedError, ModelUnavailableError
from core.language_model.chain import ModelChain, RetryPolicy
from core.language_model.types import ChatEvent, ChatMessage, ChatRequest, Delta, Finished, Restarted, Role
from core.ports import ChatModel
from core.values import Tier
from tests.fakes.models import ScriptedModel

T = TypeVar("T")
REQUEST = ChatRequest(messages=(ChatMessage(Role.USER, "hello"),), max_output_tokens=32)
DOWN = ModelUnavailableError("down")
REFUSED = ModelRejectedError("refused")
EMPTY = ModelOutputError("empty")


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(datetime(2030, 1, 1, tzinfo=UTC))


def chain(clock: SimulatedClock, *models: ChatModel, policy: RetryPolicy | None = None) -> ModelChain:
    return ModelChain(tier=Tier.BALANCED, models=models, clock=clock, rng=random.Random(1), policy=policy)


async def read(model: ChatModel) -> list[ChatEvent]:
    return [event async for event in model.stream(REQUEST)]


async def finish(clock: SimulatedClock, work: Coroutine[Any, Any, T]) -> T:
    """Move the clock on until the work is done."""
    task = asyncio.ensure_future(work)
    while not task.done():
        await clock.advance(0.25)
    return await task


async def test_first_model_that_answers_is_the_only_one_asked(clock: SimulatedClock) -> None:
    first, second = ScriptedModel(["こんにちは"], name="first"), ScriptedModel(name="second")
    events = await read(chain(clock, first, second))
    assert events[0] == Delta("こんにちは")
    assert isinstance(events[-1], Finished)
    assert events[-1].model == "first"
    assert second.requests == []


async def test_model_that_fails_for_a_moment_is_asked_again(clock: SimulatedClock) -> None:
    model = ScriptedModel([DOWN, DOWN, "back"])
    completion = await finish(clock, chain(clock, model).complete(REQUEST))
    assert completion.text == "back"
    assert 0.75 <= clock.monotonic() <= 2.0


async def test_model_that_keeps_failing_is_left_after_its_attempts(clock: SimulatedClock) -> None:
    first, second = ScriptedModel([DOWN] * 9, name="first"), ScriptedModel(["hi"], name="second")
    completion = await finish(clock, chain(clock, first, second).complete(REQUEST))
    assert completion.model == "second"
    assert len(first.requests) == 3


async def test_refused_request_goes_to_the_next_model_at_once(clock: SimulatedClock) -> None:
    first, second = ScriptedModel([REFUSED]), ScriptedModel(["hi"], name="second")
    assert (await chain(clock, first, second).complete(REQUEST)).model == "second"
    assert len(first.requests) == 1
    assert clock.monotonic() == 0


async def test_useless_answer_is_asked_for_again(clock: SimulatedClock) -> None:
    model = ScriptedModel([EMPTY, "now"])
    assert (await finish(clock, chain(clock, model).complete(REQUEST))).text == "now"


async def test_text_of_a_failed_attempt_is_taken_back(clock: SimulatedClock) -> None:
    first = ScriptedModel([DOWN] * 3, name="first", written_before_failing="half")
    second = ScriptedModel(["whole"], name="second")
    events = await finish(clock, read(chain(clock, first, second)))
    assert [event for event in events if not isinstance(event, Finished)] == [
        Delta("half"),
        Restarted("first"),
        Delta("half"),
        Restarted("first"),
        Delta("half"),
        Restarted("second"),
        Delta("whole"),
    ]


async def test_nothing_is_taken_back_where_nothing_was_written(clock: SimulatedClock) -> None:
    events = await finish(clock, read(chain(clock, ScriptedModel([DOWN, "whole"]))))
    assert not any(isinstance(event, Restarted) for event in events)


async def test_failure_of_all_models_tells_each_cause_in_order(clock: SimulatedClock) -> None:
    models = ScriptedModel([REFUSED], name="first"), ScriptedModel([DOWN] * 3, name="second")
    with pytest.raises(AllModelsFailedError, match="balanced") as caught:
        await finish(clock, chain(clock, *models).complete(REQUEST))
    assert caught.value.causes == (REFUSED, DOWN, DOWN, DOWN)
    assert str(caught.value).count(str(DOWN)) == 1
    with pytest.raises(AllModelsFailedError):
        await finish(clock, read(chain(clock, ScriptedModel([REFUSED]))))


async def test_servers_wish_to_wait_is_respected(clock: SimulatedClock) -> None:
    model = ScriptedModel([ModelUnavailableError("busy", retry_after=5.0), "now"])
    await finish(clock, chain(clock, model).complete(REQUEST))
    assert 5.0 <= clock.monotonic() < 6.0


async def test_server_that_wants_to_be_left_alone_for_long_is_left(clock: SimulatedClock) -> None:
    first = ScriptedModel([ModelUnavailableError("busy", retry_after=120.0)])
    second = ScriptedModel(["hi"], name="second")
    assert (await chain(clock, first, second).complete(REQUEST)).model == "second"
    assert clock.monotonic() == 0


async def test_model_that_failed_slowly_is_not_waited_for_again(clock: SimulatedClock) -> None:
    first, second = ScriptedModel([DOWN, "late"], name="first"), ScriptedModel(["hi"], name="second")
    first.gate.clear()
    running = asyncio.create_task(chain(clock, first, second).complete(REQUEST))
    await first.wait_for_requests(1)
    await clock.advance(60)
    first.gate.set()
    assert (await running).model == "second"
    assert len(first.requests) == 1


async def test_model_that_just_failed_is_tried_last_until_it_had_time_to_recover(clock: SimulatedClock) -> None:
    first, second = ScriptedModel([*[DOWN] * 3, "recovered"], name="first"), ScriptedModel(["hi"], name="second")
    models = chain(clock, first, second)
    assert (await finish(clock, models.complete(REQUEST))).model == "second"
    assert (await models.complete(REQUEST)).model == "second"
    await clock.advance(31)
    assert (await models.complete(REQUEST)).model == "first"


async def test_only_model_is_tried_even_right_after_it_failed(clock: SimulatedClock) -> None:
    models = chain(clock, ScriptedModel([*[DOWN] * 3, "recovered"]))
    with pytest.raises(AllModelsFailedError):
        await finish(clock, models.complete(REQUEST))
    assert (await models.complete(REQUEST)).text == "recovered"


async def test_leaving_a_stream_leaves_the_models_stream(clock: SimulatedClock) -> None:
    model = ScriptedModel(["a long answer"], chunk=1)
    async with aclosing(chain(clock, model).stream(REQUEST)) as events:  # type: ignore[type-var]
        await anext(events)
    assert model.abandoned == 1


async def test_fault_of_ours_is_not_taken_for_a_models_failure(clock: SimulatedClock) -> None:
    def broken(request: ChatRequest) -> str:
        raise KeyError("bug")

    with pytest.raises(KeyError):
        await chain(clock, ScriptedModel(script=broken)).complete(REQUEST)


def test_chain_speaks_for_its_first_model(clock: SimulatedClock) -> None:
    models = chain(clock, ScriptedModel(name="first", accepts_images=True), ScriptedModel(name="second"))
    assert (models.name, models.accepts_images) == ("first", True)


def test_chain_of_nothing_is_an_error(clock: SimulatedClock) -> None:
    with pytest.raises(ValueError, match="at least one"):
        chain(clock)


def test_waits_grow_with_jitter_and_stay_bounded() -> None:
    policy, rng = RetryPolicy(attempts=9), random.Random(3)
    waits = [policy.wait(attempt, DOWN, rng) for attempt in range(1, 9)]
    for attempt, wait in enumerate(waits):
        assert wait is not None
        assert min(8.0, 0.5 * 2**attempt) / 2 <= wait <= min(8.0, 0.5 * 2**attempt)
    assert policy.wait(9, DOWN, rng) is None
