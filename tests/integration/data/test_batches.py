"""Transactions of which nothing is asked wait while somebody writes, and go to the thread together.

Each is stored or fails by itself.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Coroutine
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from core.errors import StorageError
from data.sql import Value
from data.sqlite.connection import SqliteDatabase
from data.sqlite.transaction import Transaction

ADD = "INSERT INTO numbers VALUES (:number)"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[SqliteDatabase]:
    async with await SqliteDatabase.open(tmp_path / "numbers.db") as opened:
        async with opened.transaction() as connection:
            await connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
        yield opened


async def post(database: SqliteDatabase, *numbers: Value) -> None:
    async with database.transaction() as connection:
        assert isinstance(connection, Transaction)
        for number in numbers:
            connection.post(ADD, {"number": number})


async def numbers(database: SqliteDatabase) -> list[int]:
    async with database.reading() as connection:
        rows = await connection.execute_fetchall("SELECT number FROM numbers ORDER BY number")
        return [row["number"] for row in rows]


async def meanwhile(database: SqliteDatabase, *writing: Coroutine[None, None, None]) -> list[BaseException | None]:
    """Begin to write while something else is being written; return how each ended."""
    async with database.exclusive():
        waiting = [asyncio.create_task(one) for one in writing]
        await asyncio.sleep(0)
    return await asyncio.gather(*waiting, return_exceptions=True)


async def test_one_that_fails_takes_none_of_the_others_with_it(database: SqliteDatabase) -> None:
    ended = await meanwhile(database, post(database, 1), post(database, 2, 1), post(database, 3))

    assert [type(one) for one in ended] == [type(None), StorageError, type(None)]
    assert await numbers(database) == [1, 3]


async def test_where_the_disk_is_full_what_fits_is_stored(database: SqliteDatabase) -> None:
    async with database.exclusive() as writer:
        await writer.execute("CREATE TABLE texts (text TEXT)")
        await writer.execute("PRAGMA max_page_count = 8")

    async def write(text: str) -> None:
        async with database.transaction() as connection:
            assert isinstance(connection, Transaction)
            connection.post("INSERT INTO texts VALUES (:text)", {"text": text})

    ended = await meanwhile(database, write("a"), write("b" * 500_000), write("c"))

    assert [type(one) for one in ended] == [type(None), StorageError, type(None)]
    async with database.reading() as connection:
        rows = await connection.execute_fetchall("SELECT text FROM texts ORDER BY text")
        assert [row["text"] for row in rows] == ["a", "c"]


async def test_they_wait_while_another_transaction_is_open(database: SqliteDatabase) -> None:
    async with database.transaction() as connection:
        await connection.execute(ADD, {"number": 1})
        posting = asyncio.create_task(post(database, 2))
        await connection.execute(ADD, {"number": 3})
        assert not posting.done()
        assert await numbers(database) == []

    await posting
    assert await numbers(database) == [1, 2, 3]


async def test_the_last_statement_may_answer_and_ends_the_transaction(database: SqliteDatabase) -> None:
    async with database.transaction() as connection:
        assert isinstance(connection, Transaction)
        connection.post(ADD, {"number": 1})
        (row,) = await connection.last(f"{ADD} RETURNING number", {"number": 2})
        assert row["number"] == 2
        assert await numbers(database) == [1, 2]
        with pytest.raises(RuntimeError, match="ended"):
            await connection.execute(ADD, {"number": 3})


async def test_a_body_that_raises_before_its_end_stores_nothing(database: SqliteDatabase) -> None:
    async def post_and_fail() -> None:
        async with database.transaction() as connection:
            assert isinstance(connection, Transaction)
            connection.post(ADD, {"number": 1})
            raise LookupError

    with pytest.raises(LookupError):
        await post_and_fail()

    assert await numbers(database) == []


async def test_closing_waits_for_what_was_posted_and_refuses_what_comes_later(tmp_path: Path) -> None:
    database = await SqliteDatabase.open(tmp_path / "numbers.db")
    async with database.transaction() as connection:
        await connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
    async with database.exclusive():
        posting = asyncio.create_task(post(database, 1))
        await asyncio.sleep(0)
        closing_it = asyncio.create_task(database.close())
        await asyncio.sleep(0)
    await closing_it
    await posting
    with pytest.raises(StorageError, match="closed"):
        await post(database, 2)

    async with await SqliteDatabase.open(tmp_path / "numbers.db") as again:
        assert await numbers(again) == [1]


async def test_one_that_is_cancelled_leaves_the_others_alone(database: SqliteDatabase) -> None:
    async with database.transaction() as connection:
        await connection.execute(ADD, {"number": 1})
        cancelled, kept = asyncio.create_task(post(database, 2)), asyncio.create_task(post(database, 3))
        await connection.execute(ADD, {"number": 4})
        cancelled.cancel()

    await kept
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    assert {1, 3, 4} <= set(await numbers(database))


@pytest.mark.parametrize("refused", [2**70, "\ud800"], ids=["a number too large", "half a character"])
async def test_what_can_not_be_handed_to_the_database_takes_nothing_with_it(
    database: SqliteDatabase, refused: Value
) -> None:
    ended = await meanwhile(database, post(database, 1), post(database, refused), post(database, 3))
    with pytest.raises((OverflowError, UnicodeEncodeError)):
        await post(database, refused)
    async with database.exclusive() as connection:
        await connection.execute(ADD, {"number": 4})

    assert [isinstance(one, Exception) for one in ended] == [False, True, False]
    assert await numbers(database) == [1, 3, 4]


async def test_one_that_is_cancelled_while_it_waits_is_not_stored(database: SqliteDatabase) -> None:
    async with database.transaction() as connection:
        await connection.execute(ADD, {"number": 1})
        cancelled = asyncio.create_task(post(database, 2))
        await connection.execute(ADD, {"number": 3})
        cancelled.cancel()

    await post(database, 4)
    assert await numbers(database) == [1, 3, 4]


async def test_all_that_wait_for_a_locked_file_wait_once(tmp_path: Path) -> None:
    patience = timedelta(milliseconds=40)
    async with await SqliteDatabase.open(tmp_path / "numbers.db", busy_timeout=patience) as database:
        with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
            other.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")
            other.execute("BEGIN IMMEDIATE")
            waiting = [post(database, number) for number in range(100)]
            ended = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 2)
            other.execute("ROLLBACK")
        assert {type(one) for one in ended} == {StorageError}

        await post(database, 1)
        assert await numbers(database) == [1]


async def test_a_transaction_that_waits_while_the_database_is_closed_is_told_so(tmp_path: Path) -> None:
    database = await SqliteDatabase.open(tmp_path / "numbers.db")

    async def write() -> None:
        async with database.transaction() as connection:
            await connection.execute("CREATE TABLE numbers (number INTEGER PRIMARY KEY)")

    async with database.exclusive():
        closing_it = asyncio.create_task(database.close())
        await asyncio.sleep(0)
        writing = asyncio.create_task(write())
        await asyncio.sleep(0)

    with pytest.raises(StorageError, match="closed"):
        await writing
    await closing_it


async def test_what_waited_for_a_cancelled_worker_is_stored_with_the_next_one(database: SqliteDatabase) -> None:
    async with database.exclusive():
        first = asyncio.create_task(post(database, 1))
        await asyncio.sleep(0)
        (worker,) = (task for task in asyncio.all_tasks() if "Batches._work" in str(task.get_coro()))
        worker.cancel()
        await asyncio.wait([worker])
        second = asyncio.create_task(post(database, 2))
        await asyncio.sleep(0)
    await asyncio.gather(first, second)

    assert await numbers(database) == [1, 2]
