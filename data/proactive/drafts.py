"""Candidates that a model drafted and an operator decides on."""

from collections.abc import Sequence
from datetime import datetime

from core.values import Locale
from data.columns import storable, to_millis
from data.connection import Database
from data.erasure import Eraser
from data.sql import NamedQueries


class SqlDraftStore:
    """`DraftStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries, eraser: Eraser) -> None:
        self._database = database
        self._queries = queries
        self._eraser = eraser

    async def add(self, character: str, locale: Locale, texts: Sequence[str], *, now: datetime) -> list[int]:
        """Keep drafts to be decided on; return their numbers."""
        columns = {"character": character, "locale": locale.value, "now": to_millis(now)}
        async with self._database.transaction() as connection:
            rows = [await self._queries.row(connection, "add_draft", **columns, text=storable(text)) for text in texts]
        return [row["number"] for row in rows if row is not None]

    async def waiting(self, character: str) -> list[tuple[int, Locale, str]]:
        """Return number, locale and text of the drafts that wait, oldest first."""
        return await self._list("waiting_drafts", character)

    async def approve(self, character: str, number: int, *, now: datetime) -> bool:
        """Let a draft be said from now on; False if none of that number waits."""
        async with self._database.exclusive() as connection:
            return bool(
                await self._queries.run(
                    connection, "approve_draft", character=character, number=number, now=to_millis(now)
                )
            )

    async def reject(self, character: str, number: int) -> bool:
        """Delete a draft or an approved one; False if there is none."""
        async with self._database.exclusive() as connection:
            gone = await self._queries.run(connection, "reject_draft", character=character, number=number)
        if gone:
            await self._eraser.erase_log()
        return bool(gone)

    async def approved(self, character: str) -> list[tuple[int, Locale, str]]:
        """Return number, locale and text of what was approved."""
        return await self._list("approved_drafts", character)

    async def _list(self, name: str, character: str) -> list[tuple[int, Locale, str]]:
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, name, character=character)
        return [(row["number"], Locale(row["locale"]), row["text"]) for row in rows]
