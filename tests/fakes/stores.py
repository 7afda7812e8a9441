"""The stores of core's ports, kept in memory. They pass the same contract suite as the ones on SQLite.

`InMemoryStores()` builds them all on one state; a single store can be built alone, too: `InMemoryArchive()`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.ports import (
    AlikeTurns,
    ArchiveEntry,
    Candidate,
    CandidatePool,
    Cap,
    Encounter,
    IndexTerms,
    Reserved,
    StoredSource,
    TermHit,
    TermSearch,
    TurnKind,
    Unembedded,
    UsageKey,
    UsageRecord,
    UsageSum,
    UsageTotals,
)
from core.proactive.types import RecipientKind
from core.sharding.shards import EVERYTHING, Shards
from core.stance.types import StanceInertia
from core.turn.trace import TraceRecord
from core.values import (
    LARGEST_ID,
    ConversationKey,
    ConversationSummary,
    FactSource,
    GuildSettings,
    KeptFact,
    Locale,
    Session,
    Speaker,
    Surface,
    Tier,
    UserProfile,
    Utterance,
)
from tests.fakes.proactive import (
    InMemoryDrafts,
    InMemoryLeases,
    InMemorySlots,
    InMemorySubscriptions,
    ProactiveState,
)
from tests.fakes.social import InMemoryEmbeddings, InMemoryPosts, InMemoryPostSummaries, InMemorySocial, SocialState


def casefolded_words(text: str) -> list[str]:
    """The simplest `IndexTerms`: words between spaces, in lower case."""
    return text.casefold().split()


@dataclass
class OpenSession:
    """A session with the moment it ends."""

    session: Session
    expires_at: datetime


@dataclass(frozen=True)
class Summarised:
    """A summary with the ids of the messages it was made of, directly or through the one before it."""

    summary: ConversationSummary
    sources: frozenset[int]


@dataclass
class State(ProactiveState, SocialState):
    """Everything that is stored."""

    archive: dict[tuple[ConversationKey, int], ArchiveEntry] = field(default_factory=dict)
    vectors: dict[tuple[ConversationKey, int], tuple[str, ArchiveEntry, bytes]] = field(default_factory=dict)
    surfaces: dict[ConversationKey, Surface] = field(default_factory=dict)
    owners: dict[ConversationKey, int] = field(default_factory=dict)
    summaries: dict[ConversationKey, Summarised] = field(default_factory=dict)
    sessions: dict[ConversationKey, OpenSession] = field(default_factory=dict)
    inertia: dict[tuple[ConversationKey, int], tuple[StanceInertia, datetime]] = field(default_factory=dict)
    last_seen: dict[tuple[int, str], datetime] = field(default_factory=dict)
    kept_facts: dict[int, list[KeptFact]] = field(default_factory=dict)
    last_fact_numbers: dict[int, int] = field(default_factory=dict)
    guilds: dict[int, GuildSettings] = field(default_factory=dict)
    welcomed: set[tuple[int, str]] = field(default_factory=set)
    allowed: dict[int, list[str]] = field(default_factory=dict)
    usage: list[UsageRecord] = field(default_factory=list)
    cap_warnings: set[tuple[str, date, int]] = field(default_factory=set)
    traces: dict[str, TraceRecord] = field(default_factory=dict)

    def drop_conversations(self, keys: Iterable[ConversationKey]) -> int:
        """Delete conversations with all that hangs on them; return how many messages went."""
        gone = set(keys)
        doomed = [key for key in self.archive if key[0] in gone]
        for key in doomed:
            self.drop_message(key)
        for conversation in gone:
            self.surfaces.pop(conversation, None)
            self.owners.pop(conversation, None)
            self.sessions.pop(conversation, None)
            self.summaries.pop(conversation, None)
        self.inertia = {key: held for key, held in self.inertia.items() if key[0] not in gone}
        self.traces = {turn: trace for turn, trace in self.traces.items() if trace.conversation not in gone}
        return len(doomed)

    def usage_days(self, user_id: int) -> set[tuple[date, int | None]]:
        """Return on which days a person used something, and where."""
        return {(row.day, row.guild_id) for row in self.usage if row.user_id == user_id}

    def drop_message(self, key: tuple[ConversationKey, int]) -> None:
        """Delete a message with the summary it is in."""
        self.drop_summary(*key)
        del self.archive[key]

    def drop_summary(self, conversation: ConversationKey, message_id: int) -> None:
        """Delete a conversation's summary if it covers a message."""
        summary = self.summaries.get(conversation)
        if summary is not None and message_id in summary.sources:
            del self.summaries[conversation]

    def summarised(self, user_id: int) -> set[ConversationKey]:
        """Return the conversations whose summary covers what a user wrote."""
        return {
            key
            for key, summary in self.summaries.items()
            if any(
                entry.author_id == user_id
                for (where, one), entry in self.archive.items()
                if where == key and one in summary.sources
            )
        }

    def forget_facts(self, told: Callable[[FactSource], bool]) -> None:
        """Forget the facts with such a source."""
        for user_id, facts in self.kept_facts.items():
            self.kept_facts[user_id] = [fact for fact in facts if fact.source is None or not told(fact.source)]

    def owned_by(self, user_id: int) -> set[ConversationKey]:
        """Return the private conversations of a user."""
        return {key for key, owner in self.owners.items() if owner == user_id}


