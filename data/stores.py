"""All stores on one database, for whoever puts the program together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from core.clock import Clock
from core.ports import IndexTerms
from data.allow_lists import SqliteAllowListStore
from data.archive import SqliteMessageArchive
from data.connection import Database
from data.erasure import Eraser
from data.leases import SqliteLeaseStore
from data.ledger import Ledger
from data.migrations import load_migrations, migrate
from data.opening import Place, eraser_for, open_database
from data.people import (
    SqliteCharacterStateStore,
    SqliteConsentStore,
    SqliteGuildStore,
    SqliteKeptFactStore,
    SqliteUserStore,
)
from data.privacy import SqlitePrivacyStore
from data.proactive.drafts import SqliteDraftStore
from data.proactive.slots import SqliteSlotStore
from data.proactive.subscriptions import SqliteSubscriptionStore
from data.recall import SqliteRecallStore
from data.sessions import SqliteSessionStore
from data.social.embeddings import SqliteEmbeddingStore
from data.social.layers import SqliteSocialStore
from data.social.posts import SqlitePostStore, SqlitePostSummaryStore
from data.sql import NamedQueries
from data.summaries import SqliteSummaryStore
from data.traces import SqliteTraceStore
from data.usage import SqliteUsageStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """Every store of `core.ports`, sharing one database."""

    database: Database
    eraser: Eraser
    archive: SqliteMessageArchive
    summaries: SqliteSummaryStore
    recall: SqliteRecallStore
    sessions: SqliteSessionStore
    users: SqliteUserStore
    kept_facts: SqliteKeptFactStore
    consents: SqliteConsentStore
    guilds: SqliteGuildStore
    allow_lists: SqliteAllowListStore
    characters: SqliteCharacterStateStore
    usage: SqliteUsageStore
    traces: SqliteTraceStore
    subscriptions: SqliteSubscriptionStore
    slots: SqliteSlotStore
    drafts: SqliteDraftStore
    posts: SqlitePostStore
    post_summaries: SqlitePostSummaryStore
    social: SqliteSocialStore
    embeddings: SqliteEmbeddingStore
    leases: SqliteLeaseStore
    privacy: SqlitePrivacyStore


@asynccontextmanager
async def open_stores(
    place: Place,
    index_terms: IndexTerms,
    *,
    busy_timeout: timedelta = timedelta(seconds=5),
    clock: Clock | None = None,
) -> AsyncIterator[Stores]:
    """Open a database, bring its schema up to date, and close it at the end.

    Raises:
        StorageError: It can't be used, is damaged, or belongs to a newer or another program.
    """
    database = await open_database(place, busy_timeout=busy_timeout)
    try:
        await migrate(database, load_migrations(dialect=database.dialect))
        yield build_stores(database, index_terms, Ledger.beside(place, clock) if isinstance(place, Path) else None)
    finally:
        await database.close()


def build_stores(database: Database, index_terms: IndexTerms, ledger: Ledger | None = None) -> Stores:
    """Build the stores on an open database whose schema is up to date; deletions are noted in `ledger`."""
    ledger = ledger or Ledger(None)
    queries = NamedQueries(database.dialect)
    eraser = eraser_for(database, queries)
    return Stores(
        database=database,
        eraser=eraser,
        archive=SqliteMessageArchive(
            database=database, queries=queries, eraser=eraser, index_terms=index_terms, ledger=ledger
        ),
        summaries=SqliteSummaryStore(database=database, queries=queries, eraser=eraser),
        recall=SqliteRecallStore(database=database, queries=queries),
        sessions=SqliteSessionStore(database=database, queries=queries),
        users=SqliteUserStore(database=database, queries=queries, ledger=ledger),
        kept_facts=SqliteKeptFactStore(database=database, queries=queries, eraser=eraser, ledger=ledger),
        consents=SqliteConsentStore(database=database, queries=queries, eraser=eraser, ledger=ledger),
        guilds=SqliteGuildStore(database=database, queries=queries),
        allow_lists=SqliteAllowListStore(database=database, queries=queries, eraser=eraser),
        characters=SqliteCharacterStateStore(database=database, queries=queries),
        usage=SqliteUsageStore(database=database, queries=queries),
        traces=SqliteTraceStore(database=database, queries=queries),
        subscriptions=SqliteSubscriptionStore(database=database, queries=queries, ledger=ledger),
        slots=SqliteSlotStore(database=database, queries=queries),
        drafts=SqliteDraftStore(database=database, queries=queries, eraser=eraser),
        posts=SqlitePostStore(database=database, queries=queries),
        post_summaries=SqlitePostSummaryStore(database=database, queries=queries),
        social=SqliteSocialStore(database=database, queries=queries, eraser=eraser),
        embeddings=SqliteEmbeddingStore(database=database, queries=queries),
        leases=SqliteLeaseStore(database=database, queries=queries),
        privacy=SqlitePrivacyStore(database=database, queries=queries, eraser=eraser, ledger=ledger),
    )
