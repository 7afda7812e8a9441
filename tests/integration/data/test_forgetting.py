"""Nothing about a person is left anywhere: walked through the schema as it is, whatever tables come to it later."""

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from core.errors import StorageError
from data.connection import Connection
from data.privacy import TABLES
from data.sql import NamedQueries
from data.stores import open_stores
from tests.fakes.stores import casefolded_words

NOW = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
PERSON = 739_284_650_173
OTHER = 739_284_650_999
# A column that names a person; `users.id` does so, too.
_NAMES_A_PERSON = re.compile(r"(?:^|_)(?:user|author|owner|recipient|member|person|chosen_by|follower|liker)(?:_id)?$")
# What servers' operators chose, and the books of the file itself.
ABOUT_NOBODY = {
    "guild_settings",
    "ambient_channels",
    "allowed_phrases",
    "cap_warnings",
    "usage_kinds",
    "welcomed_guilds",
    "frozen_characters",
    "erasure",
    "proactive_pauses",
    "proactive_drafts",
    "social_channels",
    "social_interests",
    "social_troubles",
    "social_moments",
    "social_cycles",
    "character_tiers",
    "embedding_model",
    "leases",
    "identify_turns",
}
# What is counted under a name of its own, though it stands in the same table.
COUNTED_BESIDE = {"proactive_subscriptions": ("proactive_channels",)}
_SHADOWS = re.compile(r"archive_index(?:_\w+)?|sqlite_\w+")


def tables_of(connection: sqlite3.Connection) -> list[str]:
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
    return [name for (name,) in names if not _SHADOWS.fullmatch(name)]


def columns_of(connection: sqlite3.Connection, table: str) -> list[sqlite3.Row]:
    return connection.execute(f"SELECT * FROM pragma_table_info('{table}')").fetchall()


def names_a_person(table: str, column: str) -> bool:
    return (table, column) == ("users", "id") or _NAMES_A_PERSON.search(column) is not None


def tables_about_people(connection: sqlite3.Connection) -> dict[str, list[str]]:
    found = {
        table: [column["name"] for column in columns_of(connection, table) if names_a_person(table, column["name"])]
        for table in tables_of(connection)
    }
    return {table: columns for table, columns in found.items() if columns}


def goes_with_a_known_one(connection: sqlite3.Connection, table: str) -> bool:
    keys = connection.execute(f"SELECT * FROM pragma_foreign_key_list('{table}')").fetchall()
    return any(key["table"] in TABLES and key["on_delete"] == "CASCADE" for key in keys)


class Filler:
    """Puts a row about somebody into any table, with the rows it refers to."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._numbers = count(1000)

    def add(self, table: str, person: int, column: str | None = None) -> dict[str, object]:
        """Insert a row in which `column` (every one that names a person, if None) holds that person."""
        parents = self._parents(table, person)
        row: dict[str, object] = {}
        for one in columns_of(self._connection, table):
            name = one["name"]
            if name in parents:
                row[name] = parents[name]
            elif name == column or (column is None and names_a_person(table, name)):
                row[name] = person
            elif one["notnull"] or one["pk"]:
                row[name] = self._value(table, one)
        row |= self._what_goes_with(table, row)
        holes = ", ".join("?" * len(row))
        self._connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({holes})", list(row.values()))
        return row

    def _what_goes_with(self, table: str, row: dict[str, object]) -> dict[str, object]:
        """Return what other columns have to be where one is filled at all."""
        (sql,) = self._connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        rules = (re.search(rf"CHECK \({name} IS NULL OR (\w+) = '(\w+)'\)", sql) for name in row)
        return {rule[1]: rule[2] for rule in rules if rule}

    def _parents(self, table: str, person: int) -> dict[str, object]:
        """Make what a row refers to, somebody else's: the row has to be found by its own column alone."""
        keys = self._connection.execute(f"SELECT * FROM pragma_foreign_key_list('{table}')").fetchall()
        parents: dict[str, object] = {}
        for key in keys:
            target = key["to"] or columns_of(self._connection, key["table"])[0]["name"]
            whose = person if names_a_person(table, key["from"]) else OTHER
            known = self._connection.execute(
                f"SELECT {target} FROM {key['table']} WHERE {target} = ?", (whose,)
            ).fetchone()
            parents[key["from"]] = known[0] if known else self.add(key["table"], whose)[target]
        return parents

    def _value(self, table: str, column: sqlite3.Row) -> object:
        (sql,) = self._connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        allowed = re.search(rf"CHECK \({column['name']} IN \(('[^']*'|\d+)", sql)
        if allowed:
            return allowed[1].strip("'") if allowed[1].startswith("'") else int(allowed[1])
        if only := re.search(rf"CHECK \({column['name']} = (\d+)\)", sql):
            return int(only[1])
        if column["type"] == "BLOB":
            length = re.search(rf"length\({column['name']}\) = (\d+)", sql)
            return next(self._numbers).to_bytes(int(length[1]) if length else 16)
        if column["type"] == "TEXT":
            return "2026-01-01" if column["name"] in {"day", "first_day"} else f"[{next(self._numbers)}]"
        return next(self._numbers)


