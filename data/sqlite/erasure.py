"""What deleting takes beyond DELETE, so that nothing deleted can be read from the files.

Deleted text can linger in three places. In the write-ahead log, until it is moved into the database and emptied;
that is done at once. In the full-text index, as keyed terms, until its pieces are merged. And in pages of the
database: `secure_delete` overwrites a deleted row, but not copies of it left in the unused part of a page when rows
were moved earlier; only writing the file anew removes these. The latter two take time that grows with the file, so
they are done at once in a small file, and once a day in a large one.

When that fails, the rows are deleted all the same, so whoever deleted them is not told of a failure: it is logged, and
tried again with the next deletion or the daily round.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import structlog

from core.errors import StorageError
from data.connection import Database
from data.sql import NamedQueries

_SMALL_FILE = 16 * 1024 * 1024  # bytes; rewritten within about a tenth of a second
_MERGE_PAGES = 500
_NOTHING_MERGED = 2

_log = structlog.get_logger(__name__)


class SqliteEraser:
    """`Eraser` on SQLite."""

    def __init__(self, *, database: Database, queries: NamedQueries, small_file: int = _SMALL_FILE) -> None:
        self._database = database
        self._queries = queries
        self._small_file = small_file
        self._last_rewritten: date | None = None
        self._purging = asyncio.Lock()

    async def truncate_log(self) -> bool:
        """Empty the write-ahead log; False if a reader in another process kept it from being emptied."""
        async with self._database.exclusive() as connection:
            result = await self._queries.row(connection, "truncate_log")
        emptied = result is not None and result[0] == 0
        if not emptied:
            _log.warning("storage_log_in_use")
        return emptied

    async def erase_log(self) -> None:
        """Empty the log after a deletion."""
        with _postponed_on_failure():
            await self.truncate_log()

    async def erase(self) -> None:
        """Empty the log after a deletion, and in a small file remove all other remains, too."""
        with _postponed_on_failure():
            if await self._is_small():
                await self.purge()
            else:
                await self.truncate_log()

    async def erase_daily(self, today: date) -> None:
        """Empty the log, and remove all other remains if the file is small or this wasn't done yet today.

        Once a day the index is merged whether anything was deleted or not: a search looks into each of its pieces.
        """
        if self._last_rewritten == today:
            await self.erase()
            return
        with _postponed_on_failure():
            async with self._purging:
                await self._merge_index()
            await self.purge()
            self._last_rewritten = today

    async def purge(self) -> None:
        """Remove all remains of deleted text; a large file keeps writers waiting for seconds.

        Does nothing but empty the log when nothing was deleted since the last time.
        """
        async with self._purging:
            async with self._database.reading() as connection:
                pending = await self._queries.number(connection, "pending_erasure")
            if pending:
                await self._merge_index()
                await self._rewrite_file(pending)
                _log.info("storage_purged", messages=pending)
            await self.truncate_log()

    async def _merge_index(self) -> None:
        """Merge the index into one piece, in slices, so that turns can be written in between."""
        query = "begin_index_merge"
        changed = _NOTHING_MERGED
        while changed >= _NOTHING_MERGED:
            async with self._database.transaction() as connection:
                before = await self._queries.number(connection, "changes_so_far")
                await self._queries.run(connection, query, pages=_MERGE_PAGES)
                changed = await self._queries.number(connection, "changes_so_far") - before
            query = "continue_index_merge"

    async def _rewrite_file(self, pending: int) -> None:
        small = await self._is_small()
        async with self._database.exclusive() as connection:
            if not small:
                await connection.execute("PRAGMA temp_store = FILE")  # the copy would not do memory any good
            try:
                await self._queries.run(connection, "rewrite_file")
                await self._queries.run(connection, "erasure_done", counted=pending)
            finally:
                await connection.execute("PRAGMA temp_store = MEMORY")

    async def _is_small(self) -> bool:
        async with self._database.reading() as connection:
            return await self._queries.number(connection, "file_size") <= self._small_file


@contextmanager
def _postponed_on_failure() -> Iterator[None]:
    try:
        yield
    except StorageError as error:
        _log.warning("storage_erasure_postponed", reason=str(error))
