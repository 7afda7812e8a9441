"""How facts once got into prompts: a clock here, a calendar's stamp there, a timetable in absolute times.

Three authorities that nobody reconciled. Kept to reproduce what came of that (seed 001), and used nowhere else.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from zoneinfo import ZoneInfo

from core.facts.schedule.timetable import Timetable
from core.facts.world import date_in_words, time_in_words
from core.turn.types import Turn
from core.values import Locale
from prompts.loader import PromptLibrary

_LOOKED_BACK = timedelta(hours=12)


def legacy_templates() -> PromptLibrary:
    """Read the templates of this package."""
    folder = files("core.sandbox") / "legacy"
    return PromptLibrary(
        {e.name.removesuffix(".txt"): e.read_text("utf-8") for e in folder.iterdir() if e.name.endswith(".txt")}
    )


@dataclass(frozen=True, slots=True)
class LegacyClocks:
    """`FactNotes`: each fact injected on its own. `calendar_read_at` None: as the last activity began."""

    timetable: Timetable | None
    calendar_read_at: datetime | None
    templates: PromptLibrary

    def in_system(self, turn: Turn, prompts: PromptLibrary) -> str | None:
        """Return the clock, and the stamp of a calendar that was read some time ago."""
        del prompts
        now, locale = turn.snapshot.capsule.world.now, turn.locale
        read_at = (self.calendar_read_at or self._last_beginning(now)).astimezone(now.tzinfo)
        return self.templates.render(
            "clocks",
            locale,
            time=time_in_words(now, locale),
            read_on=date_in_words(read_at.date(), locale),
            read_at=time_in_words(read_at, locale),
        )

    def before_newest(self, turn: Turn, prompts: PromptLibrary) -> str | None:
        """Return the day's timetable in absolute times."""
        del prompts
        if self.timetable is None:
            return None
        zone, locale = self.timetable.zone, turn.locale
        day = turn.snapshot.observed_at.astimezone(zone).date()
        entries = [
            {
                "begins": time_in_words(stretch.start.astimezone(zone), locale),
                "ends": time_in_words(stretch.end.astimezone(zone), locale),
                "activity": _title(stretch.activity.text, locale),
            }
            for stretch in self.timetable.stretches(day, 1)
            if stretch.activity is not None
        ]
        return self.templates.render("timetable", locale, entries=entries)

    def _last_beginning(self, now: datetime) -> datetime:
        if self.timetable is None:
            return now
        zone: ZoneInfo = self.timetable.zone
        day = now.astimezone(zone).date()
        begun = [s.start for s in self.timetable.stretches(day, 1) if s.activity is not None and s.start <= now]
        return max(begun, default=now - _LOOKED_BACK)


class NoFacts:
    """`FactNotes`: nothing at all."""

    def in_system(self, turn: Turn, prompts: PromptLibrary) -> None:
        """Return nothing."""
        del turn, prompts

    def before_newest(self, turn: Turn, prompts: PromptLibrary) -> None:
        """Return nothing."""
        del turn, prompts


def _title(texts: dict[Locale, str], locale: Locale) -> str:
    return texts.get(locale) or next(iter(texts.values()))
