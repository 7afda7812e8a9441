"""The named queries: each says what it is for, and SQLite takes each with the schema as it is."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

import data
from data.sql import NamedQueries
from data.stores import open_stores
from tests.contract.bundle import AKI_DM, CHANNEL, key, message, summarise
from tests.fakes.stores import casefolded_words

CODE = Path(data.__file__).parent
SQLITES_OWN = {
    "begin_index_merge",
    "continue_index_merge",
    "changes_so_far",
    "truncate_log",
    "widen_cache",
    "narrow_cache",
    "rewrite_file",
    "file_size",
    "pending_erasure",
    "erasure_done",
}
NOT_EXPLAINABLE = {"truncate_log", "rewrite_file"}


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_every_query_says_what_it_is_for(dialect: str) -> None:
    silent = [name for name, purpose in NamedQueries(dialect).purposes.items() if not (purpose or "").strip()]

    assert silent == []


async def test_every_query_fits_the_schema(tmp_path: Path) -> None:
    queries = NamedQueries()
    explainable = sorted(queries.purposes.keys() - NOT_EXPLAINABLE)
    async with (
        open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores,
        stores.database.exclusive() as connection,
    ):
        for name in explainable:
            sql, parameters = queries.statement(name)
            assert list(await connection.execute_fetchall(f"EXPLAIN {sql}", dict.fromkeys(parameters))), name


async def test_every_query_fits_the_schema_of_postgresql(new_postgresql: Callable[[], str]) -> None:
    """A parameter that may be NULL needs a CAST where nothing else tells its type."""
    queries = NamedQueries("postgresql")
    async with (
        open_stores(new_postgresql(), casefolded_words) as stores,
        stores.database.exclusive() as connection,
    ):
        for name in sorted(queries.purposes):
            sql, parameters = queries.statement(name)
            for place, parameter in enumerate(parameters, start=1):
                sql = sql.replace(f"%({parameter})s", f"${place}")
            sql = sql.replace("%%", "%")
            await connection.execute(f'PREPARE "{name}" AS {sql}')


_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"

# Queries that look at every row of a table, and why that does no harm.
SMALL_TABLES = {
    "allowed_channels", "clear_troubles_of_channel", "drop_cap_warnings", "erasure_done", "pending_erasure",
}  # fmt: skip
ROUNDS = {  # in the background, or when a server or channel is gone
    "backlog", "count_outdated", "count_posts", "delete_facts_told_in_channel", "delete_facts_told_in_guild",
    "delete_impressions_in_guild", "delete_posts_of_guild", "drop_empty_days", "empty_conversations",
    "outdated_digests", "outdated_interests", "outdated_messages", "undigested_posts",
}  # fmt: skip
FOR_OPERATORS = {  # restoring a backup, filling a benchmark
    "channels_on_record", "facts_on_record", "fill_usage_days", "fill_usage_kinds", "messages_on_record",
    "people_on_record", "recipients_on_record", "servers_on_record",
}  # fmt: skip
IN_ORDER = {"newest_slots", "recent_traces", "rows_with_terms", "steps_of_newest_turns"}
"""Along an index, and no further than they need to."""


def test_every_database_has_the_same_queries_but_for_what_it_needs_itself() -> None:
    """What is held on PostgreSQL needs no holding on SQLite; its file and its index need nothing on PostgreSQL."""
    sqlite, postgresql = NamedQueries("sqlite").purposes.keys(), NamedQueries("postgresql").purposes.keys()
    held = set(re.findall(r'hold\(\s*connection, "(\w+)"', "".join(file.read_text() for file in CODE.rglob("*.py"))))

    assert postgresql - sqlite == held
    assert sqlite - postgresql == {*SQLITES_OWN, *(name for name in sqlite if name.startswith("fill_"))}


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("recent_messages", "archive_conversation"),
        ("delete_message", "sqlite_autoindex_archive"),
        ("copies_of_message", "sqlite_autoindex_archive"),
        ("forget_archive", "archive_author"),
        ("totals_of_user", "usage_days_user"),
        ("totals_of_guild", "usage_kinds_guild"),
        ("totals_of_all", "PRIMARY KEY (day>"),
        ("usage_of_person_by_feature", "usage_user"),
        ("answered_messages", "traces_conversation"),
        ("due_subscriptions", "proactive_subscriptions_due"),
        ("listening_subscriptions", "sqlite_autoindex_proactive_subscriptions"),
        ("slot_past", "proactive_slots_claimed"),
        ("last_said", "proactive_slots_claimed"),
        ("claim_slot", "proactive_slots_claimed"),
        ("unfinished_slots", "proactive_slots_unfinished"),
        ("recent_slots", "sqlite_autoindex_proactive_slots"),
        ("slot_outcomes", "COVERING INDEX proactive_slots_due"),
        ("steps_of_newest_turns", "COVERING INDEX traces_at"),
    ],
)
async def test_what_runs_often_is_answered_by_an_index(tmp_path: Path, name: str, index: str) -> None:
    sql, parameters = NamedQueries().statement(name)
    async with (
        open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores,
        stores.database.reading() as connection,
    ):
        plan = await connection.execute_fetchall(f"EXPLAIN QUERY PLAN {sql}", dict.fromkeys(parameters))

    steps = [row["detail"] for row in plan]
    assert any(index in step for step in steps), steps
    assert not any(step.startswith(("SCAN archive", "SCAN proactive")) for step in steps), steps


async def test_no_query_of_a_cycle_goes_through_all_posts(tmp_path: Path) -> None:
    queries = NamedQueries()
    names = (
        "unread_newest", "unread_followees", "unread_notices", "unread_of_author", "vectors_under_tag",
        "newest_vectors", "posts_by_id", "posts_of_author", "recent_vectors", "replies_to_post", "newest_post",
        "written_since", "social_followers", "posts_of_character", "impressions_of", "peers",
    )  # fmt: skip
    async with (
        open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores,
        stores.database.reading() as connection,
    ):
        for name in names:
            sql, parameters = queries.statement(name)
            plan = await connection.execute_fetchall(f"EXPLAIN QUERY PLAN {sql}", dict.fromkeys(parameters))
            scans = [row["detail"] for row in plan if row["detail"].startswith("SCAN")]
            assert all("VIRTUAL TABLE" in scan for scan in scans), (name, scans)  # a list in JSON is one


async def test_nothing_else_goes_through_a_whole_table(tmp_path: Path) -> None:
    queries, scanning = NamedQueries(), set()
    async with (
        open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores,
        stores.database.reading() as connection,
    ):
        tables = {row["name"] for row in await connection.execute_fetchall(_TABLES)}
        for name in queries.purposes:
            sql, parameters = queries.statement(name)
            plan = await connection.execute_fetchall(f"EXPLAIN QUERY PLAN {sql}", dict.fromkeys(parameters))
            steps = [row["detail"].split() for row in plan]
            if any(step[0] == "SCAN" and step[1] in tables for step in steps):
                scanning.add(name)

    assert scanning == {*SMALL_TABLES, *ROUNDS, *FOR_OPERATORS, *IN_ORDER}


def steps(connection: sqlite3.Connection, sql: str, parameters: dict[str, str | int]) -> int:
    """Count what SQLite's machine does for a statement."""
    taken = count()
    connection.set_progress_handler(lambda: next(taken) < 0, 1)
    assert connection.execute(sql, parameters).fetchall()
    connection.set_progress_handler(None, 0)
    return next(taken)


async def test_reading_a_summary_takes_no_longer_the_more_messages_it_was_made_of(tmp_path: Path) -> None:
    async with open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores:
        await stores.archive.add([message(1, "tea"), message(2, "more tea", surface=AKI_DM)])
        await summarise(stores, key(CHANNEL), 1)
        await summarise(stores, key(AKI_DM), 2)
    sql, _ = NamedQueries().statement("summary")
    with closing(sqlite3.connect(tmp_path / "yorisoi.db")) as connection:
        connection.execute("""
            INSERT INTO summary_sources (conversation_id, message_id)
            WITH RECURSIVE numbers (n) AS (SELECT 3 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3000)
            SELECT id, n FROM conversations, numbers WHERE kind = 'dm'
        """)
        short, long = (
            steps(connection, sql, {"character": "hinata", "channel_id": surface.channel_id})
            for surface in (CHANNEL, AKI_DM)
        )

    assert long == short
