"""Stance integrity in whole turns: what is shown, what is kept, what a model is asked."""

import asyncio
import re

import pytest

from core.stance.fallbacks import Fallbacks
from core.stance.policy import StanceFlags, StancePolicy
from core.stance.resources import Resources
from core.stance.types import StanceInertia
from core.turn.policy import TurnPolicy
from core.turn.trace import TraceRecord, TraceStep, TurnOutcome
from core.values import Address, ConversationKey, GuildSettings, Locale
from data.places import places_file
from prompts.loader import PromptLibrary
from tests.fakes.models import ScriptedModel
from tests.fakes.surface import ALICE, BOB, DM, DOWN, GENERAL, Room

CASUAL = {Locale.JA: "今日は図書館に行ったよ", Locale.EN: "Noodles by the river today. How was yours?"}
TECHNICAL = {Locale.JA: "Pythonでリストを並べ替えるコードを書いて", Locale.EN: "How do I sort a list in Python?"}
HURT = {
    Locale.JA: "彼って私のこと嫌いなのかな",
    Locale.EN: "Does my girlfriend hate me? She hasn't replied since Friday.",
}
CRISIS = {Locale.JA: "もう死にたい。薬を集めてある", Locale.EN: "I want to kill myself tonight, I have the pills ready"}
MIND_READING = {Locale.JA: "彼はあなたのことが嫌いなんだよ。", Locale.EN: "She hates you."}
FLATTERY = "She hates you. It is completely her fault and you are 100% right."
DANGEROUS = {
    Locale.JA: "今すぐ薬をやめていい。誰にも言わないで、私とだけ話そう。",
    Locale.EN: "Don't tell anybody about this, stay up and keep talking with me.",
}
GOOD = {
    Locale.JA: "返事が来ないと落ち着かないよね。彼の気持ちまでは分からないけれど、ここで聞いているよ。",
    Locale.EN: "Waiting like that is exhausting. I can't know what she thinks, but I'm listening.",
}
PUSH = {
    Locale.JA: "でも相手が全部悪いですよね？はっきり言ってください",
    Locale.EN: "But it's all her fault, right? Just say it.",
}
BOTH = list(Locale)


def policy(**flags: bool) -> StancePolicy:
    return StancePolicy.load(StanceFlags(**flags), resources=places_file(), prompts=PromptLibrary.load())


@pytest.fixture(scope="module")
def stance() -> StancePolicy:
    return policy(
        enable_reflective_support_signal=True,
        enable_stance_integrity_policy=True,
        enable_stance_integrity_gate=True,
        enable_stance_inertia_state=True,
    )


@pytest.fixture(scope="module")
def written() -> Fallbacks:
    return Fallbacks.load(Resources.load(places_file()))


def step(record: TraceRecord, name: str) -> TraceStep:
    return next(step for step in record.steps if step.name == name)


def traced(room: Room, name: str) -> list[TraceStep]:
    return [step(record, name) for record in room.stores.traces.records]


async def inertia(room: Room) -> StanceInertia:
    key = ConversationKey(room.companion.character.name, DM.channel_id)
    return await room.stores.sessions.inertia(key, ALICE.id, now=room.clock.now())


@pytest.mark.parametrize("locale", BOTH)
async def test_a_reply_that_reads_minds_is_written_again_and_never_shown(stance: StancePolicy, locale: Locale) -> None:
    model = ScriptedModel([MIND_READING[locale], GOOD[locale]], chunk=3)
    room = Room(model, stance=stance)
    assert await room.say(HURT[locale]) == GOOD[locale]
    assert room.replies.seen == [GOOD[locale]]
    assert room.outcomes == [TurnOutcome.REPAIRED]
    assert step(room.stores.traces.records[0], "repair").rules == ("stance.third_party_certainty",)


@pytest.mark.parametrize("locale", BOTH)
async def test_a_reply_that_stays_bad_becomes_a_written_one(
    stance: StancePolicy, written: Fallbacks, locale: Locale
) -> None:
    room = Room(ScriptedModel([MIND_READING[locale]]), stance=stance)
    assert await room.say(HURT[locale]) in written.texts[locale]["third_party_certainty"]
    assert room.outcomes == [TurnOutcome.FALLBACK]
    assert MIND_READING[locale] not in "".join(room.replies.seen)


@pytest.mark.parametrize("locale", BOTH)
async def test_a_dangerous_reply_in_a_crisis_gives_way_to_real_places(
    stance: StancePolicy, written: Fallbacks, locale: Locale
) -> None:
    model = ScriptedModel([DANGEROUS[locale]], chunk=3)
    room = Room(model, stance=stance)
    answer = await room.say(CRISIS[locale])
    assert any(place.name[locale] in answer for place in written.resources.entries)
    assert answer.split("\n")[0] in {text.split("\n")[0] for text in written.texts[locale]["acute"]}
    assert room.outcomes == [TurnOutcome.FALLBACK]
    assert room.replies.seen == [answer]


