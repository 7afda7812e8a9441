"""What model calls used: each of them, and the sums of days and months, which every change of a call changes."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from core.errors import StorageError
from core.ports import Cap, Reserved, UsageKey, UsageRecord, UsageSum, UsageTotals
from data.columns import to_millis
from data.connection import Connection, Database
from data.sql import NamedQueries, Value

_WARNINGS_KEPT = timedelta(days=62)
_COUNTED = ("input_tokens", "output_tokens", "estimated", "cost_micros")


class SqlUsageStore:
    """`UsageStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def add(self, record: UsageRecord) -> None:
        """Count one call."""
        async with self._database.transaction() as connection:
            await self._queries.hold(connection, "hold_caps")
            await self._add(connection, record)

    async def reserve(self, record: UsageRecord, caps: Sequence[Cap]) -> Reserved | Cap:
        """Count a call with the most it may use if that fits every cap, else return the first it would break."""
        async with self._database.transaction() as connection:
            await self._queries.hold(connection, "hold_caps")
            used = []
            for cap in caps:
                before = await self._totals(connection, cap.first, cap.last, cap.user_id, cap.guild_id)
                after = _with(before, record)
                if not cap.holds(after):
                    return cap
                used.append(after)
            return Reserved(await self._add(connection, record), tuple(used))

    async def settle(self, number: int, record: UsageRecord) -> None:
        """Put what a reserved call used in the place of what was reserved."""
        async with self._database.transaction() as connection:
            await self._queries.hold(connection, "hold_caps")
            numbers = _numbers(record)
            counted = {name: numbers[name] for name in _COUNTED}
            await self._queries.post(connection, "recount_in_days", id=number, **counted)
            await self._queries.post(connection, "recount_in_kinds", id=number, model=record.model, **counted)
            await self._queries.post(connection, "settle_usage", id=number, **numbers)

    async def totals(
        self, day: date, *, since: date | None = None, user_id: int | None = None, guild_id: int | None = None
    ) -> UsageTotals:
        """Return the sums of a day, or from `since` to it, of all or only of one user or one server (or one there)."""
        async with self._database.reading() as connection:
            return await self._totals(connection, since or day, day, user_id, guild_id)

    async def sums(
        self, by: UsageKey, first: date, last: date, *, user_id: int | None = None, guild_id: int | None = None
    ) -> list[UsageSum]:
        """Return what was used from day to day by each of something."""
        place: dict[str, Value] = {"any_guild": int(guild_id is None), "guild_id": guild_id or 0}
        async with self._database.reading() as connection:
            if user_id is not None:
                span: dict[str, Value] = {"first": first.isoformat(), "last": last.isoformat(), "user_id": user_id}
                rows = await self._queries.rows(connection, f"usage_of_person_by_{by.value}", **span, **place)
            else:
                span = await self._span(connection, by, first, last)
                rows = await self._queries.rows(connection, f"usage_by_{by.value}", **span, **place)
        return [
            UsageSum(
                name=date.fromisoformat(row["name"]) if by is UsageKey.DAY else row["name"],
                calls=row["calls"],
                input_tokens=row["input_tokens"],
                output_tokens=row["output_tokens"],
                cost_micros=row["cost_micros"],
                estimated=row["estimated"],
            )
            for row in rows
        ]

    async def claim_warning(self, cap: str, first_day: date, percent: int) -> bool:
        """Note that an operator is told of a cap; False if they were already. What is long over is dropped."""
        before = (first_day - _WARNINGS_KEPT).isoformat()
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "drop_cap_warnings", before=before)
            claimed = await self._queries.run(
                connection, "claim_cap_warning", cap=cap, first_day=first_day.isoformat(), percent=percent
            )
        return claimed == 1

    async def forget_whose(self, before: datetime) -> int:
        """Keep only the numbers of calls made before a moment, not whose they were; return how many."""
        moment = to_millis(before)
        async with self._database.transaction() as connection:
            await self._queries.hold(connection, "hold_caps")
            await self._queries.run(connection, "add_old_calls_to_nobody", before=moment)
            await self._queries.run(connection, "take_old_calls_from_people", before=moment)
            await self._queries.run(connection, "drop_empty_days")
            return await self._queries.run(connection, "forget_whose", before=moment)

    async def _span(self, connection: Connection, by: UsageKey, first: date, last: date) -> dict[str, Value]:
        """Return which sums cover the days: those of the months where nothing else is in them, else those of the days.

        A month has a row for every person and purpose, not for every one of them on every day.
        """
        days: dict[str, Value] = {"first": first.isoformat(), "last": last.isoformat(), "whole": 0}
        if by is UsageKey.DAY or first.day != 1:
            return days
        after = {"first": (last + timedelta(days=1)).isoformat(), "last": f"{last:%Y-%m}-31"}
        if await self._queries.row(connection, "is_used_between", **after) is not None:
            return days
        return {"first": f"{first:%Y-%m}-00", "last": f"{last:%Y-%m}-00", "whole": 1}

    async def _add(self, connection: Connection, record: UsageRecord) -> int:
        """Count a call in the sums, then by itself; that ends the transaction."""
        day, numbers = record.day.isoformat(), _numbers(record)
        counted: dict[str, Value] = {
            "day": day,
            "guild_id": record.guild_id,
            **{name: numbers[name] for name in _COUNTED},
        }
        kind: dict[str, Value] = {"character": record.character, "feature": record.feature, "model": record.model}
        await self._queries.post(connection, "count_in_days", user_id=record.user_id, **counted)
        await self._queries.post(connection, "count_in_kinds", **counted, **kind)
        row = await self._queries.last_row(
            connection,
            "add_usage",
            at=to_millis(record.at),
            day=day,
            character=record.character,
            user_id=record.user_id,
            guild_id=record.guild_id,
            feature=record.feature,
            **numbers,
        )
        if row is None:
            raise StorageError(f"{self._database.name}: a call that was just counted is not there")
        return int(row["id"])

    async def _totals(
        self, connection: Connection, first: date, last: date, user_id: int | None, guild_id: int | None
    ) -> UsageTotals:
        wanted = {"user_id": user_id, "guild_id": guild_id}
        parameters = {name: value for name, value in wanted.items() if value is not None}
        query = {
            (): "totals_of_all",
            ("user_id",): "totals_of_user",
            ("guild_id",): "totals_of_guild",
            ("user_id", "guild_id"): "totals_of_member",
        }[tuple(parameters)]
        row = await self._queries.row(connection, query, first=first.isoformat(), last=last.isoformat(), **parameters)
        return UsageTotals() if row is None else UsageTotals(row["tokens"], row["cost_micros"], row["calls"])


def _numbers(record: UsageRecord) -> dict[str, Value]:
    return {
        "model": record.model,
        "input_tokens": record.input_tokens,
        "output_tokens": record.output_tokens,
        "estimated": int(record.estimated),
        "cost_micros": record.cost_micros,
        "outcome": record.outcome,
    }


def _with(used: UsageTotals, record: UsageRecord) -> UsageTotals:
    tokens = used.tokens + record.input_tokens + record.output_tokens
    return UsageTotals(tokens, used.cost_micros + record.cost_micros, used.calls + 1)
