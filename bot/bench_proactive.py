"""How quickly those who are due are found and judged among many, claimed, and spoken to."""

import asyncio
import statistics
from collections.abc import Awaitable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from itertools import count
from typing import TypeVar

from core.characters.pack import ProactivePolicy, TimeRange
from core.clock import Clock
from core.facts.schedule.timetable import Timetable
from core.ports import Delivered, SlotStore, SubscriptionStore
from core.proactive.occasions import Occasions
from core.proactive.scheduling import next_due, slot_at
from core.proactive.types import Claim, Grounding, Observation, Recipient, RecipientKind, Subscription, Wishes
from core.values import Locale, Surface, SurfaceKind

TIMEZONE = "Etc/UTC"
_AT_ONCE = 8
_BEFORE = timedelta(minutes=3)
_WINDOW = timedelta(minutes=12)

T = TypeVar("T")


class PromptPostbox:
    """`Messenger` that takes everything at once, and remembers when."""

    def __init__(self, clock: Clock) -> None:
        self.sent_at: dict[Recipient, datetime] = {}
        self._clock = clock

    async def send(self, recipient: Recipient, text: str, *, nonce: str, give_up_at: float) -> Delivered:
        """Take a message."""
        del text, nonce, give_up_at
        self.sent_at[recipient] = self._clock.now()
        return Delivered(message_id=recipient.id, surface=Surface(kind=SurfaceKind.DM, channel_id=recipient.id))


class ForgetfulKeeper:
    """`FirstWordsKeeper` that keeps nothing."""

    async def said_first(self, recipient: Recipient, delivered: Delivered, text: str, *, locale: Locale) -> None:
        """Keep nothing."""


class NoSchedule:
    """`TimetableSource` of a character without a schedule."""

    async def current(self) -> Timetable | None:
        """Return None."""
        return None


def policy_around(now: datetime) -> ProactivePolicy:
    """Return a policy with one short window around a moment, on the clocks of `TIMEZONE`."""
    opens = (now.astimezone(UTC) - _BEFORE).replace(second=0, microsecond=0)
    away = opens + timedelta(hours=12)
    return ProactivePolicy(
        enabled=True,
        per_day=1,
        minimum_gap_minutes=0,
        windows=(_range(opens, _WINDOW),),
        quiet_hours=_range(away, timedelta(minutes=1)),
    )


def due_between(
    character: str, policy: ProactivePolicy, most: int, *, since: datetime, until: datetime
) -> list[Subscription]:
    """Return people whose slot is due in that time, found by asking the real code of one after the other."""
    found: list[Subscription] = []
    for subscription in _people(character):
        due_at = next_due(policy, subscription, after=since)
        if due_at is not None and due_at <= until:
            found.append(replace(subscription, due_at=due_at))
        if len(found) == most:
            break
    return found


async def find_and_judge(
    occasions: Occasions, subscriptions: SubscriptionStore, *, character: str, most: int, clock: Clock
) -> tuple[float, int]:
    """Return the seconds it takes to find who is due and to judge each, and how many may be spoken to."""
    began = clock.monotonic()
    due = await subscriptions.due(character, now=clock.now(), limit=most)
    house = await occasions.lookout.house()

    async def judge(subscription: Subscription) -> bool:
        slot = slot_at(occasions.policy, subscription, subscription.due_at)
        attempt = None if slot is None else await occasions.judge(slot, subscription, house)
        return attempt is not None and attempt.ending is None

    admitted = sum(await _a_few_at_once(judge(subscription) for subscription in due))
    return clock.monotonic() - began, admitted


def delays(due: Iterable[Subscription], sent_at: dict[Recipient, datetime]) -> dict[str, float]:
    """Return how long after its moment each message was sent, in seconds."""
    late = [
        (sent_at[one.recipient] - one.due_at).total_seconds()
        for one in due
        if one.due_at is not None and one.recipient in sent_at
    ]
    if len(late) < 2:
        return {"sent": len(late)}
    p99 = statistics.quantiles(late, n=100, method="inclusive")[98]
    return {"sent": len(late), "p50_seconds": round(statistics.median(late), 3), "p99_seconds": round(p99, 3)}


def claims_of(subscriptions: Iterable[Subscription], policy: ProactivePolicy, now: datetime) -> list[Claim]:
    """Return a claim of each recipient's slot."""
    slots = (slot_at(policy, subscription, subscription.due_at) for subscription in subscriptions)
    return [
        Claim(
            id=slot.id,
            slot=slot,
            observation=Observation(observed_at=now, monotonic=None, fingerprint=None, revision=1, spoke_at=None),
            candidate_id="bench",
            locale=Locale.EN,
            grounding=Grounding.NEUTRAL,
            selector="seed:bench",
            worker="bench",
            claimed_at=now,
        )
        for slot in slots
        if slot is not None
    ]


async def claim_all(slots: SlotStore, claims: Iterable[Claim], clock: Clock) -> tuple[float, int]:
    """Return the seconds it takes to claim, a few at once as in a tick, and how many were won."""

    async def win(claim: Claim) -> bool:
        day_began = claim.claimed_at - timedelta(hours=12)
        return await slots.claim(claim, most_per_day=1, minimum_gap_seconds=0, local_day_began=day_began) is None

    began = clock.monotonic()
    won = sum(await _a_few_at_once(win(claim) for claim in claims))
    return clock.monotonic() - began, won


def _people(character: str) -> Iterator[Subscription]:
    for number in count(1):
        who = Recipient(character, RecipientKind.USER, number)
        yield Subscription(recipient=who, enabled=True, wishes=Wishes(timezone=TIMEZONE), revision=1)


def _range(opens: datetime, length: timedelta) -> TimeRange:
    return TimeRange(start=_minute(opens), end=_minute(opens + length))


def _minute(moment: datetime) -> time:
    return time(moment.hour, moment.minute)


async def _a_few_at_once(work: Iterable[Awaitable[T]]) -> list[T]:
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(piece: Awaitable[T]) -> T:
        async with room:
            return await piece

    return await asyncio.gather(*(one(piece) for piece in work))