class InMemoryArchive:
    """`MessageArchive`."""

    def __init__(self, state: State | None = None, *, index_terms: IndexTerms = casefolded_words) -> None:
        self.state = state or State()
        self._index_terms = index_terms

    @property
    def entries(self) -> list[ArchiveEntry]:
        """Everything stored, in the order it came in."""
        return list(self.state.archive.values())

    async def add(self, entries: Sequence[ArchiveEntry]) -> None:
        for entry in entries:
            text = None if entry.text is None or entry.sensitive else _storable(entry.text)
            stored = replace(entry, text=text, owner_id=None)
            self.state.archive.setdefault((entry.conversation, entry.message_id), stored)
            self.state.surfaces[entry.conversation] = entry.surface
            owner = entry.owner_id if entry.is_self else entry.author_id
            if entry.surface.is_private and owner is not None:
                self.state.owners.setdefault(entry.conversation, owner)

    async def edit(self, message_id: int, text: str | None, edited_at: datetime) -> bool:
        found = [key for key in self.state.archive if key[1] == message_id]
        if text is None:
            self.state.forget_facts(lambda source: source.message_id == message_id)
            self.state.drop_posts(lambda post: post.id == message_id)
        else:
            self.state.edit_post(message_id, _storable(text))
        for key in found:
            self.state.drop_summary(*key)
            old = self.state.archive[key]
            sensitive = old.sensitive or text is None
            kept = None if sensitive or text is None else _storable(text)
            self.state.archive[key] = replace(old, text=kept, sensitive=sensitive, edited_at=edited_at)
        return bool(found)

    async def delete(self, message_ids: Sequence[int]) -> int:
        self.state.forget_facts(lambda source: source.message_id in message_ids)
        self.state.drop_posts(lambda post: post.id in message_ids)
        return self._delete([key for key in self.state.archive if key[1] in message_ids])

    async def delete_channel(self, channel_id: int) -> int:
        self.state.forget_facts(lambda source: channel_id in {source.channel_id, source.parent_id})
        self.state.drop_posts(lambda post: channel_id in {post.surface.channel_id, post.place_id})
        surfaces = self.state.surfaces
        known = {key for key in surfaces if channel_id in {key.channel_id, surfaces[key].parent_id}}
        elsewhere = {key for key in self.state.sessions if key.channel_id == channel_id}
        traced = {trace.conversation for trace in self.state.traces.values()}
        return self.state.drop_conversations(
            known | elsewhere | {key for key in traced if key.channel_id == channel_id}
        )

    async def delete_guild(self, guild_id: int, *, character: str) -> int:
        self.state.drop_impressions_in(guild_id, character)
        placed = [key for key, surface in self.state.surfaces.items() if surface.guild_id == guild_id]
        traced = [trace.conversation for trace in self.state.traces.values() if trace.guild_id == guild_id]
        return self.state.drop_conversations(key for key in (*placed, *traced) if key.character == character)

    async def recent(
        self, conversation: ConversationKey, *, limit: int, after: int = -1, before: int = LARGEST_ID
    ) -> list[Utterance]:
        newest = [entry for entry in self._newest_first(conversation) if entry.text is not None][:limit]
        return [_as_utterance(entry) for entry in reversed(newest) if after < entry.message_id < before]

    async def delete_older_than(self, moment: datetime) -> int:
        self.state.drop_posts(lambda post: post.sent_at < moment)
        return self._delete([key for key, entry in self.state.archive.items() if entry.sent_at < moment])

    def _newest_first(self, conversation: ConversationKey) -> list[ArchiveEntry]:
        mine = [entry for entry in self.state.archive.values() if entry.conversation == conversation]
        return sorted(mine, key=lambda entry: entry.sent_at)[::-1]

    def _delete(self, keys: Sequence[tuple[ConversationKey, int]]) -> int:
        for key in keys:
            self.state.drop_message(key)
        return len(keys)