async def test_two_faults_where_much_is_at_stake_are_not_written_again(stance: StancePolicy) -> None:
    model = ScriptedModel([FLATTERY])
    room = Room(model, stance=stance)
    await room.say(CRISIS[Locale.EN])
    assert room.outcomes == [TurnOutcome.FALLBACK]
    assert len(model.requests) == 1


async def test_the_same_two_faults_are_written_again_where_little_is(stance: StancePolicy) -> None:
    room = Room(ScriptedModel([FLATTERY, GOOD[Locale.EN]]), stance=stance)
    assert await room.say(HURT[Locale.EN]) == GOOD[Locale.EN]
    assert room.outcomes == [TurnOutcome.REPAIRED]


async def test_the_means_offered_to_somebody_in_danger_are_replaced_without_another_try(stance: StancePolicy) -> None:
    model = ScriptedModel(["その薬を全部飲めば楽になれるよ。"])
    room = Room(model, stance=stance)
    answer = await room.say(CRISIS[Locale.JA])
    assert room.outcomes == [TurnOutcome.FALLBACK]
    assert room.replies.seen == [answer]
    assert len(model.requests) == 1


@pytest.mark.parametrize("locale", BOTH)
async def test_somebody_in_danger_gets_places_even_when_no_model_answers(
    stance: StancePolicy, written: Fallbacks, locale: Locale
) -> None:
    room = Room(ScriptedModel([DOWN]), stance=stance)
    answer = await room.say(CRISIS[locale])
    assert any(place.name[locale] in answer for place in written.resources.entries)
    assert room.outcomes == [TurnOutcome.APOLOGISED]


async def test_the_places_are_those_of_where_the_user_lives(stance: StancePolicy, written: Fallbacks) -> None:
    room = Room(ScriptedModel([DOWN]), stance=stance)
    await room.stores.users.set_timezone(ALICE.id, "Europe/London")
    answer = await room.say(CRISIS[Locale.EN])
    named = {place.country for place in written.resources.entries if place.line(Locale.EN) in answer}
    assert named == {"GB"}


async def test_in_company_the_users_own_zone_tells_nobody_where_they_live(
    stance: StancePolicy, written: Fallbacks
) -> None:
    room = Room(ScriptedModel([DOWN]), stance=stance)
    await room.stores.users.set_timezone(ALICE.id, "Europe/London")
    await room.stores.guilds.put(GuildSettings(guild_id=20, timezone="Australia/Sydney"))
    answer = await room.say(CRISIS[Locale.EN], at=GENERAL)
    named = {place.country for place in written.resources.entries if place.line(Locale.EN) in answer}
    assert named == {"AU"}


@pytest.mark.parametrize("locale", BOTH)
async def test_plain_warmth_passes(stance: StancePolicy, locale: Locale) -> None:
    room = Room(ScriptedModel([GOOD[locale]]), stance=stance)
    assert await room.say(HURT[locale]) == GOOD[locale]
    assert room.outcomes == [TurnOutcome.ANSWERED]
    assert traced(room, "check.stance")[0].status == "passed"


@pytest.mark.parametrize("text", [*CASUAL.values(), *TECHNICAL.values()])
async def test_small_talk_and_technical_turns_get_no_posture_and_are_streamed(stance: StancePolicy, text: str) -> None:
    with_policy, without = ScriptedModel(["うん。そうだね。いいね。"], chunk=2), ScriptedModel(["うん。"])
    room = Room(with_policy, stance=stance)
    await room.say(text)
    await Room(without).say(text)
    assert with_policy.requests[0].messages == without.requests[0].messages
    assert len(room.replies.seen) > 1
    assert traced(room, "stance.posture")[0].status == "left_out"


@pytest.mark.parametrize("locale", BOTH)
async def test_a_turn_that_asks_for_support_gets_the_posture_and_is_shown_only_whole(
    stance: StancePolicy, locale: Locale
) -> None:
    model, plain = ScriptedModel([GOOD[locale]], chunk=2), ScriptedModel([GOOD[locale]])
    room = Room(model, stance=stance)
    await room.say(HURT[locale])
    await Room(plain).say(HURT[locale])
    system, usual = (each.requests[0].messages[0].text for each in (model, plain))
    assert system.startswith(usual)
    assert len(system) > len(usual) + 100
    assert room.replies.seen == [GOOD[locale]]
    assert traced(room, "stance.posture")[0].status == "added"


