"""Review: what a character is about to write goes through the checks of replies; what can't be checked isn't said."""

from dataclasses import dataclass

import structlog

from core.clock import Clock
from core.facts.capsule.compiling import compile_capsule
from core.facts.capsule.types import ClockOwner
from core.facts.schedule.timetable import Timetable
from core.facts.zones import is_zone
from core.ports import AllowListStore, GuildStore
from core.social.types import Post
from core.stance.policy import StancePolicy
from core.turn.pickup import Pickup, PickupDecision
from core.turn.types import AssembledTurn, EnrichedTurn, Turn, TurnSnapshot
from core.turn.verification import Action, Verification
from core.values import (
    Address,
    Character,
    ConversationKey,
    GuildSettings,
    InboundMessage,
    Locale,
    Speaker,
    Surface,
    UserProfile,
)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Looks at a text as if it were a reply: to the post it answers, or to nobody."""

    character: Character
    verification: Verification
    stance: StancePolicy
    guilds: GuildStore
    allow_lists: AllowListStore
    timetable: Timetable | None
    clock: Clock

    async def faults(self, text: str, *, surface: Surface, locale: Locale, answers: Post | None) -> tuple[str, ...]:
        """Return the rules that a text breaks, () where it may be written; `unchecked` where that can't be told."""
        try:
            turn = await self._as_turn(surface, locale, answers)
            verdict = await self.verification.verify(turn, text)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a check, what it did not pass is not written
            _log.error("social.review_failed", character=self.character.name, error=type(error).__name__)
            return ("unchecked",)
        return () if verdict.action is Action.PASS else verdict.rules or ("unchecked",)

    async def _as_turn(self, surface: Surface, locale: Locale, answers: Post | None) -> AssembledTurn:
        guild_id = surface.guild_id
        guild = None if guild_id is None else await self.guilds.get(guild_id)
        turn = Turn(
            id="social",
            character=self.character,
            conversation=ConversationKey(self.character.name, surface.channel_id),
            messages=(_said(surface, answers, self.clock),),
            pickup=PickupDecision(Pickup.AMBIENT, "social"),
            snapshot=self._snapshot(guild, locale, answers),
            trace=(),
        )
        allowed = await self.allow_lists.of(guild_id) if guild_id is not None and self.stance.has_gate else ()
        reading = await self.stance.read("" if answers is None else answers.text, allowed=allowed)
        enriched = EnrichedTurn(turn=turn, history=(), quoted=(), trace=(), stance=reading)
        return AssembledTurn(enriched=enriched, prompt=(), confidential=tuple(self.character.personality.values()))

    def _snapshot(self, guild: GuildSettings | None, locale: Locale, answers: Post | None) -> TurnSnapshot:
        zone = guild.timezone if guild is not None and guild.timezone is not None and is_zone(guild.timezone) else None
        now = self.clock.now()
        capsule = compile_capsule(
            observed_at=now,
            timezone=zone or self.character.timezone,
            clock=ClockOwner.GUILD if zone else ClockOwner.CHARACTER,
            timetable=self.timetable,
            last_seen_at=None,
            private=False,
        )
        return TurnSnapshot(
            observed_at=now,
            timezone=zone or self.character.timezone,
            locale=locale,
            seen_locale=None,
            user=UserProfile(id=0 if answers is None else answers.author.id),
            guild=guild,
            session=None,
            capsule=capsule,
        )


def _said(surface: Surface, answers: Post | None, clock: Clock) -> InboundMessage:
    return InboundMessage(
        id=0 if answers is None else answers.id,
        author=Speaker(id=0, name="") if answers is None else answers.author,
        surface=surface,
        text="" if answers is None else answers.text,
        sent_at=clock.now() if answers is None else answers.sent_at,
        address=Address.NONE,
    )
