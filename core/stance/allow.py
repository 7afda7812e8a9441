"""An operator's allow-list: phrases over which a server lets a reply pass that the gate took for a fault by mistake.

A phrase holds where it stands in what a finding found, or around it, both folded as the gate folds. What it may never
silence is the table `KEPT`. An entry that can't be used is left out and told; it never stops anything.
"""

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Self

from core.errors import CoreError
from core.stance.gate.folding import Folded, fold
from core.stance.gate.spans import Span
from core.stance.gate.types import GateSeverity, StanceFinding
from core.stance.types import GuidanceStakes, ReflectiveSupportSignal

MOST_PHRASES = 50
"""How many a server may have."""
LONGEST_PHRASE = 60
"""Characters of a phrase after folding."""

_SHORTEST_WITH_HAN, _SHORTEST = 2, 3
_AROUND = " \n\t.,!?;:。、・…'\"()[]「」『』〈〉《》*_`~-"
_HAN = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")
_WORD = re.compile(r"[a-z0-9']+\Z")


class PhraseFault(StrEnum):
    """Why a phrase can't be used."""

    EMPTY = "empty"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    CATCH_ALL = "catch_all"


class PhraseError(CoreError):
    """A phrase can't be used."""

    def __init__(self, fault: PhraseFault) -> None:
        super().__init__(f"the phrase can't be used: {fault}")
        self.fault = fault


@dataclass(frozen=True, slots=True)
class KeptRow:
    """One row of the table: a finding of which this holds is never silenced."""

    why: str
    holds: Callable[[StanceFinding, ReflectiveSupportSignal], bool]


KEPT: tuple[KeptRow, ...] = (
    KeptRow("a dangerous pattern", lambda finding, _: finding.severity is GateSeverity.FALLBACK),
    KeptRow("acute danger", lambda _, signal: signal.crisis),
    KeptRow("much is at stake in the turn", lambda _, signal: signal.stakes.at_least(GuidanceStakes.HIGH)),
    KeptRow(
        "an order, a diagnosis or a promise in medicine, law or money",
        lambda finding, _: finding.rule == "high_stakes_specificity",
    ),
)


def may_be_silenced(finding: StanceFinding, signal: ReflectiveSupportSignal) -> bool:
    """Return whether an allow-list has any say in a finding."""
    return not any(row.holds(finding, signal) for row in KEPT)


def checked_phrase(text: str) -> str:
    """Return a phrase as it is kept: folded as the gate folds, with single spaces, without marks around it.

    Raises:
        PhraseError: nothing is left of it, it is too long, or so short or common that it would let too much pass.
    """
    phrase = " ".join(fold(text).text.split()).strip(_AROUND)
    letters = sum(char.isalnum() for char in phrase)
    if not letters:
        raise PhraseError(PhraseFault.EMPTY)
    if len(phrase) > LONGEST_PHRASE:
        raise PhraseError(PhraseFault.TOO_LONG)
    if letters < (_SHORTEST_WITH_HAN if _HAN.search(phrase) else _SHORTEST):
        raise PhraseError(PhraseFault.TOO_SHORT)
    if _says_nothing(phrase):
        raise PhraseError(PhraseFault.CATCH_ALL)
    return phrase


@dataclass(frozen=True, slots=True)
class AllowList:
    """The phrases of a server that can be used, and those that can't, as they are stored, with the reason."""

    phrases: tuple[str, ...] = ()
    faults: tuple[tuple[str, PhraseFault], ...] = ()

    @classmethod
    def of(cls, stored: Iterable[str]) -> Self:
        """Take in what is stored; never raises on text."""
        phrases: list[str] = []
        faults: list[tuple[str, PhraseFault]] = []
        for text in stored:
            try:
                phrases.append(checked_phrase(text))
            except PhraseError as error:
                faults.append((text, error.fault))
        return cls(tuple(dict.fromkeys(phrases)), tuple(faults))

    def places_in(self, text: Folded) -> tuple[Span, ...]:
        """Return where phrases stand in a text, in positions of its source."""
        found = (match.span() for phrase in self.phrases for match in _pattern(phrase).finditer(text.text))
        return tuple(text.span(*span) for span in found)


def covers(places: Iterable[Span], finding: StanceFinding) -> bool:
    """Return whether a phrase stands within what was found, or around all of it."""
    return any(
        (finding.start <= place.start and place.end <= finding.end)
        or (place.start <= finding.start and finding.end <= place.end)
        for place in places
    )


def _pattern(phrase: str) -> re.Pattern[str]:
    """Return what finds a phrase: Latin words only whole, spaces of any number."""
    words = " +".join(re.escape(word) for word in phrase.split(" "))
    before = r"(?<![a-z0-9])" if re.match(r"[a-z0-9]", phrase) else ""
    after = r"(?![a-z0-9])" if re.search(r"[a-z0-9]\Z", phrase) else ""
    return re.compile(before + words + after)


@cache
def _common() -> tuple[frozenset[str], re.Pattern[str]]:
    """Return the English words and the Japanese pieces that are in nearly every reply."""
    table = tomllib.loads(files("core.stance").joinpath("allow_common.toml").read_text("utf-8"))
    longest_first = sorted(table["ja"], key=len, reverse=True)
    return frozenset(table["en"]), re.compile(rf"(?:{'|'.join(longest_first)})+\Z")


def _says_nothing(phrase: str) -> bool:
    english, japanese = _common()
    words = (word.strip(_AROUND) for word in phrase.split(" "))
    return all(word in english if _WORD.match(word) else japanese.match(word) is not None for word in words if word)
