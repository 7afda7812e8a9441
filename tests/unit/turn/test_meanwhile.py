"""What happens while a turn is under way: edits, deletions, a wish to be forgotten, a crash, a fault in the books."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest

from core.ports import ArchiveEntry
from core.stance.policy import StancePolicy
from core.turn.trace import TurnOutcome
from core.values import ConversationKey, InboundMessage
from tests.fakes.models import ScriptedModel
from tests.fakes.stores import InMemoryStores
from tests.fakes.surface import ALICE, BOB, CHARACTER, DM, GENERAL, START, Room

HERE = ConversationKey(CHARACTER.name, DM.channel_id)


async def being_answered(room: Room, model: ScriptedModel, text: str) -> InboundMessage:
    """Say something and wait until a model is writing the answer."""
    model.gate.clear()
    message = await room.send(room.message(text))
    await model.wait_for_requests(len(model.requests) + 1)
    return message


async def test_a_message_edited_while_it_is_answered_is_archived_as_edited() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model)
    message = await being_answered(room, model, "まちがい")
    await room.companion.edited(message.id, DM, "ただしい", START)
    model.gate.set()
    await room.companion.idle()
    assert [entry.text for entry in room.stores.state.archive.values()] == ["ただしい", "はい。"]


async def test_a_message_deleted_while_its_answer_is_sent_is_not_archived() -> None:
    room = Room(ScriptedModel(["はい。"]))
    room.replies.gate.clear()
    message = await room.send(room.message("消す"))
    await room.replies.sending.wait()
    await room.companion.deleted([message.id], DM)
    room.replies.gate.set()
    await room.companion.idle()
    assert room.replies.texts == ["はい。"]
    assert [entry.text for entry in room.stores.state.archive.values()] == ["はい。"]


class SlowArchive:
    """An archive of fakes in which something happens right before messages are stored."""

    def __init__(self, room: Room, meanwhile: Callable[[], Awaitable[None]]) -> None:
        self._add, self._meanwhile = room.stores.archive.add, meanwhile
        room.stores.archive.add = self.add  # type: ignore[method-assign]

    async def add(self, entries: Sequence[ArchiveEntry]) -> None:
        await self._meanwhile()
        await self._add(entries)


async def test_a_message_deleted_while_it_is_being_archived_does_not_stay() -> None:
    room = Room(ScriptedModel(["はい。"]))
    message = room.message("消す")
    SlowArchive(room, lambda: room.companion.deleted([message.id], DM))
    await room.send(message)
    await room.companion.idle()
    assert [entry.text for entry in room.stores.state.archive.values()] == ["はい。"]


async def test_a_message_edited_while_it_is_being_archived_stays_as_edited() -> None:
    room = Room(ScriptedModel(["はい。"]))
    message = room.message("まちがい")
    SlowArchive(room, lambda: room.companion.edited(message.id, DM, "ただしい", START))
    await room.send(message)
    await room.companion.idle()
    assert [entry.text for entry in room.stores.state.archive.values()] == ["ただしい", "はい。"]


async def test_a_message_edited_into_a_sensitive_one_while_it_is_being_archived_stays_without_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def is_sensitive(_policy: StancePolicy, text: str, _history: object = ()) -> bool:
        return text == "つらい"

    monkeypatch.setattr(StancePolicy, "is_sensitive", is_sensitive)
    room = Room(ScriptedModel(["はい。"]))
    message = room.message("まちがい")
    SlowArchive(room, lambda: room.companion.edited(message.id, DM, "つらい", START))
    await room.send(message)
    await room.companion.idle()
    assert [entry.text for entry in room.stores.state.archive.values()] == [None, "はい。"]


async def test_who_opted_out_is_in_no_prompt_from_then_on() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model)
    await room.say("秘密基地は屋根裏", at=GENERAL, by=BOB)
    await room.stores.users.set_opted_out(BOB.id, True)
    await room.say("ボブは何て言ってた？", at=GENERAL)
    assert "屋根裏" not in str(model.requests[-1])


async def test_forgetting_a_user_drops_the_draft_and_stores_nothing_of_it_later() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model)
    await being_answered(room, model, "内緒の話")
    await room.companion.forget_user(ALICE.id)
    await room.stores.privacy.forget(ALICE.id)
    model.gate.set()
    await room.companion.idle()
    assert room.replies.texts == []
    assert not any((await room.stores.privacy.counts(ALICE.id)).values())


async def test_forgetting_a_user_waits_for_an_answer_that_is_on_its_way_out() -> None:
    room = Room(ScriptedModel(["はい。"]))
    room.replies.gate.clear()
    await room.send(room.message("内緒の話"))
    await room.replies.sending.wait()
    forgetting = asyncio.create_task(room.companion.forget_user(ALICE.id))
    room.replies.gate.set()
    await forgetting
    assert [entry.text for entry in room.stores.state.archive.values()] == ["内緒の話", "はい。"]


async def test_a_first_direct_message_leaves_a_trace_before_it_is_answered() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model)
    message = await being_answered(room, model, "はじめまして")
    assert [record.outcome for record in room.stores.traces.records] == [TurnOutcome.BEGUN]
    assert await room.stores.traces.answered_since(HERE, START) == set()
    model.gate.set()
    await room.companion.idle()
    assert [record.outcome for record in room.stores.traces.records] == [TurnOutcome.ANSWERED]
    answered = await room.stores.traces.answered_since(HERE, START)
    assert answered == {message.id}


async def test_a_fault_in_the_bookkeeping_puts_no_error_over_the_answer() -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    stores = InMemoryStores()
    stores.sessions.touch = broken  # type: ignore[method-assign, assignment]
    room = Room(ScriptedModel(["はい。"]), stores=stores)
    assert await room.say("ねえ") == "はい。"
    assert len(room.replies.texts) == 1
