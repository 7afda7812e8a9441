"""Who may be spoken to first, and when: what people and operators choose, looked over and stored."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.discord.ranges import in_words, read_ranges
from bot.personal import Personal, Told, timezones
from core.characters.pack import ProactivePolicy
from core.clock import Clock
from core.ports import Stores
from core.proactive.limits import Limits, limits_of
from core.proactive.scheduling import next_due
from core.proactive.types import Recipient, RecipientKind, Subscription, Wishes
from core.values import Locale

LONGEST_PAUSE_DAYS = 365
FOR_EVER = datetime.fromisoformat("9999-01-01T00:00:00+00:00")

Change = Callable[[Subscription], Subscription]


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """Whom a choice is about. `guild_id` and `chosen_by` belong to a channel."""

    recipient: Recipient
    guild_id: int | None = None
    chosen_by: int | None = None

    @property
    def is_person(self) -> bool:
        """Whether it is a person, in their direct messages."""
        return self.recipient.kind is RecipientKind.USER


class Consent:
    """Sets what was chosen for one character. Everything is told with the key of a text and its values."""

    def __init__(self, *, policy: ProactivePolicy, stores: Stores, personal: Personal, clock: Clock) -> None:
        self._policy = policy
        self._stores = stores
        self._personal = personal
        self._clock = clock

    async def of(self, party: Party) -> Subscription:
        """Return what was chosen; switched off where nothing ever was."""
        known = await self._stores.subscriptions.get(party.recipient)
        return known or Subscription(recipient=party.recipient, enabled=False, wishes=Wishes())

    async def switch_on(self, party: Party, place: str | None, locale: Locale) -> Told:
        """Let the character speak first. A time zone has to be known: quiet hours mean nothing without."""
        refused = await self._refusal(party)
        if refused is not None:
            return refused
        zone = await self._zone(party, place, locale)
        if isinstance(zone, Told):
            return zone

        def change(old: Subscription) -> Subscription:
            return replace(old, enabled=True, paused_until=None, wishes=replace(old.wishes, timezone=zone))

        told = await self._chosen("proactive.on_done", party, change)
        stored = await self.of(party)
        stopped = stored.unanswered and self.limits(stored.wishes, stored.unanswered) is None
        if told.key == "proactive.on_done" and stopped:
            return Told("proactive.on_stopped", {**told.values, "unanswered": stored.unanswered})
        return told

    async def switch_off(self, party: Party) -> Told:
        """Let the character speak first no more."""
        if not (await self.of(party)).enabled:
            return Told("proactive.off_already")
        await self._change(party, lambda old: replace(old, enabled=False))
        return Told("proactive.off_done")

    async def set_quiet(self, party: Party, text: str | None) -> Told:
        """Set hours in which nothing is ever said first, besides the character's own; None takes them back."""
        ranges = None if text is None else read_ranges(text)
        if text is not None and (ranges is None or len(ranges) != 1):
            return Told("proactive.quiet_unclear", {"wish": text})
        hours = ranges[0] if ranges else None
        return await self._chosen(
            "proactive.quiet_done",
            party,
            lambda old: replace(old, wishes=replace(old.wishes, quiet_hours=hours)),
        )

    async def set_windows(self, party: Party, text: str | None) -> Told:
        """Set the parts of the day in which it may be spoken first; None: whenever the character does."""
        ranges = None if text is None else read_ranges(text)
        if text is not None and ranges is None:
            return Told("proactive.windows_unclear", {"wish": text})
        return await self._chosen(
            "proactive.windows_done",
            party,
            lambda old: replace(old, wishes=replace(old.wishes, windows=ranges)),
        )

    async def set_pace(self, party: Party, per_day: int | None, gap_hours: int | None) -> Told:
        """Set how often at most, and how far apart at least; None: as often as the character would."""
        gap = None if gap_hours is None else gap_hours * 60
        if per_day is not None and per_day > self._policy.per_day:
            return Told("proactive.pace_too_often", {"count": self._policy.per_day})
        if gap is not None and gap < self._policy.minimum_gap_minutes:
            return Told("proactive.pace_too_close", {"hours": _hours(self._policy.minimum_gap_minutes)})
        return await self._chosen(
            "proactive.pace_done",
            party,
            lambda old: replace(old, wishes=replace(old.wishes, per_day=per_day, minimum_gap_minutes=gap)),
        )

    async def pause(self, party: Party, hours: int, days: int) -> Told:
        """Keep quiet for a while; for no time at all: lift a pause."""
        if not (await self.of(party)).enabled:
            return Told("proactive.off_already")
        length = timedelta(hours=hours, days=days)
        if not length:
            await self._change(party, lambda old: replace(old, paused_until=None))
            return Told("proactive.pause_lifted")
        until = self._clock.now() + min(length, timedelta(days=LONGEST_PAUSE_DAYS))
        await self._change(party, lambda old: replace(old, paused_until=until))
        return Told("proactive.pause_done", {"until": stamp(until)})

    async def pause_channel(self, channel: Recipient, until: datetime | None) -> None:
        """Keep a channel quiet until then, or lift that; what else is chosen for it stays as it is by now."""
        stored = None
        while stored is None:
            known = await self._stores.subscriptions.get(channel)
            if known is None:
                return
            stored = await self._store(replace(known, paused_until=until))

    def limits(self, wishes: Wishes, unanswered: int = 0) -> Limits | None:
        """Return what holds with these wishes, None where nothing may be said first."""
        return limits_of(self._policy, wishes, unanswered)

    def shown(self, wishes: Wishes) -> dict[str, object]:
        """Return the values of a text about wishes: what is left of the day, how often, how far apart."""
        limits = self.limits(wishes)
        return {
            "windows": in_words(limits.windows) if limits else "-",
            "quiet": in_words(limits.quiet) if limits else "-",
            "count": limits.per_day if limits else 0,
            "hours": _hours(int(limits.gap.total_seconds() // 60)) if limits else 0,
            "zone": wishes.timezone or "-",
        }

    async def _zone(self, party: Party, place: str | None, locale: Locale) -> str | Told:
        if party.is_person:
            return await self._zone_of_person(party.recipient.id, place, locale)
        if place is not None:
            found = (await timezones()).find(place, locale)
            return await self._personal.unclear(place, locale) if found is None else found.zone
        known = (await self.of(party)).wishes.timezone
        guild = None if party.guild_id is None else await self._stores.guilds.get(party.guild_id)
        return known or (guild.timezone if guild else None) or Told("proactive.zone_needed_channel")

    async def _zone_of_person(self, user_id: int, place: str | None, locale: Locale) -> str | Told:
        if place is not None:
            told = await self._personal.set_timezone(user_id, place, locale)
            if told.key != "timezone.done":
                return told
        return (await self._stores.users.get(user_id)).timezone or Told("proactive.zone_needed")

    async def _refusal(self, party: Party) -> Told | None:
        """Return why nothing may be chosen: of those who opted out nothing is kept."""
        if not self._policy.enabled:
            return Told("proactive.never")
        opted_out = party.is_person and (await self._stores.users.get(party.recipient.id)).opted_out
        return Told("proactive.opted_out") if opted_out else None

    async def _chosen(self, key: str, party: Party, change: Change) -> Told:
        """Store a change, unless nothing of the day would be left."""
        refused = await self._refusal(party)
        if refused is not None:
            return refused
        wishes = change(await self.of(party)).wishes
        limits = self.limits(wishes)
        if limits is None or not limits.windows:
            everything = self.shown(Wishes())
            return Told("proactive.nothing_left", {name: everything[name] for name in ("windows", "quiet")})
        stored = await self._change(party, change)
        return Told(key if stored.enabled else "proactive.noted", self.shown(stored.wishes))

    async def _change(self, party: Party, change: Change) -> Subscription:
        def by_party(old: Subscription) -> Subscription:
            return replace(change(old), guild_id=party.guild_id, chosen_by=party.chosen_by)

        while True:
            stored = await self._store(by_party(await self.of(party)))
            if stored is not None:
                return stored

    async def _store(self, subscription: Subscription) -> Subscription | None:
        """Store a change; None if another one came first."""
        due_at = next_due(self._policy, subscription, after=self._clock.now())
        return await self._stores.subscriptions.change(replace(subscription, due_at=due_at))


def stamp(moment: datetime) -> str:
    """Return a moment as Discord shows it to everybody in their own time."""
    return f"<t:{int(moment.timestamp())}:f>"


def _hours(minutes: int) -> str:
    return f"{minutes / 60:g}"
