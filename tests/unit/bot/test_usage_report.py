"""What `/usage` and `yorisoi usage` tell, and the picture of it."""

import asyncio
import io
import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from PIL import Image

from bot.cli.program import run
from bot.usage_chart import chart, short
from bot.usage_report import as_json, money, month_until, usage_report
from core.ports import UsageRecord, UsageSum
from tests.fakes.stores import InMemoryUsage
from tests.unit.bot.test_backup_commands import make_database

FIRST, DAY = date(2026, 11, 1), date(2026, 11, 3)
CALL = UsageRecord(
    at=datetime(2026, 11, 3, 12, tzinfo=UTC),
    day=DAY,
    character="mio",
    user_id=1,
    guild_id=70,
    feature="chat",
    model="m",
    input_tokens=100,
    output_tokens=20,
    cost_micros=1_500,
    outcome="complete",
)


async def filled() -> InMemoryUsage:
    usage = InMemoryUsage()
    for record in (
        CALL,
        replace(CALL, feature="repair", outcome="failed:ModelOutputError", estimated=True),
        replace(CALL, feature="summary", day=FIRST, user_id=2),
        replace(CALL, feature="proactive", day=FIRST - timedelta(days=1)),
    ):
        await usage.add(record)
    return usage


async def test_a_report_tells_the_day_the_month_and_every_day_between() -> None:
    report = await usage_report(await filled(), FIRST, DAY)
    assert (report.today.calls, report.month.calls, report.month.estimated) == (2, 3, 1)
    assert [(one.name, one.tokens) for one in report.by_day] == [
        (FIRST, 120),
        (FIRST + timedelta(days=1), 0),
        (DAY, 240),
    ]
    assert [one.name for one in report.by_feature] == ["chat", "repair", "summary"]
    assert report.by_user is not None
    assert [(one.name, one.tokens) for one in report.by_user] == [(1, 240), (2, 120)]


async def test_a_persons_own_report_names_nobody_else() -> None:
    report = await usage_report(await filled(), FIRST, DAY, user_id=2)
    assert report.month.calls == 1
    assert report.by_user is None
    assert "users" not in as_json(report, "EUR")


async def test_json_has_costs_in_the_currency() -> None:
    told = json.loads(json.dumps(as_json(await usage_report(await filled(), FIRST, DAY), "EUR")))
    assert told["currency"] == "EUR"
    assert told["month"] == {
        "calls": 3,
        "estimated_calls": 1,
        "input_tokens": 300,
        "output_tokens": 60,
        "cost": pytest.approx(0.0045),
    }
    assert told["users"][0]["name"] == "1"


def test_the_month_is_that_of_the_zone_limits_are_counted_in() -> None:
    late = datetime(2026, 11, 30, 16, 0, tzinfo=UTC)
    assert month_until(late, "UTC") == (date(2026, 11, 1), date(2026, 11, 30))
    assert month_until(late, "Asia/Tokyo") == (date(2026, 12, 1), date(2026, 12, 1))


def test_money_shows_what_a_single_call_costs() -> None:
    assert money(1_234_567_890, "JPY") == "1,234.5679 JPY"
    assert [short(number) for number in (0, 950, 12_000, 3_400_000)] == ["0", "950", "12k", "3.4M"]


@pytest.mark.parametrize("tokens", [[0], [0, 0, 7], [190_000, 3] * 15])
def test_the_chart_is_a_small_picture_with_bars_where_something_was_used(tokens: list[int]) -> None:
    days = [
        UsageSum(
            name=FIRST + timedelta(days=index),
            calls=1,
            input_tokens=number,
            output_tokens=number // 5,
            cost_micros=0,
            estimated=0,
        )
        for index, number in enumerate(tokens)
    ]
    picture = chart(days)
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    assert image.size == (1000, 460)
    assert len(picture) < 60_000
    below_the_legend = image.crop((90, 64, 1000, 404))
    colours = {colour for _, colour in below_the_legend.getcolors(1 << 20) or ()}
    assert ((0x8D, 0xB8, 0xE8) in colours) is any(tokens)


def test_the_command_tells_a_month_and_draws_it(bare_environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(make_database())
    assert run(["usage", "--month", "2026-02", "--json", "--chart", "month.png"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["from"], told["to"], told["month"]["calls"], len(told["days"])) == ("2026-02-01", "2026-02-28", 0, 28)
    assert (bare_environment / "month.png").read_bytes().startswith(b"\x89PNG")


def test_a_month_that_is_none_is_wrong_usage(bare_environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["usage", "--month", "November"]) == 2
    assert "2026-11" in capsys.readouterr().err
    assert not (bare_environment / "yorisoi-data").exists()
