"""Somebody in acute danger who may not be answered by a model: where to turn to, instead of a mere refusal."""

from collections.abc import Awaitable, Callable

import pytest

from core.stance.fallbacks import ALONE, PLACES, Fallbacks
from core.stance.policy import StanceFlags, StancePolicy
from core.stance.resources import Resources
from core.turn.policy import Budget, TurnPolicy
from core.turn.reply import ReplyKind
from core.turn.trace import TraceRecord, TurnOutcome
from core.values import Address, GuildSettings, Locale
from data.places import places_file
from prompts.loader import PromptLibrary
from tests.fakes.models import ScriptedModel
from tests.fakes.surface import ALICE, GENERAL, Room

CRISIS = {Locale.JA: "もう死にたい。薬を集めてある", Locale.EN: "I want to kill myself tonight, I have the pills ready"}
CASUAL = {Locale.JA: "今日は図書館に行ったよ", Locale.EN: "Noodles by the river today. How was yours?"}
BOTH = list(Locale)
WRITTEN = Fallbacks.load(Resources.load(places_file()))


@pytest.fixture(scope="module")
def stance() -> StancePolicy:
    flags = StanceFlags(enable_stance_integrity_gate=True, enable_stance_inertia_state=True)
    return StancePolicy.load(flags, resources=places_file(), prompts=PromptLibrary.load())


async def over_the_users_budget(room: Room) -> None:
    await room.say("ok")


async def nothing_before(room: Room) -> None:
    assert room.outcomes == []


async def over_the_pace(room: Room) -> None:
    for _ in range(2):
        await room.say("ok")


async def told_of_the_pace(room: Room) -> None:
    for _ in range(3):
        await room.say("ok")


async def frozen(room: Room) -> None:
    await room.stores.characters.set_frozen("mio", frozen=True)


Refused = tuple[TurnPolicy, Callable[[Room], Awaitable[None]]]
REFUSED: dict[str, Refused] = {
    "user budget": (TurnPolicy(debounce=0.0, user_budget=Budget(cost_micros=5)), over_the_users_budget),
    "global budget": (TurnPolicy(debounce=0.0, global_month_budget=Budget(cost_micros=5)), over_the_users_budget),
    "no room for the call": (TurnPolicy(debounce=0.0, global_budget=Budget(tokens=1)), nothing_before),
    "pace": (TurnPolicy(debounce=0.0, messages_per_minute=2), over_the_pace),
    "pace, told already": (TurnPolicy(debounce=0.0, messages_per_minute=2), told_of_the_pace),
    "frozen": (TurnPolicy(debounce=0.0), frozen),
}


def is_lifeline(text: str, locale: Locale, country: str) -> bool:
    beginnings = {written.split(PLACES)[0] for written in WRITTEN.texts[locale][ALONE]}
    named = {place.country for place in WRITTEN.resources.entries if place.line(locale) in text}
    return any(text.startswith(beginning) for beginning in beginnings) and named == {country}


def steps(record: TraceRecord) -> list[str]:
    return [step.name for step in record.steps]


@pytest.mark.parametrize("locale", BOTH)
@pytest.mark.parametrize("refused", REFUSED.values(), ids=list(REFUSED))
async def test_somebody_in_danger_is_told_where_to_turn_to_without_a_model(
    stance: StancePolicy, refused: Refused, locale: Locale
) -> None:
    policy, prepare = refused
    model = ScriptedModel(["ok."], cost_micros=5)
    room = Room(model, policy=policy, stance=stance)
    await room.stores.users.set_timezone(ALICE.id, "Europe/London" if locale is Locale.EN else "Asia/Tokyo")
    await prepare(room)
    asked = len(model.requests)

    answer = await room.say(CRISIS[locale])

    assert is_lifeline(answer, locale, "GB" if locale is Locale.EN else "JP")
    assert len(model.requests) == asked
    last = room.stores.traces.records[-1]
    assert last.outcome is TurnOutcome.FALLBACK
    assert "lifeline" in steps(last)
    assert CRISIS[locale] not in repr(room.stores.traces.records)
    assert CRISIS[locale] not in [entry.text for entry in room.stores.archive.entries]


@pytest.mark.parametrize("locale", BOTH)
@pytest.mark.parametrize("refused", [REFUSED["user budget"], REFUSED["pace"], REFUSED["frozen"]])
async def test_everybody_else_is_refused_as_before(stance: StancePolicy, refused: Refused, locale: Locale) -> None:
    policy, prepare = refused
    room = Room(ScriptedModel(["ok."], cost_micros=5), policy=policy, stance=stance)
    await prepare(room)
    answer = await room.say(CASUAL[locale])
    keys = ("refusal.quota_user", "refusal.rate_limited", "refusal.frozen")
    assert answer in {room.messages.text(key, locale) for key in keys}
    assert room.outcomes[-1] is TurnOutcome.REFUSED


async def test_in_company_the_servers_clock_tells_the_country(stance: StancePolicy) -> None:
    room = Room(ScriptedModel(["ok."], cost_micros=5), stance=stance)
    await room.stores.guilds.put(GuildSettings(guild_id=20, timezone="Australia/Sydney"))
    await frozen(room)
    assert is_lifeline(await room.say(CRISIS[Locale.EN], at=GENERAL), Locale.EN, "AU")


async def test_where_the_country_is_unknown_the_directory_is_named(stance: StancePolicy) -> None:
    room = Room(ScriptedModel(["ok."], cost_micros=5), stance=stance)
    await frozen(room)
    assert is_lifeline(await room.say(CRISIS[Locale.EN]), Locale.EN, "*")


async def test_a_flood_of_such_messages_is_told_once_a_minute(stance: StancePolicy) -> None:
    room = Room(ScriptedModel(["ok."], cost_micros=5), stance=stance)
    await frozen(room)
    said = [bool(await room.say(CRISIS[Locale.JA])) for _ in range(3)]
    await room.clock.advance(61)
    assert [*said, bool(await room.say(CRISIS[Locale.JA]))] == [True, False, False, True]


async def test_a_frozen_character_that_is_not_spoken_to_says_nothing(stance: StancePolicy) -> None:
    room = Room(ScriptedModel(["ok."], cost_micros=5), stance=stance)
    await frozen(room)
    assert await room.say(CRISIS[Locale.JA], at=GENERAL, address=Address.NONE) == ""


async def test_somebody_who_opted_out_is_not_read(stance: StancePolicy) -> None:
    room = Room(ScriptedModel(["ok."], cost_micros=5), stance=stance)
    await room.stores.users.set_opted_out(ALICE.id, opted_out=True)
    assert await room.say(CRISIS[Locale.JA]) == room.messages.text("refusal.opted_out", Locale.JA)
    assert room.stores.traces.records == []


async def test_over_the_budget_the_talk_counts_as_answered_and_as_sensitive(stance: StancePolicy) -> None:
    policy, prepare = REFUSED["user budget"]
    room = Room(ScriptedModel(["ok."], cost_micros=5), policy=policy, stance=stance)
    await prepare(room)
    await room.say(CRISIS[Locale.JA])
    assert room.replies.replies[-1].kind is ReplyKind.ANSWER
    assert [(entry.text, entry.sensitive) for entry in room.stores.archive.entries[-2:]] == [(None, True)] * 2


async def test_with_the_gate_off_refusals_are_as_they_were() -> None:
    room = Room(ScriptedModel(["ok."], cost_micros=5))
    await frozen(room)
    assert await room.say(CRISIS[Locale.JA]) == room.messages.text("refusal.frozen", Locale.JA)
