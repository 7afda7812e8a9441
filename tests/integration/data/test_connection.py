"""The SQLite file: its mode, its transactions, and a clear error for everything that can go wrong with it."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from core.errors import StorageError
from data.connection import Database
from data.sqlite.connection import SqliteDatabase
from data.sqlite.quick import QuickReads
from data.sqlite.quick_writes import QuickWrites
from data.stores import Stores, open_stores
from tests.contract.bundle import CHANNEL, key, message
from tests.fakes.stores import casefolded_words


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def remembered(stores: Stores) -> list[str]:
    return [utterance.text for utterance in await stores.archive.recent(key(CHANNEL), limit=99)]


async def test_the_files_are_for_their_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "here"
    async with open_stores(folder / "yorisoi.db", casefolded_words) as stores:
        await stores.archive.add([message(1, "hello")])

        assert mode(folder) == 0o700
        modes = {file.name: mode(file) for file in folder.iterdir()}

    assert modes == {"yorisoi.db": 0o600, "yorisoi.db-wal": 0o600, "yorisoi.db-shm": 0o600}


async def test_a_file_others_could_read_is_taken_from_them(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    path.touch(mode=0o644)
    path.chmod(0o644)

    async with await SqliteDatabase.open(path):
        assert mode(path) == 0o600


async def test_what_was_stored_is_there_after_reopening(tmp_path: Path) -> None:
    for number in (1, 2):
        async with open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores:
            await stores.archive.add([message(number, f"text {number}")])

    async with open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores:
        assert await remembered(stores) == ["text 1", "text 2"]


async def test_a_file_that_is_no_database_is_named_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    path.write_bytes(b"This is a letter, not a database. " * 200)

    with pytest.raises(StorageError, match=r"yorisoi\.db: the file is not an SQLite database: .*backup") as caught:
        async with open_stores(path, casefolded_words):
            pass

    assert isinstance(caught.value.__cause__, sqlite3.DatabaseError)
    assert path.read_bytes().startswith(b"This is a letter")


async def test_a_damaged_database_is_reported_as_damaged(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    async with open_stores(path, casefolded_words) as stores:
        await stores.archive.add([message(number, f"text {number} " + "x" * 500) for number in range(200)])
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))

    with pytest.raises(StorageError, match=r"damaged: .*backup"):
        async with open_stores(path, casefolded_words) as stores:
            await remembered(stores)


@pytest.mark.parametrize("place", ["folder", "letter/yorisoi.db"])
async def test_a_path_that_cannot_be_a_file_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "letter").touch()

    with pytest.raises(StorageError, match="can't be used") as caught:
        await SqliteDatabase.open(tmp_path / place)

    assert isinstance(caught.value.__cause__, OSError)


async def test_a_full_disk_is_reported_and_loses_nothing(tmp_path: Path) -> None:
    async with open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores:
        await stores.archive.add([message(1, "kept")])
        await limit_pages(stores.database, 1)

        with pytest.raises(StorageError, match="disk is full"):
            await stores.archive.add([message(2, "small"), message(3, "x" * 500_000)])

        assert await remembered(stores) == ["kept"]
        await limit_pages(stores.database, 1_000_000)
        await stores.archive.add([message(4, "room again")])
        assert await remembered(stores) == ["kept", "room again"]


async def limit_pages(database: Database, pages: int) -> None:
    """Let the file grow no further than that (or than it is), as a full disk would."""
    async with database.exclusive() as connection:
        await connection.execute_fetchall(f"PRAGMA max_page_count = {pages}")


async def test_a_database_locked_by_another_process_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    async with open_stores(path, casefolded_words, busy_timeout=timedelta(milliseconds=20)) as stores:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageError, match="locked"):
                await stores.archive.add([message(1, "hello")])
            other.execute("ROLLBACK")

        await stores.archive.add([message(1, "hello")])
        assert await remembered(stores) == ["hello"]


async def test_a_database_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    async with open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores:
        async with stores.database.exclusive() as connection:
            await connection.execute("PRAGMA query_only = ON")

        with pytest.raises(StorageError, match="can't be written: check the owner"):
            await stores.archive.add([message(1, "hello")])


async def test_an_error_inside_a_transaction_undoes_all_of_it(tmp_path: Path) -> None:
    async with await SqliteDatabase.open(tmp_path / "yorisoi.db") as database:
        await make_numbers(database)
        with pytest.raises(LookupError):
            await write_and_fail(database)

        assert await numbers(database) == []


async def test_a_cancelled_transaction_is_undone_and_lets_the_next_one_in(tmp_path: Path) -> None:
    async with await SqliteDatabase.open(tmp_path / "yorisoi.db") as database:
        await make_numbers(database)
        inside = asyncio.Event()

        async def write_and_wait() -> None:
            async with database.transaction() as connection:
                await connection.execute("INSERT INTO numbers VALUES (1)")
                inside.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(write_and_wait())
        await inside.wait()
        task.cancel()
        async with database.transaction() as connection:
            await connection.execute("INSERT INTO numbers VALUES (2)")

        assert await numbers(database) == [2]
        assert task.cancelled()


async def test_readers_see_the_state_before_and_do_not_wait_for_a_writer(tmp_path: Path) -> None:
    async with await SqliteDatabase.open(tmp_path / "yorisoi.db") as database:
        await make_numbers(database)
        async with database.transaction() as connection:
            await connection.execute("INSERT INTO numbers VALUES (1)")
            assert await numbers(database) == []

        assert await numbers(database) == [1]


async def test_a_snapshot_stays_the_same_while_others_write(tmp_path: Path) -> None:
    async with await SqliteDatabase.open(tmp_path / "yorisoi.db") as database:
        await make_numbers(database)
        async with database.snapshot() as snapshot:
            await snapshot.execute_fetchall("SELECT number FROM numbers")
            async with database.transaction() as connection:
                await connection.execute("INSERT INTO numbers VALUES (1)")
            assert list(await snapshot.execute_fetchall("SELECT number FROM numbers")) == []


async def test_a_snapshot_that_is_cancelled_as_it_begins_keeps_no_state_for_those_after_it(tmp_path: Path) -> None:
    async with await SqliteDatabase.open(tmp_path / "yorisoi.db", readers=1) as database:
        await make_numbers(database)

        async def look() -> list[int]:
            async with database.snapshot() as connection:
                return [row[0] for row in await connection.execute_fetchall("SELECT number FROM numbers")]

        for rounds in range(4):
            looking = asyncio.create_task(look())
            for _ in range(rounds):
                await asyncio.sleep(0)
            looking.cancel()
            await asyncio.wait([looking])
        async with database.exclusive() as connection:
            await connection.execute("INSERT INTO numbers VALUES (1)")

        assert await look() == [1]


async def test_many_writers_and_readers_at_once_lose_nothing(tmp_path: Path) -> None:
    async with open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores:
        await asyncio.gather(
            *(stores.archive.add([message(number, f"text {number}")]) for number in range(40)),
            *(stores.recall.search(key(CHANNEL), ["text"], limit=5) for _ in range(40)),
        )

        assert len(await remembered(stores)) == 40


async def test_a_closed_database_says_so_and_closes_twice(tmp_path: Path) -> None:
    async with open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores:
        await stores.database.close()

        with pytest.raises(StorageError, match="closed"):
            await stores.archive.add([message(1, "hello")])
        with pytest.raises(StorageError, match="closed"):
            await remembered(stores)


async def make_numbers(database: SqliteDatabase) -> None:
    async with database.transaction() as connection:
        await connection.execute("CREATE TABLE numbers (number INTEGER)")


async def write_and_fail(database: SqliteDatabase) -> None:
    async with database.transaction() as connection:
        await connection.execute("INSERT INTO numbers VALUES (1)")
        raise LookupError


async def numbers(database: SqliteDatabase) -> list[int]:
    async with database.reading() as connection:
        return [row["number"] for row in await connection.execute_fetchall("SELECT number FROM numbers")]


async def test_what_was_opened_is_closed_where_the_last_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QuickReads] = []
    as_always = QuickReads.open

    def reads(path: Path) -> QuickReads:
        opened.append(as_always(path))
        assert opened[-1].rows("SELECT 1", {}) is not None
        return opened[-1]

    def writes(_: Path) -> QuickWrites:
        raise sqlite3.OperationalError("too many open files")

    monkeypatch.setattr(QuickReads, "open", reads)
    monkeypatch.setattr(QuickWrites, "open", writes)

    with pytest.raises(StorageError, match="too many open files"):
        await SqliteDatabase.open(tmp_path / "yorisoi.db")

    assert opened[0].rows("SELECT 1", {}) is None
