"""What the benchmarks compare with and run on: many subscriptions and posts, and the barest loop that claims."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from core.clock import Clock
from core.social.types import Digest, Post
from data.columns import to_millis
from data.connection import Database
from data.social.rows import dump
from data.sql import NamedQueries, Value

_PLACES = 200
_PEOPLE = 1_000
_CALLS = 150_000
_BARE = (
    "CREATE TABLE bare (id INTEGER PRIMARY KEY, claim TEXT NOT NULL, recipient INTEGER NOT NULL, slot TEXT NOT NULL,"
    " state TEXT NOT NULL, claimed_at INTEGER NOT NULL, UNIQUE (recipient, slot)) STRICT"
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
