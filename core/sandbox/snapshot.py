"""Everything a comparison goes by, taken once: all variants see the same, whatever happens meanwhile."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Protocol

from core.facts.schedule.state import Stretch
from core.facts.schedule.timetable import Timetable
from core.ports.archive import ArchiveEntry
from core.sandbox.canonical import digest
from core.sandbox.draft import Draft, RealConversation
from core.stance.types import StanceInertia
from core.values import (
    Character,
    ConversationKey,
    ConversationSummary,
    GuildSettings,
    KeptFact,
    Session,
    Speaker,
    Surface,
    SurfaceKind,
    UserProfile,
    Utterance,
)

_PRIVATE_CHANNEL, _SERVER_CHANNEL, _SERVER, _PERSON = 1, 2, 3, 1000
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """A conversation and the person who asks in it, as they are at one moment."""

    surface: Surface
    speaker: Speaker
    user: UserProfile
    last_seen: datetime | None = None
    kept: tuple[KeptFact, ...] = ()
    guild: GuildSettings | None = None
    session: Session | None = None
    inertia: StanceInertia = field(default_factory=StanceInertia)
    history: tuple[Utterance, ...] = ()
    summary: ConversationSummary | None = None
    archive: tuple[ArchiveEntry, ...] = ()
    allowed: tuple[str, ...] = ()
    opted_out: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The context, the character as its pack is now, and its days around the moment. `digest` is of all of it."""

    at: datetime
    character: Character
    days: tuple[Stretch, ...]
    context: Context
    digest: str

    @property
    def key(self) -> ConversationKey:
        """The conversation."""
        return ConversationKey(self.character.name, self.context.surface.channel_id)

    @property
    def first_free_id(self) -> int:
        """An id for a message that is newer than everything in here."""
        said = (utterance.id for utterance in self.context.history)
        stored = (entry.message_id for entry in self.context.archive)
        summarised = self.context.summary.last if self.context.summary is not None else 0
        return max((0, *said, *stored, summarised)) + 1


class ContextSource(Protocol):
    """Reads a real conversation; nothing can be written through it."""

    async def read(self, conversation: RealConversation, *, character: str, now: datetime) -> Context:
        """Return the conversation as it is.

        Raises:
            SandboxError: nothing is held of it, or the person doesn't want to be read.
            StorageError: the database can't be read.
        """


def take(*, at: datetime, character: Character, timetable: Timetable | None, context: Context) -> Snapshot:
    """Return the snapshot of a moment."""
    days: tuple[Stretch, ...] = ()
    if timetable is not None:
        timetable.prepare(at)
        days = tuple(timetable.stretches(at.astimezone(timetable.zone).date() - timedelta(days=1), 3))
    snapshot = Snapshot(at=at, character=character, days=days, context=context, digest="")
    return replace(snapshot, digest=digest(snapshot))


def invented(draft: Draft, *, at: datetime, character: Character) -> Context:
    """Return the context that a draft makes up."""
    person = draft.person
    in_server = draft.in_server
    surface = (
        Surface(kind=SurfaceKind.CHANNEL, channel_id=_SERVER_CHANNEL, guild_id=_SERVER)
        if in_server
        else Surface(kind=SurfaceKind.DM, channel_id=_PRIVATE_CHANNEL)
    )
    speaker = Speaker(id=_PERSON, name=person.name)
    told_at = person.last_seen or at
    return Context(
        surface=surface,
        speaker=speaker,
        user=UserProfile(
            id=_PERSON, locale=person.locale, timezone=person.timezone, notice_shown=person.last_seen is not None
        ),
        last_seen=person.last_seen,
        kept=tuple(KeptFact(number=n, text=text, told_at=told_at) for n, text in enumerate(person.facts, 1)),
        guild=GuildSettings(guild_id=_SERVER, timezone=draft.server_timezone) if in_server else None,
        history=tuple(_said_before(draft, at, character, speaker)),
    )


def _said_before(draft: Draft, at: datetime, character: Character, speaker: Speaker) -> Sequence[Utterance]:
    others = sorted({said.name for said in draft.history if said.name is not None} - {speaker.name})
    ids = {name: _PERSON + number for number, name in enumerate(others, 1)}
    itself = Speaker(id=0, name=next(iter(character.display_name.values())), is_bot=True)
    return [
        Utterance(
            id=number,
            author=itself
            if not said.by_user
            else Speaker(id=ids.get(said.name or "", speaker.id), name=said.name or speaker.name),
            text=said.text,
            sent_at=at - (len(draft.history) + 1 - number) * _MINUTE,
            is_self=not said.by_user,
        )
        for number, said in enumerate(draft.history, 1)
    ]
