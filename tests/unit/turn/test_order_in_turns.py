"""Whole turns on fakes: what overtakes what, what is stopped, what is written again."""

import asyncio

import pytest

from core.errors import AllModelsFailedError
from core.turn.reply import ReplyKind
from core.turn.trace import TurnOutcome
from tests.fakes.models import ScriptedModel
from tests.fakes.surface import ALICE, BOB, DM, DOWN, GENERAL, Room


async def test_a_newer_message_takes_the_older_draft_back() -> None:
    model = ScriptedModel(["最初への返事。途中。おわり。", "両方への返事。"], chunk=3)
    model.step = asyncio.Semaphore(4)
    room = Room(model)
    await room.send(room.message("最初"))
    await room.replies.changed.wait()
    await room.send(room.message("やっぱりこっち"))
    await model.wait_for_requests(2)
    model.step.release()
    for _ in range(20):
        model.step.release()
    await room.companion.idle()
    assert room.replies.texts == ["両方への返事。"]
    assert room.replies.withdrawn == 1
    assert model.requests[-1].messages[-1].text.endswith("</note>\n\n最初\n\nやっぱりこっち")
    assert room.outcomes == [TurnOutcome.SUPERSEDED, TurnOutcome.ANSWERED]


async def test_a_dropped_draft_is_counted_all_the_same() -> None:
    model = ScriptedModel(["ながいながい返事。まだ続く。", "はい。"], chunk=3)
    model.step = asyncio.Semaphore(4)
    room = Room(model)
    await room.send(room.message("最初"))
    await room.replies.changed.wait()
    await room.send(room.message("次"))
    await model.wait_for_requests(2)
    for _ in range(20):
        model.step.release()
    await room.companion.idle()
    dropped, answered = room.stores.usage.records
    assert (dropped.outcome, answered.outcome) == ("dropped", "complete")
    assert dropped.input_tokens > 0
    assert dropped.output_tokens > 0


async def test_stop_keeps_what_was_shown_and_writes_no_more() -> None:
    model = ScriptedModel(["一文目です。二文目です。三文目です。"], chunk=3)
    model.step = asyncio.Semaphore(4)
    room = Room(model)
    await room.send(room.message("長い話をして"))
    await room.replies.changed.wait()
    assert await room.companion.stop(DM.channel_id, ALICE.id)
    await room.companion.idle()
    assert room.replies.texts == ["一文目です。"]
    assert room.outcomes == [TurnOutcome.STOPPED]
    assert not await room.companion.stop(DM.channel_id, ALICE.id)


async def test_two_users_in_one_channel_are_answered_in_order() -> None:
    model = ScriptedModel(script=lambda request: f"{request.messages[-1].text[-1]}への返事。")
    model.gate.clear()
    room = Room(model)
    await room.send(room.message("A", at=GENERAL))
    await room.send(room.message("B", by=BOB, at=GENERAL))
    model.gate.set()
    await room.companion.idle()
    assert room.replies.texts == ["Aへの返事。", "Bへの返事。"]


async def test_conversations_do_not_wait_for_each_other() -> None:
    model = ScriptedModel(["はい。"])
    model.gate.clear()
    room = Room(model)
    await room.send(room.message("A", at=GENERAL))
    await room.send(room.message("B", by=BOB))
    await model.wait_for_requests(2)
    model.gate.set()
    await room.companion.idle()
    assert len(room.replies.texts) == 2


async def test_regenerating_replaces_the_reply_everywhere() -> None:
    room = Room(ScriptedModel(["一回目。", "二回目。"]))
    message = await room.send(room.message("ねえ"))
    await room.companion.idle()
    old = room.replies.finished[0].ids
    assert await room.companion.regenerate(message, room.replies, replaced=old)
    assert room.replies.texts == ["一回目。", "二回目。"]
    assert [entry.text for entry in room.stores.state.archive.values()] == ["ねえ", "二回目。"]
    first, second = (sink.turn_id for sink in room.replies.finished)
    assert first != second


@pytest.mark.parametrize("second", [DOWN, "As an AI language model, I cannot."])
async def test_a_good_answer_is_not_replaced_by_a_makeshift(second: AllModelsFailedError | str) -> None:
    room = Room(ScriptedModel(["一回目。", second]))
    message = await room.send(room.message("ねえ"))
    await room.companion.idle()
    await room.companion.regenerate(message, room.replies, replaced=room.replies.finished[0].ids)
    assert room.replies.replies[-1].kind is ReplyKind.NOTICE
    assert [entry.text for entry in room.stores.state.archive.values()] == ["ねえ", "一回目。"]


async def test_a_regenerated_answer_does_not_see_the_one_it_replaces() -> None:
    model = ScriptedModel(["一回目。", "二回目。"])
    room = Room(model)
    message = await room.send(room.message("ねえ"))
    await room.companion.idle()
    await room.companion.regenerate(message, room.replies, replaced=room.replies.finished[0].ids)
    (asked,) = model.requests[-1].messages[1:]
    assert asked.text.endswith("</note>\n\nねえ")
