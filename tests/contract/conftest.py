"""The stores under test: once in memory, once on SQLite, once on PostgreSQL."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.stores import Stores, open_stores
from tests.contract.bundle import AnyStores
from tests.fakes.stores import InMemoryStores, casefolded_words

# Deleting is quicker than truncating where there is hardly anything.
_EMPTY = """
SELECT string_agg('DELETE FROM ' || quote_ident(tablename), '; ') || ';'
    || (SELECT coalesce(string_agg(format('ALTER SEQUENCE %I RESTART', sequencename), '; '), '')
        FROM pg_catalog.pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL)
FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename <> 'schema_version'
"""


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[AnyStores]:
    if request.param == "memory":
        yield InMemoryStores()
        return
    postgresql = request.param == "postgresql"
    place = request.getfixturevalue("shared_postgresql") if postgresql else tmp_path / "yorisoi.db"
    async with open_stores(place, casefolded_words) as opened:
        if postgresql:
            await emptied(opened)
        yield opened


async def emptied(stores: Stores) -> None:
    """Take away what the test before left."""
    async with stores.database.exclusive() as connection:
        ((script,),) = await connection.execute_fetchall(_EMPTY)
        await connection.execute(script)
