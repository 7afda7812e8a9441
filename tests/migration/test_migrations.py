"""Migrations: replayed they give `data/schema.sql`, interrupted they give the version before."""

import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

import data
from core.errors import StorageError
from data.migrations import Migration, load_migrations, migrate, schema_version
from data.sqlite.connection import SqliteDatabase
from data.sqlite.schema import statements
from data.stores import open_stores
from tests.fakes.stores import casefolded_words

FIRST = Migration(1, "0001_first", "CREATE TABLE first (id INTEGER PRIMARY KEY);")
SECOND = Migration(2, "0002_second", "CREATE TABLE second (id INTEGER PRIMARY KEY);\nINSERT INTO second VALUES (7);")
BROKEN = Migration(2, "0002_broken", "CREATE TABLE second (id INTEGER PRIMARY KEY);\nINSERT INTO missing VALUES (7);")


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[SqliteDatabase]:
    async with await SqliteDatabase.open(folder / "yorisoi.db") as database:
        yield database


def schema_of(path: Path) -> dict[tuple[str, str], str]:
    """The schema without differences of spacing and without what SQLite makes for itself."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return {(kind, name): re.sub(r"\s*([(),])\s*", r"\1", " ".join(sql.split())) for kind, name, sql in rows}


async def test_replaying_all_migrations_gives_the_written_schema(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        await migrate(database, load_migrations())
    written = tmp_path / "written.db"
    with closing(sqlite3.connect(written)) as connection:
        connection.executescript((Path(data.__file__).parent / "schema.sql").read_text(encoding="utf-8"))

    replayed = schema_of(tmp_path / "yorisoi.db")

    assert replayed == schema_of(written)
    assert ("table", "archive_index") in replayed


async def test_migrating_twice_changes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        assert await migrate(database, [FIRST, SECOND]) == 2
        assert await migrate(database, [FIRST, SECOND]) == 0
        assert await schema_version(database) == 2


async def test_an_older_database_is_brought_up_to_date(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        await migrate(database, [FIRST])
    async with opened(tmp_path) as database:
        assert await migrate(database, [FIRST, SECOND]) == 1


async def test_who_spoke_with_whom_is_taken_over_from_what_is_on_record(tmp_path: Path) -> None:
    """1 has turns on record with two characters, 2 only a private conversation, 3 neither; 4 opted out."""
    foundation = load_migrations()[:3]
    async with opened(tmp_path) as database:
        await migrate(database, foundation)
    with closing(sqlite3.connect(tmp_path / "yorisoi.db")) as connection, connection:
        connection.executescript("""
            INSERT INTO conversations (id, character, channel_id, kind, owner_id, term_key)
            VALUES (1, 'hinata', 10, 'dm', 1, zeroblob(16)), (2, 'ren', 20, 'channel', NULL, zeroblob(16)),
                (3, 'ren', 30, 'dm', 2, zeroblob(16)), (4, 'ren', 40, 'dm', 4, zeroblob(16));
            INSERT INTO users (id, last_seen_at, opted_out) VALUES (1, 900, 0), (2, 500, 0), (3, 400, 0), (4, NULL, 1);
            INSERT INTO traces (turn_id, conversation_id, at, user_id, message_ids, reply_ids, outcome, steps)
            VALUES ('a', 1, 700, 1, '[]', '[]', 'answered', '[]'), ('b', 1, 900, 1, '[]', '[]', 'answered', '[]'),
                ('c', 2, 800, 1, '[]', '[]', 'answered', '[]'), ('d', 4, 800, 4, '[]', '[]', 'refused', '[]');
            INSERT INTO kept_facts (user_id, number, text, told_at)
            VALUES (1, 2, 'x', 1), (1, 5, 'y', 1), (9, 3, 'z', 1);
        """)
    async with opened(tmp_path) as database:
        await migrate(database, load_migrations()[:4])
    with closing(sqlite3.connect(tmp_path / "yorisoi.db")) as connection:
        seen = connection.execute("SELECT user_id, character, last_seen_at FROM acquaintances ORDER BY 1, 2").fetchall()
        numbers = dict(connection.execute("SELECT id, last_fact_number FROM users"))

    assert seen == [(1, "hinata", 900), (1, "ren", 800), (2, "ren", 500)]
    assert numbers == {1: 5, 2: 0, 3: 0, 4: 0, 9: 3}


async def test_the_stance_of_a_private_talk_is_taken_over_and_that_of_a_channel_let_go(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        await migrate(database, load_migrations()[:4])
    with closing(sqlite3.connect(tmp_path / "yorisoi.db")) as connection, connection:
        connection.executescript("""
            INSERT INTO conversations (id, character, channel_id, kind, owner_id, term_key)
            VALUES (1, 'hinata', 10, 'dm', 1, zeroblob(16)), (2, 'hinata', 20, 'channel', NULL, zeroblob(16)),
                (3, 'hinata', 30, 'dm', 3, zeroblob(16));
            INSERT INTO sessions (conversation_id, started_at, last_active_at, expires_at, turns,
                active_pushback_count, reflective_support_turn_count, recent_overreliance_marker)
            VALUES (1, 1, 2, 900, 4, 2, 3, 1), (2, 1, 2, 900, 4, 2, 3, 0), (3, 1, 2, 900, 4, 0, 0, 0);
        """)
    async with opened(tmp_path) as database:
        await migrate(database, load_migrations())
    with closing(sqlite3.connect(tmp_path / "yorisoi.db")) as connection:
        kept = connection.execute("SELECT * FROM stance_inertia").fetchall()
        sessions = connection.execute("SELECT count(*) FROM sessions").fetchone()

    assert kept == [(1, 1, 900, 2, 3, 0, 1, None)]
    assert sessions == (3,)


async def test_an_interrupted_migration_leaves_the_version_before_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as database:
        with pytest.raises(StorageError):
            await migrate(database, [FIRST, BROKEN])
        assert await schema_version(database) == 1
    assert schema_of(tmp_path / "yorisoi.db").keys() == {("table", "first")}

    async with opened(tmp_path) as database:
        assert await migrate(database, [FIRST, SECOND]) == 1


async def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    async with open_stores(path, casefolded_words):
        pass
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = schema_of(path)

    with pytest.raises(StorageError, match=r"newer version of the program \(schema 99"):
        async with open_stores(path, casefolded_words):
            pass

    assert schema_of(path) == before


async def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE theirs (id INTEGER)")

    with pytest.raises(StorageError, match="belongs to another program"):
        async with open_stores(path, casefolded_words):
            pass

    assert schema_of(path).keys() == {("table", "theirs")}


def test_a_script_is_split_after_statements_not_inside_a_trigger() -> None:
    trigger = "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n    DELETE FROM b;\n    DELETE FROM c;\nEND;"

    assert list(statements(f"-- why;\nSELECT 1;\n\n{trigger}\n-- the end\n")) == ["-- why;\nSELECT 1;", trigger]


def test_a_script_that_ends_in_a_statement_is_refused() -> None:
    with pytest.raises(ValueError, match="middle of a statement"):
        list(statements("SELECT 1;\nSELECT 2"))


@pytest.mark.parametrize("names", [["0002_b.sql"], ["0001_a.sql", "0001_b.sql"], ["first.sql"]])
def test_migrations_with_wrong_numbers_are_refused(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).touch()

    with pytest.raises(ValueError, match=r"named|numbered"):
        load_migrations(tmp_path)
