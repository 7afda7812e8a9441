"""The shapes of what is found."""

from dataclasses import dataclass
from enum import StrEnum


class ClaimKind(StrEnum):
    """What a claim about the present names."""

    TIME = "time"
    WEEKDAY = "weekday"
    DATE = "date"
    PART_OF_DAY = "part_of_day"


class Approximation(StrEnum):
    """How a time is hedged: "past four", "about four", "nearly four"."""

    PAST = "past"
    ABOUT = "about"
    NEARLY = "nearly"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeClaim:
    """A statement about the present.

    `value` is `HH:MM` (24 hours) for a time, an English weekday (`monday`), `MM-DD` for a date (`*-DD` where no month
    is said, `YYYY-MM-DD` where the year is, too), and for a part of the day one of `early_morning`, `morning`, `noon`,
    `afternoon`, `evening`, `night`, `late_night`, `midnight`. What spans more has both ends, included: `14:00/16:40`
    ("tea time"), `12-31/01-15` ("happy new year"), `*-23/*-31` ("the end of the month"), `05-25/05-31@monday` (a feast
    on a weekday); there may be several, with commas. `07-*` is all of a month, `summer` a season, `weekend`, `weekday`
    and `midweek` are several days of the week. `ambiguous_12h` means
    that either half of the day will do; `value` is then the earlier one, but noon for twelve. `start` and `end` are
    character offsets in the text as it was given. `greeting` tells "good evening" from "it is evening". `rule` is the
    id of the rule that found it.
    """

    kind: ClaimKind
    value: str
    start: int
    end: int
    rule: str
    approx: Approximation | None = None
    ambiguous_12h: bool = False
    greeting: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityClaim:
    """An activity or a state of the body that the speaker claims as its own (offsets as in `TimeClaim`)."""

    rule: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Claims:
    """All claims of one text, each kind in the order they stand in."""

    times: tuple[TimeClaim, ...]
    activities: tuple[ActivityClaim, ...]
