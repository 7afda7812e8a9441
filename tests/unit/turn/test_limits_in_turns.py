"""Whole turns on fakes: who is answered, how often, and who is told why not."""

import pytest

from core.turn.policy import Budget, TurnPolicy
from core.turn.reply import ReplyKind
from core.turn.trace import TurnOutcome
from core.values import (
    Address,
    GuildSettings,
    Locale,
    Speaker,
    Surface,
    SurfaceKind,
)
from tests.fakes.models import ScriptedModel
from tests.fakes.surface import ALICE, BOB, GENERAL, ROBOT, Room


async def test_a_refusal_is_in_the_chosen_language() -> None:
    room = Room(ScriptedModel(["ok."]))
    await room.stores.users.set_locale(ALICE.id, Locale.JA)
    await room.stores.users.set_opted_out(ALICE.id, True)
    assert await room.say("hello there") == room.messages.text("refusal.opted_out", Locale.JA)


ONE_CALL = Budget(cost_micros=5)  # of a model that takes 5 for a call


@pytest.mark.parametrize(
    ("budget", "key"),
    [
        ({"user_budget": ONE_CALL}, "refusal.quota_user"),
        ({"guild_budget": ONE_CALL}, "refusal.quota_guild"),
        ({"global_budget": ONE_CALL}, "refusal.quota_global"),
        ({"user_month_budget": ONE_CALL}, "refusal.quota_user_month"),
        ({"guild_month_budget": ONE_CALL}, "refusal.quota_guild_month"),
        ({"global_month_budget": ONE_CALL}, "refusal.quota_global_month"),
    ],
)
@pytest.mark.parametrize("locale", list(Locale))
async def test_a_used_up_budget_stops_before_the_call_and_says_so(
    budget: dict[str, Budget], key: str, locale: Locale
) -> None:
    model = ScriptedModel(["はい。"], cost_micros=5)
    room = Room(model, policy=TurnPolicy(debounce=0.0, **budget))  # type: ignore[arg-type]
    await room.stores.users.set_locale(ALICE.id, locale)
    await room.say("一回目", at=GENERAL)
    answer = await room.say("二回目", at=GENERAL)
    assert answer == room.messages.text(key, locale)
    assert len(model.requests) == 1
    assert room.replies.replies[-1].kind is ReplyKind.NOTICE
    assert room.outcomes == [TurnOutcome.ANSWERED, TurnOutcome.REFUSED]


async def test_a_call_that_could_go_over_the_rest_of_a_budget_is_not_made() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model, policy=TurnPolicy(debounce=0.0, user_budget=Budget(tokens=400), reply_tokens=500))
    assert await room.say("一回目") == room.messages.text("refusal.quota_user", Locale.JA)
    assert model.requests == []
    assert room.stores.usage.records == []


async def test_of_turns_at_the_same_time_only_as_many_ask_as_the_budget_lets() -> None:
    model = ScriptedModel(["はい。"], cost_micros=5)
    model.gate.clear()
    room = Room(model, policy=TurnPolicy(debounce=0.0, global_budget=Budget(cost_micros=14)))
    people = [Speaker(id=number, name=f"u{number}") for number in range(30, 36)]
    for person in people:
        await room.companion.receive(
            room.message("ねえ", by=person, at=Surface(kind=SurfaceKind.DM, channel_id=person.id)), room.replies
        )
    await model.wait_for_requests(2)
    model.gate.set()
    await room.companion.at_rest()
    assert len(model.requests) == 2
    assert sorted(room.outcomes) == [TurnOutcome.ANSWERED] * 2 + [TurnOutcome.REFUSED] * 4
    assert sum(record.cost_micros for record in room.stores.usage.records) == 10


async def test_a_budget_counts_days_in_the_operators_zone() -> None:
    model = ScriptedModel(["はい。"], cost_micros=5)
    room = Room(model, policy=TurnPolicy(debounce=0.0, user_budget=ONE_CALL, budget_timezone="Asia/Tokyo"))
    await room.say("16時8分")
    await room.clock.advance(8 * 3600)
    assert await room.say("翌日の0時過ぎ") == "はい。"


async def test_a_months_budget_is_not_there_again_the_next_day_but_the_next_month() -> None:
    model = ScriptedModel(["はい。"], cost_micros=5)
    room = Room(model, policy=TurnPolicy(debounce=0.0, user_month_budget=ONE_CALL))
    month = room.clock.now().month
    await room.say("一回目")
    while room.clock.now().month == month:
        assert await room.say("二回目") == room.messages.text("refusal.quota_user_month", Locale.JA)
        await room.clock.advance(86400)
    assert await room.say("翌月") == "はい。"


