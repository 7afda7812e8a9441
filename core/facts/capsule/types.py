"""Whose fact is it: the owners of a capsule as types."""

from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum

from core.characters.pack import Activity
from core.facts.world import WorldFacts

# The tag of an activity during which the character would not normally be there to answer.
SLEEP_TAG = "sleep"


class ClockOwner(StrEnum):
    """Whose clock the one clock of a conversation is."""

    USER = "user"
    GUILD = "guild"
    CHARACTER = "character"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldFact:
    """What a person told of themselves, and how many midnights ago by the conversation's clock.

    It was so when it was told: "today" in it is that day.
    """

    text: str
    days_ago: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NextActivity:
    """What the character does next, and in how long."""

    activity: Activity
    ahead: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterFacts:
    """What belongs to the character. Lengths only: its schedule has no clock of its own.

    No `activity` in an empty hour. `scheduled` is False for a character without a schedule, of which nothing is known.
    `lives_elsewhere`: its clock shows another time than the conversation's.
    """

    scheduled: bool = True
    activity: Activity | None = None
    since: timedelta | None = None
    left: timedelta | None = None
    upcoming: NextActivity | None = None
    lives_elsewhere: bool = False

    @property
    def asleep(self) -> bool:
        """Whether it is the character's time to sleep."""
        return self.activity is not None and SLEEP_TAG in self.activity.tags


@dataclass(frozen=True, slots=True, kw_only=True)
class UserFacts:
    """What belongs to the person who is answered.

    `timezone` is None where the clock is not theirs: it is not known, or not to be used here. `is_new`: there is
    no record of them; otherwise no `since_last_spoke` means that it is not to be told here. `kept`: what they told
    and allowed to keep.
    """

    timezone: str | None = None
    is_new: bool = False
    since_last_spoke: timedelta | None = None
    kept: tuple[ToldFact, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactCapsule:
    """Every fact of a turn, from one snapshot. `world.now` is the only clock there is, and `clock` says whose it is.

    `private`: nobody else reads the conversation.
    """

    clock: ClockOwner
    private: bool
    world: WorldFacts
    character: CharacterFacts
    user: UserFacts
