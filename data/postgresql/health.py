"""A look at a server that changes nothing in its database."""

from datetime import timedelta

from data.migrations import load_migrations
from data.postgresql.connection import PostgresDatabase
from data.state import DatabaseState, require_known

_PATIENCE = timedelta(seconds=5)


async def look_at(url: str) -> DatabaseState:
    """Read how large the database is and of which version.

    Raises:
        StorageError: The server can't be reached or used, or the database belongs to a newer program.
    """
    newest = load_migrations(dialect="postgresql")[-1].number
    async with (
        await PostgresDatabase.open(url, busy_timeout=_PATIENCE, connections=1) as database,
        database.transaction() as connection,
    ):
        schema = await database.schema.version(connection)
        ((size,),) = await connection.execute_fetchall("SELECT pg_database_size(current_database())")
        ((server,),) = await connection.execute_fetchall("SHOW server_version")
    require_known(database.name, schema, newest)
    return DatabaseState(
        name=f"{database.name} (PostgreSQL {server.split()[0]})", size=size, schema=schema, newest=newest
    )
