from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.facts.errors import FactsError
from core.facts.zones import find_zone, read_moment

TOKYO = ZoneInfo("Asia/Tokyo")


def test_a_moment_is_on_the_zones_clock_unless_it_says_otherwise() -> None:
    seven = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
    assert read_moment("2026-11-30T16:08", TOKYO) == seven
    assert read_moment(" 2026-11-30 16:08 ", TOKYO) == seven
    assert read_moment("2026-11-30T08:08+01:00", TOKYO) == seven
    assert read_moment("2026-11-30T07:08Z", TOKYO) == seven


@pytest.mark.parametrize("text", ["", "16:08", "tomorrow", "2026-02-30T10:00"])
def test_what_is_no_moment_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(FactsError, match="is not a moment; an example is 2026-11-30T16:08"):
        read_moment(text, TOKYO)


@pytest.mark.parametrize("name", ["", "JST-9", "../etc/passwd", "Mars/Base"])
def test_an_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(FactsError, match="is not a time zone of the IANA database"):
        find_zone(name)


def test_a_time_that_the_clocks_skip_becomes_one_that_they_show() -> None:
    skipped = read_moment("2026-03-08T02:30", ZoneInfo("America/New_York"))
    assert skipped.isoformat() == "2026-03-08T03:30:00-04:00"
