"""What people set for themselves: language, time zone, and facts they want kept. The same on every surface."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.timezones import Place, Timezones, all_timezones
from core.clock import Clock
from core.facts.capsule.kept import names_a_clock, passes
from core.facts.world import time_in_words
from core.ports import KeptFactStore, UserStore
from core.values import KeptFact, Locale
from prompts.messages import Messages

MOST_FACTS = 20
LONGEST_FACT = 200
_HINTS = 5
# The choice of a language that leaves it to the conversation.
AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Told:
    """What a person is told: the key of a text, and its values."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)


class Personal:
    """Sets and forgets what a person decided; refuses those who opted out, of whom nothing is kept."""

    def __init__(self, *, users: UserStore, kept_facts: KeptFactStore, messages: Messages, clock: Clock) -> None:
        self._users = users
        self._kept_facts = kept_facts
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
        """Keep a fact."""
        text = " ".join(text.split())
        known = await self._kept_facts.of(user_id)
        if (await self._users.get(user_id)).opted_out:
            return Told("memory.opted_out")
        if not text:
            return Told("memory.empty")
        if len(text) > LONGEST_FACT:
            return Told("memory.too_long", {"most": LONGEST_FACT})
        if any(fact.text == text for fact in known):
            return Told("memory.known", {"text": text})
        if len(known) >= MOST_FACTS:
            return Told("memory.full", {"most": MOST_FACTS})
        await self._kept_facts.add(user_id, text, now=self._clock.now())
        return Told(_kept_as(text), {"text": text})

    async def forget_fact(self, user_id: int, number: int) -> Told:
        """Forget a fact by its number."""
        gone = await self._kept_facts.delete(user_id, number)
        return Told("memory.forgotten" if gone else "memory.no_such", {"number": number})


def _kept_as(text: str) -> str:
    """Return what to say of a fact that was kept: some are told the character with a difference, or not at all."""
    if names_a_clock(text):
        return "memory.added_clock"
    return "memory.added_passing" if passes(text) else "memory.added"


async def timezones() -> Timezones:
    """Return all zones; the first call does its work in a thread."""
    return await asyncio.to_thread(all_timezones)
