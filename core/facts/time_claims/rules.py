"""The rules of explicit claims, read from `explicit_ja.toml` and `explicit_en.toml`."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from core.facts.time_claims.mentions import mention_pattern
from core.facts.time_claims.patterns import Pattern
from core.facts.time_claims.spots import Spotter, build_spotter
from core.facts.time_claims.types import ClaimKind

_MACRO = re.compile(r"<<(\w+)>>")
NOTHING = r"(?!)"
LOCALES = ("ja", "en")
_PARTS = ("pattern", "now", "other", "never", "topic", "veto", "bare_left", "bare_right", "not_alone")
SCRIPTS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {"ja": re.compile("[\u3041-\u30ff\u4e00-\u9fff]"), "en": re.compile("[a-z]{2}")}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """How candidates of one kind become claims; the data files say what each pattern is for.

    Each of the predicates is a named group. A frame of plain words has the `meaning` of what it finds.
    """

    name: str
    pattern: Pattern
    now: Pattern
    other: Pattern
    never: Pattern
    topic: Pattern
    veto: Pattern
    bare_left: Pattern
    bare_right: Pattern
    not_alone: Pattern
    predicates: Pattern
    reach: int
    meaning: tuple[ClaimKind, str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectRule:
    """A phrase that names a part of the day, a day or a time as the present one."""

    id: str
    kind: ClaimKind
    value: str
    pattern: Pattern
    greeting: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LocaleRules:
    """The explicit rules of one language.

    Where `spoken_of` matches behind a claim, its words are what is spoken of ("…is a fine title"), unless a word for
    now stands before them.
    """

    locale: str
    spotter: Spotter[Frame, DirectRule]
    never: Pattern
    spoken_of: Pattern
    patterns: tuple[Pattern, ...]
    """All there are."""


class Patterns:
    """Makes the patterns of a data file, its macros put in; one for all that are written alike."""

    def __init__(self, macros: Mapping[str, str]) -> None:
        self._macros = macros
        self._made: dict[tuple[str, ...], Pattern] = {}

    @property
    def made(self) -> tuple[Pattern, ...]:
        """All that were made so far."""
        return tuple(self._made.values())

    def pattern(self, written: str) -> Pattern:
        """Return a pattern of the file."""
        return self._pattern(self._expand(written))

    def any_of(self, named: Mapping[str, str]) -> Pattern:
        """Return one pattern for several, each a named group."""
        return self._pattern(*(f"(?P<{name}>{self._expand(written)})" for name, written in named.items()))

    def _pattern(self, *alternatives: str) -> Pattern:
        return self._made.setdefault(alternatives, Pattern(*alternatives))

    def _expand(self, written: str) -> str:
        """Put the macros in, those within macros too."""
        while _MACRO.search(written):
            written = _MACRO.sub(lambda match: self._macros[match.group(1)], written)
        return written


def read_data(name: str) -> dict[str, Any]:
    """Read one of the data files that come with the program."""
    return tomllib.loads(files("core.facts.time_claims").joinpath(name).read_text("utf-8"))


@cache
def explicit_rules() -> tuple[LocaleRules, ...]:
    """Return the rules of every language; all are tried on every text, since a reply may mix languages."""
    return tuple(_locale_rules(locale, read_data(f"explicit_{locale}.toml")) for locale in LOCALES)


def _locale_rules(locale: str, data: Mapping[str, Any]) -> LocaleRules:
    patterns = Patterns(data["macros"])
    direct = data["direct"]
    frames = [frame for name, table in _frame_tables(data) for frame in _frames(name, table, patterns)]
    return LocaleRules(
        locale=locale,
        spotter=build_spotter(
            [(frame, frame.pattern) for frame in frames],
            [(_direct_rule(locale, rule, patterns), rule["needs"]) for rule in direct["rules"]],
            mention_pattern(locale).pattern,
            locale,
        ),
        never=patterns.pattern(direct["never"]),
        spoken_of=patterns.pattern(direct["spoken_of"]),
        patterns=patterns.made,
    )


def _frame_tables(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Give the tables of frames, with what one takes from another that it is `like`."""
    for name, table in data.items():
        if like := table.get("like"):
            yield name, {**data[like], **table}
        elif "reach" in table:
            yield name, table


def _direct_rule(locale: str, table: Mapping[str, Any], patterns: Patterns) -> DirectRule:
    kind = ClaimKind(table.get("kind", ClaimKind.PART_OF_DAY))
    return DirectRule(
        id=f"{locale}.{kind.value}.{table['id']}",
        kind=kind,
        value=table["value"],
        pattern=patterns.pattern(table["pattern"]),
        greeting=table.get("greeting", False),
    )


def _frames(name: str, table: Mapping[str, Any], patterns: Patterns) -> Iterator[Frame]:
    """Give the frame of a table, or the frames of its terms, which differ in what they find."""
    frame = Frame(
        name=name,
        reach=table["reach"],
        meaning=None,
        predicates=patterns.any_of(table["predicates"]),
        **{part: patterns.pattern(table.get(part, NOTHING)) for part in _PARTS},
    )
    if "terms" not in table:
        yield frame
    for words, kind, value in table.get("terms", ()):
        pattern = patterns.pattern(f"{table['edge']}(?:{words})")
        yield replace(frame, pattern=pattern, meaning=(ClaimKind(kind), value))