class InMemoryRecall:
    """`RecallStore`. A vector counts for the model and the stored message it was made of, and no other."""

    def __init__(self, state: State | None = None, *, index_terms: IndexTerms = casefolded_words) -> None:
        self.state = state or State()
        self._index_terms = index_terms
        self._asked: list[ArchiveEntry] = []

    async def search(self, conversation: ConversationKey, terms: Sequence[str], *, limit: int) -> TermSearch:
        of_all = [
            (entry, frozenset(terms) & set(self._index_terms(entry.text or ""))) for entry in self._all(conversation)
        ]
        frequencies = {term: sum(term in held for _, held in of_all) for term in terms}
        readable = [hit for hit in of_all if hit[1] and self._is_readable(hit[0])]
        best = sorted(readable, key=lambda hit: sum(1 / (1 + frequencies[term]) for term in hit[1]))[-limit:]
        in_order = sorted(best, key=lambda hit: hit[0].sent_at)
        hits = tuple(TermHit(_candidate(entry), held) for entry, held in in_order)
        return TermSearch(hits=hits, frequencies=frequencies, size=len(of_all))

    async def newest(self, conversation: ConversationKey, *, limit: int) -> list[ArchiveEntry]:
        return self._readable(conversation)[-limit:] if limit > 0 else []

    async def pool(self, conversation: ConversationKey, *, model: str, limit: int) -> CandidatePool:
        entries = self._readable(conversation)
        vectors = np.zeros((len(entries[-limit:]), 512), np.int8)
        for index, entry in enumerate(entries[-limit:]):
            if (kept := self._vector(entry, model)) is not None:
                vectors[index] = np.frombuffer(kept, np.int8)
        return pool_of(entries[-limit:], vectors, whole=len(entries) <= limit)

    async def entries(self, conversation: ConversationKey, message_ids: Sequence[int]) -> list[ArchiveEntry]:
        return [entry for entry in self._readable(conversation) if entry.message_id in message_ids]

    async def beside(self, conversation: ConversationKey, message_id: int) -> list[ArchiveEntry]:
        entries = self._all(conversation)
        places = [index for index, entry in enumerate(entries) if entry.message_id == message_id]
        near = [i for place in places for i in (place - 1, place + 1) if 0 <= i < len(entries)]
        return [entries[i] for i in near if self._is_readable(entries[i])]

    async def unembedded(
        self, conversation: ConversationKey, *, model: str, beyond: int, limit: int
    ) -> list[Unembedded]:
        if len(self._all(conversation)) <= beyond:
            return []
        without = [entry for entry in self._readable(conversation) if self._vector(entry, model) is None]
        return [Unembedded(self._key(entry), entry.text or "") for entry in without[::-1][:limit]]

    async def keep_vectors(self, model: str, vectors: Sequence[tuple[Unembedded, bytes]]) -> None:
        for of, vector in vectors:
            entry = self._asked[of.key]
            self.state.vectors[entry.conversation, entry.message_id] = (model, entry, vector)

    def _key(self, entry: ArchiveEntry) -> int:
        self._asked.append(entry)
        return len(self._asked) - 1

    def _vector(self, entry: ArchiveEntry, model: str) -> bytes | None:
        kept = self.state.vectors.get((entry.conversation, entry.message_id))
        return kept[2] if kept is not None and kept[0] == model and kept[1] is entry else None

    def _all(self, conversation: ConversationKey) -> list[ArchiveEntry]:
        mine = [entry for entry in self.state.archive.values() if entry.conversation == conversation]
        return sorted(mine, key=lambda entry: entry.sent_at)

    def _readable(self, conversation: ConversationKey) -> list[ArchiveEntry]:
        return [entry for entry in self._all(conversation) if self._is_readable(entry)]

    def _is_readable(self, entry: ArchiveEntry) -> bool:
        author = self.state.users.get(entry.author_id)
        opted_out = author is not None and author.opted_out and not entry.is_self
        return entry.text is not None and not entry.sensitive and not opted_out


