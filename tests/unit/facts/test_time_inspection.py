"""The record that `inspect time` answers."""

from typing import Any

import pytest

from core.facts.time_claims import inspect_time

RECORD = {"id": "a", "now": "2026-11-30T16:08:00+09:00", "text": "今は14時半か。おやつの相談していい？"}


def test_claims_are_shown_with_their_places() -> None:
    assert inspect_time(RECORD) == {
        "id": "a",
        "claims": [{"kind": "time", "value": "14:30", "start": 2, "end": 6}],
        "contradicts": True,
        "implicit_activity_claim": False,
    }


def test_the_zone_of_the_conversation_decides() -> None:
    record = {"id": 1, "now": "2026-11-30T07:08:00+00:00", "text": "今は16時過ぎだね"}
    assert inspect_time(record)["contradicts"]
    assert not inspect_time({**record, "tz": "Asia/Tokyo"})["contradicts"]


def test_a_date_is_shown_without_its_year() -> None:
    shown = inspect_time({**RECORD, "text": "今日は2025年11月30日だよ。"})
    assert [claim["value"] for claim in shown["claims"]] == ["11-30"]
    assert shown["contradicts"]


def test_an_activity_is_reported() -> None:
    assert inspect_time({**RECORD, "text": "寝坊した"})["implicit_activity_claim"]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"now": "noon"}, "now"),
        ({"now": "2026-11-30T16:08:00"}, "now"),
        ({"now": None}, "now"),
        ({"text": 5}, "text"),
        ({"tz": "Mars/Olympus"}, "tz"),
        ({"tz": "../etc"}, "tz"),
    ],
)
def test_a_bad_field_is_named(change: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        inspect_time({**RECORD, **change})
