"""A snapshot as the ports a turn reads. What goes on within a session is kept for that run alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

import numpy as np

from core.ports import (
    AllowListStore,
    ArchiveEntry,
    Candidate,
    CandidatePool,
    Cap,
    Encounter,
    GuildStore,
    HistorySource,
    IndexTerms,
    RecallStore,
    Reserved,
    SessionStore,
    SummaryStore,
    TermHit,
    TermSearch,
    UsageKey,
    UsageRecord,
    UsageSum,
    UsageTotals,
    UserStore,
)
from core.sandbox.snapshot import Snapshot
from core.sandbox.tools import Ledger, guarded
from core.stance.types import StanceInertia
from core.values import (
    ConversationKey,
    ConversationSummary,
    GuildSettings,
    Surface,
    UserProfile,
    Utterance,
)

_DIMENSIONS = 512


@dataclass(slots=True)
class Course:
    """What changes from turn to turn of one run, and is gone with it."""

    last_seen: datetime | None
    inertia: StanceInertia


@dataclass(frozen=True, slots=True)
class _Users:
    snapshot: Snapshot
    course: Course

    async def get(self, user_id: int) -> UserProfile:
        context = self.snapshot.context
        if user_id == context.user.id:
            return context.user
        return UserProfile(id=user_id, opted_out=user_id in context.opted_out)

    async def met(self, user_id: int, *, conversation: ConversationKey, now: datetime) -> Encounter:
        del conversation, now
        context = self.snapshot.context
        return Encounter(
            user=await self.get(user_id),
            last_seen=self.course.last_seen,
            session=context.session,
            kept=context.kept if user_id == context.user.id else (),
        )


@dataclass(frozen=True, slots=True)
class _Guilds:
    snapshot: Snapshot

    async def get(self, guild_id: int) -> GuildSettings:
        return self.snapshot.context.guild or GuildSettings(guild_id=guild_id)


@dataclass(frozen=True, slots=True)
class _Sessions:
    snapshot: Snapshot
    course: Course

    async def inertia(self, conversation: ConversationKey, user_id: int, *, now: datetime) -> StanceInertia:
        del conversation, user_id, now
        return self.course.inertia


@dataclass(frozen=True, slots=True)
class _AllowLists:
    snapshot: Snapshot

    async def of(self, guild_id: int) -> list[str]:
        del guild_id
        return list(self.snapshot.context.allowed)


@dataclass(frozen=True, slots=True)
class _Summaries:
    snapshot: Snapshot

    async def get(self, conversation: ConversationKey) -> ConversationSummary | None:
        del conversation
        return self.snapshot.context.summary


@dataclass(frozen=True, slots=True)
class _History:
    snapshot: Snapshot

    async def history(self, surface: Surface, *, before: int | None, limit: int) -> list[Utterance]:
        del surface
        said = self.snapshot.context.history
        return [utterance for utterance in said if before is None or utterance.id < before][-limit:]


@dataclass(frozen=True, slots=True)
class _Recall:
    """The archive of the snapshot, all of it readable. Without vectors: words and the newest decide what is offered."""

    entries_held: tuple[ArchiveEntry, ...]
    index_terms: IndexTerms

    async def search(self, conversation: ConversationKey, terms: Sequence[str], *, limit: int) -> TermSearch:
        del conversation
        held = [(entry, frozenset(terms) & set(self.index_terms(entry.text or ""))) for entry in self.entries_held]
        frequencies = {term: sum(term in found for _, found in held) for term in terms}
        holding = [hit for hit in held if hit[1]]
        best = sorted(holding, key=lambda hit: sum(1 / (1 + frequencies[term]) for term in hit[1]))[-limit:]
        in_order = sorted(best, key=lambda hit: hit[0].sent_at)
        hits = tuple(TermHit(_candidate(entry), found) for entry, found in in_order)
        return TermSearch(hits=hits, frequencies=frequencies, size=len(self.entries_held))

    async def newest(self, conversation: ConversationKey, *, limit: int) -> list[ArchiveEntry]:
        del conversation
        return list(self.entries_held[-limit:]) if limit > 0 else []

    async def pool(self, conversation: ConversationKey, *, model: str, limit: int) -> CandidatePool:
        del conversation, model
        entries = self.entries_held[-limit:]
        return CandidatePool(
            message_ids=np.array([entry.message_id for entry in entries], np.int64),
            texts=[entry.text or "" for entry in entries],
            by_self=np.array([entry.is_self for entry in entries], np.bool_),
            vectors=np.zeros((len(entries), _DIMENSIONS), np.int8),
            whole=len(self.entries_held) <= limit,
        )

    async def entries(self, conversation: ConversationKey, message_ids: Sequence[int]) -> list[ArchiveEntry]:
        del conversation
        return [entry for entry in self.entries_held if entry.message_id in message_ids]

    async def beside(self, conversation: ConversationKey, message_id: int) -> list[ArchiveEntry]:
        del conversation
        entries = self.entries_held
        places = [index for index, entry in enumerate(entries) if entry.message_id == message_id]
        return [entries[i] for place in places for i in (place - 1, place + 1) if 0 <= i < len(entries)]


def _candidate(entry: ArchiveEntry) -> Candidate:
    return Candidate(message_id=entry.message_id, text=entry.text or "", is_self=entry.is_self)


@dataclass(frozen=True, slots=True)
class OwnUsage:
    """`UsageStore` of one run: counts nothing anywhere else."""

    records: list[UsageRecord] = field(default_factory=list)

    async def add(self, record: UsageRecord) -> None:
        """Count a call."""
        self.records.append(record)

    async def reserve(self, record: UsageRecord, caps: Sequence[Cap]) -> Reserved | Cap:
        """Count a call that is about to be made; the budget of a comparison is counted elsewhere."""
        self.records.append(record)
        return Reserved(len(self.records) - 1, tuple(UsageTotals() for _ in caps))

    async def settle(self, number: int, record: UsageRecord) -> None:
        """Put what a call used in the place of what was reserved."""
        self.records[number] = record

    async def totals(
        self, day: date, *, since: date | None = None, user_id: int | None = None, guild_id: int | None = None
    ) -> UsageTotals:
        """Return nothing: the budget of a comparison is counted elsewhere."""
        del day, since, user_id, guild_id
        return UsageTotals()

    async def sums(
        self, by: UsageKey, first: date, last: date, *, user_id: int | None = None, guild_id: int | None = None
    ) -> list[UsageSum]:
        """Return nothing: nobody asks for a report of a comparison here."""
        del by, first, last, user_id, guild_id
        return []

    async def claim_warning(self, cap: str, first_day: date, percent: int) -> bool:
        """Return False: there is no cap to warn of."""
        del cap, first_day, percent
        return False

    async def forget_whose(self, before: datetime) -> int:
        """Return 0: nothing is kept."""
        del before
        return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenStores:
    """The stores that answering a turn reads (`core.turn.steps.TurnStores`), and what is said before it."""

    users: UserStore
    guilds: GuildStore
    sessions: SessionStore
    allow_lists: AllowListStore
    summaries: SummaryStore
    history: HistorySource


def frozen_stores(snapshot: Snapshot, course: Course, ledger: Ledger) -> FrozenStores:
    """Return a snapshot's stores, each behind the guard."""
    return FrozenStores(
        users=guarded("users", _Users(snapshot, course), ledger),
        guilds=guarded("guilds", _Guilds(snapshot), ledger),
        sessions=guarded("sessions", _Sessions(snapshot, course), ledger),
        allow_lists=guarded("allow_lists", _AllowLists(snapshot), ledger),
        summaries=guarded("summaries", _Summaries(snapshot), ledger),
        history=guarded("history", _History(snapshot), ledger),
    )


def frozen_recall(snapshot: Snapshot, index_terms: IndexTerms, ledger: Ledger) -> RecallStore:
    """Return the snapshot's archive, behind the guard."""
    store: RecallStore = guarded("recall", _Recall(snapshot.context.archive, index_terms), ledger)
    return store
