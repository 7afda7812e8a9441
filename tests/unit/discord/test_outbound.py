import asyncio
import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

import discord
import pytest

from bot.discord.courier import ClosedChannels, Courier
from bot.discord.outbound import DiscordReplies, Outbox
from core.clock import SimulatedClock
from core.errors import DeliveryError
from core.turn.identity import turn_id
from core.turn.reply import Reply, ReplyKind
from core.values import Locale
from prompts.messages import Messages
from tests.unit.discord.doubles import ALICE, CHANNEL, FakeChannel, has_stop_button, http_error

TURN = turn_id("hinata", 500)
MESSAGES = Messages.load()


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(datetime(2026, 3, 1, tzinfo=UTC))


@pytest.fixture
def channel() -> FakeChannel:
    return FakeChannel()


@pytest.fixture
def replies(clock: SimulatedClock, channel: FakeChannel) -> DiscordReplies:
    courier = Courier(clock=clock, rng=random.Random(1), closed=ClosedChannels(clock=clock))
    return DiscordReplies(
        channel=cast("discord.abc.Messageable", channel),
        channel_id=CHANNEL,
        asked_id=500,
        author_id=ALICE,
        locale=Locale.EN,
        outbox=Outbox(courier=courier, messages=MESSAGES, clock=clock),
    )


def answer(text: str, footnote: str | None = None) -> Reply:
    return Reply(text=text, kind=ReplyKind.ANSWER, footnote=footnote)


def notice(text: str) -> Reply:
    return Reply(text=text, kind=ReplyKind.NOTICE)


async def unheard(text: str) -> None:
    raise AssertionError(f"nobody is to be told {text!r}")


async def test_a_reply_refers_to_what_it_answers_pings_nobody_and_carries_a_nonce(
    replies: DiscordReplies, channel: FakeChannel
) -> None:
    ids = await replies.open(TURN).finish(answer("Hello."))

    message = channel.sent[0]
    assert ids == (message.id,)
    assert message.content == "Hello."
    assert message.options["reference"].message_id == 500
    assert message.options["nonce"] == f"{TURN}00"
    assert len(message.options["nonce"]) <= 25
    assert message.options["allowed_mentions"].to_dict() == {"parse": []}


async def test_only_an_answer_can_be_asked_for_again(replies: DiscordReplies, channel: FakeChannel) -> None:
    await replies.open(TURN).finish(answer("Hello."))
    await replies.open(turn_id("hinata", 501)).finish(notice("Please wait."))

    assert [message.view is not None for message in channel.sent] == [True, False]


async def test_a_footnote_is_small_print_below_the_last_message(replies: DiscordReplies, channel: FakeChannel) -> None:
    await replies.open(TURN).finish(answer("Hello.", footnote="An AI.\nReally."))

    assert channel.standing == ["Hello.\n-# An AI.\n-# Really."]


async def test_a_footnote_that_does_not_fit_gets_a_message_of_its_own(
    replies: DiscordReplies, channel: FakeChannel
) -> None:
    await replies.open(TURN).finish(answer("a" * 1999, footnote="An AI."))

    assert channel.standing == ["a" * 1999, "-# An AI."]


async def test_an_empty_reply_is_an_error_and_not_an_empty_message(
    replies: DiscordReplies, channel: FakeChannel
) -> None:
    with pytest.raises(DeliveryError):
        await replies.open(TURN).finish(answer(" \n"))
    assert channel.requests == []


async def test_parts_of_a_long_reply_have_nonces_of_their_own_and_one_button(
    replies: DiscordReplies, channel: FakeChannel
) -> None:
    ids = await replies.open(TURN).finish(answer("word " * 900))

    assert len(ids) == 3
    assert len({message.options["nonce"] for message in channel.sent}) == 3
    assert ["reference" in message.options for message in channel.sent] == [True, False, False]
    assert [message.view is not None for message in channel.sent] == [False, False, True]


async def test_the_first_text_is_shown_at_once_and_later_ones_at_discords_pace(
    replies: DiscordReplies, channel: FakeChannel, clock: SimulatedClock
) -> None:
    sink = replies.open(TURN)

    await sink.show("One.")
    await clock.advance(0.1)
    assert channel.standing == ["One."]
    assert has_stop_button(channel.sent[0])
    for text in ("One. Two.", "One. Two. Three.", "One. Two. Three. Four."):
        await sink.show(text)
        await clock.advance(0.1)
    assert channel.standing == ["One."]
    await clock.advance(1.2)
    assert channel.sent[0].contents == ["One.", "One. Two. Three. Four."]

    await sink.finish(answer("One. Two. Three. Four. Five."))
    assert channel.standing == ["One. Two. Three. Four. Five."]
    assert not has_stop_button(channel.sent[0])
    assert clock.sleepers == 0


async def test_a_growing_text_flows_into_another_message_and_the_button_moves_along(
    replies: DiscordReplies, channel: FakeChannel, clock: SimulatedClock
) -> None:
    sink = replies.open(TURN)
    await sink.show("word " * 300)
    await clock.advance(0.1)
    await sink.show("word " * 500)
    await clock.advance(1.3)

    assert len(channel.sent) == 2
    assert [has_stop_button(message) for message in channel.sent] == [False, True]
    await sink.finish(answer("word " * 500))


