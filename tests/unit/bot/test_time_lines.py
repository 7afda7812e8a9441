import pytest

from bot.cli.jsonl import LineError
from bot.cli.time_lines import TimeLine, inspect_line


def line(text: str, now: str = "2026-11-30T16:08:00+09:00", tz: str | None = None) -> TimeLine:
    return TimeLine(id="a", now=now, text=text, tz=tz)


def test_a_wrong_time_is_found_where_it_stands() -> None:
    assert inspect_line(line("あのね、いま14時半だね。")) == {
        "id": "a",
        "claims": [{"kind": "time", "value": "14:30", "start": 6, "end": 10}],
        "contradicts": True,
        "implicit_activity_claim": False,
    }


def test_a_text_without_a_claim_has_none() -> None:
    assert inspect_line(line("お店は10時からだよ。")) == {
        "id": "a",
        "claims": [],
        "contradicts": False,
        "implicit_activity_claim": False,
    }


def test_an_activity_of_the_speaker_is_told() -> None:
    assert inspect_line(line("夜中までドラマを一気見してた"))["implicit_activity_claim"]


@pytest.mark.parametrize(
    ("now", "tz", "wrong"),
    [
        ("2026-11-30T16:08:00+09:00", None, False),
        ("2026-11-30T07:08:00Z", None, True),
        ("2026-11-30T07:08:00Z", "Asia/Tokyo", False),
        ("2026-11-30T16:08:00+09:00", "Europe/Rome", True),
        ("2026-11-30T16:08", None, False),
        ("2026-11-30T16:08", "Europe/Rome", False),
    ],
)
def test_the_clock_is_that_of_the_zone_else_of_the_offset(now: str, tz: str | None, wrong: bool) -> None:
    assert inspect_line(line("いまは16時過ぎだね。", now, tz))["contradicts"] is wrong


@pytest.mark.parametrize(
    ("now", "tz", "error"),
    [
        ("soon", None, "'now': 'soon' is not a moment; an example is"),
        ("2026-13-01T00:00", None, "'now': "),
        ("2026-11-30T16:08", "Asia/Tokio", "'tz': 'Asia/Tokio' is not a time zone.*did you mean 'Asia/Tokyo'"),
        ("0001-01-01T00:00+09:00", "America/New_York", "'now': "),
        ("0001-01-01T00:00+00:00", None, "not between 1900 and 2199"),
        ("9999-12-31T23:59+00:00", "Asia/Tokyo", "not between 1900 and 2199"),
    ],
)
def test_what_is_no_moment_and_no_zone_is_told(now: str, tz: str | None, error: str) -> None:
    with pytest.raises(LineError, match=error):
        inspect_line(line("a", now, tz))
