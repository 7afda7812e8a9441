from datetime import UTC, datetime, timedelta

import pytest

from core.facts.capsule.compiling import compile_capsule
from core.facts.capsule.inspection import inspect_capsule
from core.facts.capsule.kept import for_capsule, names_a_clock, passes
from core.facts.capsule.rendering import render_capsule
from core.facts.capsule.types import ClockOwner, FactCapsule
from core.facts.errors import FactsError
from core.facts.schedule.timetable import Timetable
from core.values import KeptFact, Locale
from data.packs.loader import SHIPPED, load_pack
from prompts.loader import PromptLibrary
from tests.unit.facts.capsule.states import SCHEDULE, all_states

NOW = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)  # 16:08 in Tokyo


def _capsule(
    *, private: bool, timezone: str = "Asia/Tokyo", clock: ClockOwner = ClockOwner.CHARACTER, again: bool = False
) -> FactCapsule:
    return compile_capsule(
        observed_at=NOW,
        timezone=timezone,
        clock=clock,
        timetable=Timetable.of(SCHEDULE, "Asia/Tokyo"),
        last_seen_at=NOW - timedelta(hours=2),
        private=private,
        again=again,
    )


def told(*texts: str, at: datetime = NOW) -> list[KeptFact]:
    return [KeptFact(number=number, text=text, told_at=at) for number, text in enumerate(texts, 1)]


def texts_in_capsule(*texts: str) -> list[str]:
    return [fact.text for fact in for_capsule(told(*texts), NOW)]


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
    capsule = _capsule(private=True, timezone="America/New_York", clock=ClockOwner.USER)
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
    ("locale", "theirs", "own", "unknown"),
    [
        (Locale.EN, "2:08 AM (night) where they are.", "4:08 PM (afternoon) where you are.", "their local time"),
        (Locale.JA, "相手の所では、いまは", "あなたの所では、いまは", "相手の所の時刻は不明"),
    ],
)
def test_the_note_says_whose_clock_it_is(locale: Locale, theirs: str, own: str, unknown: str) -> None:
    prompts = PromptLibrary.load()
    known = render_capsule(_capsule(private=True, timezone="America/New_York", clock=ClockOwner.USER), prompts, locale)
    assert theirs in known
    assert own not in known
    assert unknown not in known
    not_known = render_capsule(_capsule(private=True), prompts, locale)
    assert own in not_known
    assert unknown in not_known


@pytest.mark.parametrize("locale", Locale)
def test_a_user_in_the_characters_zone_is_told_to_share_its_clock(locale: Locale) -> None:
    note = render_capsule(all_states()["user-in-the-same-zone"], PromptLibrary.load(), locale)
    assert ("where they are" if locale is Locale.EN else "相手の所では、いまは") in note
    assert ("another time zone" if locale is Locale.EN else "時差") not in note


@pytest.mark.parametrize("locale", Locale)
def test_in_company_the_clock_is_the_servers_or_the_characters(locale: Locale) -> None:
    prompts = PromptLibrary.load()
    servers = render_capsule(all_states()["server-with-a-clock"], prompts, locale)
    assert ("7:08 AM (morning) by this server's clock" if locale is Locale.EN else "このサーバーの時計では") in servers
    own = render_capsule(all_states()["server"], prompts, locale)
    assert ("where you are." if locale is Locale.EN else "あなたの所では") in own
    assert ("local time" if locale is Locale.EN else "不明") not in own


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
        "毎朝7じに起きる",
        "dinner at 18h30",
        "今日は月曜日",
        "Today is Friday and I'm off",
    ],
)
def test_kept_facts_with_a_clock_stay_out(fact: str) -> None:
    assert names_a_clock(fact)
    assert texts_in_capsule("Likes ferns", fact) == ["Likes ferns"]


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
    assert texts_in_capsule(fact) == [fact]


def test_kept_facts_are_few_short_and_on_one_line() -> None:
    kept = texts_in_capsule(*"cdefg", "", "a\nb", "x" * 200)
    assert len(kept) == 5
    assert kept[3] == "a b"
    assert len(kept[4]) == 80


@pytest.mark.parametrize(
    ("later", "en", "ja"),
    [
        (timedelta(), "today", "今日"),
        (timedelta(hours=7), "today", "今日"),
        (timedelta(hours=8), "yesterday", "昨日"),  # after midnight
        (timedelta(days=3), "3 days ago", "3日前"),
        (timedelta(days=7), "7 days ago", "7日前"),
        (timedelta(days=13), "13 days ago", "13日前"),
        (timedelta(days=14), "about two weeks ago", "2週間くらい前"),
        (timedelta(days=365), "about a year ago", "1年くらい前"),
        (timedelta(days=-2), "today", "今日"),  # a clock that was set back
    ],
)
def test_what_was_told_is_told_with_its_age(later: timedelta, en: str, ja: str) -> None:
    prompts = PromptLibrary.load()
    capsule = compile_capsule(
        observed_at=NOW + later,
        timezone="Asia/Tokyo",
        clock=ClockOwner.USER,
        timetable=None,
        last_seen_at=NOW,
        private=True,
        kept=told("today is my birthday", at=NOW),
    )
    assert f': {en}, "today is my birthday"\n' in render_capsule(capsule, prompts, Locale.EN)
    assert f"：{ja}「today is my birthday」\n" in render_capsule(capsule, prompts, Locale.JA)


@pytest.mark.parametrize(
    "text",
    [
        "today is my birthday",
        "I'm tired now",
        "I'm so sleepy",
        "I'm on the train",
        "I'm moving tomorrow",
        "We moved last month",
        "exams in two weeks",
        "I'm currently between jobs",
        "明日引っ越す",
        "今日は休み",
        "きょう誕生日",
        "いま電車の中",
        "今は実家にいる",
        "来週テストがある",
        "3日前に振られた",
        "10日後に手術",
        "風邪をひいている",
        "眠い",
        "疲れた",
    ],
)
def test_a_day_or_a_state_that_passes_is_recognised(text: str) -> None:
    assert passes(text)


@pytest.mark.parametrize(
    "text",
    [
        "My birthday is July 4",
        "I have two cats",
        "Learning the cello",
        "I work as a nurse",
        "I know a lot about trains",
        "My nowhere band is called Todays",
        "誕生日は7月4日",
        "猫を飼っている",
        "大学に通っている",
        "今井といいます",
        "今川焼きが好き",
        "2026年3月に結婚した",
        "人前で話すのが苦手",
        "二人の子がいる",
    ],
)
def test_what_lasts_is_not_taken_for_passing(text: str) -> None:
    assert not passes(text)


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
        "clock": "user",
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
    assert "あなたの所では、いまは2026年11月30日月曜日、16:08（午後）。" in view.text


def test_an_empty_zone_is_no_zone() -> None:
    with pytest.raises(FactsError, match="is not a time zone"):
        inspect_capsule(load_pack(SHIPPED / "hinata"), PromptLibrary.load(), at=NOW, user_timezone="")


def test_an_answer_that_is_written_again_does_not_count_its_own_question_as_earlier_talk() -> None:
    capsule = _capsule(private=True, again=True)
    assert capsule.user.since_last_spoke is None
    assert not capsule.user.is_new
