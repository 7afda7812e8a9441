"""The people of a simulation: where they live, what they want, how they answer, what they do in the course of it.

Channels of servers stand among them: they are spoken in first as people are spoken to, and anybody may answer there.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

DAY = 86_400.0

ZONES = (
    "Asia/Tokyo",
    "Europe/Berlin",
    "America/New_York",
    "America/Los_Angeles",
    "Europe/London",
    "Asia/Kolkata",
    "Australia/Sydney",
    "America/Sao_Paulo",
    "Africa/Nairobi",
    "Asia/Kathmandu",
    "America/St_Johns",
    "Pacific/Auckland",
)
_WEIGHTS = (40, 9, 9, 8, 7, 6, 5, 4, 4, 3, 3, 2)
_WINDOWS = ("9:00-12:00", "12:00-13:30", "18:00-21:00", "9:00-11:00, 17:00-20:00", "6:00-10:00, 12:30-24:00")
_QUIET = ("21:00-09:00", "18:00-10:00", "12:00-13:00", "23:00-07:00", "20:00-08:30")
_PACES = ((1, None), (2, 6), (None, 8), (1, 24), (2, None))


_FIRST_CHANNEL = 20_000_000
_FIRST_SERVER = 30_000_000
_CHANNELS_EACH = 2


class Kind(StrEnum):
    """What people do."""

    SPEAK = "speak"
    ON = "on"
    OFF = "off"
    QUIET = "quiet"
    WINDOWS = "windows"
    PACE = "pace"
    PAUSE = "pause"
    MOVE = "move"
    OPT_OUT = "opt_out"
    COME_BACK = "come_back"
    FORGET = "forget"
    CLOSE_DMS = "close_dms"
    OPEN_DMS = "open_dms"
    LEAN = "lean"
    """Leans on the character so much that it is to hold back."""
    SILENCE = "silence"
    """Those who manage a server silence all of its channels."""
    LIFT = "lift"
    REMOVE = "remove"
    """The character is removed from a server."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something somebody does. `text`: a place or parts of a day; `numbers`: a pace, or the hours of a pause."""

    kind: Kind
    text: str | None = None
    numbers: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody, with the wishes they begin with. `answers`: of how many messages they answer one, and how soon.

    `server`: the one that a channel belongs to, None for a person.
    """

    id: int
    zone: str
    answers: float
    delay: float
    talks: float
    windows: str | None
    quiet: str | None
    pace: tuple[int | None, int | None] | None
    server: int | None = None

    def wishes(self) -> Iterator[Act]:
        """Yield everything they say when they switch it on; a channel goes by its server's clock."""
        if self.server is not None:
            yield Act(Kind.MOVE, self.zone)
        yield Act(Kind.ON, self.zone if self.server is None else None)
        if self.windows is not None:
            yield Act(Kind.WINDOWS, self.windows)
        if self.quiet is not None:
            yield Act(Kind.QUIET, self.quiet)
        if self.pace is not None:
            yield Act(Kind.PACE, numbers=self.pace)


def person(number: int, seed: int) -> Person:
    """Return the person of a number, always the same for a seed."""
    rng = random.Random(f"{seed} person {number}")
    return Person(
        id=10_000 + number,
        zone=rng.choices(ZONES, _WEIGHTS)[0],
        answers=rng.choice((0.0, 0.1, 0.4, 0.7, 0.95)),
        delay=rng.choice((60.0, 1_800.0, 5 * 3_600.0)),
        talks=rng.choice((0.0, 0.1, 0.3, 1.0)),
        windows=rng.choice(_WINDOWS) if rng.random() < 0.4 else None,
        quiet=rng.choice(_QUIET) if rng.random() < 0.4 else None,
        pace=rng.choice(_PACES) if rng.random() < 0.3 else None,
    )


def channel(number: int, seed: int) -> Person:
    """Return the channel of a number, two to a server, always the same for a seed."""
    server = number // _CHANNELS_EACH
    zone = random.Random(f"{seed} server {server}").choices(ZONES, _WEIGHTS)[0]
    somebody = person(-1 - number, seed)
    return replace(somebody, id=_FIRST_CHANNEL + number, server=_FIRST_SERVER + server, zone=zone)


