"""A real conversation, read for the sandbox through a connection that the database lets nothing be written through."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from core.errors import StorageError
from core.ports import ArchiveEntry, IndexTerms
from core.sandbox.draft import RealConversation
from core.sandbox.errors import SandboxError
from core.sandbox.snapshot import Context
from core.sandbox.tracing import HeldTurn
from core.turn.trace import TraceRecord
from core.values import ConversationKey, Speaker, Utterance
from data.connection import Database
from data.migrations import load_migrations
from data.opening import Place, open_for_reading
from data.sqlite.reading import commits_seen, state_of
from data.stores import Stores, build_stores

_MOST_ENTRIES = 2000
_MOST_HISTORY = 60
_TRIES = 3
_NOT_THERE = (
    "{place}: there is no database there: check YORISOI_DATA_DIR; "
    "a new installation gets one at its first start (`yorisoi run`)"
)

_T = TypeVar("_T")


@asynccontextmanager
async def reading_stores(place: Place, index_terms: IndexTerms) -> AsyncIterator[Stores]:
    """Open the stores of an existing database through which nothing can be written.

    Raises:
        StorageError: It isn't there, can't be read, or its schema is another than this program's; at the end, too,
            where a file that nobody had open was opened meanwhile.
    """
    if isinstance(place, Path) and not place.is_file():
        raise StorageError(_NOT_THERE.format(place=place))
    before = state_of(place) if isinstance(place, Path) else None
    async with _opened(place) as database:
        yield build_stores(database, index_terms)
    if isinstance(place, Path) and before is not None and state_of(place) != before:
        raise StorageError(f"{place}: the database was opened by a program while it was read: try again")


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseContextSource:
    """`ContextSource` on a database. Nothing is opened before something is read, and all is closed after."""

    place: Place
    index_terms: IndexTerms

    async def read(self, conversation: RealConversation, *, character: str, now: datetime) -> Context:
        """Return the conversation as it is."""
        return await self._unchanged(lambda stores: _context(stores, conversation, character=character, now=now))

    async def turn(self, turn_id: str) -> HeldTurn:
        """Return a turn of the past, as far as its text is still held.

        Raises:
            SandboxError: There is no such turn, or its text is not held.
            StorageError: The database can't be read.
        """
        return await self._unchanged(lambda stores: _turn(stores, turn_id))

    async def turns(self, limit: int) -> list[TraceRecord]:
        """Return what the newest turns did, newest first; never what was said in them.

        Raises:
            StorageError: The database can't be read.
        """
        return await self._unchanged(lambda stores: stores.traces.recent(limit=limit))

    async def _unchanged(self, read: Callable[[Stores], Awaitable[_T]]) -> _T:
        """Read from one state; where somebody writes to the file or opens it meanwhile, read again."""
        if not isinstance(self.place, Path):
            async with _opened(self.place) as database:
                return await read(build_stores(database, self.index_terms))
        if not self.place.is_file():
            raise StorageError(_NOT_THERE.format(place=self.place))
        for _ in range(_TRIES):
            before = state_of(self.place)
            async with _opened(self.place) as database:
                seen = await commits_seen(database)
                found = await read(build_stores(database, self.index_terms))
                same = await commits_seen(database) == seen
            if same and (before is None or state_of(self.place) == before):
                return found
        raise StorageError(f"{self.place}: the database changes faster than it can be read: try again")


@asynccontextmanager
async def _opened(place: Place) -> AsyncIterator[Database]:
    database = await open_for_reading(place)
    try:
        await _require_current(database)
        yield database
    finally:
        await database.close()


async def _require_current(database: Database) -> None:
    known = load_migrations(dialect=database.dialect)[-1].number
    async with database.reading() as connection:
        found = await database.schema.version(connection)
    if found != known:
        raise StorageError(
            f"{database.name}: the database has schema {found}, this program knows {known}: start the program once, "
            "which brings the database up to date, or use the version that does"
        )


async def _context(stores: Stores, wanted: RealConversation, *, character: str, now: datetime) -> Context:
    key = ConversationKey(character, wanted.channel_id)
    held = await stores.recall.newest(key, limit=_MOST_ENTRIES)
    entries = [entry for entry in held if entry.sent_at <= now]
    if not entries:
        raise SandboxError(
            f"Nothing that may be read is held of a conversation of {character} in channel {wanted.channel_id}"
            f"{' before that moment' if held else ''}."
        )
    speaker = _speaker(entries, wanted.user_id)
    user = await stores.users.get(speaker.id)
    if user.opted_out:
        raise SandboxError("That person opted out: what they say is not to be read.")
    surface = entries[-1].surface
    guild_id = surface.guild_id
    own = [entry.sent_at for entry in entries if entry.author_id == user.id]
    context = Context(
        surface=surface,
        speaker=speaker,
        user=user,
        last_seen=max(own),
        kept=tuple(fact for fact in await stores.kept_facts.of(user.id) if fact.told_at <= now),
        guild=await stores.guilds.get(guild_id) if guild_id is not None else None,
        history=tuple(_utterance(entry) for entry in entries[-_MOST_HISTORY:]),
        archive=tuple(entries),
        allowed=tuple(await stores.allow_lists.of(guild_id)) if guild_id is not None else (),
    )
    if len(entries) < len(held):
        return context  # What is known of the session and summed up now was not known at that moment.
    return replace(
        context,
        last_seen=await stores.users.last_seen(user.id, character=character),
        session=await stores.sessions.current(key, now=now),
        inertia=await stores.sessions.inertia(key, user.id, now=now),
        summary=await stores.summaries.get(key),
    )


async def _turn(stores: Stores, turn_id: str) -> HeldTurn:
    record = await stores.traces.get(turn_id)
    if record is None:
        raise SandboxError(f"There is no trace of a turn {turn_id}: it never was, or was deleted with age.")
    asked = await stores.recall.entries(record.conversation, record.message_ids)
    if len(asked) < len(set(record.message_ids)):
        raise SandboxError(
            f"The text of turn {turn_id} is not held: it was sensitive, was deleted or forgotten, or is too old."
        )
    entries = await stores.recall.newest(record.conversation, limit=_MOST_ENTRIES)
    answered = {*record.message_ids, *record.reply_ids}
    before = [e for e in entries if e.message_id not in answered and e.message_id < min(record.message_ids)]
    replies = await stores.recall.entries(record.conversation, record.reply_ids)
    return HeldTurn(
        record=record,
        asked=tuple(asked),
        before=tuple(before[-_MOST_HISTORY:]),
        replied=next((entry.text for entry in replies), None),
        user=await stores.users.get(record.user_id),
        kept=tuple(await stores.kept_facts.of(record.user_id)),
        guild=await stores.guilds.get(record.guild_id) if record.guild_id is not None else None,
    )


def _speaker(entries: list[ArchiveEntry], user_id: int | None) -> Speaker:
    for entry in reversed(entries):
        if not entry.is_self and user_id in {None, entry.author_id}:
            return Speaker(id=entry.author_id, name=entry.author_name)
    raise SandboxError("Nothing is held of what that person said in that conversation.")


def _utterance(entry: ArchiveEntry) -> Utterance:
    author = Speaker(id=entry.author_id, name=entry.author_name, is_bot=entry.is_self)
    return Utterance(
        id=entry.message_id, author=author, text=entry.text or "", sent_at=entry.sent_at, is_self=entry.is_self
    )
