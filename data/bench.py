"""What the benchmarks compare with and run on: many subscriptions and posts, and the barest loop that claims."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from core.clock import Clock
from core.social.types import Digest, Post
from core.values import ConversationKey
from data.columns import to_millis
from data.connection import Database
from data.social.rows import dump
from data.sql import NamedQueries, Value
from data.terms import keyed

_PLACES = 200
_PEOPLE = 1_000
_CALLS = 150_000
_BARE = (
    "CREATE TABLE bare (id INTEGER PRIMARY KEY, claim TEXT NOT NULL, recipient INTEGER NOT NULL, slot TEXT NOT NULL,"
    " state TEXT NOT NULL, claimed_at INTEGER NOT NULL, UNIQUE (recipient, slot)) STRICT"
)
_BARE_NOTES = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"
_BARE_TEXT = "That sounds like a good day. What was the best part of it?"
_READS_OF_A_TURN = 13
_WRITES_OF_A_TURN = (3, 3, 4, 6)
"""Statements in the transactions of a turn: reserving and settling the call, the messages, the rest of the books."""
_BARE_DUE = "SELECT * FROM proactive_subscriptions WHERE enabled = 1 AND due_at <= ? ORDER BY due_at LIMIT ?"
_BARE_KEY = "SELECT term_key FROM conversations WHERE character = ? AND channel_id = ?"
_BARE_FOUND = 100
_BARE_FIND = (
    "SELECT archive.message_id, archive.text FROM archive_index JOIN archive ON archive.id = archive_index.rowid"
    " WHERE archive_index MATCH ? ORDER BY archive_index.rowid DESC LIMIT ?"
)
_BARE_CLAIM = (
    "INSERT INTO bare (claim, recipient, slot, state, claimed_at) VALUES (?, ?, ?, 'claimed', 0) ON CONFLICT DO NOTHING"
)


async def fill_subscriptions(
    database: Database, *, character: str, timezone: str, first: int, count: int, later: datetime, span: timedelta
) -> None:
    """Store so many people, with ids from `first` on, who are due from `later` on."""
    if count <= 0:
        return
    async with database.transaction() as connection:
        await NamedQueries().run(
            connection,
            "fill_subscriptions",
            character=character,
            timezone=timezone,
            first=first,
            count=count,
            later=to_millis(later),
            span=span // timedelta(milliseconds=1),
        )


async def fill_digests(
    database: Database, digests: Iterable[tuple[Post, Digest]], *, embedding_model: str, now: datetime
) -> None:
    """Store what many posts are about, in one transaction."""
    queries, held = NamedQueries(), list(digests)
    async with database.transaction() as connection:
        await queries.run_many(
            connection,
            "put_digest",
            [
                {
                    "post_id": post.id, "text": post.text, "summary": digest.summary, "tags": dump(digest.tags),
                    "features": digest.features, "embedding_model": embedding_model, "made_at": to_millis(now),
                }
                for post, digest in held
            ],
        )  # fmt: skip
        tags: list[dict[str, Value]] = [
            {"name": tag, "post_id": post.id} for post, digest in held for tag in dict.fromkeys(digest.tags)
        ]
        await queries.run_many(connection, "add_tag", tags)


def bare_claims(path: Path, claims: Iterable[tuple[str, int, str]], clock: Clock) -> float:
    """Return the seconds in which a bare loop inserts claims (id, recipient, slot), each on the disk at once."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(_BARE)
        began = clock.monotonic()
        for claim, recipient, slot in claims:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_BARE_CLAIM, (claim, recipient, slot))
            connection.execute("COMMIT")
        return clock.monotonic() - began


def bare_turns(path: Path, turns: int, clock: Clock) -> float:
    """Return the seconds in which a bare loop reads and writes as often as so many turns do, and does nothing else."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(_BARE_NOTES)
        began = clock.monotonic()
        for turn in range(turns):
            for key in range(_READS_OF_A_TURN):
                connection.execute("SELECT text FROM notes WHERE id = ?", (turn - key,)).fetchall()
            for count in _WRITES_OF_A_TURN:
                connection.execute("BEGIN IMMEDIATE")
                for _ in range(count):
                    connection.execute("INSERT INTO notes (text) VALUES (?)", (_BARE_TEXT,))
                connection.execute("COMMIT")
        return clock.monotonic() - began


def bare_due(path: Path, now: datetime, most: int, clock: Clock) -> float:
    """Return the seconds in which a bare connection reads who is due in a database of the program's."""
    with closing(sqlite3.connect(path)) as connection:
        began = clock.monotonic()
        connection.execute(_BARE_DUE, (to_millis(now), most)).fetchall()
        return clock.monotonic() - began


def bare_finds(path: Path, place: ConversationKey, asked: Sequence[Sequence[str]], clock: Clock) -> list[float]:
    """Return the seconds in which a bare connection reads, for each of some lists of terms, the rows that hold them."""
    with closing(sqlite3.connect(path)) as connection:
        (key,) = connection.execute(_BARE_KEY, (place.character, place.channel_id)).fetchone()
        taken = []
        for terms in asked:
            began = clock.monotonic()
            for form in keyed(terms, key).values():
                connection.execute(_BARE_FIND, (form, _BARE_FOUND)).fetchall()
            taken.append(clock.monotonic() - began)
        return taken


async def fill_month(
    database: Database, *, character: str, messages: int, steps: tuple[str, str], until: datetime
) -> None:
    """Store so many messages of thirty days, a turn for two of them, an occasion of speaking first for ten, and calls.

    `steps` are those of a trace in which nothing, and in which something was found, as they are stored.
    """
    queries, span = NamedQueries(), timedelta(days=30)
    over = {"since": to_millis(until - span), "span": span // timedelta(milliseconds=1)}
    passed, broken = steps
    async with database.transaction() as connection:
        await queries.run(connection, "fill_conversations", character=character, count=_PLACES)
        await queries.run(connection, "fill_archive", count=messages, places=_PLACES, **over)
        await queries.run(
            connection, "fill_traces", count=max(1, messages // 2), places=_PLACES, passed=passed, broken=broken, **over
        )
        await queries.run(connection, "fill_slots", character=character, count=max(1, messages // 10), **over)
        await queries.run(
            connection,
            "fill_usage",
            character=character,
            count=_CALLS,
            people=_PEOPLE,
            month=f"{until:%Y-%m}",
            days=until.day,
        )
        await queries.run(connection, "fill_usage_days")
        await queries.run(connection, "fill_usage_kinds")