async def test_somebody_too_fast_is_told_once_a_minute_and_answered_later() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model, policy=TurnPolicy(debounce=0.0, messages_per_minute=2))
    said = [await room.say(f"{number}回目") for number in range(4)]
    assert said == ["はい。", "はい。", room.messages.text("refusal.rate_limited", Locale.JA), ""]
    await room.clock.advance(61)
    assert await room.say("あとで") == "はい。"


async def test_an_opted_out_person_is_told_and_nothing_is_asked_or_kept() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model)
    await room.stores.users.set_opted_out(ALICE.id, opted_out=True)
    assert await room.say("やあ") == room.messages.text("refusal.opted_out", Locale.JA)
    assert model.requests == []
    assert room.stores.state.archive == {}


async def test_of_an_opted_out_person_not_even_a_trace_is_kept() -> None:
    room = Room(ScriptedModel(["はい。"]))
    await room.stores.users.set_opted_out(ALICE.id, opted_out=True)
    await room.say("やあ")
    assert room.stores.traces.records == []


async def test_a_refusal_is_in_the_language_of_the_message() -> None:
    room = Room(ScriptedModel(["はい。"]))
    await room.stores.characters.set_frozen("mio", frozen=True)
    assert await room.say("hello there") == room.messages.text("refusal.frozen", Locale.EN)


async def test_a_frozen_character_calls_no_model() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model)
    await room.stores.characters.set_frozen("mio", frozen=True)
    assert await room.say("やあ") == room.messages.text("refusal.frozen", Locale.JA)
    assert model.requests == []


async def test_a_passive_message_is_context_but_is_not_kept_on_disk() -> None:
    model = ScriptedModel(["はい。"])
    room = Room(model)
    assert await room.say("独り言", by=BOB, at=GENERAL, address=Address.NONE) == ""
    await room.say("ねえ", at=GENERAL)
    assert "独り言" in model.requests[0].messages[1].text
    assert "独り言" not in [entry.text for entry in room.stores.state.archive.values()]


async def test_the_same_user_goes_on_without_a_mention_for_a_while() -> None:
    room = Room(ScriptedModel(["はい。"]))
    await room.say("ねえ", at=GENERAL)
    assert await room.say("それでね", at=GENERAL, address=Address.NONE) == "はい。"
    assert await room.say("割り込み", by=BOB, at=GENERAL, address=Address.NONE) == ""
    await room.clock.advance(200)
    assert await room.say("ひとりごと", at=GENERAL, address=Address.NONE) == ""


async def test_bots_among_themselves_come_to_an_end() -> None:
    room = Room(ScriptedModel(["はい。"]), policy=TurnPolicy(debounce=0.0, bot_exchanges=2))
    await room.stores.guilds.put(GuildSettings(guild_id=20, answers_bots=True))
    said = [await room.say("beep", by=ROBOT, at=GENERAL) for _ in range(4)]
    assert said == ["はい。", "はい。", "", ""]
    await room.say("こんにちは", at=GENERAL)
    assert await room.say("beep", by=ROBOT, at=GENERAL) == "はい。"


async def test_unasked_the_character_speaks_at_most_so_often_and_may_stay_silent() -> None:
    model = ScriptedModel(["へえ、いいね。", "[silent]", "まだある。"])
    room = Room(model, policy=TurnPolicy(debounce=0.0, ambient_chance=1.0))
    await room.stores.guilds.put(GuildSettings(guild_id=20, ambient={200: 2}))
    people = [Speaker(id=number, name=f"u{number}") for number in range(30, 33)]
    said = [await room.say("昼ごはん", by=person, at=GENERAL, address=Address.NONE) for person in people]
    assert said == ["へえ、いいね。", "", ""]
    assert len(model.requests) == 2
    assert room.outcomes == [TurnOutcome.ANSWERED, TurnOutcome.SILENT]
    assert len(room.stores.usage.records) == 2
    assert "[silent]" not in room.replies.seen


async def test_unasked_in_another_channel_the_character_says_nothing() -> None:
    room = Room(ScriptedModel(["へえ。"]), policy=TurnPolicy(debounce=0.0, ambient_chance=1.0))
    await room.stores.guilds.put(GuildSettings(guild_id=20, ambient={999: 5}))
    assert await room.say("昼ごはん", at=GENERAL, address=Address.NONE) == ""
