"""The independent check of a simulation: every message that reached somebody, against what was so at that moment.

It shares no rule with the code that decides: what counts is the record of what people chose, when they spoke, what
the schedule said, and what Discord received.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.simulation.truth import Chosen, Edition, House, Received, Truth, latest
from core.characters.pack import Activity, ActivityWindow, Candidate, ProactivePolicy, TimeRange, WindowKind

KINDS = ("quiet_hours", "caps", "gap", "lease", "window", "fingerprint", "consent", "double_send")
_LEASE_SECONDS = 120.0
_SLOT = re.compile(r"\\\{[^{}]*\\\}")


def broken_rules(truth: Truth, policy: ProactivePolicy, candidates: Iterable[Candidate]) -> list[tuple[str, Received]]:
    """Return each broken rule (one of `KINDS`) with the message that broke it."""
    judge = _Judge(truth=truth, policy=policy, texts=[(_pattern(one.text), one) for one in candidates])
    before: dict[int, list[Received]] = defaultdict(list)
    found: list[tuple[str, Received]] = []
    for message in truth.received:
        since = truth.chosen_at(message.person, message.order).since
        earlier = [one for one in before[message.person] if one.order > since]
        found += [(kind, message) for kind in judge.broken(message, earlier)]
        before[message.person].append(message)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judge:
    truth: Truth
    policy: ProactivePolicy
    texts: list[tuple[re.Pattern[str], Candidate]]

    def broken(self, message: Received, earlier: Sequence[Received]) -> Iterator[str]:
        """Yield the rules that a message broke; `earlier`: those to the same person before it that may be known of."""
        chosen = self.truth.chosen_at(message.person, message.order)
        if self._unwanted(message, chosen):
            yield "consent"
        yield from self._ungrounded(message)
        if chosen.zone is None:
            return
        local = message.at.astimezone(ZoneInfo(chosen.zone))
        if _in_any(local.time(), [self.policy.quiet_hours, chosen.quiet]):
            yield "quiet_hours"
        if self._outside(local.time(), chosen):
            yield "window"
        yield from self._too_many(message, chosen, earlier)
        if self._again(message, chosen, earlier):
            yield "double_send"

    def _unwanted(self, message: Received, chosen: Chosen) -> bool:
        house = latest(self.truth.house, message.order) or House()
        seen = latest(self.truth.observed.get(message.nonce, ()), message.order)
        untils = [chosen.paused_until, chosen.suspended_until, house.paused_until]
        spoke_since = seen is not None and any(
            seen.order < order < message.order for order in self.truth.spoke.get(message.person, ())
        )
        return (
            not chosen.enabled
            or chosen.opted_out
            or chosen.zone is None
            or any(until is not None and message.at < until for until in untils)
            or house.frozen
            or spoke_since
        )

    def _ungrounded(self, message: Received) -> Iterator[str]:
        seen = latest(self.truth.observed.get(message.nonce, ()), message.order)
        if seen is None or message.elapsed - seen.elapsed >= _LEASE_SECONDS:
            yield "lease"
        now = latest(self.truth.schedule, message.order)
        then = None if seen is None else latest(self.truth.schedule, seen.order)
        candidate = next((one for pattern, one in self.texts if pattern.fullmatch(message.text)), None)
        if candidate is None or not _unchanged(then, now, None if seen is None else seen.at):
            yield "fingerprint"
        elif now is not None and seen is not None and not _fits(candidate, now, message.at, seen.at):
            yield "window"

    def _outside(self, at: time, chosen: Chosen) -> bool:
        allowed = not self.policy.windows or _in_any(at, self.policy.windows)
        wanted = chosen.windows is None or _in_any(at, chosen.windows)
        return not (allowed and wanted)

    def _too_many(self, message: Received, chosen: Chosen, earlier: Sequence[Received]) -> Iterator[str]:
        spoke = max((order for order in self.truth.spoke.get(message.person, ()) if order < message.order), default=0)
        unanswered = sum(one.order > spoke for one in earlier)
        per_day = min(self.policy.per_day, chosen.per_day or self.policy.per_day)
        gap = max(timedelta(minutes=self.policy.minimum_gap_minutes), chosen.gap or timedelta())
        if unanswered >= self.policy.slow_after:
            gap = 2 * gap
            per_day = max(1, per_day // 2)
        zone = ZoneInfo(chosen.zone or "UTC")
        today = sum(_day(one, zone) == _day(message, zone) for one in earlier)
        if today >= per_day or unanswered >= self.policy.stop_after:
            yield "caps"
        if earlier and message.at - max(one.at for one in earlier) < gap:
            yield "gap"

    def _again(self, message: Received, chosen: Chosen, earlier: Sequence[Received]) -> bool:
        """Return whether an occasion was used twice: the same nonce, or the same window of the same day."""
        mine = _occasion(message, chosen, self.policy)
        return any(
            one.nonce == message.nonce
            or (
                mine is not None
                and self.truth.chosen_at(one.person, one.order) == chosen
                and _occasion(one, chosen, self.policy) == mine
            )
            for one in earlier
        )


def _occasion(message: Received, chosen: Chosen, policy: ProactivePolicy) -> tuple[object, ...] | None:
    local = message.at.astimezone(ZoneInfo(chosen.zone or "UTC"))
    within = [window for window in policy.windows if window.start < window.end and _in(local.time(), window)]
    return (local.date(), within[0]) if within else None


def _day(message: Received, zone: ZoneInfo) -> object:
    return message.at.astimezone(zone).date()


def _in_any(at: time, ranges: Iterable[TimeRange | None]) -> bool:
    return any(hours is not None and _in(at, hours) for hours in ranges)


def _in(at: time, hours: TimeRange) -> bool:
    if hours.start < hours.end:
        return hours.start <= at < hours.end
    return not hours.end <= at < hours.start


def _unchanged(then: Edition | None, now: Edition | None, seen: datetime | None) -> bool:
    """Return whether the schedule says the same as when it was looked at: the same text, or the same three days.

    An edit of lunch on weekdays says nothing else of a weekend after a holiday.
    """
    if then is None or now is None or seen is None or now.content is None:
        return False
    return now.content == then.content or _days_around(now, seen) == _days_around(then, seen)


def _days_around(edition: Edition, at: datetime) -> list[tuple[datetime, datetime, Activity | None]] | None:
    if edition.timetable is None:
        return None
    first = at.astimezone(edition.timetable.zone).date() - timedelta(days=1)
    return [(one.start, one.end, one.activity) for one in edition.timetable.stretches(first, 3)]


def _fits(candidate: Candidate, edition: Edition, *moments: datetime) -> bool:
    """Return whether a text's window held when it arrived or, since a look may be spoken of for a lease, when it began.

    How long Discord takes is in nobody's hands.
    """
    return candidate.window is None or any(_holds(candidate.window, edition, moment) for moment in moments)


def _holds(window: ActivityWindow, edition: Edition, at: datetime) -> bool:
    """Return whether the schedule has a moment of the activity that the window means."""
    if edition.timetable is None:
        return False
    first = at.astimezone(edition.timetable.zone).date() - timedelta(days=1)
    times = [
        (one.start, one.end)
        for one in edition.timetable.stretches(first, 3)
        if one.activity is not None and one.activity.id == window.activity
    ]
    length = timedelta(minutes=window.within_minutes or 24 * 60)
    match window.kind:
        case WindowKind.DURING:
            return any(start <= at < end and at <= start + length for start, end in times)
        case WindowKind.BEFORE:
            return any(start - length <= at < start for start, _ in times)
        case _:
            return any(end <= at <= end + length for _, end in times)


def _pattern(text: str) -> re.Pattern[str]:
    """Return what a candidate's text looks like once code has filled its slots."""
    return re.compile(_SLOT.sub(".+", re.escape(text)), re.DOTALL)
