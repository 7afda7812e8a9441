"""What a character may say first: ids that mean one thing, tied to activities that exist."""

from collections.abc import Iterator

from core.characters.pack import WindowKind
from core.errors import Problem
from core.proactive.opinion.opinion import SecondOpinion
from core.proactive.types import Grounding
from core.toml_lines import Path
from core.values import Locale
from data.packs.admission import refusals
from data.packs.explain import valid_items
from data.packs.files import TomlFile
from data.packs.schema import NeutralTable, ScheduledTable
from data.packs.sources import CALENDAR_FILE, SCHEDULE_FILE, Sources

Item = tuple[Path, NeutralTable]


def check_candidates(sources: Sources, *, has_schedule: bool, opinion: SecondOpinion) -> Iterator[Problem]:
    """Yield the problems of all candidates, as far as they are valid by themselves.

    `has_schedule`: there is a schedule's file. If it can't be read that is told once, not for every candidate.
    `opinion` is asked about texts that the rules let pass.
    """
    meanings: dict[str, tuple[object, TomlFile, Path]] = {}
    for file in sources.candidates.values():
        items = list(_items(file))
        yield from _twice(file, items, "id")
        yield from _twice(file, items, "text")
        for path, item in items:
            yield from _claims(file, path, item, sources, opinion)
            if isinstance(item, ScheduledTable):
                yield from _window_problems(file, path, item, sources, has_schedule=has_schedule)
            meaning, other, first = meanings.setdefault(item.id, (_meaning(item), file, path))
            if other is not file and meaning != _meaning(item):
                where = f"{other.name}:{other.lines[first]}"
                message = (
                    f"'{item.id}' is tied to another activity or window in {where}; the same id means the same moment"
                )
                yield file.problem(path, message)
    yield from _silent_but_enabled(sources)


def _items(file: TomlFile) -> Iterator[Item]:
    yield from valid_items(NeutralTable, file.data.get("neutral"), "neutral")
    yield from valid_items(ScheduledTable, file.data.get("scheduled"), "scheduled")


def _twice(file: TomlFile, items: list[Item], key: str) -> Iterator[Problem]:
    seen: dict[str, Path] = {}
    for path, item in items:
        first = seen.setdefault(getattr(item, key), path)
        if first != path:
            yield file.problem((*path, key), f"this {key} stands on line {file.lines[(*first, key)]} already")


def _claims(
    file: TomlFile, path: Path, item: NeutralTable, sources: Sources, opinion: SecondOpinion
) -> Iterator[Problem]:
    if isinstance(item, ScheduledTable):
        activity = sources.described(item.activity)
        messages = refusals(item.text, Grounding.SCHEDULE, activity=activity, opinion=opinion)
    else:
        messages = refusals(item.text, Grounding.NEUTRAL, opinion=opinion)
    for message in messages:
        yield file.problem((*path, "text"), message)


def _window_problems(
    file: TomlFile, path: Path, item: ScheduledTable, sources: Sources, *, has_schedule: bool
) -> Iterator[Problem]:
    if item.window is not WindowKind.DURING and item.within_minutes is None:
        message = f"window '{item.window}' needs 'within_minutes': how far from the activity, at most"
        yield file.problem((*path, "window"), message)
    known = sources.known_activities()
    if known is None:
        if not has_schedule:
            message = f"is tied to an activity, but the pack has no {SCHEDULE_FILE} or {CALENDAR_FILE}"
            yield file.problem((*path, "activity"), message)
    elif item.activity not in known:
        where = f"activity '{item.activity}' in {CALENDAR_FILE}"
        missing = where if sources.calendar else f"[activity.{item.activity}] in {SCHEDULE_FILE}"
        yield file.problem((*path, "activity"), f"there is no {missing}")


def _meaning(item: NeutralTable) -> object:
    return (item.activity, item.window, item.within_minutes) if isinstance(item, ScheduledTable) else None


def _silent_but_enabled(sources: Sources) -> Iterator[Problem]:
    proactive = sources.character.data.get("proactive") if sources.character else None
    enabled = isinstance(proactive, dict) and proactive.get("enabled") is True
    if sources.character and enabled and not sources.candidates:
        locale = sources.main_locale or Locale.EN
        message = f"speaking first is enabled, but there is no candidates.{locale}.toml with what may be said"
        yield sources.character.problem(("proactive", "enabled"), message)
