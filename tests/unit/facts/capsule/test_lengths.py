import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.facts.capsule.lengths import Phrase, Rounded, Unit, days_ago, phrase, rounded
from core.values import Locale

# Length, then as "ago" and as "left" in English, then as 前 and as あと in Japanese.
TABLE = [
    (timedelta(seconds=-5), "a moment ago", "just about over", "ついさっき", "もう終わるところ"),
    (timedelta(0), "a moment ago", "just about over", "ついさっき", "もう終わるところ"),
    (timedelta(seconds=89), "a moment ago", "just about over", "ついさっき", "もう終わるところ"),
    (timedelta(seconds=90), "a few minutes ago", "a few minutes left", "数分前", "あと数分"),
    (timedelta(minutes=4), "a few minutes ago", "a few minutes left", "数分前", "あと数分"),
    (timedelta(minutes=5), "about 5 minutes ago", "about 5 minutes left", "5分くらい前", "あと5分ほど"),
    (timedelta(minutes=28), "about 30 minutes ago", "about 30 minutes left", "30分くらい前", "あと30分ほど"),
    (timedelta(minutes=52), "about 50 minutes ago", "about 50 minutes left", "50分くらい前", "あと50分ほど"),
    (timedelta(minutes=53), "about an hour ago", "about an hour left", "1時間くらい前", "あと1時間ほど"),
    (timedelta(minutes=74), "about an hour ago", "about an hour left", "1時間くらい前", "あと1時間ほど"),
    (
        timedelta(minutes=98),
        "about an hour and a half ago",
        "about an hour and a half left",
        "1時間半くらい前",
        "あと1時間半ほど",
    ),
    (timedelta(minutes=120), "about two hours ago", "about two hours left", "2時間くらい前", "あと2時間ほど"),
    (
        timedelta(minutes=150),
        "about two and a half hours ago",
        "about two and a half hours left",
        "2時間半くらい前",
        "あと2時間半ほど",
    ),
    (
        timedelta(hours=4, minutes=44),
        "about four and a half hours ago",
        "about four and a half hours left",
        "4時間半くらい前",
        "あと4時間半ほど",
    ),
    (timedelta(hours=4, minutes=45), "about five hours ago", "about five hours left", "5時間くらい前", "あと5時間ほど"),
    (timedelta(hours=13), "about 13 hours ago", "about 13 hours left", "13時間くらい前", "あと13時間ほど"),
    (timedelta(hours=23), "about a day ago", "about a day left", "1日くらい前", "あと1日ほど"),
    (timedelta(hours=37), "about two days ago", "about two days left", "2日くらい前", "あと2日ほど"),
    (timedelta(days=13), "about 13 days ago", "about 13 days left", "13日くらい前", "あと13日ほど"),
    (timedelta(days=14), "about two weeks ago", "about two weeks left", "2週間くらい前", "あと2週間ほど"),
    (timedelta(days=31), "about a month ago", "about a month left", "1か月くらい前", "あと1か月ほど"),
    (timedelta(days=100), "about three months ago", "about three months left", "3か月くらい前", "あと3か月ほど"),
    (timedelta(days=365), "about a year ago", "about a year left", "1年くらい前", "あと1年ほど"),
    (timedelta(days=800), "about two years ago", "about two years left", "2年くらい前", "あと2年ほど"),
]


@pytest.mark.parametrize(("length", "ago", "left", "mae", "ato"), TABLE)
def test_lengths_are_told_the_way_people_tell_them(length: timedelta, ago: str, left: str, mae: str, ato: str) -> None:
    assert phrase(Phrase.AGO, length, Locale.EN) == ago
    assert phrase(Phrase.LEFT, length, Locale.EN) == left
    assert phrase(Phrase.AGO, length, Locale.JA) == mae
    assert phrase(Phrase.LEFT, length, Locale.JA) == ato


@pytest.mark.parametrize(
    ("minutes", "since", "ahead", "kara", "atoni"),
    [
        (1, "just started", "any moment", "ついさっきから", "このすぐあと"),
        (3, "started a few minutes ago", "in a few minutes", "数分前から", "数分後に"),
        (
            92,
            "started about an hour and a half ago",
            "in about an hour and a half",
            "1時間半くらい前から",
            "1時間半ほどあとに",
        ),
    ],
)
def test_beginnings_are_told_before_and_ahead(minutes: int, since: str, ahead: str, kara: str, atoni: str) -> None:
    length = timedelta(minutes=minutes)
    assert phrase(Phrase.SINCE, length, Locale.EN) == since
    assert phrase(Phrase.AHEAD, length, Locale.EN) == ahead
    assert phrase(Phrase.SINCE, length, Locale.JA) == kara
    assert phrase(Phrase.AHEAD, length, Locale.JA) == atoni


@given(st.timedeltas(timedelta(0), timedelta(days=4000)), st.sampled_from(Phrase), st.sampled_from(Locale))
def test_no_length_looks_like_a_time_on_the_clock(length: timedelta, kind: Phrase, locale: Locale) -> None:
    told = phrase(kind, length, locale)
    assert ":" not in told
    assert "{" not in told
    assert not told.replace("時間", "").count("時")


# Every way a counted noun can go wrong, and none that it goes right: "1 hours", "two hour", "a hours", "an day", "0分".
_WRONG_EN = re.compile(
    r"\b(?:1|one|an?) (?:minute|hour|day|week|month|year)s\b"
    r"|\b(?!an?\b|about\b|one\b|1\b)\w+ (?:minute|hour|day|week|month|year)\b"
    r"|\ba hour\b|\ban (?!hour)\w|\b0\b|\bzero\b|\d\.\d|\bhalf (?!hours?\b|ago\b|left\b|$)|  "
)
_WRONG_JA = re.compile(r"(?<!\d)0|\d\.\d|(?<!時間)半|[a-z ]")


@given(st.timedeltas(timedelta(0), timedelta(days=40_000)), st.sampled_from(Phrase))
def test_every_length_is_told_in_good_grammar(length: timedelta, kind: Phrase) -> None:
    assert not _WRONG_EN.search(phrase(kind, length, Locale.EN))
    assert not _WRONG_JA.search(phrase(kind, length, Locale.JA))


@given(st.integers(0, 40_000))
def test_every_number_of_days_is_told_in_good_grammar(days: int) -> None:
    assert not _WRONG_EN.search(days_ago(days, Locale.EN))
    assert not _WRONG_JA.search(days_ago(days, Locale.JA))


@pytest.mark.parametrize(
    "text", ["1 hours", "a hour", "an day", "0 minutes", "two hour", "one days", "2.5 hours", "a half day"]
)
def test_bad_grammar_would_be_found(text: str) -> None:
    assert _WRONG_EN.search(f"about {text} ago")


@given(st.timedeltas(timedelta(0), timedelta(days=4000)), st.timedeltas(timedelta(0), timedelta(days=400)))
def test_a_longer_time_is_never_told_as_a_shorter_one(length: timedelta, more: timedelta) -> None:
    assert _seconds(rounded(length)) <= _seconds(rounded(length + more))


def _seconds(value: Rounded) -> float:
    return value.count * _SIZES[value.unit]


_SIZES = {
    Unit.MOMENT: 0.0,
    Unit.FEW_MINUTES: 180.0,
    Unit.MINUTE: 60.0,
    Unit.HOUR: 3600.0,
    Unit.DAY: 86_400.0,
    Unit.WEEK: 604_800.0,
    Unit.MONTH: 2_630_016.0,
    Unit.YEAR: 31_557_600.0,
}
