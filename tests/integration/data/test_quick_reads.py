"""Short reads are done at once, all others in a thread; whoever reads can't tell which it was."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from data.sqlite.connection import SqliteDatabase
from data.sqlite.quick import QuickReads

BY_KEY = "SELECT word FROM words WHERE id = :id"
ALL = "SELECT count(*) AS many FROM words WHERE word LIKE '%1%'"
FULL_TEXT = "SELECT rowid FROM found WHERE found MATCH :word"
MANY = 5000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "words.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT)")
        connection.execute("CREATE VIRTUAL TABLE found USING fts5 (word)")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO words VALUES (?, ?)", [(n, f"word {n}") for n in range(MANY)])
        connection.execute("INSERT INTO found VALUES ('word')")
        connection.execute("COMMIT")
    return path


@pytest.fixture
def quick(path: Path) -> Iterator[QuickReads]:
    reads = QuickReads.open(path)
    yield reads
    reads.close()


@pytest.fixture
async def database(path: Path) -> AsyncIterator[SqliteDatabase]:
    async with await SqliteDatabase.open(path) as opened:
        yield opened


def test_a_look_up_by_a_key_is_done_at_once_however_often(quick: QuickReads) -> None:
    for number in range(MANY):
        rows = quick.rows(BY_KEY, {"id": number})
        assert rows is not None
        assert [row["word"] for row in rows] == [f"word {number}"]


def test_a_read_that_turns_out_long_is_broken_off_and_not_tried_again(quick: QuickReads) -> None:
    assert quick.rows(ALL, {}) is None
    assert quick.rows(ALL, {}) is None
    assert quick.rows(BY_KEY, {"id": 1}) is not None


def test_full_text_whose_steps_nobody_counts_is_not_tried(quick: QuickReads) -> None:
    assert quick.rows(FULL_TEXT, {"word": "word"}) is None


def test_what_fails_is_left_to_the_thread(quick: QuickReads) -> None:
    assert quick.rows("SELECT nothing FROM nowhere", {}) is None
    assert quick.rows("DELETE FROM words", {}) is None
    rows = quick.rows("SELECT count(*) AS many FROM found", {})
    assert rows is None  # a virtual table


async def test_readers_get_the_same_rows_either_way(database: SqliteDatabase) -> None:
    async with database.reading() as connection:
        (by_key,) = await connection.execute_fetchall(BY_KEY, {"id": 7})
        (counted,) = await connection.execute_fetchall(ALL)
        (found,) = await connection.execute_fetchall(FULL_TEXT, {"word": "word"})

    held = sum("1" in str(number) for number in range(MANY))
    assert (by_key["word"], counted["many"], found["rowid"]) == ("word 7", held, 1)


async def test_what_was_written_is_read_at_once(database: SqliteDatabase) -> None:
    for word in ("one", "two", "three"):
        async with database.transaction() as connection:
            await connection.execute("UPDATE words SET word = :word WHERE id = 1", {"word": word})
        async with database.reading() as connection:
            (row,) = await connection.execute_fetchall(BY_KEY, {"id": 1})
        assert row["word"] == word
