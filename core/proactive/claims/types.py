"""What a text that is said first may claim without anybody being able to tell whether it is true."""

from dataclasses import dataclass
from enum import StrEnum


class ClaimName(StrEnum):
    """Kinds of claims. The first five are about the moment, the next four about the character, then the reader.

    `LEARNED` may be any of them: the second opinion objects, where no rule can name it.
    """

    TIME = "time"
    WEEKDAY = "weekday"
    DATE = "date"
    PART_OF_DAY = "part_of_day"
    SEASON = "season"
    WEATHER = "weather"
    TODAY = "today"
    OTHER_DAY = "other_day"
    ACTIVITY = "activity"
    OTHER_ACTIVITY = "other_activity"
    USER_PRESENCE = "user_presence"
    USER_MOOD = "user_mood"
    USER_HEALTH = "user_health"
    USER_DAY = "user_day"
    USER_DOINGS = "user_doings"
    USER_TRAIT = "user_trait"
    SLOT = "slot"
    LEARNED = "learned.claim"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A claim and where it stands in the text as it was given (characters). `rule` is what found it."""

    claim: ClaimName
    start: int
    end: int
    rule: str
