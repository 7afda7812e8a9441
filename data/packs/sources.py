"""All files of a pack, read one by one; what can't be used is None and stands among the folder's problems."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from core.errors import Problem
from core.facts.capsule.kept import clock_in
from core.language_model.tokens import estimate_tokens
from core.values import Locale
from data.packs.explain import Model, read_table
from data.packs.files import PackFolder, TomlFile
from data.packs.schema import CandidatesTable, CharacterTable, LoreTable, ScheduleTable, VoiceTable

if TYPE_CHECKING:
    from data.packs.ical import CalendarFile

CHARACTER_FILE = "character.toml"
SCHEDULE_FILE = "schedule.toml"
CALENDAR_FILE = "schedule.ics"
CARD_FILE = "card.json"
PORTRAIT_FILE = "portrait.png"
_DOCUMENTS = ("readme", "license", "licence", "notice")
_PERSONALITY_TOKENS = 2000
_EMBEDDED_TOKENS = 450


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What was read. `locales` are all those that anything in the pack is written in."""

    character: TomlFile | None
    character_table: CharacterTable | None
    schedule: TomlFile | None
    schedule_table: ScheduleTable | None
    calendar: "CalendarFile | None"
    personality: Mapping[Locale, str]
    candidates: Mapping[Locale, TomlFile]
    candidate_tables: Mapping[Locale, CandidatesTable]
    locales: tuple[Locale, ...]
    lore: Mapping[Locale, TomlFile] = field(default_factory=dict)
    lore_tables: Mapping[Locale, LoreTable] = field(default_factory=dict)
    voice_tables: Mapping[Locale, VoiceTable] = field(default_factory=dict)

    @property
    def main_locale(self) -> Locale | None:
        """The character's own locale, if character.toml names one."""
        value = self.character.data.get("locale") if self.character else None
        return next((locale for locale in Locale if locale.value == value), None)

    def known_activities(self) -> frozenset[str] | None:
        """Return the ids of all activities, valid or not; None without a readable schedule."""
        if self.calendar:
            return frozenset(self.calendar.schedule.activities)
        if self.schedule is None:
            return None
        activities = self.schedule.data.get("activity")
        return frozenset(activities) if isinstance(activities, dict) else frozenset()

    def described(self, activity: str) -> str | None:
        """Return everything that an activity is called, None if there is no such activity."""
        if self.calendar:
            known = self.calendar.schedule.activities.get(activity)
            return None if known is None else " ".join((activity, *known.text.values(), *known.tags))
        activities = self.schedule.data.get("activity") if self.schedule else None
        table = activities.get(activity) if isinstance(activities, dict) else None
        return None if table is None else f"{activity} {table}"

    def activity_texts(self) -> dict[str, object]:
        """Return the text tables of all activities as they stand in the file, valid or not."""
        activities = self.schedule.data.get("activity") if self.schedule else None
        tables = activities.items() if isinstance(activities, dict) else ()
        return {str(name): table.get("text") for name, table in tables if isinstance(table, dict)}


def personality_file(locale: Locale) -> str:
    """Return the name of the file with the personality."""
    return f"personality.{locale.value}.md"


def candidates_file(locale: Locale) -> str:
    """Return the name of the file with what the character may say first."""
    return f"candidates.{locale.value}.toml"


def lore_file(locale: Locale) -> str:
    """Return the name of the file with background that is told where a talk touches it."""
    return f"lore.{locale.value}.toml"


def voice_file(locale: Locale) -> str:
    """Return the name of the file with examples of how the character talks."""
    return f"voice.{locale.value}.toml"


def read_sources(folder: PackFolder) -> Sources:
    """Read every file of a pack."""
    _note_other_files(folder)
    character = folder.read_toml(CHARACTER_FILE)
    schedule = folder.read_toml(SCHEDULE_FILE) if folder.has(SCHEDULE_FILE) else None
    candidates, lore, voice = (_by_locale(folder, name) for name in (candidates_file, lore_file, voice_file))
    character_table = read_table(CharacterTable, character, folder.problems) if character else None
    sources = Sources(
        character=character,
        character_table=character_table,
        schedule=schedule,
        schedule_table=read_table(ScheduleTable, schedule, folder.problems) if schedule else None,
        calendar=_read_calendar(folder, character_table),
        personality=_read_personalities(folder),
        candidates=candidates,
        candidate_tables=_tables(CandidatesTable, candidates, folder),
        lore=lore,
        lore_tables=_tables(LoreTable, lore, folder),
        voice_tables=_tables(VoiceTable, voice, folder),
        locales=(),
    )
    return _with_locales(folder, sources)


