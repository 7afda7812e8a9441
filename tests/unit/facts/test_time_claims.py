"""What counts as a claim about now, kind by kind."""

from datetime import UTC, datetime

import pytest

from core.facts.time_claims import Approximation, contradicts, find_activity_claims, find_claims, find_time_claims


def claims_of(text: str) -> set[tuple[str, str]]:
    return {(claim.kind.value, claim.value) for claim in find_time_claims(text)}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("今は14時半だよ", "14:30"),
        ("いま１４時半だよ", "14:30"),
        ("今は十四時半だよ", "14:30"),
        ("今は午後二時だよ", "14:00"),
        ("今は朝7時だよ", "07:00"),
        ("もう夜の9時だね", "21:00"),
        ("深夜2時だね", "02:00"),
        ("もう25時だよ", "01:00"),
        ("もう零時だよ", "00:00"),
        ("今は午後3時10分前だよ", "14:50"),
        ("It's 2:30 pm.", "14:30"),
        ("It's half past two in the afternoon.", "14:30"),
        ("It's 14:30 here.", "14:30"),
        ("It's quarter to four in the morning, wow.", "03:45"),
        ("It's ten to five in the afternoon.", "16:50"),
        ("0430, hello birds", "04:30"),
    ],
)
def test_a_time_is_read_however_it_is_written(text: str, value: str) -> None:
    assert ("time", value) in claims_of(text)


@pytest.mark.parametrize(
    ("text", "approx"),
    [
        ("もう16時過ぎだよ", Approximation.PAST),
        ("そろそろ16時くらいかな", Approximation.ABOUT),
        ("もうすぐ16時だよ", Approximation.NEARLY),
        ("It's just gone four here.", Approximation.PAST),
        ("It's about four o'clock.", Approximation.ABOUT),
        ("It's nearly four o'clock.", Approximation.NEARLY),
        ("今は16時だよ", None),
    ],
)
def test_hedges_are_kept(text: str, approx: Approximation | None) -> None:
    assert [claim.approx for claim in find_time_claims(text)] == [approx]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("今日は月曜だよ", ("weekday", "monday")),
        ("It's Monday!", ("weekday", "monday")),
        ("今日は十一月三十日だよ", ("date", "11-30")),
        ("It's November 30th.", ("date", "11-30")),
        ("今日は大晦日だね", ("date", "12-31")),
        ("Today is 2026-11-30, a calm one.", ("date", "2026-11-30")),
        ("今日は2026/11/30です", ("date", "2026-11-30")),
        ("今日は2026.11.30（月）だよ", ("date", "2026-11-30")),
        ("It's Christmas Eve already.", ("date", "12-24")),
        ("おはよう！", ("part_of_day", "morning")),
        ("Good evening!", ("part_of_day", "evening")),
        ("もう夜だね", ("part_of_day", "night")),
        ("It's the middle of the night.", ("part_of_day", "late_night")),
    ],
)
def test_days_and_parts_of_the_day_are_claims(text: str, claim: tuple[str, str]) -> None:
    assert claim in claims_of(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "いまは2026年11月30日月曜日、16:08（午後）。",
            {("date", "2026-11-30"), ("weekday", "monday"), ("time", "16:08"), ("part_of_day", "afternoon")},
        ),
        ("いまは11月30日、16時8分。", {("date", "11-30"), ("time", "16:08")}),
        ("11月30日月曜日、16:08だね", {("date", "11-30"), ("weekday", "monday"), ("time", "16:08")}),
        (
            "It is Monday, November 30, 2026, 4:08 PM (afternoon).",
            {("date", "2026-11-30"), ("weekday", "monday"), ("time", "16:08"), ("part_of_day", "afternoon")},
        ),
        ("今日は11月30日（月）だよ", {("date", "11-30"), ("weekday", "monday")}),
        ("了解、金曜、19時ね", set()),
        ("会議は12月3日木曜、14:00だよ", set()),
        ("明日は12月1日火曜日、9時集合", set()),
        ("今日は火曜、3時に会おう", {("weekday", "tuesday")}),
        ("The meeting is Monday, November 30, 4 PM.", set()),
    ],
)
def test_what_stands_side_by_side_is_one_statement(text: str, claims: set[tuple[str, str]]) -> None:
    assert claims_of(text) == claims


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("年が明けて二十分だね、初笑いいく？", ("date", "12-31/01-20")),
        ("牛乳配達の時間だね、早いね", ("time", "02:00/07:00")),
        ("すっかり薄暗いね、灯りの色は何色がいい？", ("part_of_day", "evening")),
        ("four and a bit, biscuit talk", ("time", "04:00")),
        ("twenty minutes left of this year, choose a word", ("date", "12-01/12-31")),
        ("officially Sunday, puns are half price", ("weekday", "sunday")),
        ("it's dark now, lamp or candle", ("part_of_day", "night")),
        ("mid afternoon, the soft middle of it", ("time", "13:30/18:45")),
    ],
)
def test_the_present_is_named_in_passing(text: str, claim: tuple[str, str]) -> None:
    assert claims_of(text) == {claim}


@pytest.mark.parametrize(
    ("text", "value", "ambiguous"),
    [
        ("いまは12:00。", "12:00", False),
        ("いまは0:00。", "00:00", False),
        ("もう12時だよ", "12:00", True),
        ("夜の12時だよ", "00:00", False),
        ("It's 12:00.", "12:00", True),
        ("It's 12:00 am.", "00:00", False),
        ("It's 0:00.", "00:00", False),
    ],
)
def test_twelve_is_noon_unless_said_otherwise(text: str, value: str, *, ambiguous: bool) -> None:
    (claim,) = find_time_claims(text)
    assert (claim.value, claim.ambiguous_12h) == (value, ambiguous)