async def test_a_final_text_that_is_shorter_leaves_no_surplus_message(
    replies: DiscordReplies, channel: FakeChannel, clock: SimulatedClock
) -> None:
    sink = replies.open(TURN)
    await sink.show("word " * 500)
    await clock.advance(0.1)

    ids = await sink.finish(answer("Short."))

    assert channel.standing == ["Short."]
    assert ids == (channel.sent[0].id,)


async def test_faults_while_showing_are_made_good_in_the_end(
    replies: DiscordReplies, channel: FakeChannel, clock: SimulatedClock
) -> None:
    channel.faults = {"send": [ConnectionResetError()], "edit": [http_error(503), http_error(503)]}
    sink = replies.open(TURN)
    await sink.show("One.")
    await clock.advance(0.1)
    await sink.show("One. Two.")
    await clock.advance(1.3)
    await sink.show("One. Two. Three.")
    await clock.advance(1.3)

    finishing = asyncio.create_task(sink.finish(answer("One. Two. Three. Four.")))
    await clock.advance(10.0)
    await finishing

    assert channel.standing == ["One. Two. Three. Four."]


async def test_a_message_that_was_stored_before_the_connection_broke_is_not_sent_twice(
    replies: DiscordReplies, channel: FakeChannel, clock: SimulatedClock
) -> None:
    channel.stored = True
    channel.faults = {"send": [ConnectionResetError()]}
    sink = replies.open(TURN)
    await sink.show("One.")
    await clock.advance(0.1)

    await sink.finish(answer("One. Two."))

    assert channel.standing == ["One. Two."]
    assert channel.requests.count("send") == 2


async def test_a_draft_that_is_withdrawn_leaves_nothing(
    replies: DiscordReplies, channel: FakeChannel, clock: SimulatedClock
) -> None:
    sink = replies.open(TURN)
    await sink.show("word " * 500)
    await clock.advance(0.1)

    await sink.withdraw()

    assert channel.standing == []
    assert clock.sleepers == 0


async def test_withdrawing_never_raises_and_without_anything_shown_asks_nothing(
    replies: DiscordReplies, channel: FakeChannel, clock: SimulatedClock
) -> None:
    await replies.open(TURN).withdraw()
    assert channel.requests == []

    channel.faults = {"delete": [http_error(404)]}
    sink = replies.open(TURN)
    await sink.show("One.")
    await clock.advance(0.1)
    await sink.withdraw()


async def test_a_cancelled_finish_is_completed_so_that_it_can_be_withdrawn(
    replies: DiscordReplies, channel: FakeChannel, clock: SimulatedClock
) -> None:
    channel.stored = True
    channel.faults = {"send": [ConnectionResetError()]}
    sink = replies.open(TURN)
    finishing = asyncio.create_task(sink.finish(answer("One.")))
    await clock.advance(0.1)
    finishing.cancel()
    await asyncio.gather(finishing, return_exceptions=True)

    withdrawing = asyncio.create_task(sink.withdraw())
    await clock.advance(10.0)
    await withdrawing

    assert channel.standing == []


async def test_a_refusal_is_a_delivery_error_and_is_asked_once(replies: DiscordReplies, channel: FakeChannel) -> None:
    channel.faults = {"send": [http_error(403, 50007)]}

    with pytest.raises(DeliveryError):
        await replies.open(TURN).finish(answer("Hello."))
    with pytest.raises(DeliveryError):
        await replies.open(TURN).finish(answer("Hello."))

    assert channel.requests == ["send"]


async def test_a_new_answer_takes_the_place_of_the_old_one_only_when_it_is_complete(
    replies: DiscordReplies, channel: FakeChannel, clock: SimulatedClock
) -> None:
    await replies.open(TURN).finish(answer("word " * 500))
    old = [cast("discord.PartialMessage", message) for message in channel.sent]
    again = replace(replies, existing=tuple(old), aside=unheard).open(turn_id("hinata", 500, 1))

    await again.show("Something")
    await clock.advance(2.0)
    assert len(channel.standing) == 2
    ids = await again.finish(answer("Something else."))

    assert channel.standing == ["Something else."]
    assert ids == (channel.sent[0].id,)


async def test_a_notice_is_told_aside_and_the_old_answer_stays(replies: DiscordReplies, channel: FakeChannel) -> None:
    told: list[str] = []

    async def aside(text: str) -> None:
        told.append(text)

    await replies.open(TURN).finish(answer("Hello."))
    old = cast("discord.PartialMessage", channel.sent[0])

    ids = await replace(replies, existing=(old,), aside=aside).open(turn_id("hinata", 500, 1)).finish(notice("Later."))

    assert (ids, told, channel.standing) == ((), ["Later."], ["Hello."])


async def test_an_old_answer_survives_a_new_one_that_was_dropped(replies: DiscordReplies, channel: FakeChannel) -> None:
    await replies.open(TURN).finish(answer("Hello."))
    old = cast("discord.PartialMessage", channel.sent[0])

    await replace(replies, existing=(old,), aside=unheard).open(turn_id("hinata", 500, 1)).withdraw()

    assert channel.standing == ["Hello."]


async def test_typing_is_repeated_while_it_is_open_and_its_faults_are_nobodys_business(
    replies: DiscordReplies, channel: FakeChannel, clock: SimulatedClock
) -> None:
    channel.faults = {"typing": [http_error(503)]}
    async with replies.open(TURN).typing():
        await clock.advance(0.0)
        await clock.advance(20.0)
    assert channel.requests == ["typing"] * 3
    await clock.advance(20.0)
    assert channel.requests == ["typing"] * 3
