"""One day of one person, and everybody's days together: the figures that a page shows."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from bot.simulation.report import Group, Outcome
from bot.simulation.truth import Chosen
from core.proactive.types import SlotRecord, SlotState

HOURS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """What was decided for somebody on a day of theirs, with what they had chosen by the last of it.

    `steady`: they had chosen the same by the first of it.
    """

    person: int
    day: date
    zone: ZoneInfo
    chosen: Chosen
    steady: bool
    records: Sequence[SlotRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Everybody's occasions: by the hour of their own day (sent, not sent), and by outcome, most frequent first."""

    sent: Sequence[int]
    not_sent: Sequence[int]
    outcomes: Sequence[tuple[str, int]]


def telling_day(outcome: Outcome) -> Day | None:
    """Return the day that shows most: wishes that stay, a message that was sent, one that wasn't, own wishes."""
    return max((day for group in outcome.groups for day in _days(group)), key=_worth, default=None)


def totals(outcome: Outcome) -> Totals:
    """Return everybody's figures."""
    sent, not_sent = [0] * HOURS, [0] * HOURS
    outcomes: Counter[str] = Counter()
    for group in outcome.groups:
        for record in group.records:
            outcomes[record.outcome] += 1
            zone = group.truth.zone_around(record.recipient.id, record.due_at)
            if zone is not None:
                hours = sent if record.state is SlotState.SENT else not_sent
                hours[record.due_at.astimezone(ZoneInfo(zone)).hour] += 1
    return Totals(sent=sent, not_sent=not_sent, outcomes=outcomes.most_common())


def _days(group: Group) -> Iterator[Day]:
    found: dict[tuple[int, date, str], list[SlotRecord]] = defaultdict(list)
    for record in group.records:
        zone = group.truth.zone_around(record.recipient.id, record.due_at)
        if zone is not None:
            local = record.due_at.astimezone(ZoneInfo(zone)).date()
            found[record.recipient.id, local, zone].append(record)
    for (person, local, zone), records in found.items():
        ordered = sorted(records, key=lambda record: record.due_at)
        first, last = (_chosen_by(group, person, record.due_at) for record in (ordered[0], ordered[-1]))
        yield Day(person=person, day=local, zone=ZoneInfo(zone), chosen=last, steady=first == last, records=ordered)


def _chosen_by(group: Group, person: int, moment: datetime) -> Chosen:
    known = [one for one in group.truth.chosen.get(person, ()) if one.at is not None and one.at <= moment]
    return known[-1] if known else Chosen()


def _worth(day: Day) -> tuple[bool, bool, bool, bool, int, int]:
    states = {record.state for record in day.records}
    return (
        day.steady,
        SlotState.SENT in states and len(states) > 1,
        day.chosen.quiet is not None,
        day.chosen.windows is not None,
        len({record.outcome for record in day.records}),
        -day.person,
    )
