"""A file of SQLite copied to PostgreSQL: whole, resumable, compared, and never onto anything else."""

import asyncio
import hashlib
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from core.errors import StorageError
from core.values import Locale
from data.copying.copy import copy_over
from data.migrations import load_migrations, migrate, schema_version
from data.postgresql.address import Address
from data.postgresql.connection import PostgresDatabase
from data.postgresql.receiving import PostgresTarget
from data.sql import NamedQueries
from data.stores import open_stores
from tests.contract.bundle import AKI, CHANNEL, HINATA, NOON, call, key, message, summarise, trace
from tests.contract.test_proactive import wanted
from tests.fakes.stores import casefolded_words
from tests.integration.data.test_forgetting import PERSON, filled

COMMAND = """
import os, signal, sys
from pathlib import Path
from data.copying.copy import copy_over

def progress(table, done, total):
    if table == "archive" and done > 40:
        os.kill(os.getpid(), signal.SIGKILL)

copy_over(Path(sys.argv[1]), sys.argv[2], progress=progress, portion=10)
"""


def ignored(table: str, done: int, total: int) -> None:
    """Nobody watches."""


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A database with something in every table that is about people, and a conversation."""
    path = tmp_path / "yorisoi.db"
    await filled(path)
    async with open_stores(path, casefolded_words) as stores:
        await stores.archive.add([message(number, f"tea {number} 🌱お茶 \\ \t") for number in range(1, 60)])
        await stores.archive.add([message(77, None, sensitive=True), message(78, "said", author=HINATA)])
        await summarise(stores, key(CHANNEL), 1, 2)
        await stores.usage.add(call())
        await stores.traces.add(trace("t1"))
        await stores.subscriptions.put(wanted())
        await stores.drafts.add("hinata", Locale.JA, ["おはよう", "やあ"], now=NOON)
    return path


def contents(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


async def copied(path: Path, url: str, *, restart: bool = False) -> dict[str, int]:
    result = await asyncio.to_thread(copy_over, path, url, restart=restart, progress=ignored, portion=7)
    return dict(result.rows)


async def test_everything_is_on_the_server_afterwards_and_the_file_as_it_was(
    path: Path, new_postgresql: Callable[[], str]
) -> None:
    url, before = new_postgresql(), contents(path)

    rows = await copied(path, url)

    assert contents(path) == before
    with closing(sqlite3.connect(path)) as connection:
        assert rows == {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in rows}
    assert sum(count > 0 for count in rows.values()) > 15
    async with open_stores(path, casefolded_words) as here, open_stores(url, casefolded_words) as there:
        for person in (AKI, PERSON):
            assert await there.privacy.export(person) == await here.privacy.export(person)
        assert await there.recall.search(key(CHANNEL), ["お茶", "tea"], limit=5) == await here.recall.search(
            key(CHANNEL), ["お茶", "tea"], limit=5
        )
        assert await there.summaries.get(key(CHANNEL)) == await here.summaries.get(key(CHANNEL))


async def test_a_copy_notices_a_server_that_is_gone_as_the_program_does(new_postgresql: Callable[[], str]) -> None:
    url = new_postgresql()

    with PostgresTarget(url), psycopg.connect(url, autocommit=True) as watching:
        named = watching.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'yorisoi'").fetchone()

    assert named == (1,)
    link = Address.read(f"{url}?keepalives_idle=9" if "?" not in url else f"{url}&keepalives_idle=9").link()
    assert "keepalives_idle" not in link
    assert link["tcp_user_timeout"] == 10_000


async def test_ids_go_on_where_the_copied_ones_end(path: Path, new_postgresql: Callable[[], str]) -> None:
    url = new_postgresql()
    async with open_stores(path, casefolded_words) as stores:
        await stores.drafts.reject("hinata", 2)
    await copied(path, url)

    async with open_stores(url, casefolded_words) as stores:
        assert await stores.drafts.add("hinata", Locale.JA, ["またね"], now=NOON) == [3]
        await stores.usage.add(call())


async def test_a_copy_that_was_killed_goes_on_and_until_then_the_program_does_not_start(
    path: Path, new_postgresql: Callable[[], str]
) -> None:
    url = new_postgresql()
    command = [sys.executable, "-c", COMMAND, str(path), url]
    killed = await asyncio.to_thread(subprocess.run, command, check=False, capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr

    with pytest.raises(StorageError, match="has not come to its end"):
        async with open_stores(url, casefolded_words):
            pass
    result = await asyncio.to_thread(copy_over, path, url, progress=ignored)

    assert 40 < result.before < sum(result.rows.values())
    async with open_stores(url, casefolded_words) as stores:
        assert len(await stores.archive.recent(key(CHANNEL), limit=99)) == 60


async def test_what_was_changed_since_an_interrupted_copy_is_noticed_and_copied_anew_on_request(
    path: Path, new_postgresql: Callable[[], str]
) -> None:
    url = new_postgresql()

    def interrupt(table: str, done: int, total: int) -> None:
        if table == "summaries":
            raise InterruptedError

    with pytest.raises(InterruptedError):
        await asyncio.to_thread(copy_over, path, url, progress=interrupt)
    async with open_stores(path, casefolded_words) as stores:
        await stores.archive.edit(5, "coffee", NOON)

    with pytest.raises(StorageError, match=r"archive is not what was copied .*--restart"):
        await copied(path, url)
    await copied(path, url, restart=True)

    async with open_stores(url, casefolded_words) as stores:
        assert "coffee" in [said.text for said in await stores.archive.recent(key(CHANNEL), limit=99)]


async def test_a_file_that_is_written_to_meanwhile_is_noticed(path: Path, new_postgresql: Callable[[], str]) -> None:
    def disturb(table: str, done: int, total: int) -> None:
        if table == "users":
            with closing(sqlite3.connect(path)) as other, other:
                other.execute("UPDATE users SET timezone = 'Asia/Tokyo'")

    with pytest.raises(StorageError, match="written to while it was copied"):
        await asyncio.to_thread(copy_over, path, new_postgresql(), progress=disturb)


async def test_a_database_with_something_in_it_is_refused_and_left_alone(
    path: Path, new_postgresql: Callable[[], str]
) -> None:
    ours, theirs = new_postgresql(), new_postgresql()
    async with open_stores(ours, casefolded_words) as stores:
        await stores.users.set_timezone(AKI, "Asia/Tokyo")
    with psycopg.connect(theirs) as connection:
        connection.execute("CREATE TABLE theirs (id INTEGER)")

    with pytest.raises(StorageError, match="something in this database already"):
        await copied(path, ours)
    with pytest.raises(StorageError, match="belongs to another program"):
        await copied(path, theirs)

    async with open_stores(ours, casefolded_words) as stores:
        assert (await stores.users.get(AKI)).timezone == "Asia/Tokyo"


async def test_a_database_of_an_older_program_is_refused_as_it_is(
    path: Path, new_postgresql: Callable[[], str]
) -> None:
    url = new_postgresql()
    database = await PostgresDatabase.open(url)
    async with database:
        await migrate(database, load_migrations(dialect="postgresql")[:-1])
        before = await schema_version(database)

        with pytest.raises(StorageError, match="something in this database already"):
            await copied(path, url)

        assert await schema_version(database) == before


@pytest.mark.parametrize("restart", [False, True])
async def test_a_copy_that_an_older_program_began_is_made_anew(
    path: Path, new_postgresql: Callable[[], str], restart: bool
) -> None:
    url = new_postgresql()
    await copied(path, url)
    with psycopg.connect(url) as server:
        server.execute("CREATE TABLE copying (name TEXT, source TEXT, rows BIGINT, last_key TEXT)")
        server.execute("UPDATE schema_version SET version = version - 1")

    with pytest.raises(StorageError, match=r"another version .*make the database anew"):
        await copied(path, url, restart=restart)


async def test_a_copy_of_another_file_is_not_gone_on_with(path: Path, new_postgresql: Callable[[], str]) -> None:
    def interrupt(table: str, done: int, total: int) -> None:
        raise InterruptedError

    url, other = new_postgresql(), path.with_name("other.db")
    await asyncio.to_thread(shutil.copyfile, path, other)
    with pytest.raises(InterruptedError):
        await asyncio.to_thread(copy_over, path, url, progress=interrupt)

    with pytest.raises(StorageError, match=r"copy of another file .*yorisoi\.db.* make the database anew"):
        await copied(other, url)


async def test_a_program_that_counts_calls_there_is_not_taken_for_another_copy(
    path: Path, new_postgresql: Callable[[], str]
) -> None:
    url = new_postgresql()
    async with open_stores(url, casefolded_words) as stores:
        await stores.users.set_timezone(AKI, "Asia/Tokyo")
        async with stores.database.transaction() as connection:
            await NamedQueries("postgresql").hold(connection, "hold_caps")
            await connection.execute_fetchall("SELECT 1")

            with pytest.raises(StorageError, match="something in this database already"):
                await copied(path, url)


async def test_a_file_of_an_older_schema_is_brought_up_to_date_first(
    path: Path, new_postgresql: Callable[[], str]
) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 7")

    with pytest.raises(StorageError, match=r"has schema 7, .*yorisoi migrate"):
        await copied(path, new_postgresql())


async def test_a_nul_in_a_text_is_replaced_on_the_way(path: Path, new_postgresql: Callable[[], str]) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("UPDATE archive SET text = 'a' || char(0) || 'b' WHERE message_id = 1")
    url = new_postgresql()

    await copied(path, url)

    with psycopg.connect(url) as server:
        assert server.execute("SELECT text FROM archive WHERE message_id = 1").fetchone() == ("a\ufffdb",)
