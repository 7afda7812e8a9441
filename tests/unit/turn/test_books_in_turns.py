"""Whole turns on fakes: what goes wrong on the way out, and what becomes of what was kept."""

from core.errors import StorageError
from core.ports import UsageRecord
from core.turn.trace import TurnOutcome
from core.values import (
    GuildSettings,
    Locale,
    Surface,
    SurfaceKind,
)
from tests.fakes.models import ScriptedModel
from tests.fakes.stores import InMemoryStores
from tests.fakes.surface import DM, GENERAL, START, Room


async def test_a_removed_server_keeps_its_settings_while_another_character_is_there() -> None:
    room = Room(ScriptedModel(["はい。"]))
    chosen = GuildSettings(guild_id=20, answers_bots=True)
    await room.stores.guilds.put(chosen)
    await room.companion.guild_removed(20, shared=True)
    assert await room.stores.guilds.get(20) == chosen
    await room.companion.guild_removed(20, shared=False)
    assert await room.stores.guilds.get(20) == GuildSettings(guild_id=20)


async def test_an_undelivered_reply_is_traced_and_not_archived() -> None:
    room = Room(ScriptedModel(["はい。"]))
    room.replies.undeliverable = True
    await room.say("ねえ")
    assert room.outcomes == [TurnOutcome.UNDELIVERED]
    assert room.stores.state.archive == {}


async def test_a_store_that_cannot_be_read_is_said_in_plain_words() -> None:
    class BrokenGuilds:
        async def get(self, guild_id: int) -> GuildSettings:
            raise StorageError("disk I/O error")

    stores = InMemoryStores()
    stores.guilds = BrokenGuilds()  # type: ignore[assignment]
    room = Room(ScriptedModel(["はい。"]), stores=stores)
    assert await room.say("ねえ", at=GENERAL) == room.messages.text("error.storage", Locale.JA)


async def test_a_store_that_cannot_be_written_does_not_cost_the_reply() -> None:
    stores = InMemoryStores()

    async def full(*_: object, **__: object) -> None:
        raise StorageError("database or disk is full")

    stores.archive.add = full  # type: ignore[method-assign]
    stores.traces.add = full  # type: ignore[method-assign]
    room = Room(ScriptedModel(["はい。"]), stores=stores)
    assert await room.say("ねえ") == "はい。"


async def test_a_reply_waits_for_no_count_and_the_turn_ends_with_it() -> None:
    room = Room(ScriptedModel(["はい。"]))
    settle = room.stores.usage.settle

    async def after_the_reply(number: int, record: UsageRecord) -> None:
        await room.replies.sending.wait()
        await settle(number, record)

    room.stores.usage.settle = after_the_reply  # type: ignore[method-assign]
    assert await room.say("ねえ") == "はい。"
    assert [record.outcome for record in room.stores.usage.records] == ["complete"]


async def test_a_fault_of_the_program_is_not_met_with_silence() -> None:
    def broken(_: object) -> str:
        raise RuntimeError("a bug")

    room = Room(ScriptedModel(script=broken))
    assert await room.say("ねえ") == room.messages.text("error.internal", Locale.JA)


async def test_an_edit_reaches_history_and_archive() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model)
    message = await room.send(room.message("まちがい"))
    await room.companion.idle()
    await room.companion.edited(message.id, DM, "ただしい", START)
    await room.say("次")
    assert "ただしい" in [entry.text for entry in room.stores.state.archive.values()]
    assert "ただしい" in [message.text for message in model.requests[-1].messages]


async def test_a_deleted_message_is_gone_from_history_and_archive() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model)
    message = await room.send(room.message("消す"))
    await room.companion.idle()
    await room.companion.deleted([message.id], DM)
    await room.say("次")
    assert "消す" not in [entry.text for entry in room.stores.state.archive.values()]
    assert "消す" not in [message.text for message in model.requests[-1].messages]


async def test_a_deleted_channel_leaves_nothing() -> None:
    room = Room(ScriptedModel(["はい。"]))
    await room.say("ねえ", at=GENERAL)
    await room.companion.channel_deleted(GENERAL.channel_id)
    assert room.stores.state.archive == {}


async def test_catching_up_answers_recent_messages_once_and_old_ones_never() -> None:
    room = Room(ScriptedModel(["はい。"]))
    answered = await room.send(room.message("もう答えた"))
    await room.companion.idle()
    missed = room.message("見逃した", age=60)
    old = room.message("古い", age=3600)
    waiting = [(message, room.replies) for message in (answered, missed, old)]
    assert await room.companion.catch_up(waiting) == 1
    await room.companion.idle()
    assert len(room.replies.texts) == 2
    assert await room.companion.catch_up(waiting) == 0


async def test_after_closing_nothing_is_taken_in() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model)
    await room.companion.close()
    assert await room.say("ねえ") == ""
    assert model.requests == []


async def test_a_thread_has_a_history_of_its_own() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model)
    thread = Surface(kind=SurfaceKind.THREAD, channel_id=300, guild_id=20, parent_id=200)
    await room.say("チャンネルの話", at=GENERAL)
    await room.say("スレッドの話", at=thread)
    assert all("チャンネルの話" not in message.text for message in model.requests[-1].messages)
