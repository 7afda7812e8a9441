"""Every text of a pack exists in every locale of the pack."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.errors import Problem
from core.toml_lines import Path
from core.values import Locale
from data.packs.files import PackFolder, TomlFile
from data.packs.sources import Sources, candidates_file, personality_file

if TYPE_CHECKING:
    from data.packs.ical import CalendarFile


def check_locales(folder: PackFolder, sources: Sources) -> Iterator[Problem]:
    """Yield what is missing in a locale that something else of the pack is written in."""
    main = sources.main_locale
    if main and main not in sources.locales and sources.character:
        yield sources.character.problem(("locale",), f"is '{main}', but nothing in the pack is written in it")
    for locale in sources.locales or ((main,) if main else ()):
        yield from _missing_file(folder, personality_file(locale), locale, sources)
        if any(folder.has(candidates_file(other)) for other in sources.locales):
            yield from _missing_file(folder, candidates_file(locale), locale, sources)
    if sources.character:
        for key in ("display_name", "introduction"):
            yield from _missing_text(sources.character, (key,), sources.character.data.get(key), sources)
    if sources.calendar:
        yield from _missing_titles(sources.calendar, sources)
    if sources.schedule:
        for name, text in sources.activity_texts().items():
            yield from _missing_text(sources.schedule, ("activity", name, "text"), text, sources)


def _missing_file(folder: PackFolder, name: str, locale: Locale, sources: Sources) -> Iterator[Problem]:
    if not folder.has(name):
        others = f"; without it, take '{locale}' out of the rest of the pack" if len(sources.locales) > 1 else ""
        yield Problem(folder.label(name), None, f"is missing; write it{others}")


def _missing_text(file: TomlFile, path: Path, texts: object, sources: Sources) -> Iterator[Problem]:
    if not isinstance(texts, dict):
        return  # reported as a missing or wrong table already
    for locale in sources.locales:
        if locale.value not in texts:
            name = ".".join(str(part) for part in path)
            has = " and ".join(f"'{key}'" for key in texts) or "no locale"
            yield file.problem(path, f"'{name}' has {has} but not '{locale}'; add {name.rsplit('.')[-1]}.{locale}")


def _missing_titles(calendar: "CalendarFile", sources: Sources) -> Iterator[Problem]:
    from data.packs.ical_events import TEXT_PROPERTIES  # noqa: PLC0415 - imported by now: there is a calendar

    for name, activity in calendar.schedule.activities.items():
        for locale in sources.locales:
            if locale not in activity.text:
                message = f"activity '{name}' has no title in '{locale}'; add {TEXT_PROPERTIES[locale]} to its event"
                yield Problem(calendar.name, calendar.lines[name], message)


def check_name(folder: PackFolder, sources: Sources) -> Iterator[Problem]:
    """Yield a problem if the pack is not named after its folder."""
    name = sources.character.data.get("name") if sources.character else None
    if sources.character and isinstance(name, str) and name != folder.path.name:
        message = f"'name' is '{name}', but the folder is named '{folder.path.name}'; make them equal"
        yield sources.character.problem(("name",), message)
