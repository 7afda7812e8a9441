"""What operators see of stance integrity, and the phrases they let pass. The same on every surface; holds no rule."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from bot.personal import Told
from core.clock import Clock
from core.facts.zones import is_zone
from core.ports import AllowListStore, GuildStore, TraceStore
from core.stance.policy import (
    LONGEST_PHRASE,
    MOST_PHRASES,
    AllowList,
    PhraseError,
    StanceTally,
    TurnAccount,
    account_of,
    checked_phrase,
    tally,
)
from core.values import Character, ConversationKey

MOST_TURNS = 1000
"""Turns that are looked at; older ones of the span are not counted."""
LONGEST_SHOWN = 100
"""Characters of a stored phrase that are shown; one that can be used is shorter anyway."""

_WEEK = timedelta(days=7)


class Span(StrEnum):
    """From when on turns are told of: midnight where the server is, or seven days ago."""

    TODAY = "today"
    WEEK = "week"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where: a whole server, or one channel of it (or a private talk) if `whole` is false."""

    guild_id: int | None
    channel_id: int
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceReport:
    """The turns, newest first, and their figures. `cut`: there were more turns than are looked at."""

    accounts: Sequence[TurnAccount]
    figures: StanceTally
    cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A stored phrase. `fault` says why it is not used, as the last part of a text's key; None where it is."""

    text: str
    fault: str | None = None

    @property
    def shown(self) -> str:
        """The phrase, shortened if it is longer than any that can be used."""
        return self.text[:LONGEST_SHOWN]


class StanceDesk:
    """One character's."""

    def __init__(
        self,
        *,
        character: Character,
        traces: TraceStore,
        guilds: GuildStore,
        allow_lists: AllowListStore,
        clock: Clock,
        ignored_places: Sequence[str] = (),
    ) -> None:
        """Take what it works with; `ignored_places` are the entries of the operator's places that are left out."""
        self._character = character
        self._traces = traces
        self._guilds = guilds
        self._allow_lists = allow_lists
        self._clock = clock
        self.ignored_places = tuple(ignored_places)

    async def report(self, scope: Scope, span: Span) -> StanceReport:
        """Return what the gate did."""
        since = await self._since(scope, span)
        name = self._character.name
        if scope.whole and scope.guild_id is not None:
            records = await self._traces.of_guild(scope.guild_id, character=name, since=since, limit=MOST_TURNS)
        else:
            here = ConversationKey(name, scope.channel_id)
            records = await self._traces.of_conversation(here, since=since, limit=MOST_TURNS)
        accounts = [account_of(record) for record in records]
        return StanceReport(accounts=accounts, figures=tally(accounts), cut=len(records) == MOST_TURNS)

    async def phrases(self, guild_id: int) -> list[Phrase]:
        """Return a server's phrases in the order they were added, also those that can't be used."""
        stored = await self._allow_lists.of(guild_id)
        faults = dict(AllowList.of(stored).faults)
        return [Phrase(text=text, fault=faults.get(text)) for text in stored]

    async def allow(self, guild_id: int, wish: str) -> Told:
        """Let replies pass over a phrase."""
        try:
            phrase = checked_phrase(wish)
        except PhraseError as error:
            return Told(f"stance.allow.fault.{error.fault}", {"most": LONGEST_PHRASE})
        if await self._allow_lists.add(guild_id, phrase, most=MOST_PHRASES):
            return Told("stance.allow.added", {"phrase": phrase})
        known = phrase in await self._allow_lists.of(guild_id)
        return Told("stance.allow.known", {"phrase": phrase}) if known else Told("stance.allow.full")

    async def disallow(self, guild_id: int, wish: str) -> Told:
        """Take a phrase back: as it is shown, or as somebody would write it."""
        for phrase in await self.phrases(guild_id):
            if wish in {phrase.text, phrase.shown} or _kept(wish) == phrase.text:
                await self._allow_lists.remove(guild_id, phrase.text)
                return Told("stance.allow.removed", {"phrase": phrase.shown})
        return Told("stance.allow.unknown", {"phrase": wish[:LONGEST_SHOWN]})

    async def _since(self, scope: Scope, span: Span) -> datetime:
        now = self._clock.now()
        if span is Span.WEEK:
            return now - _WEEK
        guild = await self._guilds.get(scope.guild_id) if scope.guild_id is not None else None
        own = guild.timezone if guild is not None else None
        zone = own if own is not None and is_zone(own) else self._character.timezone
        return now.astimezone(ZoneInfo(zone)).replace(hour=0, minute=0, second=0, microsecond=0)


def _kept(wish: str) -> str | None:
    try:
        return checked_phrase(wish)
    except PhraseError:
        return None