def _storable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def pool_of(entries: Sequence[ArchiveEntry], vectors: NDArray[np.int8], *, whole: bool) -> CandidatePool:
    return CandidatePool(
        message_ids=np.array([entry.message_id for entry in entries], np.int64),
        texts=[entry.text or "" for entry in entries],
        by_self=np.array([entry.is_self for entry in entries], np.bool_),
        vectors=vectors,
        whole=whole,
    )


def _candidate(entry: ArchiveEntry) -> Candidate:
    return Candidate(message_id=entry.message_id, text=entry.text or "", is_self=entry.is_self)


def _as_utterance(entry: ArchiveEntry) -> Utterance:
    author = Speaker(id=entry.author_id, name=entry.author_name, is_bot=entry.is_self)
    return Utterance(
        id=entry.message_id, author=author, text=entry.text or "", sent_at=entry.sent_at, is_self=entry.is_self
    )


class InMemorySummaries:
    """`SummaryStore`."""

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()

    async def get(self, conversation: ConversationKey) -> ConversationSummary | None:
        held = self.state.summaries.get(conversation)
        return None if held is None else held.summary

    async def put(
        self,
        conversation: ConversationKey,
        summary: ConversationSummary,
        *,
        read: Sequence[Utterance],
        replaces: ConversationSummary | None,
    ) -> bool:
        if await self.get(conversation) != replaces:
            return False
        if not all(self._stands(conversation, utterance) for utterance in read):
            return False
        before = self.state.summaries[conversation].sources if replaces is not None else frozenset[int]()
        self.state.summaries[conversation] = Summarised(summary, before | {utterance.id for utterance in read})
        return True

    def _stands(self, conversation: ConversationKey, read: Utterance) -> bool:
        entry = self.state.archive.get((conversation, read.id))
        if entry is None or entry.text != read.text:
            return False
        author = self.state.users.get(entry.author_id)
        return entry.is_self or author is None or not author.opted_out


class InMemorySessions:
    """`SessionStore`."""

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()

    async def current(self, conversation: ConversationKey, *, now: datetime) -> Session | None:
        held = self.state.sessions.get(conversation)
        return held.session if held is not None and held.expires_at > now else None

    async def touch(self, conversation: ConversationKey, *, now: datetime, expires_at: datetime) -> Session:
        held = await self.current(conversation, now=now)
        if held is None:
            session = Session(started_at=now, last_active_at=now, turns=1)
        else:
            session = replace(held, last_active_at=now, turns=held.turns + 1)
        self.state.sessions[conversation] = OpenSession(session, expires_at)
        return session

    async def inertia(self, conversation: ConversationKey, user_id: int, *, now: datetime) -> StanceInertia:
        inertia, expires_at = self.state.inertia.get((conversation, user_id), (StanceInertia(), now))
        return inertia if expires_at > now else StanceInertia()

    async def set_inertia(
        self, conversation: ConversationKey, user_id: int, inertia: StanceInertia, *, now: datetime
    ) -> None:
        if inertia == StanceInertia():
            self.state.inertia.pop((conversation, user_id), None)
        elif await self.current(conversation, now=now) is not None:
            self.state.inertia[conversation, user_id] = inertia, self.state.sessions[conversation].expires_at

    async def delete_expired(self, now: datetime) -> int:
        self.state.inertia = {key: held for key, held in self.state.inertia.items() if held[1] > now}
        expired = [key for key, held in self.state.sessions.items() if held.expires_at <= now]
        for key in expired:
            del self.state.sessions[key]
        return len(expired)


