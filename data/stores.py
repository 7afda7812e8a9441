"""All stores on one database, for whoever puts the program together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from core.clock import Clock
from core.ports import IndexTerms
from data.allow_lists import SqlAllowListStore
from data.archive import SqlMessageArchive
from data.connection import Database
from data.erasure import Eraser
from data.leases import SqlLeaseStore
from data.ledger import Ledger
from data.migrations import load_migrations, migrate
from data.opening import Place, eraser_for, open_database
from data.people import (
    SqlCharacterStateStore,
    SqlConsentStore,
    SqlGuildStore,
    SqlKeptFactStore,
    SqlUserStore,
)
from data.privacy import SqlPrivacyStore
from data.proactive.drafts import SqlDraftStore
from data.proactive.slots import SqlSlotStore
from data.proactive.subscriptions import SqlSubscriptionStore
from data.recall import SqlRecallStore
from data.sessions import SqlSessionStore
from data.social.embeddings import SqlEmbeddingStore
from data.social.layers import SqlSocialStore
from data.social.posts import SqlPostStore, SqlPostSummaryStore
from data.sql import NamedQueries
from data.summaries import SqlSummaryStore
from data.traces import SqlTraceStore
from data.usage import SqlUsageStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """Every store of `core.ports`, sharing one database."""

    database: Database
    eraser: Eraser
    archive: SqlMessageArchive
    summaries: SqlSummaryStore
    recall: SqlRecallStore
    sessions: SqlSessionStore
    users: SqlUserStore
    kept_facts: SqlKeptFactStore
    consents: SqlConsentStore
    guilds: SqlGuildStore
    allow_lists: SqlAllowListStore
    characters: SqlCharacterStateStore
    usage: SqlUsageStore
    traces: SqlTraceStore
    subscriptions: SqlSubscriptionStore
    slots: SqlSlotStore
    drafts: SqlDraftStore
    posts: SqlPostStore
    post_summaries: SqlPostSummaryStore
    social: SqlSocialStore
    embeddings: SqlEmbeddingStore
    leases: SqlLeaseStore
    privacy: SqlPrivacyStore


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
        archive=SqlMessageArchive(
            database=database, queries=queries, eraser=eraser, index_terms=index_terms, ledger=ledger
        ),
        summaries=SqlSummaryStore(database=database, queries=queries),
        recall=SqlRecallStore(database=database, queries=queries),
        sessions=SqlSessionStore(database=database, queries=queries),
        users=SqlUserStore(database=database, queries=queries, ledger=ledger),
        kept_facts=SqlKeptFactStore(database=database, queries=queries, eraser=eraser, ledger=ledger),
        consents=SqlConsentStore(database=database, queries=queries, eraser=eraser, ledger=ledger),
        guilds=SqlGuildStore(database=database, queries=queries, ledger=ledger),
        allow_lists=SqlAllowListStore(database=database, queries=queries, eraser=eraser),
        characters=SqlCharacterStateStore(database=database, queries=queries),
        usage=SqlUsageStore(database=database, queries=queries),
        traces=SqlTraceStore(database=database, queries=queries),
        subscriptions=SqlSubscriptionStore(database=database, queries=queries, ledger=ledger),
        slots=SqlSlotStore(database=database, queries=queries),
        drafts=SqlDraftStore(database=database, queries=queries, eraser=eraser),
        posts=SqlPostStore(database=database, queries=queries),
        post_summaries=SqlPostSummaryStore(database=database, queries=queries),
        social=SqlSocialStore(database=database, queries=queries, eraser=eraser),
        embeddings=SqlEmbeddingStore(database=database, queries=queries),
        leases=SqlLeaseStore(database=database, queries=queries),
        privacy=SqlPrivacyStore(database=database, queries=queries, eraser=eraser, ledger=ledger),
    )
