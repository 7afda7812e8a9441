"""The tables of a pack's files. docs/characters.md tells the same to people."""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, model_validator

from core.characters.pack import HolidayRule, WindowKind
from core.lore.book import LorePlace
from core.values import Locale, Tier
from data.packs.fields import (
    ClockTime,
    Day,
    DayPart,
    ExceptionDay,
    Id,
    Key,
    LocalisedIntroduction,
    LocalisedName,
    LocalisedText,
    LoreText,
    Name,
    Opener,
    PackName,
    Place,
    ShortText,
    TimeZone,
    TokenEnv,
    parse_range,
)

_MOST = 1000


class Table(BaseModel):
    """A TOML table; keys that are not declared are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ProactiveTable(Table):
    """`[proactive]` of character.toml."""

    enabled: StrictBool = False
    per_day: Annotated[StrictInt, Field(ge=1, le=10)] = 1
    minimum_gap_minutes: Annotated[StrictInt, Field(ge=15, le=10080)] = 240
    windows: Annotated[tuple[DayPart, ...], Field(max_length=12)] = (parse_range("09:00-21:00"),)
    quiet_hours: DayPart = parse_range("22:00-08:00")
    slow_after: Annotated[StrictInt, Field(ge=1, le=20)] = 2
    stop_after: Annotated[StrictInt, Field(ge=1, le=20)] = 4

    @model_validator(mode="after")
    def _slows_before_it_stops(self) -> Self:
        if self.slow_after > self.stop_after:
            raise ValueError(f"stops ({self.stop_after}) before it slows ({self.slow_after}); raise 'stop_after'")
        return self


class CharacterTable(Table):
    """character.toml."""

    name: PackName
    display_name: LocalisedName
    call_names: Annotated[tuple[Name, ...], Field(max_length=20)] = ()
    locale: Locale
    timezone: TimeZone
    tier: Tier = Tier.BALANCED
    tags: Annotated[tuple[ShortText, ...], Field(max_length=30)] = ()
    token_env: TokenEnv | None = None
    introduction: LocalisedIntroduction
    proactive: ProactiveTable = ProactiveTable()


class ActivityTable(Table):
    """`[activity.<id>]` of schedule.toml."""

    text: LocalisedText
    tags: Annotated[tuple[ShortText, ...], Field(max_length=30)] = ()


class SpanTable(Table):
    """`[[exception.add]]` of schedule.toml."""

    activity: Id
    start: ClockTime
    end: ClockTime
    priority: Annotated[StrictInt, Field(ge=-100, le=100)] = 0


class WeeklyTable(SpanTable):
    """`[[weekly]]` of schedule.toml."""

    days: Annotated[tuple[Day, ...], Field(min_length=1, max_length=7)]
    on_holidays: HolidayRule = HolidayRule.IGNORE


class ExceptionTable(Table):
    """`[[exception]]` of schedule.toml."""

    date: ExceptionDay
    cancel: Annotated[tuple[str, ...], Field(max_length=_MOST)] = ()
    add: Annotated[tuple[SpanTable, ...], Field(max_length=_MOST)] = ()


class ScheduleTable(Table):
    """schedule.toml."""

    holidays: Place | None = None
    activity: dict[Id, ActivityTable] = {}
    weekly: Annotated[tuple[WeeklyTable, ...], Field(max_length=_MOST)] = ()
    exception: Annotated[tuple[ExceptionTable, ...], Field(max_length=_MOST)] = ()


class NeutralTable(Table):
    """`[[neutral]]` of a candidates file."""

    id: Id
    text: Opener
    cooldown_days: Annotated[StrictInt, Field(ge=1, le=365)] = 21


class ScheduledTable(NeutralTable):
    """`[[scheduled]]` of a candidates file."""

    activity: Id
    window: WindowKind
    within_minutes: Annotated[StrictInt, Field(ge=1, le=720)] | None = None


class CandidatesTable(Table):
    """candidates.<locale>.toml."""

    neutral: Annotated[tuple[NeutralTable, ...], Field(max_length=_MOST)] = ()
    scheduled: Annotated[tuple[ScheduledTable, ...], Field(max_length=_MOST)] = ()


class LoreEntryTable(Table):
    """`[[entry]]` of a lore file."""

    name: Annotated[str, Field(max_length=120)] = ""
    keys: Annotated[tuple[Key, ...], Field(max_length=200)] = ()
    secondary_keys: Annotated[tuple[Key, ...], Field(max_length=200)] = ()
    text: LoreText
    enabled: StrictBool = True
    always: StrictBool = False
    case_sensitive: StrictBool = False
    order: Annotated[StrictInt, Field(ge=-1_000_000, le=1_000_000)] = 100
    priority: Annotated[StrictInt, Field(ge=-1_000_000, le=1_000_000)] = 0
    scan_depth: Annotated[StrictInt, Field(ge=0, le=100)] | None = None
    place: LorePlace = LorePlace.AFTER


class LoreTable(Table):
    """lore.<locale>.toml."""

    scan_depth: Annotated[StrictInt, Field(ge=0, le=100)] = 4
    token_budget: Annotated[StrictInt, Field(ge=0, le=100_000)] = 400
    recursive: StrictBool = False
    entry: Annotated[tuple[LoreEntryTable, ...], Field(max_length=_MOST)] = ()


class VoiceTable(Table):
    """voice.<locale>.toml."""

    greetings: Annotated[tuple[LoreText, ...], Field(max_length=100)] = ()
    examples: Annotated[tuple[LoreText, ...], Field(max_length=100)] = ()
