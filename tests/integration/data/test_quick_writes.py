"""Short transactions are done at once, all others in a thread; whoever writes can't tell which it was."""

import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.clock import SimulatedClock
from core.errors import StorageError
from data.connection import Value
from data.sqlite.connection import SqliteDatabase
from data.sqlite.quick_writes import QuickWrites
from data.sqlite.transaction import Transaction

ADD = "INSERT INTO words VALUES (:id, :word) RETURNING id"
ADD_MANY = """
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
    INSERT INTO words SELECT n, 'word' FROM numbers
"""
ADD_TO_INDEX = "INSERT INTO texts VALUES (:word)"
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
COUNT = "SELECT count(*) FROM words"


class SlowDisk(SimulatedClock):
    """A clock by which everything that is done between two looks takes a tenth of a second."""

    def monotonic(self) -> float:
        self.looks = getattr(self, "looks", 0) + 1
        return self.looks / 10


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "words.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT)")
        connection.execute("CREATE TABLE texts (text TEXT)")
        connection.execute("CREATE VIRTUAL TABLE found USING fts5 (text)")
        connection.execute(
            "CREATE TRIGGER indexed AFTER INSERT ON texts BEGIN INSERT INTO found VALUES (new.text); END"
        )
    return path


@pytest.fixture
def quick(path: Path) -> Iterator[QuickWrites]:
    writes = QuickWrites.open(path, SimulatedClock(NOON))
    yield writes
    writes.close()


@pytest.fixture
async def database(path: Path) -> AsyncIterator[SqliteDatabase]:
    async with await SqliteDatabase.open(path) as opened:
        yield opened


def count(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute(COUNT).fetchone()[0])


async def post(database: SqliteDatabase, number: Value, word: Value = "word") -> None:
    async with database.transaction() as connection:
        assert isinstance(connection, Transaction)
        connection.post(ADD, {"id": number, "word": word})


def test_a_short_transaction_is_done_at_once_and_gives_the_rows_of_its_last_statement(
    quick: QuickWrites, path: Path
) -> None:
    rows = quick.run([(ADD, {"id": 1, "word": "one"}), (ADD, {"id": 2, "word": "two"})])

    assert rows is not None
    assert [row["id"] for row in rows] == [2]
    assert count(path) == 2


@pytest.mark.parametrize("refused", [1, 2**70, "\ud800"], ids=["there already", "too large", "half a character"])
def test_one_that_fails_is_undone_and_left_to_the_thread(refused: Value, quick: QuickWrites, path: Path) -> None:
    assert quick.run([(ADD, {"id": 1, "word": "one"})]) is not None

    assert quick.run([(ADD, {"id": 2, "word": "two"}), (ADD, {"id": refused, "word": "three"})]) is None

    assert count(path) == 1


def test_short_statements_are_not_taken_for_long_ones_however_often_they_are_run(quick: QuickWrites) -> None:
    done = [
        quick.run([("UPDATE words SET word = :word WHERE id = 1", {"word": "one"}), (COUNT, {}), (COUNT, {})])
        for _ in range(1500)
    ]

    assert None not in done


@pytest.mark.parametrize("steps", [30, 50, 60])
def test_what_is_left_to_the_thread_was_not_stored(steps: int, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("data.sqlite.quick_writes._STEPS", steps)  # so that it is soon a COMMIT's turn to be counted
    with closing(QuickWrites.open(path, SimulatedClock(NOON))) as quick:
        stored = sum(quick.run([(ADD, {"id": number, "word": "word"})]) is not None for number in range(100))
    assert count(path) == stored > 0


def test_one_that_turns_out_long_is_undone_and_not_tried_again(quick: QuickWrites, path: Path) -> None:
    assert quick.run([(ADD, {"id": 0, "word": "zero"}), (ADD_MANY, {})]) is None
    assert quick.run([(ADD_MANY, {})]) is None
    assert count(path) == 0
    assert quick.run([(ADD, {"id": 1, "word": "one"})]) is not None


def test_what_a_trigger_writes_into_an_index_is_not_tried(quick: QuickWrites) -> None:
    assert quick.run([(ADD_TO_INDEX, {"word": "word"})]) is None


def test_a_file_that_somebody_else_has_locked_is_left_to_the_thread(quick: QuickWrites, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert quick.run([(ADD, {"id": 1, "word": "one"})]) is None
    assert quick.run([(ADD, {"id": 1, "word": "one"})]) is not None


def test_after_two_that_took_long_the_next_are_left_to_the_thread(path: Path) -> None:
    quick = QuickWrites.open(path, SlowDisk(NOON))
    with closing(quick):
        done = [quick.run([(ADD, {"id": number, "word": "word"})]) is not None for number in range(103)]

    assert (done[:2], any(done[2:102]), done[102]) == ([True, True], False, True)


async def test_writers_are_told_of_what_fails_as_if_it_had_been_done_in_the_thread(database: SqliteDatabase) -> None:
    await post(database, 1)

    with pytest.raises(StorageError, match="UNIQUE"):
        await post(database, 1)
    with pytest.raises(OverflowError):
        await post(database, 2**70)

    await post(database, 2)
    assert count(database.path) == 2


async def test_however_much_is_written_at_once_the_log_stays_short(database: SqliteDatabase) -> None:
    for number in range(600):
        await post(database, number, "word" * 100)

    assert count(database.path) == 600
    assert database.path.with_name("words.db-wal").stat().st_size < 2_000_000
