"""Phrases over which a server's operators let replies pass."""

from data.columns import storable
from data.connection import Database
from data.erasure import Eraser
from data.sql import NamedQueries


class SqlAllowListStore:
    """`AllowListStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries, eraser: Eraser) -> None:
        self._database = database
        self._queries = queries
        self._eraser = eraser

    async def of(self, guild_id: int) -> list[str]:
        """Return a server's phrases as they are stored, in the order they were added."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "allowed_phrases", guild_id=guild_id)
        return [row["phrase"] for row in rows]

    async def add(self, guild_id: int, phrase: str, *, most: int) -> bool:
        """Store a phrase; False if it is there already or the server has `most` of them."""
        async with self._database.transaction() as connection:
            await self._queries.hold(connection, "hold_owner", id=guild_id)
            return bool(
                await self._queries.run(
                    connection, "allow_phrase", guild_id=guild_id, phrase=storable(phrase), most=most
                )
            )

    async def remove(self, guild_id: int, phrase: str) -> bool:
        """Delete a phrase; False if there is none like it."""
        async with self._database.exclusive() as connection:
            gone = await self._queries.run(connection, "remove_phrase", guild_id=guild_id, phrase=storable(phrase))
        if gone:
            await self._eraser.erase_log()
        return bool(gone)
