"""What people set for themselves: language, time zone, and facts they want kept. The same on every surface."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.timezones import Place, Timezones, all_timezones
from core.clock import Clock
from core.facts.capsule.kept import names_a_clock, passes
from core.facts.world import time_in_words
from core.memory.asking import LONGEST_FACT
from core.memory.offer import KeepOffer
from core.ports import ConsentStore, KeptFactStore, StoredSource, UserStore
from core.stance.policy import Caution
from core.values import FactSource, KeptFact, Locale
from prompts.messages import Messages

MOST_FACTS = 20
_HINTS = 5
# The choice of a language that leaves it to the conversation.
AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Told:
    """What a person is told: the key of a text, and its values."""

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)


class Personal:
    """Sets and forgets what a person decided; refuses those who opted out, of whom nothing is kept."""

    def __init__(
        self,
        *,
        users: UserStore,
        kept_facts: KeptFactStore,
        consents: ConsentStore,
        caution: Caution,
        messages: Messages,
        clock: Clock,
    ) -> None:
        self._users = users
        self._kept_facts = kept_facts
        self._consents = consents
        self._caution = caution
        self._messages = messages
        self._clock = clock

    async def set_language(self, user_id: int, choice: str) -> Told:
        """Set what somebody is answered in: a locale, or `AUTO`."""
        await self._users.set_locale(user_id, None if choice == AUTO else Locale(choice))
        return Told(f"language.{choice}")

    async def timezone(self, user_id: int, locale: Locale) -> Told:
        """Tell which zone is set."""
        zone = (await self._users.get(user_id)).timezone
        place = (await timezones()).get(zone) if zone is not None else None
        return Told("timezone.none") if place is None else Told("timezone.set", self.described(place, locale))

    async def set_timezone(self, user_id: int, wish: str, locale: Locale) -> Told:
        """Set a zone by whatever it was called."""
        if (await self._users.get(user_id)).opted_out:
            return Told("timezone.opted_out")
        place = (await timezones()).find(wish, locale)
        if place is None:
            return await self.unclear(wish, locale)
        await self._users.set_timezone(user_id, place.zone)
        return Told("timezone.done", self.described(place, locale))

    async def forget_timezone(self, user_id: int) -> Told:
        """Forget the zone."""
        await self._users.set_timezone(user_id, None)
        return Told("timezone.forgotten")

    async def unclear(self, wish: str, locale: Locale) -> Told:
        """Tell that no zone, or several, go by that name."""
        near = (await timezones()).search(wish, locale, limit=_HINTS)
        if not near:
            return Told("timezone.unknown", {"wish": wish})
        return Told("timezone.which", {"wish": wish, "near": ", ".join(place.zone for place in near)})

    def described(self, place: Place, locale: Locale) -> dict[str, object]:
        """Return a zone in words, with its present time."""
        time = time_in_words(place.clock(self._clock.now()), locale)
        country = place.country[locale]
        named = self._messages.text("timezone.place", locale, city=place.city[locale], country=country)
        return {"place": named if country else place.city[locale], "zone": place.zone, "time": time}

    async def facts(self, user_id: int) -> list[KeptFact]:
        """Return the facts somebody wants kept."""
        return await self._kept_facts.of(user_id)

    async def remember(self, user_id: int, text: str) -> Told:
        """Keep a fact that was set with a command."""
        return await self._keep(user_id, " ".join(text.split()), told_at=self._clock.now(), source=None)

    async def source(self, message_id: int) -> StoredSource | None:
        """Return how a message is stored, to be asked before it is read for what it wants kept."""
        return await self._kept_facts.source(message_id)

    async def accept(self, offer: KeepOffer, stored: StoredSource | None = None) -> Told:
        """Keep what somebody asked for in a message, now that they said yes; not if it changed since `stored`."""
        return await self._keep(offer.user_id, offer.text, told_at=offer.told_at, source=offer.source, stored=stored)

    async def correct_fact(self, user_id: int, number: int, text: str) -> Told:
        """Replace a fact by other words."""
        text = " ".join(text.split())
        others = [fact for fact in await self._kept_facts.of(user_id) if fact.number != number]
        refused = await self._refused(user_id, text, others)
        if refused is not None:
            return refused
        corrected = await self._kept_facts.correct(user_id, number, text, now=self._clock.now())
        if not corrected:
            return Told("memory.no_such", {"number": number})
        return Told("memory.corrected", {"number": number, "text": text})

    async def _keep(
        self,
        user_id: int,
        text: str,
        *,
        told_at: datetime,
        source: FactSource | None,
        stored: StoredSource | None = None,
    ) -> Told:
        known = await self._kept_facts.of(user_id)
        refused = await self._refused(user_id, text, known)
        if refused is not None:
            return refused
        if len(known) >= MOST_FACTS:
            return Told("memory.full", {"most": MOST_FACTS})
        fact = await self._kept_facts.add(user_id, text, now=told_at, source=source, stored=stored)
        if fact is None:
            return Told("memory.source_moved")
        return Told(_kept_as(fact), {"text": text})

    async def _refused(self, user_id: int, text: str, known: Sequence[KeptFact]) -> Told | None:
        """Return why a fact can't be kept, None if it can."""
        if (await self._users.get(user_id)).opted_out:
            return Told("memory.opted_out")
        if not text:
            return Told("memory.empty")
        if len(text) > LONGEST_FACT:
            return Told("memory.too_long", {"most": LONGEST_FACT})
        if any(fact.text == text for fact in known):
            return Told("memory.known", {"text": text})
        return None if await self._caution.may_be_kept(text) else Told("memory.weighs")

    async def consent(self, user_id: int) -> datetime | None:
        """Return since when somebody lets characters form impressions of them."""
        return await self._consents.given_at(user_id)

    async def set_consent(self, user_id: int, *, given: bool) -> Told:
        """Let characters form impressions of somebody from now on, or take all of that back at once."""
        if not given:
            withdrawn = await self._consents.withdraw(user_id)
            return Told("privacy.remember_off_done" if withdrawn else "privacy.remember_off_already")
        if (await self._users.get(user_id)).opted_out:
            return Told("privacy.remember_opted_out")
        await self._consents.give(user_id, now=self._clock.now())
        return Told("privacy.remember_on_done")

    async def forget_fact(self, user_id: int, number: int) -> Told:
        """Forget a fact by its number."""
        gone = await self._kept_facts.delete(user_id, number)
        return Told("memory.forgotten" if gone else "memory.no_such", {"number": number})


def _kept_as(fact: KeptFact) -> str:
    """Return what to say of a fact that was kept: some are told the character with a difference, or not at all."""
    if names_a_clock(fact.text):
        return "memory.added_clock"
    if passes(fact.text):
        return "memory.added_passing"
    return "memory.added_here" if fact.source is not None and fact.source.guild_id is not None else "memory.added"


async def timezones() -> Timezones:
    """Return all zones; the first call does its work in a thread."""
    return await asyncio.to_thread(all_timezones)