async def filled(path: Path) -> dict[str, list[str]]:
    """Return a database's tables about people after each got a row for each column that names one."""
    async with open_stores(path, casefolded_words):
        pass
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        about = tables_about_people(connection)
        filler = Filler(connection)
        for table, columns in about.items():
            if table != "users":
                for column in columns:
                    filler.add(table, PERSON, column)
        if not connection.execute("SELECT 1 FROM users WHERE id = ?", (PERSON,)).fetchone():
            filler.add("users", PERSON)
    return about


async def test_every_table_about_people_is_counted_exported_and_forgotten(tmp_path: Path) -> None:
    about = await filled(tmp_path / "yorisoi.db")
    queries = NamedQueries().purposes

    assert {"users", "archive", "kept_facts", "memory_consents"} <= about.keys() <= set(TABLES)
    for table in TABLES:
        assert {f"count_{table}", f"list_{table}"} <= queries.keys()
        assert table == "users" or f"forget_{table}" in queries


async def test_every_other_table_is_about_nobody_or_goes_with_one_of_them(tmp_path: Path) -> None:
    """What hangs on a message or a conversation without naming anybody has to go with it by itself."""
    await filled(tmp_path / "yorisoi.db")
    with closing(sqlite3.connect(tmp_path / "yorisoi.db")) as connection:
        connection.row_factory = sqlite3.Row
        loose = [
            table
            for table in tables_of(connection)
            if table not in TABLES and table not in ABOUT_NOBODY and not goes_with_a_known_one(connection, table)
        ]

    assert loose == []


async def test_whatever_names_a_person_is_counted_exported_and_then_nowhere_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    about = await filled(path)

    async with open_stores(path, casefolded_words) as stores:
        counted = await stores.privacy.counts(PERSON)
        exported = await stores.privacy.export(PERSON)
        gone = await stores.privacy.forget(PERSON)
        left = await stores.privacy.counts(PERSON)

    for table, columns in about.items():
        names = (table, *COUNTED_BESIDE.get(table, ()))
        assert sum(counted[name] for name in names) >= len(columns), table
        assert all(len(exported[name]) == counted[name] for name in names), table
    assert gone == counted
    assert set(left.values()) == {0}
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        for table in tables_of(connection):
            for column in columns_of(connection, table):
                query = f"SELECT count(*) FROM {table} WHERE CAST({column['name']} AS TEXT) LIKE ?"
                assert connection.execute(query, (f"%{PERSON}%",)).fetchone()[0] == 0, (table, column["name"])


async def test_what_rests_on_consent_goes_with_it_in_one_transaction(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    async with open_stores(path, casefolded_words) as stores:
        for user in (PERSON, OTHER):
            await stores.consents.give(user, now=NOW)
        async with stores.database.transaction() as connection:
            await connection.execute(
                "CREATE TABLE resting (user_id INTEGER REFERENCES memory_consents (user_id) ON DELETE CASCADE)"
            )
            await connection.execute("INSERT INTO resting VALUES (:one), (:other)", {"one": PERSON, "other": OTHER})

        await stores.consents.withdraw(PERSON)

        async with stores.database.reading() as connection:
            rows = await connection.execute_fetchall("SELECT user_id FROM resting")
        assert [row[0] for row in rows] == [OTHER]


async def test_a_forgetting_that_fails_leaves_no_wider_cache_behind(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    await filled(path)
    async with open_stores(path, casefolded_words) as stores:
        async with stores.database.transaction() as connection:
            usual = await cache_size(connection)
            await connection.execute(
                "CREATE TEMP TRIGGER fails BEFORE DELETE ON archive BEGIN SELECT RAISE(ABORT, 'no'); END", {}
            )
        with pytest.raises(StorageError):
            await stores.privacy.forget(PERSON)
        async with stores.database.transaction() as connection:
            left = await cache_size(connection)

    assert left == usual


async def cache_size(connection: Connection) -> int:
    return int(next(iter(await connection.execute_fetchall("PRAGMA cache_size", {})))[0])