@pytest.mark.parametrize(
    "text",
    [
        "お店は9時に開くよ",
        "明日は7時に起きよう",
        "3時間もかかったんだね",
        "昨日の14時ごろの話だよ",
        "「もう3時だよ」って言われたんだね",
        "もし今が夜だったら花火したいね",
        "まだ月曜じゃないよ",
        "2対1で勝ったらしいよ",
        "v2.7.1が出たね",
        "毎朝7時に走る人もいるよ",
        "ニューヨークは今9時だよ",
        "朝飯前だよ",
        "The shop opens at 9.",
        "Let's meet at 3 tomorrow.",
        "It takes two hours.",
        'You said "it\'s 3 a.m." and laughed.',
        "If it's Monday, the museum is closed.",
        "It's not Monday.",
        "They won 3-2.",
        "On Mondays the market sells figs.",
        "In Tokyo it's 9 pm.",
        "Friday Night Lights is a good show.",
        "I was born on 2026-12-01.",
        "The report is dated 2026-11-30.",
        "Version 2026.11.30 of the map came out.",
        "予約は2026/12/10までだよ",
        "更新日：2026.11.30",
        "誕生日は1999/04/03だね！",
        "ライブは2027/01/15だよ！",
        "It's 2025-11-30 in the log you pasted.",
        "1999-04-03. I remembered!",
    ],
)
def test_other_times_are_no_claims(text: str) -> None:
    assert find_time_claims(text) == ()


def test_the_lunch_break_answer_contradicts_the_afternoon() -> None:
    now = datetime(2026, 11, 30, 16, 8, tzinfo=UTC)
    assert contradicts(find_time_claims("いまは14時半だね。ちょうどお昼寝にいい時間だよ。"), now)
    assert not contradicts(find_time_claims("いまは16時過ぎだね。"), now)


@pytest.mark.parametrize(
    "text",
    [
        "今日は{}年11月30日だよ。",
        "今日は令和{reiwa}年11月30日です。",
        "It's November 30, {}.",
        "Today is Monday, November 30th {}!",
    ],
)
def test_a_date_with_its_year_is_true_in_that_year_only(text: str) -> None:
    now = datetime(2026, 11, 30, 16, 8, tzinfo=UTC)
    assert find_time_claims(text.format(2026, reiwa=8))
    assert not contradicts(find_time_claims(text.format(2026, reiwa=8)), now)
    assert contradicts(find_time_claims(text.format(2025, reiwa=7)), now)


@pytest.mark.parametrize(
    ("text", "true", "false"),
    [
        ("いまはお昼すぎ、お昼寝の時間だね", (12, 30), (16, 8)),
        ("もうお昼過ぎか。", (14, 50), (16, 8)),
        ("It's still early afternoon, nap time.", (15, 0), (16, 8)),
        ("It's a lazy late afternoon.", (16, 8), (12, 30)),
    ],
)
def test_a_part_of_the_afternoon_is_not_all_of_it(text: str, true: tuple[int, int], false: tuple[int, int]) -> None:
    claims = find_time_claims(text)
    assert not contradicts(claims, datetime(2026, 11, 30, *true, tzinfo=UTC))
    assert contradicts(claims, datetime(2026, 11, 30, *false, tzinfo=UTC))


def test_a_claim_is_found_in_the_middle_of_a_long_reply() -> None:
    text = "なるほど、それは大変だったね。ところで、もう23時半だよ。明日の7時の電車に乗るなら、休んでね。"
    (claim,) = find_time_claims(text)
    assert text[claim.start : claim.end] == "23時半"


def test_offsets_are_those_of_the_text_as_given() -> None:
    text = "わあーーー！！　いま１４時\u200b半だよ"
    (claim,) = find_time_claims(text)
    assert text[claim.start : claim.end] == "１４時\u200b半"


@pytest.mark.parametrize(
    "text",
    [
        "夜中までドラマを一気見してた",
        "遅刻しそう",
        "寝坊した",
        "いま電車の中だよ",
        "バイト終わった",
        "髪乾かしてるところ",
        "running late, sorry",
        "just woke up",
        "I'm on the bus home.",
        "I skipped breakfast.",
    ],
)
def test_a_doing_of_ones_own_is_a_claim(text: str) -> None:
    assert find_activity_claims(text)


@pytest.mark.parametrize(
    "text",
    [
        "もう寝た？",
        "お腹すいてない？",
        "ラーメンが好き",
        "徹夜って体に悪いらしいよ",
        "あなたが電車で読んでた本だよね",
        "「寝坊した」って連絡した？",
        "会えてうれしい",
        "うん、聞いてるよ",
        "相手の味方でいる。",
        "あなたが何をしているかは知らない。",
        "何を食べているかわからない",
        "Did you sleep?",
        "I love ramen.",
        "Cooking is basically chemistry.",
        "You said you were running late.",
        "I'm listening.",
        "If you're hungry, have some toast.",
    ],
)
def test_what_others_do_and_general_talk_is_no_claim(text: str) -> None:
    assert find_activity_claims(text) == ()


def test_both_kinds_are_found_in_one_analysis() -> None:
    text = "もう夜だね。やっと家に着いたよ。"
    claims = find_claims(text)
    assert claims.times == find_time_claims(text)
    assert claims.activities == find_activity_claims(text)
    assert claims.times
    assert claims.activities


@pytest.mark.parametrize(
    "text",
    [
        *("3.14, a slice of pi", "3.14, roughly.", "2.71!", "1.41, if I remember right", "3.50.", "The average? 8.15"),
        *("一二三四。", "1234。", "1234、ここまで数えたよ"),
    ],
)
def test_a_number_that_is_no_round_time_is_not_told_for_one(text: str) -> None:
    assert find_time_claims(text) == ()
