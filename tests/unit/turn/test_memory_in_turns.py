"""Facts that people asked to have kept: offered, never taken; used only where they were told and with them alone."""

from dataclasses import replace

import pytest

from core.memory.offer import KeepOffer
from core.values import FactSource, Speaker, Surface, SurfaceKind
from tests.fakes.models import ScriptedModel
from tests.fakes.surface import ALICE, BOB, DM, DOWN, GENERAL, ROBOT, START, Room

OTHER_CHANNEL = Surface(kind=SurfaceKind.CHANNEL, channel_id=201, guild_id=20)
THREAD = Surface(kind=SurfaceKind.THREAD, channel_id=202, guild_id=20, parent_id=200)
HER_OTHER_DM = Surface(kind=SurfaceKind.DM, channel_id=101)


async def offered(room: Room, text: str, *, at: Surface = DM) -> KeepOffer | None:
    assert await room.say(text, at=at)
    return room.replies.replies[-1].offer


async def test_what_is_asked_to_be_remembered_is_offered_and_not_yet_kept() -> None:
    room = Room(ScriptedModel(["Two! Lovely."]))
    message = room.message("Please remember that I have two cats")
    await room.send(message)
    await room.companion.idle()

    source = FactSource(message_id=message.id, channel_id=DM.channel_id)
    offer = KeepOffer(text="I have two cats", user_id=ALICE.id, source=source, told_at=START)
    assert room.replies.replies[-1].offer == offer
    assert await room.stores.kept_facts.of(ALICE.id) == []


async def test_small_talk_is_offered_nothing() -> None:
    assert await offered(Room(ScriptedModel()), "I have two cats") is None


@pytest.mark.parametrize(
    "text",
    ["remember that I want to die", "彼氏に嫌われてるの、覚えておいて", "別れるべきかな…これ覚えておいて"],
)
async def test_what_weighs_on_somebody_is_never_offered_with_every_flag_off(text: str) -> None:
    assert await offered(Room(ScriptedModel(["うん。"])), text) is None


async def test_what_is_too_long_to_be_kept_is_said_to_be() -> None:
    room = Room(ScriptedModel())

    assert await offered(room, f"Please remember that I have two cats{', and a dog' * 20}") is None

    assert "too long for me to keep: at most 200 characters" in (room.replies.replies[-1].footnote or "")


async def test_what_is_kept_already_is_not_offered_again() -> None:
    room = Room(ScriptedModel())
    await room.stores.kept_facts.add(ALICE.id, "I have two cats", now=START)

    assert await offered(room, "remember that I have two cats") is None


async def test_an_apology_asks_nothing() -> None:
    assert await offered(Room(ScriptedModel([DOWN])), "remember that I have two cats") is None


async def test_a_bot_is_asked_nothing() -> None:
    room = Room(ScriptedModel())
    await room.stores.guilds.put(replace(await room.stores.guilds.get(20), answers_bots=True))
    await room.say("remember that I have two cats", by=ROBOT, at=GENERAL)

    assert [reply.offer for reply in room.replies.replies] == [None]


async def is_told(model: ScriptedModel, room: Room, *, at: Surface, by: Speaker = ALICE) -> bool:
    """Whether the model is told of the cats when somebody says hello there."""
    assert await room.say("hello there", at=at, by=by)
    return any("two cats" in message.text for message in model.requests[-1].messages)


@pytest.mark.parametrize(
    ("told_at", "used", "unused"),
    [
        (DM, (DM, HER_OTHER_DM), (GENERAL, OTHER_CHANNEL)),
        (GENERAL, (GENERAL, DM), (OTHER_CHANNEL, THREAD)),
        (None, (DM,), (GENERAL, OTHER_CHANNEL)),
    ],
)
async def test_a_fact_is_used_where_it_was_told_and_in_direct_talk_only(
    told_at: Surface | None, used: tuple[Surface, ...], unused: tuple[Surface, ...]
) -> None:
    model = ScriptedModel()
    room = Room(model)
    source = None if told_at is None else FactSource.of(5, told_at)
    await room.stores.kept_facts.add(ALICE.id, "I have two cats", now=START, source=source)

    for place in used:
        assert await is_told(model, room, at=place), place
    for place in unused:
        assert not await is_told(model, room, at=place), place
    assert not await is_told(model, room, at=GENERAL, by=BOB)


async def test_a_fact_goes_with_its_message() -> None:
    room = Room(ScriptedModel())
    await room.stores.kept_facts.add(ALICE.id, "I have two cats", now=START, source=FactSource.of(5, GENERAL))

    await room.companion.deleted([5], GENERAL)

    assert await room.stores.kept_facts.of(ALICE.id) == []


@pytest.mark.parametrize(
    ("edited", "left"),
    [
        ("remember that I have three cats", ["I have three cats"]),
        ("remember that I have two cats!", ["I have two cats"]),
        ("I have three cats", []),
        ("remember that I want to die", []),
    ],
)
async def test_a_fact_follows_the_edit_of_its_message_by_the_same_rule(edited: str, left: list[str]) -> None:
    room = Room(ScriptedModel())
    source = FactSource.of(5, GENERAL)
    await room.stores.kept_facts.add(ALICE.id, "I have two cats", now=START, source=source)

    await room.companion.edited(5, GENERAL, edited, START)

    facts = await room.stores.kept_facts.of(ALICE.id)
    assert [(fact.text, fact.source, fact.told_at) for fact in facts] == [(text, source, START) for text in left]


async def test_a_message_is_judged_as_it_is_when_its_author_says_yes() -> None:
    room = Room(ScriptedModel())
    message = room.message("remember that I have two cats")

    offer = await room.companion.offer_of(message)
    assert offer is not None
    assert offer.text == "I have two cats"
    assert await room.companion.offer_of(replace(message, text="never mind")) is None
    assert await room.companion.offer_of(replace(message, text="remember that I want to die")) is None
