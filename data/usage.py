"""What model calls used."""

from datetime import date, datetime

from core.ports import UsageRecord, UsageTotals
from data.columns import to_millis
from data.connection import Database
from data.sql import NamedQueries


class SqliteUsageStore:
    """`UsageStore` on SQLite."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def add(self, record: UsageRecord) -> None:
        """Count one call."""
        async with self._database.exclusive() as connection:
            await self._queries.run(
                connection,
                "add_usage",
                at=to_millis(record.at),
                day=record.day.isoformat(),
                character=record.character,
                user_id=record.user_id,
                guild_id=record.guild_id,
                feature=record.feature,
                model=record.model,
                input_tokens=record.input_tokens,
                output_tokens=record.output_tokens,
                cost_micros=record.cost_micros,
                outcome=record.outcome,
            )

    async def totals(self, day: date, *, user_id: int | None = None, guild_id: int | None = None) -> UsageTotals:
        """Return the sums of a day, of all or only of one user or one server (or one user there)."""
        wanted = {"user_id": user_id, "guild_id": guild_id}
        parameters = {name: value for name, value in wanted.items() if value is not None}
        query = {
            (): "totals_of_all",
            ("user_id",): "totals_of_user",
            ("guild_id",): "totals_of_guild",
            ("user_id", "guild_id"): "totals_of_member",
        }[tuple(parameters)]
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, query, day=day.isoformat(), **parameters)
        return UsageTotals() if row is None else UsageTotals(row["tokens"], row["cost_micros"], row["calls"])

    async def forget_whose(self, before: datetime) -> int:
        """Keep only the numbers of calls made before a moment, not whose they were; return how many."""
        async with self._database.transaction() as connection:
            return await self._queries.run(connection, "forget_whose", before=to_millis(before))