def life(somebody: Person, seed: int, days: int) -> list[tuple[float, Act]]:
    """Return what somebody does and when (seconds from the start), besides answering."""
    rng = random.Random(f"{seed} life {somebody.id}")
    if rng.random() < 0.05:
        return []
    begins = 0.0 if rng.random() < 0.7 else rng.uniform(0, days * DAY)
    acts = [(begins, act) for act in somebody.wishes()]
    for share, happens in _OF_PEOPLE if somebody.server is None else _OF_CHANNELS:
        if rng.random() < share * days / 30:
            acts += happens(somebody, rng, rng.uniform(begins, days * DAY))
    acts += _talk(somebody, rng, days)
    return sorted(acts, key=lambda pair: pair[0])


def _talk(somebody: Person, rng: random.Random, days: int) -> list[tuple[float, Act]]:
    if not somebody.talks:
        return []
    moments: list[float] = []
    moment = rng.expovariate(somebody.talks / DAY)
    while moment < days * DAY:
        moments.append(moment)
        moment += rng.expovariate(somebody.talks / DAY)
    return [(moment, Act(Kind.SPEAK)) for moment in moments]


def _off(somebody: Person, rng: random.Random, at: float) -> list[tuple[float, Act]]:
    return [(at, Act(Kind.OFF)), (at + rng.uniform(60, 6 * DAY), Act(Kind.ON, somebody.zone))]


def _opted_out(somebody: Person, rng: random.Random, at: float) -> list[tuple[float, Act]]:
    back = at + rng.uniform(60, 8 * DAY)
    return [(at, Act(Kind.OPT_OUT)), (back, Act(Kind.COME_BACK)), *((back, act) for act in somebody.wishes())]


def _forgotten(somebody: Person, rng: random.Random, at: float) -> list[tuple[float, Act]]:
    back = at + rng.uniform(60, 8 * DAY)
    return [(at, Act(Kind.FORGET)), *((back, act) for act in somebody.wishes())]


def _pause(_: Person, rng: random.Random, at: float) -> list[tuple[float, Act]]:
    return [(at, Act(Kind.PAUSE, numbers=(rng.choice((3, 12, 48, 200)), None)))]


def _move(_: Person, rng: random.Random, at: float) -> list[tuple[float, Act]]:
    return [(at, Act(Kind.MOVE, rng.choice(ZONES)))]


def _unreachable(somebody: Person, rng: random.Random, at: float) -> list[tuple[float, Act]]:
    back = at + rng.uniform(DAY, 8 * DAY)
    return [(at, Act(Kind.CLOSE_DMS)), (back, Act(Kind.OPEN_DMS)), (back, Act(Kind.ON, somebody.zone))]


def _leans(_: Person, rng: random.Random, at: float) -> list[tuple[float, Act]]:
    del rng
    return [(at, Act(Kind.LEAN))]


def _changes(_: Person, rng: random.Random, at: float) -> list[tuple[float, Act]]:
    wish = rng.choice((Kind.QUIET, Kind.WINDOWS, Kind.PACE))
    if wish is Kind.PACE:
        return [(at, Act(wish, numbers=rng.choice(_PACES)))]
    return [(at, Act(wish, rng.choice((None, *(_QUIET if wish is Kind.QUIET else _WINDOWS)))))]


def _silenced(_: Person, rng: random.Random, at: float) -> list[tuple[float, Act]]:
    return [(at, Act(Kind.SILENCE)), (at + rng.uniform(DAY, 5 * DAY), Act(Kind.LIFT))]


def _removed(somebody: Person, rng: random.Random, at: float) -> list[tuple[float, Act]]:
    back = at + rng.uniform(60, 6 * DAY)
    return [(at, Act(Kind.REMOVE)), *((back, act) for act in somebody.wishes())]


_Happens = Callable[[Person, random.Random, float], list[tuple[float, Act]]]

# To which share of them it happens within a month.
_OF_PEOPLE: tuple[tuple[float, _Happens], ...] = (
    (0.10, _off),
    (0.06, _opted_out),
    (0.02, _forgotten),
    (0.12, _pause),
    (0.06, _move),
    (0.05, _unreachable),
    (0.03, _leans),
    (0.40, _changes),
    (0.30, _changes),
)
_OF_CHANNELS: tuple[tuple[float, _Happens], ...] = (
    (0.30, _off),
    (0.30, _pause),
    (0.30, _move),
    (0.30, _silenced),
    (0.30, _removed),
    (0.30, _unreachable),
    (0.70, _changes),
)
