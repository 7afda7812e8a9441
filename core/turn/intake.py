"""Step 1, channel input: the burst becomes a turn with one snapshot of everything that is so at this moment."""

from dataclasses import dataclass

from core.clock import Clock
from core.facts.capsule.compiling import compile_capsule
from core.facts.schedule.timetable import Timetable
from core.locale import detect_locale
from core.ports import GuildStore, KeptFactStore, SessionStore, UserStore
from core.turn.identity import turn_id
from core.turn.mailbox import Burst
from core.turn.trace import TraceStep
from core.turn.types import Turn, TurnSnapshot
from core.values import Character, ConversationKey, GuildSettings, InboundMessage, Locale, UserProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Takes the snapshot that the whole turn lives on."""

    character: Character
    timetable: Timetable | None
    users: UserStore
    kept_facts: KeptFactStore
    guilds: GuildStore
    sessions: SessionStore
    clock: Clock

    async def take(self, burst: Burst) -> Turn:
        """Return the turn that answers a burst."""
        newest = burst.messages[-1]
        conversation = ConversationKey(self.character.name, newest.surface.channel_id)
        user = await self.users.get(newest.author.id)
        guild_id = newest.surface.guild_id
        guild = await self.guilds.get(guild_id) if guild_id is not None else None
        now = self.clock.now()
        timezone = _timezone(self.character, newest, user, guild)
        private = newest.surface.is_private
        # What somebody told of themselves is for their own ears.
        kept = [fact.text for fact in await self.kept_facts.of(user.id)] if private else []
        snapshot = TurnSnapshot(
            observed_at=now,
            timezone=timezone,
            locale=_locale(self.character, burst.messages, user, guild),
            user=user,
            guild=guild,
            session=await self.sessions.current(conversation, now=now),
            capsule=compile_capsule(
                observed_at=now,
                timezone=timezone,
                timetable=self.timetable,
                user=user,
                private=private,
                kept=kept,
            ),
        )
        return Turn(
            id=self.identity(burst),
            character=self.character,
            conversation=conversation,
            messages=tuple(burst.messages),
            pickup=burst.decision,
            snapshot=snapshot,
            trace=(
                TraceStep("pickup", burst.decision.pickup, (burst.decision.rule,)),
                TraceStep("facts", "compiled", detail=f"timezone={timezone}"),
            ),
            replaces=burst.replaces,
        )

    def identity(self, burst: Burst) -> str:
        """Return the id of the turn that answers a burst."""
        return turn_id(self.character.name, burst.messages[-1].id, burst.attempt)


def _timezone(character: Character, message: InboundMessage, user: UserProfile, guild: GuildSettings | None) -> str:
    if message.surface.is_private and user.timezone is not None:
        return user.timezone
    if guild is not None and guild.timezone is not None:
        return guild.timezone
    return character.timezone


def _locale(
    character: Character, messages: list[InboundMessage], user: UserProfile, guild: GuildSettings | None
) -> Locale:
    """Return the language to answer in: chosen, else seen, else the server's, else the app's, else the character's."""
    seen = user.seen_locale
    for message in messages:
        seen = detect_locale(message.text, before=seen)
    wishes = (user.locale, seen, guild.locale if guild is not None else None, messages[-1].locale_hint)
    return next((wish for wish in wishes if wish in character.locales), character.locale)