class InMemoryUsers:
    """`UserStore`."""

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()

    async def get(self, user_id: int) -> UserProfile:
        return self.state.users.get(user_id, UserProfile(id=user_id))

    async def met(self, user_id: int, *, conversation: ConversationKey, now: datetime) -> Encounter:
        held = self.state.sessions.get(conversation)
        return Encounter(
            user=await self.get(user_id),
            last_seen=await self.last_seen(user_id, character=conversation.character),
            session=held.session if held is not None and held.expires_at > now else None,
            kept=tuple(self.state.kept_facts.get(user_id, ())),
        )

    async def seen(self, user_id: int, *, character: str, now: datetime, locale: Locale | None) -> None:
        profile = await self.get(user_id)
        if not profile.opted_out:
            self.state.users[user_id] = replace(profile, seen_locale=locale or profile.seen_locale)
            self.state.last_seen[user_id, character] = now

    async def last_seen(self, user_id: int, *, character: str) -> datetime | None:
        return self.state.last_seen.get((user_id, character))

    async def set_locale(self, user_id: int, locale: Locale | None) -> None:
        self.state.users[user_id] = replace(await self.get(user_id), locale=locale)

    async def set_timezone(self, user_id: int, timezone: str | None) -> None:
        self.state.users[user_id] = replace(await self.get(user_id), timezone=timezone)
        self.state.move(lambda one: one.recipient in self.state.about(user_id), timezone)

    async def set_opted_out(self, user_id: int, opted_out: bool) -> None:
        self.state.users[user_id] = replace(await self.get(user_id), opted_out=opted_out)
        if opted_out:
            self.state.withdraw_consent(user_id)
            self.state.take_back_consents(user_id)
            for key in self.state.summarised(user_id):
                del self.state.summaries[key]

    async def set_notice_shown(self, user_id: int) -> None:
        self.state.users[user_id] = replace(await self.get(user_id), notice_shown=True)


class InMemoryKeptFacts:
    """`KeptFactStore`."""

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()

    async def of(self, user_id: int) -> list[KeptFact]:
        return list(self.state.kept_facts.get(user_id, []))

    async def source(self, message_id: int) -> StoredSource | None:
        copies = [entry for (_, stored_id), entry in self.state.archive.items() if stored_id == message_id]
        edited = [entry.edited_at for entry in copies if entry.edited_at is not None]
        sensitive = any(entry.sensitive for entry in copies)
        return StoredSource(len(copies), sensitive, max(edited, default=None)) if copies else None

    async def add(
        self,
        user_id: int,
        text: str,
        *,
        now: datetime,
        source: FactSource | None = None,
        stored: StoredSource | None = None,
    ) -> KeptFact | None:
        if source is not None and stored is not None and await self.source(source.message_id) != stored:
            return None
        facts = self.state.kept_facts.setdefault(user_id, [])
        number = self.state.last_fact_numbers[user_id] = self.state.last_fact_numbers.get(user_id, 0) + 1
        fact = KeptFact(number=number, text=text, told_at=now, source=source)
        facts.append(fact)
        return fact

    async def correct(self, user_id: int, number: int, text: str, *, now: datetime) -> bool:
        return self._change(user_id, number, text=text, told_at=now, source=None)

    async def told_in(self, message_id: int) -> list[tuple[int, KeptFact]]:
        return [
            (user_id, fact)
            for user_id, facts in self.state.kept_facts.items()
            for fact in facts
            if fact.source is not None and fact.source.message_id == message_id
        ]

    async def retell(self, user_id: int, number: int, text: str) -> bool:
        return self._change(user_id, number, text=text)

    def _change(self, user_id: int, number: int, **changes: Any) -> bool:
        facts = self.state.kept_facts.get(user_id, [])
        changed = [replace(fact, **changes) if fact.number == number else fact for fact in facts]
        self.state.kept_facts[user_id] = changed
        return any(fact.number == number for fact in facts)

    async def delete(self, user_id: int, number: int) -> bool:
        facts = self.state.kept_facts.get(user_id, [])
        left = [fact for fact in facts if fact.number != number]
        self.state.kept_facts[user_id] = left
        return len(left) < len(facts)


