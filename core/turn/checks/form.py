"""Form: a reply that is empty, refuses by rote, falls out of its role or recites its instructions."""

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from core.turn.checks.base import CheckResult, Finding, Severity
from core.turn.types import AssembledTurn

# A stretch of the instructions this long (letters and digits only) is not said again by chance.
_LEAK_LENGTH = {"narrow": 48, "wide": 24}
_NOT_TEXT = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class FormPatterns:
    """Compiled patterns by rule, read from `form_patterns.toml`."""

    by_rule: tuple[tuple[str, re.Pattern[str]], ...]

    @classmethod
    @cache
    def load(cls) -> "FormPatterns":
        """Read the patterns that come with the program, once."""
        tables = tomllib.loads(files("core.turn.checks").joinpath("form_patterns.toml").read_text("utf-8"))
        return cls(
            tuple(
                (rule, re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE | re.MULTILINE))
                for rule, by_locale in tables.items()
                for patterns in [[pattern for patterns in by_locale.values() for pattern in patterns]]
            )
        )


class FormCheck:
    """Asks for another try at a reply that nobody would want to read, whatever it says."""

    name = "form"

    def __init__(self) -> None:
        # The same instructions stand in turn after turn, and every streamed sentence is checked.
        self._stretches = lru_cache(maxsize=64)(_stretches)

    def check(self, turn: AssembledTurn, text: str, *, complete: bool) -> CheckResult:
        """Find `form.empty`, `form.refusal`, `form.role_break` and `form.leak`."""
        folded = unicodedata.normalize("NFKC", text)
        findings = [
            Finding(f"form.{rule}", Severity.REPAIR, *match.span())
            for rule, pattern in FormPatterns.load().by_rule
            if (match := pattern.search(folded))
        ]
        if complete and not _NOT_TEXT.sub("", folded) and not _has_symbol(folded):
            findings.append(Finding("form.empty", Severity.REPAIR, 0, len(text)))
        said = _bare(folded)
        if any(self._stretches(secret).any_in(said) for secret in turn.confidential):
            findings.append(Finding("form.leak", Severity.REPAIR, 0, len(text)))
        return CheckResult(tuple(findings))


def _has_symbol(text: str) -> bool:
    """Return whether there is an emoji or the like: a reply of one emoji is a reply."""
    return any(unicodedata.category(char) in {"So", "Sk"} for char in text)


@dataclass(frozen=True, slots=True)
class Stretches:
    """Every stretch of a confidential text that is long enough not to be said by chance."""

    length: int
    texts: frozenset[str]

    def any_in(self, said: str) -> bool:
        """Return whether a text (bare, as `_bare` leaves it) holds one of them."""
        return any(said[i : i + self.length] in self.texts for i in range(len(said) - self.length + 1))


def _stretches(secret: str) -> Stretches:
    kept = _bare(secret)
    length = _LEAK_LENGTH["narrow" if kept.isascii() else "wide"]
    return Stretches(length, frozenset(kept[i : i + length] for i in range(len(kept) - length + 1)))


def _bare(text: str) -> str:
    return _NOT_TEXT.sub("", text).casefold()
