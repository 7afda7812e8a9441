from datetime import UTC, datetime, timedelta

import pytest

from core.facts.capsule.compiling import compile_capsule
from core.facts.capsule.inspection import inspect_capsule
from core.facts.capsule.kept import for_capsule, names_a_clock
from core.facts.capsule.rendering import render_capsule
from core.facts.capsule.types import FactCapsule
from core.facts.errors import FactsError
from core.facts.schedule.timetable import Timetable
from core.values import Locale, UserProfile
from data.packs.loader import SHIPPED, load_pack
from prompts.loader import PromptLibrary
from tests.unit.facts.capsule.states import SCHEDULE, all_states

NOW = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)  # 16:08 in Tokyo
USER = UserProfile(id=1, timezone="America/New_York")


def _capsule(*, private: bool, timezone: str = "Asia/Tokyo") -> FactCapsule:
    timetable = Timetable.of(SCHEDULE, "Asia/Tokyo")
    return compile_capsule(
        observed_at=NOW,
        timezone=timezone,
        timetable=timetable,
        user=USER,
        last_seen_at=NOW - timedelta(hours=2),
        private=private,
    )


@pytest.mark.parametrize("locale", Locale)
def test_at_16_08_the_lunch_break_is_over_and_no_other_time_is_told(locale: Locale) -> None:
    note = render_capsule(all_states()["at-work"], PromptLibrary.load(), locale)
    assert ("16:08" if locale is Locale.JA else "4:08 PM") in note
    for striking in ("14:30", "2:30", "14時", "昼休み", "昼寝", "lunch", "nap", "sleep"):
        assert striking not in note


@pytest.mark.parametrize("locale", Locale)
def test_the_lunch_break_is_the_characters_and_not_advice(locale: Locale) -> None:
    note = render_capsule(all_states()["lunch-break"], PromptLibrary.load(), locale)
    line = next(line for line in note.splitlines() if "lunch" in line or "昼休み" in line)
    assert line.startswith(
        "Your own day, not theirs: " if locale is Locale.EN else "あなた自身のこと（相手の予定ではない）："
    )
    assert "14:30" not in note


def test_private_talk_has_the_users_clock_and_history() -> None:
    capsule = _capsule(private=True, timezone="America/New_York")
    assert capsule.world.now.isoformat() == "2026-11-30T02:08:00-05:00"
    assert capsule.user.timezone == "America/New_York"
    assert capsule.user.since_last_spoke == timedelta(hours=2)
    assert capsule.character.lives_elsewhere


def test_others_learn_neither_a_users_zone_nor_when_they_spoke_in_private() -> None:
    capsule = _capsule(private=False)
    assert capsule.user.timezone is None
    assert capsule.user.since_last_spoke is None
    assert not capsule.user.is_new
    assert not capsule.character.lives_elsewhere


def test_the_schedule_is_the_same_moment_on_any_clock() -> None:
    assert (
        _capsule(private=True, timezone="Australia/Lord_Howe").character.since == _capsule(private=True).character.since
    )


def test_an_unknown_zone_is_refused_with_a_suggestion() -> None:
    with pytest.raises(FactsError, match=r"'Asia/Tokio' is not a time zone.*did you mean 'Asia/Tokyo'"):
        _capsule(private=True, timezone="Asia/Tokio")


@pytest.mark.parametrize(
    "fact",
    [
        "I get up at 6:30",
        "毎朝６時に起きる",
        "lunch is at 2 pm",
        "昼休みは十四時から",
        "Goes to bed at midnight",
        "正午に散歩する",
        "wakes at half past six",
        "at six o'clock",
    ],
)
def test_kept_facts_with_a_clock_stay_out(fact: str) -> None:
    assert names_a_clock(fact)
    assert for_capsule(["Likes ferns", fact]) == ("Likes ferns",)


@pytest.mark.parametrize(
    "fact",
    [
        "一日8時間働く",
        "2匹の猫と暮らす",
        "時計を集めている",
        "Runs 10 km",
        "子どものとき海のそばにいた",
        "一時的に実家にいる",
    ],
)
def test_kept_facts_without_a_clock_stay_in(fact: str) -> None:
    assert for_capsule([fact]) == (fact,)


def test_kept_facts_are_few_short_and_on_one_line() -> None:
    kept = for_capsule([*"cdefg", "", "a\nb", "x" * 200])
    assert len(kept) == 5
    assert kept[3] == "a b"
    assert len(kept[4]) == 80


def test_a_kept_fact_cannot_leave_the_note() -> None:
    note = render_capsule(all_states()["user-with-kept-facts"], PromptLibrary.load(), Locale.EN)
    assert note.count("</note>") == 1
    assert note.endswith("</note>")


def test_inspection_gives_the_note_and_the_facts_by_owner() -> None:
    pack = load_pack(SHIPPED / "hinata")
    view = inspect_capsule(pack, PromptLibrary.load(), at=NOW, user_timezone="Europe/London", locale=Locale.EN)
    assert view.data["text"] == view.text
    assert view.data["locale"] == "en"
    facts = view.data["facts"]
    assert facts["world"] == {
        "now": "2026-11-30T07:08:00+00:00",
        "timezone": "Europe/London",
        "date": "2026-11-30",
        "weekday": "monday",
        "time": "07:08",
        "part_of_day": "morning",
        "holiday": None,
    }
    assert facts["user"] == {"timezone": "Europe/London", "is_new": True, "since_last_spoke": None, "kept": []}
    assert set(facts["character"]) >= {"activity", "since", "left", "next"}


def test_inspection_speaks_the_characters_language_on_its_clock_by_default() -> None:
    view = inspect_capsule(load_pack(SHIPPED / "hinata"), PromptLibrary.load(), at=NOW)
    assert "いまは2026年11月30日月曜日、16:08（午後）。" in view.text


def test_an_empty_zone_is_no_zone() -> None:
    with pytest.raises(FactsError, match="is not a time zone"):
        inspect_capsule(load_pack(SHIPPED / "hinata"), PromptLibrary.load(), at=NOW, user_timezone="")


def test_an_answer_that_is_written_again_does_not_count_its_own_question_as_earlier_talk() -> None:
    timetable = Timetable.of(SCHEDULE, "Asia/Tokyo")
    capsule = compile_capsule(
        observed_at=NOW,
        timezone="Asia/Tokyo",
        timetable=timetable,
        user=USER,
        last_seen_at=NOW,
        private=True,
        again=True,
    )
    assert capsule.user.since_last_spoke is None
    assert not capsule.user.is_new