class InMemoryConsents:
    """`ConsentStore`."""

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()

    async def given_at(self, user_id: int) -> datetime | None:
        return self.state.consents.get(user_id)

    async def give(self, user_id: int, *, now: datetime) -> None:
        profile = self.state.users.get(user_id)
        if profile is None or not profile.opted_out:
            self.state.consents.setdefault(user_id, now)

    async def withdraw(self, user_id: int) -> bool:
        return self.state.withdraw_consent(user_id)


class InMemoryGuilds:
    """`GuildStore`."""

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()

    async def get(self, guild_id: int) -> GuildSettings:
        return self.state.guilds.get(guild_id, GuildSettings(guild_id=guild_id))

    async def put(self, settings: GuildSettings) -> None:
        guild_id, before = settings.guild_id, (await self.get(settings.guild_id)).timezone
        self.state.move(lambda one: one.guild_id == guild_id and one.wishes.timezone == before, settings.timezone)
        self.state.guilds[guild_id] = settings

    async def delete(self, guild_id: int) -> None:
        self.state.guilds.pop(guild_id, None)
        self.state.allowed.pop(guild_id, None)
        self.state.forget_facts(lambda source: source.guild_id == guild_id)
        self.state.close_guild(guild_id)

    async def claim_welcome(self, guild_id: int, character: str) -> bool:
        if (guild_id, character) in self.state.welcomed:
            return False
        self.state.welcomed.add((guild_id, character))
        return True


class InMemoryAllowLists:
    """`AllowListStore`."""

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()

    async def of(self, guild_id: int) -> list[str]:
        return list(self.state.allowed.get(guild_id, []))

    async def add(self, guild_id: int, phrase: str, *, most: int) -> bool:
        phrases = self.state.allowed.setdefault(guild_id, [])
        if phrase in phrases or len(phrases) >= most:
            return False
        phrases.append(phrase)
        return True

    async def remove(self, guild_id: int, phrase: str) -> bool:
        phrases = self.state.allowed.get(guild_id, [])
        if phrase not in phrases:
            return False
        phrases.remove(phrase)
        return True


class InMemoryCharacterStates:
    """`CharacterStateStore`."""

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()

    async def is_frozen(self, character: str) -> bool:
        return character in self.state.frozen

    async def set_frozen(self, character: str, frozen: bool) -> None:
        if frozen:
            self.state.frozen.add(character)
        else:
            self.state.frozen.discard(character)

    async def tier(self, character: str) -> Tier | None:
        return self.state.tiers.get(character)

    async def set_tier(self, character: str, tier: Tier | None) -> None:
        if tier is None:
            self.state.tiers.pop(character, None)
        else:
            self.state.tiers[character] = tier


class InMemoryUsage:
    """`UsageStore`."""

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()

    @property
    def records(self) -> list[UsageRecord]:
        """Every call counted so far."""
        return self.state.usage

    async def add(self, record: UsageRecord) -> None:
        self.state.usage.append(record)

    async def reserve(self, record: UsageRecord, caps: Sequence[Cap]) -> Reserved | Cap:
        used = []
        for cap in caps:
            after = _sum([*self._counted(cap.first, cap.last, cap.user_id, cap.guild_id), record])
            if not cap.holds(after):
                return cap
            used.append(after)
        self.state.usage.append(record)
        return Reserved(len(self.state.usage) - 1, tuple(used))

    async def settle(self, number: int, record: UsageRecord) -> None:
        held = self.state.usage[number]
        self.state.usage[number] = replace(record, at=held.at, user_id=held.user_id)

    async def totals(
        self, day: date, *, since: date | None = None, user_id: int | None = None, guild_id: int | None = None
    ) -> UsageTotals:
        return _sum(self._counted(since or day, day, user_id, guild_id))

    async def sums(
        self, by: UsageKey, first: date, last: date, *, user_id: int | None = None, guild_id: int | None = None
    ) -> list[UsageSum]:
        found: dict[Any, list[UsageRecord]] = {}
        for record in self._counted(first, last, user_id, guild_id):
            found.setdefault(getattr(record, by.value), []).append(record)
        return [
            UsageSum(
                name=name,
                calls=len(records),
                input_tokens=sum(record.input_tokens for record in records),
                output_tokens=sum(record.output_tokens for record in records),
                cost_micros=sum(record.cost_micros for record in records),
                estimated=sum(record.estimated for record in records),
            )
            for name, records in sorted(found.items(), key=lambda one: (one[0] is not None, one[0]))
        ]

    async def claim_warning(self, cap: str, first_day: date, percent: int) -> bool:
        if (cap, first_day, percent) in self.state.cap_warnings:
            return False
        self.state.cap_warnings.add((cap, first_day, percent))
        return True

    async def forget_whose(self, before: datetime) -> int:
        old = [record for record in self.state.usage if record.at < before and record.user_id]
        self.state.usage = [replace(row, user_id=0) if row.at < before else row for row in self.state.usage]
        return len(old)

    def _counted(self, first: date, last: date, user_id: int | None, guild_id: int | None) -> list[UsageRecord]:
        return [
            record
            for record in self.state.usage
            if first <= record.day <= last and user_id in {None, record.user_id} and guild_id in {None, record.guild_id}
        ]


