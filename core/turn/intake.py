"""Step 1, channel input: the burst becomes a turn with one snapshot of everything that is so at this moment."""

import asyncio
from dataclasses import dataclass

from core.clock import Clock
from core.facts.capsule.compiling import compile_capsule
from core.facts.capsule.types import ClockOwner
from core.facts.schedule.timetable import Timetable
from core.facts.zones import is_zone
from core.ports import GuildStore, UserStore
from core.turn.exposure import may_be_told
from core.turn.identity import turn_id
from core.turn.language import language_wishes, seen_language
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
    guilds: GuildStore
    clock: Clock

    async def take(self, burst: Burst) -> Turn:
        """Return the turn that answers a burst."""
        newest = burst.messages[-1]
        conversation = ConversationKey(self.character.name, newest.surface.channel_id)
        now = self.clock.now()
        met = await self.users.met(newest.author.id, conversation=conversation, now=now)
        user = met.user
        guild_id = newest.surface.guild_id
        guild = await self.guilds.get(guild_id) if guild_id is not None else None
        timezone, whose = _clock(self.character, newest, user, guild)
        wishes = language_wishes(burst.messages, user, guild)
        private = newest.surface.is_private
        if self.timetable is not None and not self.timetable.is_ready(now):
            # The first question, or the first of a new day: a long calendar would hold everybody up for a moment.
            await asyncio.to_thread(self.timetable.prepare, now)
        snapshot = TurnSnapshot(
            observed_at=now,
            timezone=timezone,
            locale=next((wish for wish in wishes if wish in self.character.locales), self.character.locale),
            seen_locale=seen_language(burst.messages, user),
            user=user,
            guild=guild,
            session=met.session,
            capsule=compile_capsule(
                observed_at=now,
                timezone=timezone,
                clock=whose,
                timetable=self.timetable,
                last_seen_at=met.last_seen if private else None,  # it is for their own ears
                private=private,
                kept=[fact for fact in met.kept if may_be_told(fact, newest.surface)],
                again=bool(burst.replaces),
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
                TraceStep("facts", "compiled", detail=f"clock={whose}"),
            ),
            replaces=burst.replaces,
        )

    def language_of(self, burst: Burst) -> Locale:
        """Return the language of a burst as far as it shows by itself, where nothing could be read about its author."""
        stranger = UserProfile(id=burst.user_id)
        return next(iter(language_wishes(burst.messages, stranger, None)), self.character.locale)

    def identity(self, burst: Burst) -> str:
        """Return the id of the turn that answers a burst."""
        return turn_id(self.character.name, burst.messages[-1].id, burst.attempt)


def _clock(
    character: Character, message: InboundMessage, user: UserProfile, guild: GuildSettings | None
) -> tuple[str, ClockOwner]:
    """Return the zone of the conversation, and whose it is; one this machine doesn't know is passed over."""
    if message.surface.is_private and user.timezone is not None and is_zone(user.timezone):
        return user.timezone, ClockOwner.USER
    if guild is not None and guild.timezone is not None and is_zone(guild.timezone):
        return guild.timezone, ClockOwner.GUILD
    return character.timezone, ClockOwner.CHARACTER