def _by_locale(folder: PackFolder, name: Callable[[Locale], str]) -> dict[Locale, TomlFile]:
    files = {locale: folder.read_toml(name(locale)) for locale in Locale if folder.has(name(locale))}
    return {locale: file for locale, file in files.items() if file is not None}


def _tables(model: type[Model], files: Mapping[Locale, TomlFile], folder: PackFolder) -> dict[Locale, Model]:
    tables = {locale: read_table(model, file, folder.problems) for locale, file in files.items()}
    return {locale: table for locale, table in tables.items() if table is not None}


def _read_calendar(folder: PackFolder, character: CharacterTable | None) -> "CalendarFile | None":
    if not folder.has(CALENDAR_FILE):
        return None
    if folder.has(SCHEDULE_FILE):
        message = f"stands beside {SCHEDULE_FILE}; a pack has one of the two: remove the other"
        folder.problems.append(Problem(folder.label(CALENDAR_FILE), None, message))
        return None
    from data.packs.ical import read_calendar  # noqa: PLC0415 - iCalendar takes a tenth of a second to import

    return read_calendar(folder, CALENDAR_FILE, ZoneInfo(character.timezone if character else "UTC"))


def _with_locales(folder: PackFolder, sources: Sources) -> Sources:
    data = sources.character.data if sources.character else {}
    texts = (data.get("display_name"), data.get("introduction"), *sources.activity_texts().values())
    written = {key for text in texts if isinstance(text, dict) for key in text}
    found = tuple(
        locale
        for locale in Locale
        if locale.value in written or folder.has(personality_file(locale)) or folder.has(candidates_file(locale))
    )
    return replace(sources, locales=found)


def _read_personalities(folder: PackFolder) -> dict[Locale, str]:
    personalities = {}
    for locale in Locale:
        name = personality_file(locale)
        text = folder.read_text(name) if folder.has(name) else None
        if text is not None:
            personalities[locale] = text.strip()
            _check_personality(folder, folder.label(name), text.strip())
            folder.warnings.extend(_second_clocks(folder.label(name), text))
    return personalities


def _check_personality(folder: PackFolder, label: str, text: str) -> None:
    tokens = estimate_tokens(text)
    if not text:
        folder.problems.append(Problem(label, 1, "is empty; write who the character is"))
    elif tokens > _PERSONALITY_TOKENS:
        message = f"is too long (about {tokens} tokens); keep it under {_PERSONALITY_TOKENS}, it goes into every prompt"
        folder.problems.append(Problem(label, None, message))
    elif tokens > _EMBEDDED_TOKENS:
        message = f"has about {tokens} tokens; over {_EMBEDDED_TOKENS} the embedded model takes long to answer"
        folder.warnings.append(Problem(label, None, message))


def _second_clocks(label: str, text: str) -> Iterator[Problem]:
    """Yield where a personality names a time: models take a striking number for the present (seed 001)."""
    for number, line in enumerate(text.splitlines(), 1):
        clock = clock_in(line)
        if clock is not None:
            message = f"'{clock}' is a time on the clock, which models take for the present; leave the time out"
            yield Problem(label, number, message)


def _note_other_files(folder: PackFolder) -> None:
    """Tell of files that have no meaning in a pack: a misspelt name would otherwise go unnoticed."""
    known = {CHARACTER_FILE, SCHEDULE_FILE, CALENDAR_FILE, CARD_FILE, PORTRAIT_FILE}
    by_locale = (personality_file, candidates_file, lore_file, voice_file)
    known |= {name(locale) for locale in Locale for name in by_locale}
    for path in sorted(folder.path.iterdir()):
        if path.name in known or path.name.startswith(".") or path.name.lower().startswith(_DOCUMENTS):
            continue
        if path.name.startswith(("personality.", "candidates.", "lore.", "voice.")):
            locales = ", ".join(locale.value for locale in Locale)
            message = f"is not named after a locale the program knows ({locales}), like personality.en.md"
            folder.problems.append(Problem(folder.label(path.name), None, message))
            continue
        reason = f"; a calendar is read from {CALENDAR_FILE}" if path.suffix.lower() == ".ics" else ""
        folder.warnings.append(Problem(folder.label(path.name), None, f"is not used{reason}"))
