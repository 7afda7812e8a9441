"""A model chooses: what it may answer, what becomes of anything else, and what the call costs."""

import json

import pytest

from core.errors import ModelOutputError, ModelUnavailableError
from core.language_model.types import ChatRequest
from core.proactive.types import Recipient, RecipientKind, SlotState
from core.turn.policy import Budget, TurnPolicy
from tests.fakes.models import ScriptedModel
from tests.fakes.occasions import BREAD, MOSS, Theatre
from tests.fakes.stores import InMemoryStores
from tests.unit.proactive.scene import at, policy, timetable

ALICE = Recipient("mio", RecipientKind.USER, 1)
PLAZA = Recipient("mio", RecipientKind.CHANNEL, 200)


def theatre(model: ScriptedModel, **chosen: object) -> Theatre:
    asked = {"policy": policy("09:00-11:00"), "start": at("2026-05-04T07:00"), "model": model}
    return Theatre(**(asked | chosen))  # type: ignore[arg-type]


async def decided(stage: Theatre, recipient: Recipient = ALICE) -> str:
    await stage.run_until_due(await stage.subscribe(recipient))
    return (await stage.only_slot(recipient)).outcome


async def test_the_model_names_an_id_and_the_servers_text_is_sent() -> None:
    model = ScriptedModel(['{"candidate_id": "bread"}'])
    stage = theatre(model)

    assert await decided(stage) == "sent"

    assert [sent.text for sent in stage.postbox.sent] == [BREAD.text]
    assert (await stage.only_slot(ALICE)).selector == "model:scripted"


async def test_the_schema_allows_the_offered_ids_and_none_and_nothing_else() -> None:
    model = ScriptedModel(['{"candidate_id": "none"}'])
    stage = theatre(model)

    await decided(stage)

    (request,) = model.requests
    assert request.schema is not None
    assert request.schema["additionalProperties"] is False
    assert request.schema["properties"]["candidate_id"]["enum"] == [*(await stage.only_slot(ALICE)).offered, "none"]


async def test_declining_is_a_decision() -> None:
    stage = theatre(ScriptedModel(['{"candidate_id": "none"}']))

    assert await decided(stage) == "declined:model_chose_none"
    await stage.run()

    assert stage.postbox.requests == 0
    assert (await stage.only_slot(ALICE)).state is SlotState.DECLINED


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "bread",
        "そうだね、夜中までドラマを見てた！",
        '{"candidate_id": "cake"}',
        '{"candidate_id": "Bread"}',
        '{"candidate_id": " bread"}',
        '{"candidate_id": null}',
        '{"candidate_id": ["bread"]}',
        '{"candidate_id": "bread", "text": "hi"}',
        '{"text": "bread"}',
        "[]",
        "{" * 5000,
    ],
)
async def test_anything_but_an_offered_id_sends_nothing(answer: str) -> None:
    stage = theatre(ScriptedModel([answer]))

    assert await decided(stage) == "skipped:model_output"

    assert stage.postbox.requests == 0


async def test_an_id_that_is_known_but_was_not_offered_sends_nothing() -> None:
    stage = theatre(ScriptedModel(['{"candidate_id": "moss"}']), candidates=(MOSS, BREAD))
    await stage.run_until_due(await stage.subscribe(ALICE))
    mine = await stage.stores.subscriptions.get(ALICE)
    assert mine is not None

    await stage.run_until_due(mine)

    newest, oldest = await stage.stores.slots.recent(ALICE, limit=9)
    assert (oldest.outcome, newest.outcome) == ("sent", "skipped:model_output")
    assert newest.offered == ("bread",)


@pytest.mark.parametrize("error", [ModelUnavailableError("connection refused"), ModelOutputError("empty")])
async def test_a_model_that_is_down_sends_nothing(error: ModelUnavailableError | ModelOutputError) -> None:
    stage = theatre(ScriptedModel([error]))

    assert await decided(stage) == "skipped:model_unavailable"

    assert stage.postbox.requests == 0
    assert isinstance(stage.stores, InMemoryStores)
    (call,) = stage.stores.usage.records
    assert (call.outcome, call.input_tokens) == (f"failed:{type(error).__name__}", 0)


async def test_a_model_that_never_answers_is_not_waited_for_until_the_lease_is_over() -> None:
    model = ScriptedModel()
    model.gate.clear()
    stage = theatre(model)
    subscription = await stage.subscribe(ALICE)
    assert subscription.due_at is not None
    await stage.wait_until(subscription.due_at)

    await stage.tick.tick(stage.clock.now())
    await model.wait_for_requests(1)
    await stage.clock.advance(60)
    await stage.tick.idle()

    assert (await stage.only_slot(ALICE)).outcome == "skipped:model_unavailable"


async def test_the_call_counts_for_the_person_under_its_own_feature() -> None:
    stage = theatre(ScriptedModel(['{"candidate_id": "bread"}'], cost_micros=7))

    await decided(stage)

    assert isinstance(stage.stores, InMemoryStores)
    (call,) = stage.stores.usage.records
    assert (call.user_id, call.guild_id, call.feature, call.outcome) == (1, None, "proactive", "complete")
    assert call.input_tokens > 0
    assert call.cost_micros == 7


async def test_the_call_for_a_channel_counts_for_its_server() -> None:
    stage = theatre(ScriptedModel(['{"candidate_id": "bread"}']))

    await decided(stage, PLAZA)

    assert isinstance(stage.stores, InMemoryStores)
    (call,) = stage.stores.usage.records
    assert (call.user_id, call.guild_id) == (0, 20)


@pytest.mark.parametrize("bounded", ["user_budget", "global_budget"])
async def test_a_budget_that_is_used_up_asks_no_model(bounded: str) -> None:
    model = ScriptedModel(['{"candidate_id": "bread"}'])
    stage = theatre(model, turn_policy=TurnPolicy(**{bounded: Budget(tokens=0)}))  # type: ignore[arg-type]

    assert await decided(stage) == "skipped:budget"

    assert model.requests == []


async def test_the_prompt_tells_the_clock_once_and_the_schedule_in_lengths() -> None:
    def choose(request: ChatRequest) -> str:
        return json.dumps({"candidate_id": "bread"})

    model = ScriptedModel(script=choose)
    stage = theatre(model, timetable=timetable("bake 08:10-12:40", text="パン焼き"))

    assert await decided(stage) == "sent"

    prompt = "\n".join(message.text for message in model.requests[0].messages)
    assert prompt.count("<note>") == 1
    assert "パン焼き" in prompt
    assert "08:10" not in prompt
    assert "12:40" not in prompt
