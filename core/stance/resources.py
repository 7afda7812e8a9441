"""Real people and places to turn to, by country and topic: the file that comes with the program, and the operator's.

The shipped file has to be whole. An entry of the operator's file that can't be used is left out and told, with file,
line and reason: a slip in one line must neither stop the program nor leave somebody in danger without a place.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Self

from core.errors import CoreError
from core.values import Locale

ANYWHERE = "*"
_LINE = re.compile(r"at line (\d+)")
_HEADING = re.compile(r"\s*\[\[\s*resource\s*\]\]")
_COUNTRY = re.compile(r"[A-Z]{2}\Z|\*\Z")
_REACH = ("phone", "text", "url")
_KEYS = frozenset({"country", "topics", "name", "hours", "source", "checked", *_REACH})


class Topic(StrEnum):
    """What a place is for."""

    EMERGENCY = "emergency"
    CRISIS = "crisis"
    HEALTH = "health"
    VIOLENCE = "violence"
    CHILD = "child"
    LEGAL = "legal"
    MONEY = "money"


class ResourceError(CoreError):
    """The file of places can't be used. The text names file, line and reason."""

    hint = "error.internal"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resource:
    """One place. `country` is an ISO 3166 code or "*"; at least one of `phone`, `text`, `url` is set."""

    country: str
    topics: frozenset[Topic]
    name: Mapping[Locale, str]
    hours: str
    source: str
    checked: date
    phone: str | None = None
    text: str | None = None
    url: str | None = None

    def line(self, locale: Locale) -> str:
        """Return the place as one line of a reply."""
        sms = None if self.text is None else f"テキスト: {self.text}" if locale is Locale.JA else f"text {self.text}"
        ways = " / ".join(way for way in (self.phone, sms, self.url) if way)
        mark = "：" if locale is Locale.JA else ": "
        return f"{self.name[locale]}{mark}{ways}"


@dataclass(frozen=True, slots=True)
class Resources:
    """Every place of the file, in its order.

    `ignored` says what of the operator's file is left out, a line each. `behind` are the places to fall back on where
    the file knows none.
    """

    entries: tuple[Resource, ...]
    ignored: tuple[str, ...] = ()
    behind: "Resources | None" = None

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file that has to be whole.

        Raises:
            ResourceError: it can't be read, is no TOML, or holds an entry that can't be used.
        """
        return cls(tuple(_entry(where, entry) for where, entry in _tables(path)))

    def with_own(self, path: Path) -> "Resources":
        """Return the places of the operator's file, in front of these; what can't be used of it is left out."""
        entries: list[Resource] = []
        ignored: list[str] = []
        try:
            for where, entry in _tables(path):
                try:
                    entries.append(_entry(where, entry))
                except ResourceError as error:
                    ignored.append(str(error))
        except ResourceError as error:
            ignored.append(str(error))
        return Resources(tuple(entries), tuple(ignored), behind=self)

    def find(self, topics: tuple[Topic, ...], country: str | None, *, most: int = 3) -> tuple[Resource, ...]:
        """Return the places for any of the topics, the first topic's first; the directory where none is known."""
        for where in (country, ANYWHERE):
            known = [entry for entry in self.entries if entry.country == where]
            by_topic = [entry for topic in topics for entry in known if topic in entry.topics]
            if by_topic:
                return tuple(dict.fromkeys(by_topic))[:most]
        return () if self.behind is None else self.behind.find(topics, country, most=most)


def country_of(locale: Locale, tag: str | None = None) -> str | None:
    """Return the country to look in: the region of a tag such as `en-GB`, Japan for Japanese, else unknown."""
    region = re.search(r"[-_]([A-Za-z]{2})\b", tag or "")
    if region:
        return region[1].upper()
    return "JP" if locale is Locale.JA else None


def _tables(path: Path) -> Iterator[tuple[str, object]]:
    """Yield the entries of a file as they stand there, each with where it begins.

    Raises:
        ResourceError: the file can't be read, is no TOML, or has no entries.
    """
    try:
        raw = path.read_text("utf-8")
        table = tomllib.loads(raw)
    except OSError as error:
        raise ResourceError(f"{path}: can't be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise ResourceError(f"{path}: is not UTF-8; save the file again with the encoding UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        line = _LINE.search(str(error))
        raise ResourceError(f"{path}:{line[1] if line else 1}: {error}") from error
    entries = table.get("resource")
    if not isinstance(entries, list) or not entries:
        raise ResourceError(f"{path}:1: there is no [[resource]]")
    lines = [number for number, line in enumerate(raw.splitlines(), 1) if _HEADING.match(line)]
    for number, entry in enumerate(entries):
        yield f"{path}:{lines[number] if number < len(lines) else 1}", entry


def _entry(where: str, entry: object) -> Resource:
    if not isinstance(entry, dict):
        raise ResourceError(f"{where}: not a table")
    if unknown := entry.keys() - _KEYS:
        raise ResourceError(f"{where}: unknown key {min(unknown)}")
    texts = {key: _text(where, entry, key) for key in ("country", "hours", "source", "checked")}
    if not _COUNTRY.match(texts["country"]):
        raise ResourceError(f"{where}: country must be two capital letters or *")
    reach = {way: _text(where, entry, way) for way in _REACH if way in entry}
    if not reach:
        raise ResourceError(f"{where}: one of phone, text or url is needed")
    try:
        checked = date.fromisoformat(texts["checked"])
    except ValueError as error:
        raise ResourceError(f"{where}: checked must be a day such as 2026-01-31") from error
    return Resource(
        country=texts["country"],
        topics=_topics(where, entry.get("topics")),
        name=_names(where, entry.get("name")),
        hours=texts["hours"],
        source=texts["source"],
        checked=checked,
        **reach,
    )


def _text(where: str, entry: Mapping[str, object], key: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value.strip():
        raise ResourceError(f"{where}: {key} must be a text")
    return value


def _topics(where: str, value: object) -> frozenset[Topic]:
    if not isinstance(value, list) or not value:
        raise ResourceError(f"{where}: topics must be a list")
    try:
        return frozenset(Topic(topic) for topic in value)
    except ValueError as error:
        raise ResourceError(f"{where}: topics: {error}") from error


def _names(where: str, value: object) -> Mapping[Locale, str]:
    if not isinstance(value, dict):
        raise ResourceError(f"{where}: name.ja and name.en are needed")
    return {locale: _text(where, value, locale.value) for locale in Locale}
