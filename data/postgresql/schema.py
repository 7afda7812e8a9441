"""The number of the schema stands in a table of its own."""

from data.connection import Connection

_KNOWN = "SELECT to_regclass('schema_version') IS NOT NULL"
# The first of the locks' names; the others stand in data/queries/postgresql/holds.sql.
_HOLD = "SELECT pg_advisory_xact_lock(0, 0)"


class PostgresSchema:
    """`SchemaBook` on PostgreSQL."""

    async def version(self, connection: Connection) -> int:
        """Return the number of the last migration applied, 0 for an empty database; nobody else migrates meanwhile."""
        await connection.execute(_HOLD)
        ((known,),) = await connection.execute_fetchall(_KNOWN)
        if not known:
            return 0
        ((version,),) = await connection.execute_fetchall("SELECT max(version) FROM schema_version")
        return int(version)

    async def is_being_filled(self, connection: Connection) -> bool:
        """Return whether a copy of another database into this one has begun and not ended."""
        ((begun,),) = await connection.execute_fetchall("SELECT to_regclass('copying') IS NOT NULL")
        return bool(begun)

    async def holds_something(self, connection: Connection) -> bool:
        """Return whether there are any tables."""
        ((count,),) = await connection.execute_fetchall(
            "SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = current_schema()"
        )
        return bool(count)

    async def apply(self, connection: Connection, script: str, number: int) -> None:
        """Run a migration's statements and note its number."""
        await connection.execute(script)
        await connection.execute("UPDATE schema_version SET version = %(number)s", {"number": number})
