"""Users, servers, characters, sessions, usage and traces."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta

from core.ports import AlikeTurns, Cap, Encounter, Reserved, UsageKey, UsageSum, UsageTotals
from core.stance.types import StanceInertia
from core.turn.trace import TraceStep, TurnOutcome
from core.values import GuildSettings, KeptFact, Locale, Session, UserProfile
from tests.contract.bundle import (
    AKI,
    AKI_DM,
    BEN,
    BEN_DM,
    CHANNEL,
    GUILD,
    NOON,
    OTHER_GUILD,
    THREAD,
    TODAY,
    AnyStores,
    after,
    call,
    key,
    trace,
)


async def test_somebody_new_has_a_fresh_profile(stores: AnyStores) -> None:
    assert await stores.users.get(AKI) == UserProfile(id=AKI)


async def test_a_profile_keeps_what_was_set(stores: AnyStores) -> None:
    await stores.users.set_locale(AKI, Locale.EN)
    await stores.users.seen(AKI, character="hinata", now=NOON, locale=Locale.JA)
    await stores.users.set_notice_shown(AKI)
    await stores.users.set_timezone(AKI, "Asia/Tokyo")

    profile = UserProfile(id=AKI, locale=Locale.EN, seen_locale=Locale.JA, timezone="Asia/Tokyo", notice_shown=True)
    assert await stores.users.get(AKI) == profile
    assert await stores.users.get(BEN) == UserProfile(id=BEN)


async def test_a_language_that_was_seen_stays_until_another_is(stores: AnyStores) -> None:
    await stores.users.seen(AKI, character="hinata", now=NOON, locale=None)
    assert (await stores.users.get(AKI)).seen_locale is None
    for locale in (Locale.JA, None):
        await stores.users.seen(AKI, character="hinata", now=NOON, locale=locale)
    assert (await stores.users.get(AKI)).seen_locale is Locale.JA


async def test_a_locale_can_be_let_go(stores: AnyStores) -> None:
    await stores.users.set_locale(AKI, Locale.JA)

    await stores.users.set_locale(AKI, None)

    assert (await stores.users.get(AKI)).locale is None


async def test_nothing_is_noted_of_somebody_who_opted_out(stores: AnyStores) -> None:
    await stores.users.set_opted_out(AKI, True)
    await stores.users.seen(AKI, character="hinata", now=NOON, locale=Locale.JA)
    assert await stores.users.get(AKI) == UserProfile(id=AKI, opted_out=True)
    assert await stores.users.last_seen(AKI, character="hinata") is None

    await stores.users.set_opted_out(AKI, False)
    await stores.users.seen(AKI, character="hinata", now=NOON, locale=Locale.JA)
    assert await stores.users.get(AKI) == UserProfile(id=AKI, seen_locale=Locale.JA)
    assert await stores.users.last_seen(AKI, character="hinata") == NOON


async def test_each_character_knows_only_when_it_saw_a_person_itself(stores: AnyStores) -> None:
    assert await stores.users.last_seen(AKI, character="hinata") is None

    await stores.users.seen(AKI, character="hinata", now=NOON, locale=None)
    await stores.users.seen(AKI, character="mio", now=after(5), locale=None)
    await stores.users.seen(AKI, character="hinata", now=after(1), locale=None)

    assert await stores.users.last_seen(AKI, character="hinata") == after(1)
    assert await stores.users.last_seen(AKI, character="mio") == after(5)
    assert await stores.users.last_seen(AKI, character="somebody") is None
    assert await stores.users.last_seen(BEN, character="hinata") is None


async def test_of_a_stranger_nothing_is_known_when_they_are_met(stores: AnyStores) -> None:
    assert await stores.users.met(AKI, conversation=key(AKI_DM), now=NOON) == Encounter(user=UserProfile(id=AKI))


async def test_all_that_is_known_of_somebody_is_there_when_they_are_met(stores: AnyStores) -> None:
    await stores.users.set_timezone(AKI, "Europe/Paris")
    await stores.users.seen(AKI, character="hinata", now=NOON, locale=Locale.JA)
    await stores.users.seen(AKI, character="mio", now=after(9), locale=None)
    await stores.users.seen(BEN, character="hinata", now=after(8), locale=Locale.EN)
    session = await stores.sessions.touch(key(AKI_DM), now=NOON, expires_at=after(60))
    await stores.sessions.touch(key(CHANNEL), now=after(1), expires_at=after(60))
    facts = [await stores.kept_facts.add(AKI, text, now=after(2)) for text in ("I have a cat.", "I bake.")]
    await stores.kept_facts.add(BEN, "I swim.", now=after(2))

    assert await stores.users.met(AKI, conversation=key(AKI_DM), now=after(5)) == Encounter(
        user=await stores.users.get(AKI),
        last_seen=NOON,
        session=session,
        kept=tuple(fact for fact in facts if fact is not None),
    )
    over = await stores.users.met(AKI, conversation=key(AKI_DM), now=after(60))
    assert over.session is None
    assert len(over.kept) == 2


async def test_a_zone_can_be_forgotten(stores: AnyStores) -> None:
    await stores.users.set_timezone(AKI, "Europe/Paris")

    await stores.users.set_timezone(AKI, None)

    assert (await stores.users.get(AKI)).timezone is None


async def number_given(stores: AnyStores, user_id: int, text: str) -> int | None:
    fact = await stores.kept_facts.add(user_id, text, now=NOON)
    return None if fact is None else fact.number


async def test_kept_facts_are_numbered_for_each_person(stores: AnyStores) -> None:
    first = await stores.kept_facts.add(AKI, "犬を飼っている", now=NOON)
    await stores.kept_facts.add(AKI, "likes rain", now=after(1))
    await stores.kept_facts.add(BEN, "plays the oboe", now=NOON)

    assert first == KeptFact(number=1, text="犬を飼っている", told_at=NOON)
    assert [(fact.number, fact.text) for fact in await stores.kept_facts.of(AKI)] == [
        (1, "犬を飼っている"),
        (2, "likes rain"),
    ]
    assert [fact.number for fact in await stores.kept_facts.of(BEN)] == [1]


async def test_a_deleted_fact_is_gone_and_leaves_the_others_their_numbers(stores: AnyStores) -> None:
    for text in ("one", "two", "three"):
        await stores.kept_facts.add(AKI, text, now=NOON)

    assert await stores.kept_facts.delete(AKI, 2)
    assert not await stores.kept_facts.delete(AKI, 2)
    assert not await stores.kept_facts.delete(BEN, 1)

    assert [(fact.number, fact.text) for fact in await stores.kept_facts.of(AKI)] == [(1, "one"), (3, "three")]


async def test_a_number_of_a_fact_is_never_given_again(stores: AnyStores) -> None:
    for text in ("one", "two"):
        await stores.kept_facts.add(AKI, text, now=NOON)
    for number in (2, 1):
        await stores.kept_facts.delete(AKI, number)

    assert await number_given(stores, AKI, "three") == 3
    await stores.kept_facts.delete(AKI, 3)
    await stores.users.set_timezone(AKI, "Asia/Tokyo")
    assert await number_given(stores, AKI, "four") == 4
    assert await number_given(stores, BEN, "one") == 1


async def test_a_new_server_has_default_settings(stores: AnyStores) -> None:
    assert await stores.guilds.get(GUILD) == GuildSettings(guild_id=GUILD)


async def test_server_settings_replace_what_was_there(stores: AnyStores) -> None:
    await stores.guilds.put(GuildSettings(guild_id=GUILD, locale=Locale.JA, ambient={1: 2, 3: 4}))
    chosen = GuildSettings(guild_id=GUILD, timezone="Asia/Tokyo", answers_bots=True, ambient={3: 6})

    await stores.guilds.put(chosen)

    assert await stores.guilds.get(GUILD) == chosen


async def test_a_forgotten_server_has_default_settings_again(stores: AnyStores) -> None:
    await stores.guilds.put(GuildSettings(guild_id=GUILD, ambient={1: 2}))

    await stores.guilds.delete(GUILD)

    assert await stores.guilds.get(GUILD) == GuildSettings(guild_id=GUILD)


async def test_a_character_greets_a_server_once_even_if_it_comes_back(stores: AnyStores) -> None:
    claims = await asyncio.gather(*(stores.guilds.claim_welcome(GUILD, "hinata") for _ in range(5)))
    await stores.guilds.delete(GUILD)

    assert sorted(claims) == [False, False, False, False, True]
    assert not await stores.guilds.claim_welcome(GUILD, "hinata")
    assert await stores.guilds.claim_welcome(GUILD, "mio")
    assert await stores.guilds.claim_welcome(GUILD + 1, "hinata")


async def test_a_character_is_frozen_until_it_is_unfrozen(stores: AnyStores) -> None:
    assert not await stores.characters.is_frozen("hinata")

    await stores.characters.set_frozen("hinata", True)
    await stores.characters.set_frozen("hinata", True)
    assert await stores.characters.is_frozen("hinata")
    assert not await stores.characters.is_frozen("mio")

    await stores.characters.set_frozen("hinata", False)
    assert not await stores.characters.is_frozen("hinata")


async def test_turns_count_in_an_open_session(stores: AnyStores) -> None:
    await stores.sessions.touch(key(CHANNEL), now=NOON, expires_at=after(60))

    session = await stores.sessions.touch(key(CHANNEL), now=after(50), expires_at=after(110))

    assert session == Session(started_at=NOON, last_active_at=after(50), turns=2)
    assert await stores.sessions.current(key(CHANNEL), now=after(109)) == session
    assert await stores.sessions.current(key(AKI_DM), now=after(50)) is None


async def test_a_session_is_over_at_its_expiry_and_a_new_one_begins(stores: AnyStores) -> None:
    await stores.sessions.touch(key(CHANNEL), now=NOON, expires_at=after(60))
    assert await stores.sessions.current(key(CHANNEL), now=after(60)) is None

    session = await stores.sessions.touch(key(CHANNEL), now=after(60), expires_at=after(120))

    assert session == Session(started_at=after(60), last_active_at=after(60), turns=1)


INERTIA = StanceInertia(
    active_pushback_count=2,
    reflective_support_turn_count=5,
    high_stakes_turn_count=1,
    recent_overreliance_marker=True,
    last_stance_gate_reason="sycophantic_validation",
)


async def test_a_session_remembers_the_stance_towards_each_person(stores: AnyStores) -> None:
    await stores.sessions.touch(key(CHANNEL), now=NOON, expires_at=after(60))
    assert await stores.sessions.inertia(key(CHANNEL), AKI, now=NOON) == StanceInertia()

    await stores.sessions.set_inertia(key(CHANNEL), AKI, INERTIA, now=NOON)
    await stores.sessions.set_inertia(key(CHANNEL), BEN, StanceInertia(), now=NOON)

    assert await stores.sessions.inertia(key(CHANNEL), AKI, now=after(59)) == INERTIA
    assert await stores.sessions.inertia(key(CHANNEL), BEN, now=after(59)) == StanceInertia()
    assert await stores.sessions.inertia(key(AKI_DM), AKI, now=after(59)) == StanceInertia()


async def test_the_stance_lasts_as_long_as_the_session_would_from_that_persons_last_turn(stores: AnyStores) -> None:
    await stores.sessions.touch(key(CHANNEL), now=NOON, expires_at=after(60))
    await stores.sessions.set_inertia(key(CHANNEL), AKI, INERTIA, now=NOON)
    await stores.sessions.touch(key(CHANNEL), now=after(50), expires_at=after(110))
    await stores.sessions.set_inertia(key(CHANNEL), BEN, INERTIA, now=after(50))

    assert await stores.sessions.inertia(key(CHANNEL), AKI, now=after(60)) == StanceInertia()
    assert await stores.sessions.inertia(key(CHANNEL), BEN, now=after(109)) == INERTIA
    assert await stores.sessions.inertia(key(CHANNEL), BEN, now=after(110)) == StanceInertia()


async def test_a_new_session_knows_nothing_of_the_stance_of_the_old_one(stores: AnyStores) -> None:
    await stores.sessions.touch(key(CHANNEL), now=NOON, expires_at=after(60))
    await stores.sessions.set_inertia(key(CHANNEL), AKI, INERTIA, now=NOON)
    await stores.sessions.touch(key(CHANNEL), now=after(60), expires_at=after(120))

    assert await stores.sessions.inertia(key(CHANNEL), AKI, now=after(60)) == StanceInertia()


async def test_nothing_to_remember_leaves_nothing_behind(stores: AnyStores) -> None:
    await stores.sessions.touch(key(CHANNEL), now=NOON, expires_at=after(60))
    await stores.sessions.set_inertia(key(CHANNEL), AKI, INERTIA, now=NOON)

    await stores.sessions.set_inertia(key(CHANNEL), AKI, StanceInertia(), now=NOON)

    assert (await stores.privacy.counts(AKI))["stance_inertia"] == 0


async def test_what_was_remembered_of_the_stance_is_deleted_when_its_time_is_over(stores: AnyStores) -> None:
    await stores.sessions.touch(key(CHANNEL), now=NOON, expires_at=after(60))
    await stores.sessions.set_inertia(key(CHANNEL), AKI, INERTIA, now=NOON)
    await stores.sessions.touch(key(CHANNEL), now=after(50), expires_at=after(110))

    assert await stores.sessions.delete_expired(after(60)) == 0

    assert (await stores.privacy.counts(AKI))["stance_inertia"] == 0


async def test_without_an_open_session_nothing_is_remembered(stores: AnyStores) -> None:
    await stores.sessions.set_inertia(key(AKI_DM), AKI, INERTIA, now=NOON)
    await stores.sessions.touch(key(CHANNEL), now=NOON, expires_at=after(60))
    await stores.sessions.set_inertia(key(CHANNEL), AKI, INERTIA, now=after(60))

    assert await stores.sessions.inertia(key(AKI_DM), AKI, now=NOON) == StanceInertia()
    assert await stores.sessions.inertia(key(CHANNEL), AKI, now=NOON) == StanceInertia()


async def test_expired_sessions_are_deleted(stores: AnyStores) -> None:
    await stores.sessions.touch(key(CHANNEL), now=NOON, expires_at=after(60))
    await stores.sessions.touch(key(AKI_DM), now=NOON, expires_at=after(61))

    assert await stores.sessions.delete_expired(after(60)) == 1

    assert await stores.sessions.current(key(AKI_DM), now=NOON) is not None


async def test_usage_is_summed_by_day_user_and_server(stores: AnyStores) -> None:
    for record in (call(), call(user=BEN), call(guild=None), call(day=date(2026, 3, 2))):
        await stores.usage.add(record)

    assert await stores.usage.totals(TODAY) == UsageTotals(tokens=33, cost_micros=15, calls=3)
    assert await stores.usage.totals(TODAY, user_id=AKI) == UsageTotals(tokens=22, cost_micros=10, calls=2)
    assert await stores.usage.totals(TODAY, guild_id=GUILD) == UsageTotals(tokens=22, cost_micros=10, calls=2)
    assert await stores.usage.totals(TODAY, user_id=AKI, guild_id=GUILD) == UsageTotals(11, 5, 1)


async def test_a_day_without_calls_sums_to_nothing(stores: AnyStores) -> None:
    assert await stores.usage.totals(TODAY, user_id=AKI) == UsageTotals()


async def test_a_trace_is_read_as_it_was_stored(stores: AnyStores) -> None:
    record = trace("turn-a")
    await stores.traces.add(record)

    assert await stores.traces.get("turn-a") == record
    assert await stores.traces.get("turn-b") is None


async def test_a_turn_told_again_is_kept_once(stores: AnyStores) -> None:
    await stores.traces.add(trace("turn-a"))

    await stores.traces.add(trace("turn-a", outcome=TurnOutcome.UNDELIVERED))

    (record,) = await stores.traces.recent(limit=5)
    assert record.outcome is TurnOutcome.UNDELIVERED


async def test_recent_traces_are_the_newest_of_all_or_of_one_conversation(stores: AnyStores) -> None:
    await stores.traces.add(trace("turn-b", at=after(2)))
    await stores.traces.add(trace("turn-a", at=after(1)))
    await stores.traces.add(trace("turn-c", at=after(3), surface=AKI_DM))

    everywhere = await stores.traces.recent(limit=2)
    here = await stores.traces.recent(limit=5, conversation=key(CHANNEL))

    assert [record.turn_id for record in everywhere] == ["turn-c", "turn-b"]
    assert [record.turn_id for record in here] == ["turn-b", "turn-a"]


async def test_turns_that_did_the_same_are_counted_together_however_long_it_took(stores: AnyStores) -> None:
    slow, other = (
        TraceStep("check.form", "passed", milliseconds=12.5),
        TraceStep("check.form", "found", ("form.empty",)),
    )
    quick = replace(slow, milliseconds=1e-05)
    for number, steps in enumerate(((other,), (slow,), (quick,), (slow, other))):
        await stores.traces.add(replace(trace(f"turn-{number}", at=after(number)), steps=steps))

    alike = await stores.traces.alike(limit=3)
    same = replace(slow, milliseconds=0.0)

    assert alike.since == after(1)
    assert {(kind.character, kind.steps, kind.turns) for kind in alike.kinds} == {
        ("hinata", (same,), 2),
        ("hinata", (same, other), 1),
    }
    assert await stores.traces.alike(limit=0) == AlikeTurns((), None)


async def test_messages_whose_turn_ended_count_as_answered_unless_overtaken_or_undelivered(stores: AnyStores) -> None:
    await stores.traces.add(trace("turn-a", at=after(-1), messages=(1,)))
    await stores.traces.add(trace("turn-b", messages=(2, 3)))
    await stores.traces.add(trace("turn-c", messages=(4,), outcome=TurnOutcome.SILENT))
    await stores.traces.add(trace("turn-d", messages=(5,), outcome=TurnOutcome.UNDELIVERED))
    await stores.traces.add(trace("turn-e", messages=(6,), surface=AKI_DM))
    await stores.traces.add(trace("turn-f", messages=(7,), outcome=TurnOutcome.SUPERSEDED))

    assert await stores.traces.answered_since(key(CHANNEL), NOON) == {2, 3, 4}


async def test_recent_conversations_are_the_characters_own_newest_first(stores: AnyStores) -> None:
    await stores.traces.add(trace("turn-a", at=after(-1), surface=BEN_DM))
    await stores.traces.add(trace("turn-b", at=after(1), surface=AKI_DM))
    await stores.traces.add(trace("turn-c", at=after(2)))
    await stores.traces.add(trace("turn-d", at=after(3), surface=AKI_DM))

    found = await stores.traces.recent_conversations("hinata", since=NOON, limit=5)

    assert found == [key(AKI_DM), key(CHANNEL)]
    assert await stores.traces.recent_conversations("hinata", since=NOON, limit=1) == [key(AKI_DM)]
    assert await stores.traces.recent_conversations("somebody", since=NOON, limit=5) == []


async def test_old_traces_are_deleted(stores: AnyStores) -> None:
    await stores.traces.add(trace("turn-a", at=after(1)))
    await stores.traces.add(trace("turn-b", at=after(2)))

    assert await stores.traces.delete_older_than(after(2)) == 1

    assert await stores.traces.get("turn-a") is None
    assert await stores.traces.get("turn-b") is not None


async def test_the_traces_of_a_server_are_those_of_its_channels_since_then_newest_first(stores: AnyStores) -> None:
    for turn, surface, at in (("a", CHANNEL, 1), ("b", THREAD, 2), ("c", OTHER_GUILD, 3), ("d", AKI_DM, 4)):
        await stores.traces.add(trace(turn, surface=surface, at=after(at)))

    async def found(since: int, limit: int = 9, character: str = "hinata") -> list[str]:
        records = await stores.traces.of_guild(GUILD, character=character, since=after(since), limit=limit)
        return [record.turn_id for record in records]

    assert await found(0) == ["b", "a"]
    assert await found(2) == ["b"]
    assert await found(0, limit=1) == ["b"]
    assert await found(0, character="mio") == []


async def test_the_traces_of_one_conversation_since_then(stores: AnyStores) -> None:
    for turn, surface, at in (("a", CHANNEL, 1), ("b", THREAD, 2), ("c", CHANNEL, 3)):
        await stores.traces.add(trace(turn, surface=surface, at=after(at)))

    records = await stores.traces.of_conversation(key(CHANNEL), since=after(1), limit=9)
    later = await stores.traces.of_conversation(key(CHANNEL), since=after(2), limit=9)

    assert [record.turn_id for record in records] == ["c", "a"]
    assert [(record.turn_id, record.guild_id) for record in later] == [("c", GUILD)]


async def test_traces_leave_with_their_server_even_if_nothing_was_archived(stores: AnyStores) -> None:
    await stores.traces.add(trace("a"))
    await stores.traces.add(trace("b", surface=OTHER_GUILD))

    await stores.archive.delete_guild(GUILD, character="hinata")

    assert [record.turn_id for record in await stores.traces.recent(limit=9)] == ["b"]


async def test_an_allow_list_keeps_its_order_and_takes_nothing_twice_or_too_much(stores: AnyStores) -> None:
    added = [await stores.allow_lists.add(GUILD, phrase, most=2) for phrase in ("天才", "天才", "a genius", "third")]

    assert added == [True, False, True, False]
    assert await stores.allow_lists.of(GUILD) == ["天才", "a genius"]
    assert await stores.allow_lists.of(GUILD + 1) == []


async def test_a_phrase_can_be_taken_back_once(stores: AnyStores) -> None:
    await stores.allow_lists.add(GUILD, "天才", most=9)
    await stores.allow_lists.add(GUILD + 1, "天才", most=9)

    assert [await stores.allow_lists.remove(GUILD, "天才") for _ in range(2)] == [True, False]
    assert await stores.allow_lists.of(GUILD + 1) == ["天才"]


async def test_an_allow_list_leaves_with_its_server(stores: AnyStores) -> None:
    for guild_id in (GUILD, GUILD + 1):
        await stores.allow_lists.add(guild_id, "天才", most=9)

    await stores.guilds.delete(GUILD)

    assert [await stores.allow_lists.of(guild_id) for guild_id in (GUILD, GUILD + 1)] == [[], ["天才"]]


async def test_whose_a_call_was_is_forgotten_after_a_while_and_its_numbers_stay(stores: AnyStores) -> None:
    await stores.usage.add(call())
    before = await stores.usage.totals(TODAY, guild_id=GUILD)

    assert await stores.usage.forget_whose(NOON) == 0
    assert await stores.usage.forget_whose(after(1)) == 1
    assert await stores.usage.forget_whose(after(1)) == 0

    assert (await stores.usage.totals(TODAY, user_id=AKI)).calls == 0
    assert await stores.usage.totals(TODAY, guild_id=GUILD) == before


async def test_a_call_is_reserved_while_every_cap_holds_and_settled_with_what_it_used(stores: AnyStores) -> None:
    day = Cap(first=TODAY, last=TODAY, tokens=300)
    mine = Cap(first=TODAY, last=TODAY, cost_micros=1_000, user_id=AKI)
    most = replace(call(), input_tokens=100, output_tokens=100, cost_micros=400, outcome="reserved", estimated=True)

    reserved = await stores.usage.reserve(most, [day, mine])

    assert isinstance(reserved, Reserved)
    assert [(used.tokens, used.cost_micros) for used in reserved.used] == [(200, 400), (200, 400)]
    assert await stores.usage.reserve(most, [mine, day]) == day
    await stores.usage.settle(reserved.number, replace(most, output_tokens=0, cost_micros=90, outcome="complete"))
    assert await stores.usage.totals(TODAY) == UsageTotals(tokens=100, cost_micros=90, calls=1)
    assert isinstance(await stores.usage.reserve(most, [day, mine]), Reserved)


async def test_calls_reserved_at_the_same_time_stay_within_a_cap_together(stores: AnyStores) -> None:
    cap = Cap(first=TODAY, last=TODAY, tokens=1_000)
    most = replace(call(), input_tokens=100, output_tokens=50)

    reserved = await asyncio.gather(*(stores.usage.reserve(most, [cap]) for _ in range(20)))

    assert sum(isinstance(one, Reserved) for one in reserved) == 6
    assert (await stores.usage.totals(TODAY)).tokens == 900


async def test_a_call_whose_person_was_forgotten_meanwhile_is_settled_for_nobody(stores: AnyStores) -> None:
    reserved = await stores.usage.reserve(call(), [])
    await stores.privacy.forget(AKI)

    assert isinstance(reserved, Reserved)
    await stores.usage.settle(reserved.number, replace(call(), output_tokens=1))

    assert (await stores.usage.totals(TODAY, user_id=AKI)).calls == 0
    assert [one.name for one in await stores.usage.sums(UsageKey.USER, TODAY, TODAY)] == [0]


async def test_a_call_that_another_model_answered_counts_for_that_model_alone(stores: AnyStores) -> None:
    reserved = await stores.usage.reserve(call(), [])

    assert isinstance(reserved, Reserved)
    await stores.usage.settle(reserved.number, replace(call(), model="second"))

    assert [(one.name, one.calls) for one in await stores.usage.sums(UsageKey.MODEL, TODAY, TODAY)] == [("second", 1)]


async def test_sums_by_server_and_model_stay_when_it_is_forgotten_whose_calls_they_were(stores: AnyStores) -> None:
    async def told() -> list[list[UsageSum]]:
        keys = (UsageKey.DAY, UsageKey.GUILD, UsageKey.MODEL, UsageKey.FEATURE)
        return [await stores.usage.sums(one, TODAY, TODAY) for one in keys]

    for record in (call(), call(), call(user=BEN), call(guild=None), replace(call(), user_id=0)):
        await stores.usage.add(record)
    before = await told()

    await stores.privacy.forget(AKI)
    assert await told() == before
    await stores.usage.forget_whose(after(1))

    assert await told() == before
    assert [(one.name, one.calls) for one in await stores.usage.sums(UsageKey.USER, TODAY, TODAY)] == [(0, 5)]


async def test_totals_may_begin_on_an_earlier_day(stores: AnyStores) -> None:
    first = TODAY - timedelta(days=20)
    for day in (first, TODAY, first - timedelta(days=1), TODAY + timedelta(days=1)):
        await stores.usage.add(replace(call(), day=day))

    assert (await stores.usage.totals(TODAY, since=first, user_id=AKI)).calls == 2
    assert (await stores.usage.totals(TODAY)).calls == 1


async def test_what_was_used_is_told_by_each_of_something(stores: AnyStores) -> None:
    yesterday = TODAY - timedelta(days=1)
    usual = replace(call(), input_tokens=10, output_tokens=5, cost_micros=3, feature="chat")
    for record in (
        usual,
        replace(usual, feature="repair", estimated=True),
        replace(usual, user_id=BEN, guild_id=None, day=yesterday, model="other"),
    ):
        await stores.usage.add(record)

    async def told(by: UsageKey, **whose: int) -> list[tuple[object, int, int]]:
        sums = await stores.usage.sums(by, yesterday, TODAY, **whose)
        return [(one.name, one.calls, one.tokens) for one in sums]

    assert await told(UsageKey.DAY) == [(yesterday, 1, 15), (TODAY, 2, 30)]
    assert await told(UsageKey.FEATURE) == [("chat", 2, 30), ("repair", 1, 15)]
    assert await told(UsageKey.USER) == [(AKI, 2, 30), (BEN, 1, 15)]
    assert await told(UsageKey.GUILD) == [(None, 1, 15), (GUILD, 2, 30)]
    assert await told(UsageKey.FEATURE, user_id=BEN) == [("chat", 1, 15)]
    assert await told(UsageKey.FEATURE, guild_id=GUILD, user_id=BEN) == []
    assert [one.estimated for one in await stores.usage.sums(UsageKey.FEATURE, TODAY, TODAY)] == [0, 1]


async def test_of_a_cap_is_told_once_in_its_period(stores: AnyStores) -> None:
    claimed = [
        await stores.usage.claim_warning(*one)
        for one in (
            ("all/day", TODAY, 80),
            ("all/day", TODAY, 80),
            ("all/day", TODAY, 100),
            ("guild:70/day", TODAY, 80),
            ("all/day", TODAY + timedelta(days=1), 80),
        )
    ]
    assert claimed == [True, False, True, True, True]


async def test_a_month_is_the_sum_of_its_days_whatever_becomes_of_its_calls(stores: AnyStores) -> None:
    """Nothing was used on the first, so that from the second on it is all of it, too, day by day."""
    first, last = date(2026, 3, 1), date(2026, 3, 31)

    async def told(since: date, until: date) -> list[list[UsageSum]]:
        keys = [one for one in UsageKey if one is not UsageKey.DAY]
        return [await stores.usage.sums(one, since, until, **of) for one in keys for of in ({}, {"guild_id": GUILD})]

    async def require_same(calls: int) -> None:
        whole = await told(first, last)
        assert whole == await told(first + timedelta(days=1), last)
        assert sum(one.calls for one in whole[0]) == calls

    for day, user, guild in ((5, AKI, GUILD), (5, BEN, None), (20, AKI, None), (20, AKI, GUILD)):
        await stores.usage.add(call(user=user, guild=guild, day=date(2026, 3, day)))
    await stores.usage.add(call(day=date(2026, 2, 28)))
    await require_same(4)
    reserved = await stores.usage.reserve(call(user=BEN, day=last), [])
    assert isinstance(reserved, Reserved)
    await stores.usage.settle(reserved.number, replace(call(user=BEN, day=last, tokens=3), model="second"))
    await require_same(5)
    await stores.privacy.forget(BEN)
    await require_same(5)
    await stores.usage.forget_whose(after(1))
    await require_same(5)

    assert [one.name for one in await stores.usage.sums(UsageKey.USER, first, last)] == [0]
    assert [one.calls for one in await stores.usage.sums(UsageKey.FEATURE, first, date(2026, 3, 19))] == [2]
    assert [one.calls for one in await stores.usage.sums(UsageKey.FEATURE, date(2026, 2, 1), last)] == [6]
