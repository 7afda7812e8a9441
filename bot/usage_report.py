"""What model calls used: today, this month, by day, feature, model and person. The same on every surface."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from core.ports import UsageKey, UsageStore, UsageSum

_MICROS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReport:
    """The calendar month up to a day, and that day. Silent turns, repairs, summaries and choices are all in it.

    `by_user` is None where a report is about one person alone; user 0 is nobody alone, or somebody forgotten.
    """

    first: date
    day: date
    today: UsageSum
    month: UsageSum
    by_day: Sequence[UsageSum]
    by_feature: Sequence[UsageSum]
    by_model: Sequence[UsageSum]
    by_user: Sequence[UsageSum] | None


def month_until(now: datetime, zone: str) -> tuple[date, date]:
    """Return the first day of the month and the day, as limits are counted."""
    day = now.astimezone(ZoneInfo(zone)).date()
    return day.replace(day=1), day


async def usage_report(
    usage: UsageStore, first: date, day: date, *, user_id: int | None = None, guild_id: int | None = None
) -> UsageReport:
    """Return what was used from the first day on, by all or by one person or one server."""

    async def by(key: UsageKey) -> list[UsageSum]:
        return await usage.sums(key, first, day, user_id=user_id, guild_id=guild_id)

    days = {one.name: one for one in await by(UsageKey.DAY)}
    every = [first + timedelta(days=number) for number in range((day - first).days + 1)]
    by_day = [days.get(one) or _nothing(one) for one in every]
    return UsageReport(
        first=first,
        day=day,
        today=by_day[-1],
        month=_together(by_day),
        by_day=by_day,
        by_feature=_most_first(await by(UsageKey.FEATURE)),
        by_model=_most_first(await by(UsageKey.MODEL)),
        by_user=None if user_id is not None else _most_first(await by(UsageKey.USER)),
    )


def money(micros: int, currency: str) -> str:
    """Return an amount with four places: a call costs little."""
    return f"{micros / _MICROS:,.4f} {currency}"


def as_json(report: UsageReport, currency: str) -> dict[str, Any]:
    """Return a report as plain JSON values; ids are strings, costs are numbers in the currency."""
    lists = {"days": report.by_day, "features": report.by_feature, "models": report.by_model}
    if report.by_user is not None:
        lists["users"] = report.by_user
    return {
        "from": report.first.isoformat(),
        "to": report.day.isoformat(),
        "currency": currency,
        "today": _plain(report.today),
        "month": _plain(report.month),
        **{name: [{"name": str(one.name), **_plain(one)} for one in sums] for name, sums in lists.items()},
    }


def _plain(one: UsageSum) -> dict[str, int | float]:
    return {
        "calls": one.calls,
        "estimated_calls": one.estimated,
        "input_tokens": one.input_tokens,
        "output_tokens": one.output_tokens,
        "cost": one.cost_micros / _MICROS,
    }


def _nothing(name: date | None) -> UsageSum:
    return UsageSum(name=name, calls=0, input_tokens=0, output_tokens=0, cost_micros=0, estimated=0)


def _together(sums: Iterable[UsageSum]) -> UsageSum:
    held = list(sums)
    return UsageSum(
        name=None,
        calls=sum(one.calls for one in held),
        input_tokens=sum(one.input_tokens for one in held),
        output_tokens=sum(one.output_tokens for one in held),
        cost_micros=sum(one.cost_micros for one in held),
        estimated=sum(one.estimated for one in held),
    )


def _most_first(sums: Iterable[UsageSum]) -> list[UsageSum]:
    return sorted(sums, key=lambda one: (-one.tokens, str(one.name)))
