"""What deleting takes on PostgreSQL: the server frees the room of deleted rows when it vacuums.

From the moment of deletion nothing of a row can be read through the server. Its bytes stay in the server's files until
`VACUUM` frees them and something else is written over them, and in its log until that is recycled; see
docs/postgresql.md. The server vacuums by itself; once a day it is asked to do so at once.
"""

from datetime import date

import structlog

from core.errors import StorageError
from data.connection import Database

_log = structlog.get_logger(__name__)


class PostgresEraser:
    """`Eraser` on PostgreSQL."""

    def __init__(self, *, database: Database) -> None:
        self._database = database
        self._last_vacuumed: date | None = None

    async def erase_log(self) -> None:
        """There is no log that could be emptied from here."""

    async def erase(self) -> None:
        """Nothing is quickly done: a vacuum goes through all that changed."""

    async def erase_daily(self, today: date) -> None:
        """Vacuum, if this wasn't done yet today."""
        if self._last_vacuumed != today:
            await self.purge()
            self._last_vacuumed = today

    async def purge(self) -> None:
        """Vacuum everything that is ours; neither readers nor writers wait for it."""
        try:
            async with self._database.exclusive() as connection:
                tables = await connection.execute_fetchall(
                    "SELECT quote_ident(tablename) FROM pg_catalog.pg_tables WHERE schemaname = current_schema()"
                )
                names = ", ".join(row[0] for row in tables)
                await connection.execute(f"VACUUM (ANALYZE) {names}")
        except StorageError as error:
            _log.warning("storage_erasure_postponed", reason=str(error))
