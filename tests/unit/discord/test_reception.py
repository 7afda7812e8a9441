"""Messages are taken in once and in order; catching up looks only for what is unanswered."""

import asyncio
import dataclasses
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import discord
import pytest

from bot.discord.absence import Absence
from bot.discord.catchup import CatchUp
from bot.discord.courier import ClosedChannels, Courier
from bot.discord.history import DiscordHistory
from bot.discord.outbound import Outbox
from bot.discord.reception import Reception
from bot.discord.views import stop_view
from core.clock import SimulatedClock
from core.errors import DeliveryError, StorageError
from core.ports import ReplyChannel, TraceStore
from core.turn.companion import Companion
from core.values import ConversationKey, InboundMessage, Speaker, Surface, Utterance
from prompts.messages import Messages
from tests.unit.discord.doubles import BOB, CHANNEL, SELF_ID, World
from tests.unit.discord.test_inbound import HINATA, receiver

MESSAGES = Messages.load()
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class FakeCompanion:
    """Remembers what it was given."""

    character = HINATA

    def __init__(self) -> None:
        self.received: list[InboundMessage] = []
        self.missed: list[tuple[InboundMessage, ReplyChannel]] = []
        self.fault: Exception | None = None
        self.archived: list[Utterance] = []
        self.followed: list[tuple[object, ...]] = []

    async def stored(self, _channel_id: int, **_: Any) -> list[Utterance]:
        return self.archived

    async def deleted(self, message_ids: Sequence[int], surface: Surface) -> None:
        self.followed.append(("deleted", list(message_ids), surface.channel_id))

    async def edited(self, message_id: int, surface: Surface, text: str, edited_at: datetime) -> None:
        self.followed.append(("edited", message_id, surface.channel_id, text, edited_at))

    async def receive(self, message: InboundMessage, _replies: ReplyChannel) -> None:
        if self.fault is not None:
            raise self.fault
        self.received.append(message)

    async def catch_up(self, missed: Sequence[tuple[InboundMessage, ReplyChannel]]) -> int:
        if self.fault is not None:
            raise self.fault
        self.missed += missed
        return len(missed)


class FakeHistory:
    """The messages of channels; those it has none of can't be read."""

    def __init__(self, **by_channel: list[discord.Message]) -> None:
        self.by_channel = {int(key.removeprefix("c")): found for key, found in by_channel.items()}

    async def messages(self, channel_id: int, **_: Any) -> list[discord.Message]:
        if channel_id not in self.by_channel:
            raise DeliveryError("not readable")
        return self.by_channel[channel_id]


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def companion() -> FakeCompanion:
    return FakeCompanion()


@pytest.fixture
def reception(companion: FakeCompanion) -> Reception:
    clock = SimulatedClock(NOON)
    courier = Courier(clock=clock, rng=random.Random(1), closed=ClosedChannels(clock=clock))
    inbound = receiver()
    return Reception(
        companion=cast("Companion", companion),
        inbound=inbound,
        reading=inbound.reading,
        outbox=Outbox(courier=courier, messages=MESSAGES, clock=clock),
    )


class FakeTraces:
    """Knows which channels were in use."""

    def __init__(self, *channel_ids: int) -> None:
        self.channel_ids = channel_ids

    async def recent_conversations(self, character: str, **_: Any) -> list[ConversationKey]:
        return [ConversationKey(character, channel_id) for channel_id in self.channel_ids]


def catch_up(
    world: World,
    companion: FakeCompanion,
    reception: Reception,
    *messages: discord.Message,
    window: timedelta = timedelta(minutes=5),
) -> CatchUp:
    inbound = receiver()
    return CatchUp(
        client=world.client,
        companion=cast("Companion", companion),
        reception=reception,
        inbound=inbound,
        absence=Absence(companion=cast("Companion", companion), inbound=inbound),
        history=cast("DiscordHistory", FakeHistory(**{f"c{CHANNEL}": list(messages)})),
        traces=cast("TraceStore", FakeTraces(5, CHANNEL)),
        window=window,
        clock=SimulatedClock(NOON),
    )


