"""Observe: one look at the clock, the schedule and the recipient; everything a message says rests on it."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from core.characters.pack import Candidate
from core.clock import Clock
from core.errors import ScheduleUnavailableError
from core.facts.capsule.compiling import compile_capsule
from core.facts.capsule.types import ClockOwner, FactCapsule
from core.ports import DraftStore, GuildStore, SlotStore, TimetableSource, UserStore
from core.proactive.attempt import Attempt, Offer, Seen
from core.proactive.fingerprint import fingerprint
from core.proactive.moments import stretches_around
from core.proactive.openings import openings
from core.proactive.types import Observation, Reason, RecipientKind, Subscription
from core.proactive.wording import worded
from core.values import Character, GuildSettings, Locale, UserProfile

MOST_OFFERED = 12
LONGEST_COOLDOWN = timedelta(days=366)
"""How far back it must be known what was said; a pack may ask for no more."""

_APPROVED_COOLDOWN = 21
"""Days; an approved draft says nothing of its own about that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observing:
    """Looks once, and tells what may be said."""

    character: Character
    candidates: dict[Locale, tuple[Candidate, ...]]
    timetables: TimetableSource
    slots: SlotStore
    drafts: DraftStore
    users: UserStore
    guilds: GuildStore
    clock: Clock

    async def observe(self, attempt: Attempt) -> Attempt:
        """Return the attempt with what was seen; it ends where the schedule can't be told or nothing may be said."""
        try:
            seen = await self.look(attempt.subscription)
        except ScheduleUnavailableError:
            return attempt.skipped(Reason.NO_SCHEDULE)
        offers = await self._offers(attempt, seen)
        found = replace(attempt, seen=replace(seen, offers=offers))
        return found if offers else found.skipped(Reason.NO_CANDIDATE)

    async def look(self, subscription: Subscription) -> Seen:
        """Return what is so at this moment, with nothing offered yet.

        Raises:
            ScheduleUnavailableError: the schedule can't be told.
        """
        timetable = await self.timetables.current()
        now, monotonic = self.clock.now(), self.clock.monotonic()
        user, guild = await self._user(subscription), await self._guild(subscription)
        timezone = subscription.wishes.timezone or self.character.timezone
        capsule = compile_capsule(
            observed_at=now,
            timezone=timezone,
            clock=_clock_owner(subscription),
            timetable=timetable,
            last_seen_at=subscription.spoke_at,
            private=user is not None,
        )
        return Seen(
            observation=Observation(
                observed_at=now,
                monotonic=monotonic,
                fingerprint=fingerprint(timetable, now),
                revision=subscription.revision,
                spoke_at=subscription.spoke_at,
            ),
            stretches=stretches_around(timetable, now),
            capsule=capsule,
            locale=self._locale(subscription, user, guild),
            timezone=timezone,
            user=user,
            guild=guild,
            offers=(),
        )

    async def known(self, locale: Locale) -> tuple[Candidate, ...]:
        """Return everything that may ever be said first in a language: the pack's, and what was approved."""
        approved = await self.drafts.approved(self.character.name)
        drafted = (
            Candidate(id=f"approved-{number}", text=text, cooldown_days=_APPROVED_COOLDOWN)
            for number, written_in, text in approved
            if written_in is locale
        )
        return (*self.candidates.get(locale, ()), *drafted)

    async def _offers(self, attempt: Attempt, seen: Seen) -> tuple[Offer, ...]:
        now = seen.observation.observed_at
        said = await self.slots.last_said(attempt.slot.recipient, since=now - LONGEST_COOLDOWN)
        fitting = openings(await self.known(seen.locale), said=said, stretches=seen.stretches, now=now)
        return offered(fitting, seen.capsule, seen.locale, seed=attempt.slot.id)

    async def _user(self, subscription: Subscription) -> UserProfile | None:
        who = subscription.recipient
        return await self.users.get(who.id) if who.kind is RecipientKind.USER else None

    async def _guild(self, subscription: Subscription) -> GuildSettings | None:
        return None if subscription.guild_id is None else await self.guilds.get(subscription.guild_id)

    def _locale(self, subscription: Subscription, user: UserProfile | None, guild: GuildSettings | None) -> Locale:
        """Return the language to speak: as chosen for this, else as the person or server is spoken to otherwise."""
        wishes = (
            subscription.locale,
            user and (user.locale or user.seen_locale),
            guild and guild.locale,
        )
        return next((wish for wish in wishes if wish and wish in self.character.locales), self.character.locale)


def offered(candidates: Iterable[Candidate], capsule: FactCapsule, locale: Locale, *, seed: str) -> tuple[Offer, ...]:
    """Return a few of the candidates, worded, in an order that follows from the seed and favours none."""
    offers = [offer for candidate in candidates if (offer := worded_offer(candidate, capsule, locale)) is not None]
    return tuple(_shuffled(offers, seed)[:MOST_OFFERED])


def worded_offer(candidate: Candidate, capsule: FactCapsule, locale: Locale) -> Offer | None:
    """Return a candidate as it would be said, None where the capsule does not hold what its text needs."""
    text = worded(candidate.text, capsule.character, locale)
    return None if text is None else Offer(candidate=candidate, text=text)


def _shuffled(offers: Sequence[Offer], seed: str) -> list[Offer]:
    return random.Random(seed).sample(offers, len(offers))


def _clock_owner(subscription: Subscription) -> ClockOwner:
    if subscription.wishes.timezone is None:
        return ClockOwner.CHARACTER
    return ClockOwner.USER if subscription.recipient.kind is RecipientKind.USER else ClockOwner.GUILD
