"""Transactions of which nothing is asked go to the thread together; each is stored or fails by itself."""

import asyncio
from collections.abc import AsyncIterator
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


async def test_one_that_fails_takes_none_of_the_others_with_it(database: SqliteDatabase) -> None:
    ended = await asyncio.gather(post(database, 1), post(database, 2, 1), post(database, 3), return_exceptions=True)

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

    ended = await asyncio.gather(write("a"), write("b" * 500_000), write("c"), return_exceptions=True)

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
    posting = asyncio.create_task(post(database, 1))
    await asyncio.sleep(0)
    await database.close()
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
