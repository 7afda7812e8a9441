"""Everything about one person: counted, exported, forgotten."""

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any

from data.columns import iso
from data.connection import Connection, Database, Row
from data.erasure import Eraser
from data.ledger import Gone, Ledger
from data.sql import NamedQueries, Value

# In the order rows are deleted: what refers to a conversation before it, summaries before the messages they are of.
_TABLES = (
    "summaries",
    "sessions",
    "stance_inertia",
    "archive",
    "traces",
    "usage",
    "usage_days",
    "kept_facts",
    "social_impressions",
    "social_peers",
    "social_follows",
    "social_posts",
    "memory_consents",
    "acquaintances",
    "proactive_subscriptions",
    "proactive_channels",
    "proactive_slots",
    "conversations",
)

# Every table that holds something about a person, by its own name.
TABLES = ("users", *_TABLES)

# How a column is shown where it isn't shown as it stands. Ids are strings, as Discord's own API gives them:
# a program that reads JSON numbers as floats would round them.
_SHOWN: Mapping[str, Callable[[Any], object]] = {
    **dict.fromkeys(("channel_id", "guild_id", "message_id", "author_id", "post_id", "reply_to"), str),
    **dict.fromkeys(("source_channel_id", "source_guild_id", "source_message_id"), str),
    **dict.fromkeys(("opted_out", "notice_shown", "is_self", "sensitive", "estimated"), bool),
    **dict.fromkeys(("enabled", "should_like", "should_reply", "should_follow"), bool),
    **dict.fromkeys(
        ("at", "sent_at", "told_at", "edited_at", "last_seen_at", "started_at", "last_active_at", "expires_at"), iso
    ),
    **dict.fromkeys(("paused_until", "suspended_until", "spoke_at", "due_at", "observed_at", "claimed_at"), iso),
    **dict.fromkeys(("until", "made_at", "given_at", "since"), iso),
    **dict.fromkeys(("message_ids", "reply_ids"), lambda stored: [str(item) for item in json.loads(stored)]),
    **dict.fromkeys(("steps", "windows", "offered", "checks"), json.loads),
    **dict.fromkeys(("tags", "mentions"), json.loads),
    **dict.fromkeys(("features",), lambda stored: base64.b64encode(stored).decode("ascii")),
}


class SqlPrivacyStore:
    """`PrivacyStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries, eraser: Eraser, ledger: Ledger) -> None:
        self._ledger = ledger
        self._database = database
        self._queries = queries
        self._eraser = eraser

    async def counts(self, user_id: int) -> Mapping[str, int]:
        """Return how many rows of each table are about the user."""
        async with self._database.snapshot() as connection:
            return {
                table: await self._queries.number(connection, f"count_{table}", user_id=user_id) for table in TABLES
            }

    async def forget(self, user_id: int) -> Mapping[str, int]:
        """Delete every row about the user in one transaction; return how many of each table went.

        An opt-out survives as the bare fact. Model calls stay as numbers that name nobody. In a large file the
        last remains in unused parts of pages go with the daily erasure.
        A backup that is restored later doesn't bring any of it back.
        """
        await self._ledger.note(Gone.PERSON, (user_id,))
        async with self._database.transaction() as connection:
            await self._queries.where_there_is(connection, "widen_cache")
            try:
                gone = await self._forget_all(connection, user_id)
            finally:
                await self._queries.at_once_where_there_is(connection, "narrow_cache")
        await self._eraser.erase()
        return gone

    async def export(self, user_id: int) -> Mapping[str, Any]:
        """Return everything kept about the user as plain JSON values: per table a list of objects."""
        async with self._database.snapshot() as connection:
            found = {table: await self._queries.rows(connection, f"list_{table}", user_id=user_id) for table in TABLES}
        return {table: [_shown(row) for row in rows] for table, rows in found.items()}

    async def _forget_all(self, connection: Connection, user_id: int) -> Mapping[str, int]:
        await self._queries.hold(connection, "hold_owner", id=user_id)
        await self._queries.hold(connection, "hold_summaries")
        await self._queries.hold(connection, "hold_caps")
        await self._queries.run(connection, "add_days_to_nobody", user_id=user_id)
        # Months are sums of the days, and so not counted among what there was.
        await self._queries.run(connection, "forget_usage_months", user_id=user_id)
        gone = {table: await self._forget(connection, table, user_id) for table in _TABLES}
        users = await self._queries.run(connection, "forget_user", user_id=user_id)
        gone["users"] = users + await self._queries.run(connection, "strip_user", user_id=user_id)
        return gone

    async def _forget(self, connection: Connection, table: str, user_id: int) -> int:
        return await self._queries.run(connection, f"forget_{table}", user_id=user_id)


def _shown(row: Row) -> dict[str, Any]:
    return {name: _value(name, row[name]) for name in row.keys()}  # noqa: SIM118 - a Row iterates over its values


def _value(column: str, stored: Value) -> object:
    show = _SHOWN.get(column)
    return stored if show is None or stored is None else show(stored)