def _sum(records: Sequence[UsageRecord]) -> UsageTotals:
    return UsageTotals(
        tokens=sum(record.input_tokens + record.output_tokens for record in records),
        cost_micros=sum(record.cost_micros for record in records),
        calls=len(records),
    )


class InMemoryTraces:
    """`TraceStore`."""

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()

    @property
    def records(self) -> list[TraceRecord]:
        """Every trace, in the order it was stored."""
        return list(self.state.traces.values())

    async def add(self, record: TraceRecord) -> None:
        self.state.traces[record.turn_id] = record

    async def get(self, turn_id: str) -> TraceRecord | None:
        return self.state.traces.get(turn_id)

    async def recent(self, *, limit: int, conversation: ConversationKey | None = None) -> list[TraceRecord]:
        return self._newest([r for r in self.records if conversation in {None, r.conversation}], limit)

    async def alike(self, *, limit: int) -> AlikeTurns:
        newest = self._newest(self.records, limit)
        kinds = Counter(
            (record.conversation.character, tuple(replace(step, milliseconds=0.0) for step in record.steps))
            for record in newest
        )
        return AlikeTurns(
            tuple(TurnKind(*kind, turns) for kind, turns in kinds.items()), newest[-1].at if newest else None
        )

    async def of_guild(self, guild_id: int, *, character: str, since: datetime, limit: int) -> list[TraceRecord]:
        mine = [r for r in self.records if r.guild_id == guild_id and r.conversation.character == character]
        return self._newest([record for record in mine if record.at >= since], limit)

    async def of_conversation(self, conversation: ConversationKey, *, since: datetime, limit: int) -> list[TraceRecord]:
        mine = [record for record in self.records if record.conversation == conversation and record.at >= since]
        return self._newest(mine, limit)

    async def answered_since(self, conversation: ConversationKey, moment: datetime) -> set[int]:
        return {
            message_id
            for record in self.records
            if record.conversation == conversation and record.at >= moment and not record.outcome.leaves_unanswered
            for message_id in record.message_ids
        }

    async def recent_conversations(
        self, character: str, *, since: datetime, limit: int, shards: Shards = EVERYTHING
    ) -> list[ConversationKey]:
        newest_first = sorted(self.records, key=lambda record: record.at, reverse=True)
        keys = (record.conversation for record in newest_first if record.at >= since and shards.has(record.guild_id))
        return list(dict.fromkeys(key for key in keys if key.character == character))[:limit]

    @staticmethod
    def _newest(records: Sequence[TraceRecord], limit: int) -> list[TraceRecord]:
        return sorted(records, key=lambda record: record.at)[::-1][:limit]

    async def delete_older_than(self, moment: datetime) -> int:
        old = [turn_id for turn_id, record in self.state.traces.items() if record.at < moment]
        for turn_id in old:
            del self.state.traces[turn_id]
        return len(old)


