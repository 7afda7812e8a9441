"""Step 1, channel input: the burst becomes a turn with one snapshot of everything that is so at this moment."""

from dataclasses import dataclass

from core.clock import Clock
from core.locale import detect_locale
from core.ports import GuildStore, SessionStore, UserStore
from core.turn.identity import turn_id
from core.turn.mailbox import Burst
from core.turn.trace import TraceStep
from core.turn.types import Turn, TurnSnapshot
from core.values import Character, ConversationKey, GuildSettings, InboundMessage, Locale, UserProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Takes the snapshot that the whole turn lives on."""

    character: Character
    users: UserStore
    guilds: GuildStore
    sessions: SessionStore
    clock: Clock

    async def take(self, burst: Burst, *, last_locale: Locale | None) -> Turn:
        """Return the turn that answers a burst. `last_locale`: what the user was last answered in here."""
        newest = burst.messages[-1]
        conversation = ConversationKey(self.character.name, newest.surface.channel_id)
        user = await self.users.get(newest.author.id)
        guild_id = newest.surface.guild_id
        guild = await self.guilds.get(guild_id) if guild_id is not None else None
        now = self.clock.now()
        snapshot = TurnSnapshot(
            observed_at=now,
            timezone=_timezone(self.character, newest, user, guild),
            locale=_locale(self.character, burst.messages, user, guild, last_locale),
            user=user,
            guild=guild,
            session=await self.sessions.current(conversation, now=now),
        )
        return Turn(
            id=self.identity(burst),
            character=self.character,
            conversation=conversation,
            messages=tuple(burst.messages),
            pickup=burst.decision,
            snapshot=snapshot,
            trace=(TraceStep("pickup", burst.decision.pickup, (burst.decision.rule,)),),
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
    character: Character,
    messages: list[InboundMessage],
    user: UserProfile,
    guild: GuildSettings | None,
    last_locale: Locale | None,
) -> Locale:
    """Return the language to answer in: chosen, else seen, else used before, else the server's, else the app's."""
    seen = next((found for message in reversed(messages) if (found := detect_locale(message.text))), None)
    wishes = (
        user.locale,
        seen,
        last_locale,
        guild.locale if guild is not None else None,
        messages[-1].locale_hint,
    )
    return next((wish for wish in wishes if wish in character.locales), character.locale)