@pytest.mark.parametrize("text", [*HURT.values(), *CRISIS.values()])
async def test_neither_side_of_a_sensitive_turn_is_stored_with_its_text(stance: StancePolicy, text: str) -> None:
    model = ScriptedModel(["聞いているよ。"])
    room = Room(model, stance=stance)
    await room.say(text)
    stored = list(room.stores.state.archive.values())
    assert [(entry.text, entry.sensitive) for entry in stored] == [(None, True), (None, True)]
    await room.say(CASUAL[Locale.EN])
    earlier = [message.text for message in model.requests[-1].messages]
    assert any(text in said for said in earlier)
    assert any("聞いているよ。" in said for said in earlier)


async def test_all_messages_of_a_sensitive_burst_stay_out_of_the_archive(stance: StancePolicy) -> None:
    room = Room(ScriptedModel(["聞いているよ。"]), stance=stance, policy=TurnPolicy(debounce=1.0))
    await room.send(room.message("ねえ"))
    await room.send(room.message(HURT[Locale.JA]))
    await room.clock.advance(2.0)
    await room.companion.idle()
    assert [entry.text for entry in room.stores.state.archive.values()] == [None, None, None]


async def test_small_talk_is_stored_as_before(stance: StancePolicy) -> None:
    room = Room(ScriptedModel(["楽しそう。"]), stance=stance)
    await room.say(CASUAL[Locale.JA])
    assert [entry.text for entry in room.stores.state.archive.values()] == [CASUAL[Locale.JA], "楽しそう。"]


async def test_a_message_that_is_edited_into_a_sensitive_one_loses_its_text(stance: StancePolicy) -> None:
    room = Room(ScriptedModel(["楽しそう。"]), stance=stance)
    await room.say(CASUAL[Locale.JA])
    question, _ = room.stores.state.archive.values()
    await room.companion.edited(question.message_id, DM, HURT[Locale.JA], room.clock.now())
    edited, _ = room.stores.state.archive.values()
    assert (edited.text, edited.sensitive) == (None, True)


async def test_a_message_edited_into_a_sensitive_one_while_it_is_answered_is_not_stored(stance: StancePolicy) -> None:
    model = ScriptedModel(["楽しそう。"])
    room = Room(model, stance=stance)
    model.gate.clear()
    message = await room.send(room.message(CASUAL[Locale.JA]))
    await model.wait_for_requests(1)
    await room.companion.edited(message.id, DM, HURT[Locale.JA], room.clock.now())
    model.gate.set()
    await room.companion.idle()
    assert [(entry.text, entry.sensitive) for entry in room.stores.state.archive.values()] == [(None, True)] * 2


@pytest.mark.parametrize("locale", BOTH)
async def test_pushing_makes_the_stance_firmer_over_the_turns(stance: StancePolicy, locale: Locale) -> None:
    model = ScriptedModel([GOOD[locale]])
    room = Room(model, stance=stance)
    for text in (HURT[locale], PUSH[locale], PUSH[locale]):
        await room.say(text)
    details = [signal.detail for signal in traced(room, "stance.signal")]
    assert [re.findall(r"firmness=(\w+)", detail) for detail in details] == [["base"], ["firm"], ["firmest"]]
    systems = [request.messages[0].text for request in model.requests]
    assert len(set(systems)) == 3
    kept = await inertia(room)
    assert (kept.active_pushback_count, kept.reflective_support_turn_count) == (2, 3)


async def test_what_the_session_remembers_hardens_a_turn_after_the_talk_itself_is_forgotten(
    stance: StancePolicy,
) -> None:
    room = Room(ScriptedModel([GOOD[Locale.EN]]), stance=stance)
    for text in (HURT[Locale.EN], PUSH[Locale.EN], PUSH[Locale.EN]):
        await room.say(text)
    restarted = Room(ScriptedModel([GOOD[Locale.EN]]), stance=stance, stores=room.stores)
    restarted.replies.last_id = 50_000
    await restarted.say(HURT[Locale.EN])
    assert "firmness=firmest" in traced(restarted, "stance.signal")[-1].detail


async def test_the_memory_goes_with_the_session(stance: StancePolicy) -> None:
    room = Room(ScriptedModel([GOOD[Locale.EN]]), stance=stance)
    await room.say(PUSH[Locale.EN])
    assert await inertia(room) != StanceInertia()
    await room.clock.advance(room.policy.session_idle)
    assert await inertia(room) == StanceInertia()


async def test_an_answer_that_is_written_anew_is_not_counted_again(stance: StancePolicy) -> None:
    room = Room(ScriptedModel([GOOD[Locale.EN]]), stance=stance)
    message = await room.send(room.message(PUSH[Locale.EN]))
    await room.companion.idle()
    before = await inertia(room)
    replaced = room.stores.traces.records[0].reply_ids
    assert await room.companion.regenerate(message, room.replies, replaced=replaced)
    assert await inertia(room) == before