async def test_a_message_is_taken_in_once(world: World, companion: FakeCompanion, reception: Reception) -> None:
    message = world.message("Hinata, hello")

    await reception.take(message)
    await reception.take(message)

    assert [one.id for one in companion.received] == [message.id]


@pytest.mark.parametrize("spoken_to", [True, False])
async def test_a_fault_of_the_program_is_told_to_whoever_spoke_to_the_character(
    spoken_to: bool, world: World, companion: FakeCompanion, reception: Reception, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    async def send(_: discord.TextChannel, text: str, **_options: object) -> None:
        told.append(text)

    monkeypatch.setattr(discord.TextChannel, "send", send)
    companion.fault = RuntimeError("a bug")
    mentions = [{"id": str(SELF_ID), "username": "Hinata", "discriminator": "0", "avatar": None}]

    with pytest.raises(RuntimeError):
        await reception.take(world.message("hello", mentions=mentions if spoken_to else []))

    assert told == ([MESSAGES.text("error.internal", "en")] if spoken_to else [])


async def test_own_messages_and_announcements_are_passed_over(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    await reception.take(world.message("me", author=SELF_ID))
    await reception.take(world.message("", type=7))

    assert companion.received == []


async def test_messages_of_a_channel_stay_in_order_however_long_one_takes_to_read(
    world: World, companion: FakeCompanion, reception: Reception, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrived = asyncio.Event()

    async def download(*_: Any, **__: Any) -> bytes:
        await arrived.wait()
        return b"text"

    monkeypatch.setattr(discord.Attachment, "read", download)
    file = {"id": "5", "filename": "a.txt", "content_type": "text/plain", "size": 4, "url": "u", "proxy_url": "u"}
    slow = asyncio.create_task(reception.take(world.message("Hinata, look", attachments=[file])))
    await asyncio.sleep(0)
    quick = asyncio.create_task(reception.take(world.message("Hinata, well?")))
    await asyncio.sleep(0)
    await reception.take(world.message("elsewhere", where=world.dm))
    assert [one.text for one in companion.received] == ["elsewhere"]
    arrived.set()
    await asyncio.gather(slow, quick)

    assert [one.text for one in companion.received] == ["elsewhere", "Hinata, look", "Hinata, well?"]


async def test_a_thread_the_character_wrote_in_counts_as_its_own(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    thread = world.thread(joined=False)
    await reception.take(world.message("hello", where=thread, author=SELF_ID))
    await reception.take(world.message("what now", where=thread))

    assert companion.received[0].in_characters_thread


async def test_after_closing_nothing_is_taken_in(world: World, companion: FakeCompanion, reception: Reception) -> None:
    reception.close()
    await reception.take(world.message("Hinata, hello"))

    assert companion.received == []


async def test_only_what_speaks_to_the_character_and_is_unanswered_is_caught_up_with(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    answered = world.message("Hinata, one")
    reply = world.reply(answered, "yes", author=SELF_ID)
    talk = world.message("two, everybody", author=BOB)
    missed = world.message("Hinata, three")

    assert await catch_up(world, companion, reception, answered, reply, talk, missed).run() == 1
    assert [inbound.id for inbound, _ in companion.missed] == [missed.id]


async def test_a_message_before_one_that_was_answered_was_answered_with_it(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    first = world.message("Hinata, one")
    by_bob = world.message("Hinata, me too", author=BOB)
    second = world.message("Hinata, and two")
    reply = world.reply(second, "yes", author=SELF_ID)

    await catch_up(world, companion, reception, first, by_bob, second, reply).run()

    assert [inbound.id for inbound, _ in companion.missed] == [by_bob.id]


async def test_an_interrupted_reply_is_written_to_its_end_in_its_place(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    asked = world.message("Hinata, a story")
    components = stop_view(asked.author.id, MESSAGES, "en").to_components()
    growing = world.reply(asked, "Once upon", author=SELF_ID, components=components)

    await catch_up(world, companion, reception, asked, growing).run()

    ((_, replies),) = companion.missed
    assert [one.id for one in cast("Any", replies).existing] == [growing.id]


async def test_an_interrupted_reply_of_several_messages_is_found_by_its_last_one(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    asked = world.message("Hinata, a story")
    components = stop_view(asked.author.id, MESSAGES, "en").to_components()
    first = world.reply(asked, "Once upon", author=SELF_ID)
    second = world.message("a time", author=SELF_ID, components=components)
    to_bob = world.message("Hinata, me too", author=BOB)
    other = world.reply(to_bob, "yes", author=SELF_ID)

    await catch_up(world, companion, reception, asked, first, second, to_bob, other).run()

    ((inbound, replies),) = companion.missed
    assert inbound.id == asked.id
    assert [one.id for one in cast("Any", replies).existing] == [first.id, second.id]


async def test_a_finished_reply_of_several_messages_is_an_answer(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    asked = world.message("Hinata, a story")
    first = world.reply(asked, "Once upon", author=SELF_ID)
    second = world.message("a time", author=SELF_ID)

    assert await catch_up(world, companion, reception, asked, first, second).run() == 0


async def test_what_is_older_than_the_window_is_left(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    old = world.message("Hinata, hello", id=str(discord.utils.time_snowflake(NOON - timedelta(minutes=6))))

    assert await catch_up(world, companion, reception, old).run() == 0


async def test_what_the_gateway_told_meanwhile_is_not_caught_up_with(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    message = world.message("Hinata, hello")
    await reception.take(message)

    assert await catch_up(world, companion, reception, message).run() == 0
    assert len(companion.received) == 1


async def test_a_place_that_can_not_be_read_does_not_keep_it_from_others(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    assert await catch_up(world, companion, reception, world.message("Hinata, hello")).run() == 1


async def test_what_can_not_be_caught_up_with_for_now_is_tried_again(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    missed, clock = world.message("Hinata, hello"), SimulatedClock(NOON)
    companion.fault = StorageError("the database is starting")
    running = asyncio.create_task(dataclasses.replace(catch_up(world, companion, reception, missed), clock=clock).run())
    await clock.advance(1.0)
    companion.fault = None
    await clock.advance(2.0)

    assert await running == 1
    assert [inbound.id for inbound, _ in companion.missed] == [missed.id]


async def test_without_a_window_nothing_is_answered_but_deletions_are_followed(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    first, gone, missed = world.message("hi"), world.message("my secret"), world.message("Hinata, hello")
    companion.archived = [archived(gone.id, "my secret")]

    assert await catch_up(world, companion, reception, first, missed, window=timedelta()).run() == 0
    assert companion.missed == []
    assert companion.followed == [("deleted", [gone.id], CHANNEL)]


def archived(message_id: int, text: str, *, is_self: bool = False) -> Utterance:
    return Utterance(id=message_id, author=Speaker(id=1, name="A"), text=text, sent_at=NOON, is_self=is_self)


async def test_what_was_deleted_and_edited_meanwhile_is_followed(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    lost, first, gone = world.message("once more"), world.message("hello"), world.message("my secret")
    reply = world.message("I see", author=SELF_ID, edited_timestamp=NOON.isoformat())
    edited = world.message("the pin is taken out", edited_timestamp=NOON.isoformat())
    same, last = world.message("as it was", edited_timestamp=NOON.isoformat()), world.message("bye")
    companion.archived = [
        archived(lost.id, "once more"),
        archived(first.id, "hello"),
        archived(gone.id, "my secret"),
        archived(reply.id, "I see, with more", is_self=True),
        archived(edited.id, "the pin is 1234"),
        archived(same.id, "as it was"),
        archived(last.id + 1, "came while this was read"),
    ]

    await catch_up(world, companion, reception, first, reply, edited, same, last).run()

    assert companion.followed == [
        ("deleted", [lost.id, gone.id], CHANNEL),
        ("edited", edited.id, CHANNEL, "the pin is taken out", NOON),
    ]


async def test_what_is_older_than_what_was_read_again_does_not_count_as_deleted(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    older, *newest = (world.message("hi") for _ in range(101))
    companion.archived = [archived(older.id, "hi")]

    await catch_up(world, companion, reception, *newest).run()

    assert companion.followed == []


async def test_where_nothing_can_be_read_nothing_counts_as_deleted(
    world: World, companion: FakeCompanion, reception: Reception
) -> None:
    companion.archived = [archived(7, "hello")]

    await catch_up(world, companion, reception).run()

    assert companion.followed == []