class InMemoryPrivacy:
    """`PrivacyStore`."""

    def __init__(self, state: State | None = None) -> None:
        self.state = state or State()

    async def counts(self, user_id: int) -> Mapping[str, int]:
        return {table: len(rows) for table, rows in (await self.export(user_id)).items()}

    async def forget(self, user_id: int) -> Mapping[str, int]:
        gone = dict(await self.counts(user_id))
        state = self.state
        profile = state.users.pop(user_id, None)
        if profile is not None and profile.opted_out:
            bare = UserProfile(id=user_id, opted_out=True)
            state.users[user_id] = bare
            gone["users"] = int(profile != bare)
        state.forget_recipient(RecipientKind.USER, user_id)
        state.forget_chooser(user_id)
        for key in state.summarised(user_id):
            del state.summaries[key]
        state.withdraw_consent(user_id)
        state.forget_peer(user_id)
        state.kept_facts.pop(user_id, None)
        state.last_fact_numbers.pop(user_id, None)
        state.last_seen = {pair: at for pair, at in state.last_seen.items() if pair[0] != user_id}
        state.inertia = {key: held for key, held in state.inertia.items() if key[1] != user_id}
        state.drop_conversations(state.owned_by(user_id))
        state.archive = {key: entry for key, entry in state.archive.items() if entry.author_id != user_id}
        state.traces = {turn: trace for turn, trace in state.traces.items() if trace.user_id != user_id}
        state.usage = [replace(row, user_id=0) if row.user_id == user_id else row for row in state.usage]
        return gone

    async def export(self, user_id: int) -> Mapping[str, Any]:
        state = self.state
        owned = state.owned_by(user_id)
        summarised = state.summarised(user_id) | {key for key in owned if key in state.summaries}
        messages = [row for row in state.archive.values() if row.author_id == user_id or row.conversation in owned]
        traces = [row for row in state.traces.values() if row.user_id == user_id or row.conversation in owned]
        return {
            "users": [{"opted_out": state.users[user_id].opted_out}] if user_id in state.users else [],
            "acquaintances": [{"character": character} for user, character in state.last_seen if user == user_id],
            "conversations": [{"character": key.character, "channel_id": str(key.channel_id)} for key in owned],
            "summaries": [{"made_of": len(state.summaries[key].sources)} for key in summarised],
            **state.social_export(user_id),
            "memory_consents": [{"given_at": state.consents[user_id].isoformat()}] if user_id in state.consents else [],
            "sessions": [{"turns": state.sessions[key].session.turns} for key in owned if key in state.sessions],
            "stance_inertia": [{"channel_id": str(key.channel_id)} for key, user in state.inertia if user == user_id],
            "archive": [{"message_id": str(row.message_id), "text": row.text} for row in messages],
            "kept_facts": [{"number": row.number, "text": row.text} for row in state.kept_facts.get(user_id, [])],
            "usage": [{"feature": row.feature, "model": row.model} for row in state.usage if row.user_id == user_id],
            "usage_days": [{"day": day.isoformat()} for day, _ in state.usage_days(user_id)],
            "traces": [{"turn_id": row.turn_id} for row in traces],
            "proactive_subscriptions": [{"character": who.character} for who in state.about(user_id)],
            "proactive_channels": [{"channel_id": str(who.id)} for who in state.chosen_by(user_id)],
            "proactive_slots": [{"slot_key": slot.slot_key} for slot in state.slots_about(user_id)],
        }


class InMemoryStores:
    """All stores on one state, under the names the real bundle uses."""

    def __init__(self, *, index_terms: IndexTerms = casefolded_words) -> None:
        self.state = State()
        self.archive = InMemoryArchive(self.state, index_terms=index_terms)
        self.summaries = InMemorySummaries(self.state)
        self.recall = InMemoryRecall(self.state, index_terms=index_terms)
        self.sessions = InMemorySessions(self.state)
        self.users = InMemoryUsers(self.state)
        self.kept_facts = InMemoryKeptFacts(self.state)
        self.consents = InMemoryConsents(self.state)
        self.guilds = InMemoryGuilds(self.state)
        self.allow_lists = InMemoryAllowLists(self.state)
        self.characters = InMemoryCharacterStates(self.state)
        self.usage = InMemoryUsage(self.state)
        self.traces = InMemoryTraces(self.state)
        self.subscriptions = InMemorySubscriptions(self.state)
        self.slots = InMemorySlots(self.state)
        self.drafts = InMemoryDrafts(self.state)
        self.leases = InMemoryLeases(self.state)
        self.posts = InMemoryPosts(self.state)
        self.post_summaries = InMemoryPostSummaries(self.state)
        self.social = InMemorySocial(self.state)
        self.embeddings = InMemoryEmbeddings(self.state)
        self.privacy = InMemoryPrivacy(self.state)
