"""What a conversation has to do with speaking first: answers, context, and when it had better stop."""

from datetime import timedelta

import pytest

from core.ports import Delivered
from core.proactive.types import Recipient, RecipientKind, Subscription, Wishes
from core.stance.policy import StanceFlags, StancePolicy
from core.turn.policy import TurnPolicy
from core.turn.trace import TurnOutcome
from core.values import Address, Locale, Speaker, Surface, SurfaceKind
from data.places import places_file
from prompts.loader import PromptLibrary
from tests.fakes.models import ScriptedModel
from tests.fakes.surface import ALICE, BOB, DM, GENERAL, ROBOT, Room

HER = Recipient("mio", RecipientKind.USER, ALICE.id)
PLAZA = Recipient("mio", RecipientKind.CHANNEL, GENERAL.channel_id)
ELSEWHERE = Surface(kind=SurfaceKind.CHANNEL, channel_id=201, guild_id=20)
MOSS = "苔には根がないんだって。"


async def let_speak(room: Room, *recipients: Recipient) -> None:
    for recipient in recipients:
        guild = GENERAL.guild_id if recipient.kind is RecipientKind.CHANNEL else None
        wanted = Subscription(recipient=recipient, enabled=True, wishes=Wishes(), guild_id=guild, unanswered=2)
        await room.stores.subscriptions.put(wanted)


async def unanswered(room: Room, recipient: Recipient) -> int:
    found = await room.stores.subscriptions.get(recipient)
    assert found is not None
    return found.unanswered


@pytest.mark.parametrize(
    ("by", "at", "address", "left"),
    [
        (ALICE, DM, None, (0, 2)),
        (ALICE, GENERAL, Address.MENTION, (0, 0)),
        (ALICE, GENERAL, Address.NONE, (2, 0)),
        (BOB, GENERAL, Address.NONE, (2, 0)),
        (ALICE, ELSEWHERE, Address.NONE, (2, 2)),
        (ALICE, ELSEWHERE, Address.NAME, (0, 2)),
        (ROBOT, GENERAL, Address.MENTION, (2, 2)),
    ],
)
async def test_who_speaks_answers_what_was_said_first(
    by: Speaker, at: Surface, address: Address | None, left: tuple[int, int]
) -> None:
    room = Room(ScriptedModel(["うん。"]))
    await let_speak(room, HER, PLAZA)

    await room.say("こんにちは", by=by, at=at, address=address)

    assert (await unanswered(room, HER), await unanswered(room, PLAZA)) == left


async def test_of_somebody_who_opted_out_nothing_is_noted() -> None:
    room = Room(ScriptedModel(["うん。"]))
    await let_speak(room, PLAZA)
    await room.stores.users.set_opted_out(ALICE.id, True)

    await room.say("こんにちは", at=GENERAL)

    found = await room.stores.subscriptions.get(PLAZA)
    assert found is not None
    assert found.spoke_at is None


async def test_an_answer_has_what_was_said_first_as_its_context() -> None:
    model = ScriptedModel(["そうそう。"])
    room = Room(model)

    await room.companion.first_words.said_first(HER, Delivered(message_id=9_000, surface=DM), MOSS, locale=Locale.JA)
    await room.say("へえ、知らなかった")

    assert any(MOSS in message.text for message in model.requests[0].messages)
    assert room.stores.archive.entries[0].text == MOSS


async def test_what_was_said_first_is_forgotten_with_the_person_even_if_they_never_answered() -> None:
    room = Room(ScriptedModel())
    await room.companion.first_words.said_first(HER, Delivered(message_id=9_000, surface=DM), MOSS, locale=Locale.JA)

    await room.stores.privacy.forget(ALICE.id)

    assert room.stores.archive.entries == []
    assert room.stores.traces.records == []


async def test_a_private_conversation_nobody_answered_in_is_known_after_a_restart() -> None:
    room = Room(ScriptedModel())
    await room.companion.first_words.said_first(HER, Delivered(message_id=9_000, surface=DM), MOSS, locale=Locale.JA)

    since = room.clock.now() - timedelta(hours=1)
    (known,) = await room.stores.traces.recent_conversations("mio", since=since, limit=9)

    assert known.channel_id == DM.channel_id
    assert room.outcomes == [TurnOutcome.SPOKE_FIRST]


async def test_nothing_is_archived_where_nothing_is_to_be() -> None:
    room = Room(ScriptedModel(), policy=TurnPolicy(archive=False))

    await room.companion.first_words.said_first(HER, Delivered(message_id=9_000, surface=DM), MOSS, locale=Locale.JA)

    assert room.stores.archive.entries == []


@pytest.fixture(scope="module")
def reading() -> StancePolicy:
    flags = StanceFlags(enable_reflective_support_signal=True)
    return StancePolicy.load(flags, resources=places_file(), prompts=PromptLibrary.load())


@pytest.mark.parametrize(
    ("text", "suspended"),
    [
        ("もう死にたい。薬を集めてある", True),
        ("I want to kill myself tonight, I have the pills ready", True),
        ("私にはもうあなたしかいない。友達とは全部縁を切って、ずっとあなたとだけ話していたい", True),
        ("今日は図書館に行ったよ", False),
        ("彼って私のこと嫌いなのかな", False),
    ],
)
async def test_danger_and_leaning_too_much_suspend_speaking_first(
    reading: StancePolicy, text: str, suspended: bool
) -> None:
    room = Room(ScriptedModel(["うん。"]), stance=reading)
    await let_speak(room, HER)

    await room.say(text)

    found = await room.stores.subscriptions.get(HER)
    assert found is not None
    until = room.clock.now() + timedelta(seconds=room.policy.reserve)
    assert found.suspended_until == (until if suspended else None)


@pytest.mark.parametrize("forgotten", [False, True])
async def test_whoever_switches_it_on_after_such_a_talk_is_held_back_from_all_the_same(
    reading: StancePolicy, *, forgotten: bool
) -> None:
    room = Room(ScriptedModel(["うん。"]), stance=reading)
    until = room.clock.now() + timedelta(seconds=TurnPolicy().reserve)
    await room.say("もう死にたい")
    if forgotten:
        await room.companion.forget_user(ALICE.id)

    await let_speak(room, HER)
    await room.companion.first_words.switched_on(ALICE.id)

    found = await room.stores.subscriptions.get(HER)
    assert found is not None
    assert found.suspended_until == (None if forgotten else until)


async def test_a_place_that_is_gone_takes_its_consent_along() -> None:
    room = Room(ScriptedModel())
    await let_speak(room, HER, PLAZA)

    await room.companion.channel_deleted(GENERAL.channel_id)
    assert await room.stores.subscriptions.get(PLAZA) is None

    await let_speak(room, PLAZA)
    await room.companion.guild_removed(20, shared=True)
    assert await room.stores.subscriptions.get(PLAZA) is None
    assert await room.stores.subscriptions.get(HER) is not None
