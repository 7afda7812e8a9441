"""The number of a file's schema stands in `PRAGMA user_version`, which SQLite changes with the transaction."""

import re
import sqlite3
from collections.abc import Iterator

from data.connection import Connection


class SqliteSchema:
    """`SchemaBook` on SQLite."""

    async def version(self, connection: Connection) -> int:
        """Return the number of the last migration applied, 0 for an empty database."""
        ((version,),) = await connection.execute_fetchall("PRAGMA user_version")
        return int(version)

    async def is_being_filled(self, connection: Connection) -> bool:
        """Return False: nothing is copied into a file."""
        del connection
        return False

    async def holds_something(self, connection: Connection) -> bool:
        """Return whether there are any tables."""
        return bool(list(await connection.execute_fetchall("SELECT 1 FROM sqlite_master LIMIT 1")))

    async def apply(self, connection: Connection, script: str, number: int) -> None:
        """Run a migration's statements and note its number."""
        for statement in statements(script):
            await connection.execute(statement)
        await connection.execute(f"PRAGMA user_version = {number:d}")


def statements(script: str) -> Iterator[str]:
    """Split a script into statements; the semicolons inside a trigger don't end one."""
    begun = ""
    for line in script.splitlines(keepends=True):
        begun += line
        if sqlite3.complete_statement(begun):
            yield begun.strip()
            begun = ""
    if _without_comments(begun):
        raise ValueError("the script ends in the middle of a statement")


def _without_comments(text: str) -> str:
    return re.sub(r"--[^\n]*", "", text).strip()