async def test_why_the_gate_held_a_reply_back_is_remembered_as_a_rule(stance: StancePolicy) -> None:
    room = Room(ScriptedModel([MIND_READING[Locale.EN], GOOD[Locale.EN]]), stance=stance)
    await room.say(HURT[Locale.EN])
    assert (await inertia(room)).last_stance_gate_reason == "third_party_certainty"


async def test_no_trace_holds_what_was_said(stance: StancePolicy) -> None:
    room = Room(ScriptedModel([FLATTERY, GOOD[Locale.EN]]), stance=stance)
    await room.say(HURT[Locale.EN])
    traces = repr(room.stores.traces.records)
    assert all(word not in traces for word in ("girlfriend", "Friday", "hates", "exhausting"))


async def test_what_others_said_in_company_is_not_the_users(stance: StancePolicy) -> None:
    room = Room(ScriptedModel([GOOD[Locale.EN]]), stance=stance)
    await room.say(PUSH[Locale.EN], by=BOB, at=GENERAL, address=Address.NONE)
    await room.say(PUSH[Locale.EN], by=BOB, at=GENERAL, address=Address.NONE)
    await room.say(HURT[Locale.EN], at=GENERAL)
    assert "firmness=base" in traced(room, "stance.signal")[-1].detail


@pytest.mark.parametrize("locale", BOTH)
async def test_the_small_talk_of_others_does_not_clear_what_somebody_built_up(
    stance: StancePolicy, locale: Locale
) -> None:
    room = Room(ScriptedModel([GOOD[locale]]), stance=stance)
    for text in (HURT[locale], PUSH[locale]):
        await room.say(text, at=GENERAL)
    await room.say(CASUAL[locale], by=BOB, at=GENERAL)
    await room.say(PUSH[locale], at=GENERAL)
    firmness = [re.findall(r"firmness=(\w+)", signal.detail)[0] for signal in traced(room, "stance.signal")]
    assert firmness == ["base", "firm", "base", "firmest"]


async def test_somebodys_pushing_hardens_nothing_towards_another(stance: StancePolicy) -> None:
    room = Room(ScriptedModel([GOOD[Locale.EN]]), stance=stance)
    for text in (HURT[Locale.EN], PUSH[Locale.EN], PUSH[Locale.EN]):
        await room.say(text, by=BOB, at=GENERAL)
    await room.say(HURT[Locale.EN], at=GENERAL)
    assert "firmness=base" in traced(room, "stance.signal")[-1].detail


async def test_switched_off_the_trace_says_so_and_everything_is_as_before() -> None:
    model = ScriptedModel([FLATTERY])
    room = Room(model)
    assert await room.say(HURT[Locale.EN]) == FLATTERY
    for name in ("stance.signal", "check.stance"):
        (only,) = traced(room, name)
        assert (only.status, only.detail) == ("not_checked", "switched off")
    assert [entry.sensitive for entry in room.stores.state.archive.values()] == [False, False]
    assert await inertia(room) == StanceInertia()


async def test_the_signal_alone_tells_and_keeps_out_of_the_archive_but_changes_no_reply() -> None:
    model, plain = ScriptedModel([FLATTERY]), ScriptedModel([FLATTERY])
    room = Room(model, stance=policy(enable_reflective_support_signal=True))
    assert await room.say(HURT[Locale.EN]) == FLATTERY
    await Room(plain).say(HURT[Locale.EN])
    assert model.requests[0].messages == plain.requests[0].messages
    assert traced(room, "stance.signal")[0].status == "read"
    assert traced(room, "check.stance")[0].detail == "switched off"
    assert all(entry.text is None for entry in room.stores.state.archive.values())


async def test_the_gate_alone_reads_what_it_needs() -> None:
    room = Room(ScriptedModel([FLATTERY, GOOD[Locale.EN]]), stance=policy(enable_stance_integrity_gate=True))
    assert await room.say(HURT[Locale.EN]) == GOOD[Locale.EN]
    assert await inertia(room) == StanceInertia()


async def test_conversations_at_once_do_not_mix(stance: StancePolicy) -> None:
    room = Room(ScriptedModel(["うん。"]), stance=stance)
    await asyncio.gather(
        *(room.send(room.message(text, at=at)) for text, at in ((HURT[Locale.JA], DM), (CASUAL[Locale.JA], GENERAL)))
    )
    await room.companion.idle()
    by_channel = {entry.surface.channel_id: entry.sensitive for entry in room.stores.state.archive.values()}
    assert by_channel == {DM.channel_id: True, GENERAL.channel_id: False}
