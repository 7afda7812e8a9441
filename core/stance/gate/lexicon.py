"""The gate's words and patterns, read from `lexicons/<locale>/*.toml`; every fault is told with file and line.

A file holds `[words]` (named lists of regular-expression fragments), `[[pattern]]` and, in `shared.toml`, tables
`[veto.<name>]`. `{name}` in a pattern stands for any of the words of that name, of its own file or of `shared.toml`.
Patterns see folded text (lower case, NFKC) with one sentence a line: `.` never leaves the sentence.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Self

from core.errors import CoreError
from core.stance.gate.spans import Span
from core.stance.gate.types import GateSeverity
from core.stance.gate.view import View
from core.stance.signal.finder import Finder
from core.stance.signal.needles import shipped
from core.stance.signal.patterns import LatePattern
from core.values import Locale

_SLOT = re.compile(r"\{([a-z_]+)\}")
_LINE = re.compile(r"at line (\d+)")
_STAYS_IN_LINE = re.compile(r"\[\^[^\]]*(?:\\n|\n)[^\]]*\]")
_BEYOND_A_LINE = re.compile(r"\\[sSWDn]|\[\^|\n")
_KEYS = frozenset({"id", "severity", "match", "user", "ignore", "beside"})


class LexiconError(CoreError):
    """A lexicon can't be used. The text names file, line and reason."""

    hint = "error.internal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One candidate. `user`, where set, must be found in the user's turn; `beside`, where set, somewhere in the reply.

    `ignore` names the vetoes of the rule that do not hold against this pattern. `reaches_on`: a match may go on after
    the end of a sentence.
    """

    id: str
    severity: GateSeverity
    match: LatePattern
    user: LatePattern | None = None
    beside: LatePattern | None = None
    ignore: frozenset[str] = frozenset()
    reaches_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Veto:
    """What takes a candidate back: found `before` or `after` it in its clause, in its `sentence` or the `user` turn."""

    before: LatePattern | None = None
    after: LatePattern | None = None
    sentence: LatePattern | None = None
    user: LatePattern | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """One locale's patterns with the ids of their rules, vetoes by name, where a clause ends, what speaks of others.

    `finder` tells by their place which of the patterns to try in a text.
    """

    patterns: tuple[tuple[str, Pattern], ...]
    finder: Finder
    vetoes: Mapping[str, Veto]
    clause: LatePattern
    somebody: LatePattern

    @classmethod
    def load(cls, locale: Locale, *, root: Traversable | None = None) -> Self:
        """Read a locale's folder, the shipped one by default.

        The patterns of any other are tried out; those of the shipped one were when it was made (a test does).

        Raises:
            LexiconError: a file is missing, is no TOML, or holds something that can't be used.
        """
        folder = (root or files("core.stance.gate").joinpath("lexicons")).joinpath(locale.value)
        entries = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".toml")), key=lambda e: e.name)
        sources = {entry.name.removesuffix(".toml"): _Source.read(entry, tried=root is not None) for entry in entries}
        if "shared" not in sources:
            raise LexiconError(f"{folder}: shared.toml is missing")
        shared = sources.pop("shared")
        patterns = [(rule, pattern) for rule, source in sources.items() for pattern in source.patterns(shared.words)]
        return cls(
            patterns=tuple(patterns),
            finder=Finder.of([pattern.match.pattern for _, pattern in patterns], known=shipped()),
            vetoes=shared.vetoes(),
            clause=shared.compiled(shared.text("clause"), shared.words, "clause"),
            somebody=shared.compiled("{somebody}", shared.words, "somebody"),
        )

    def compile(self) -> None:
        """Compile all patterns ahead of the texts that need them; in a thread, since it takes a while."""
        for _, pattern in self.patterns:
            for part in (pattern.match, pattern.user, pattern.beside):
                if part is not None:
                    part.compiled  # noqa: B018 - looking at it compiles it
        for veto in self.vetoes.values():
            for part in (veto.before, veto.after, veto.sentence, veto.user):
                if part is not None:
                    part.compiled  # noqa: B018

    def worth_trying(self, view: View) -> dict[str, list[tuple[Pattern, list[Span]]]]:
        """Return the patterns that may match in a text and where to try each, by the ids of their rules."""
        found: dict[str, list[tuple[Pattern, list[Span]]]] = {}
        for place, spans in sorted(self._tries(view).items()):
            rule, pattern = self.patterns[place]
            found.setdefault(rule, []).append((pattern, spans))
        return found

    def _tries(self, view: View) -> dict[int, list[Span]]:
        """Return patterns by their place, with sentences, or with the whole text where one may reach beyond them."""
        tries: dict[int, list[Span]] = {}
        for number in range(len(view.starts)):
            sentence = view.bounds(number)
            for place in self.finder.worth_trying(view.text[sentence.start : sentence.end]):
                tries.setdefault(place, []).append(sentence)
        for place in tries:
            if self.patterns[place][1].reaches_on:
                tries[place] = [Span(0, len(view.text))]
        return tries


@dataclass(frozen=True, slots=True)
class _Source:
    """One file as it was read."""

    name: str
    raw: str
    table: Mapping[str, object]
    tried: bool

    @classmethod
    def read(cls, entry: Traversable, *, tried: bool) -> Self:
        try:
            raw = entry.read_text("utf-8")
            return cls(str(entry), raw, tomllib.loads(raw), tried)
        except (OSError, UnicodeDecodeError) as error:
            raise LexiconError(f"{entry}: {error}") from error
        except tomllib.TOMLDecodeError as error:
            line = _LINE.search(str(error))
            raise LexiconError(f"{entry}:{line[1] if line else 1}: {error}") from error

    @property
    def words(self) -> dict[str, str]:
        table = self.table.get("words", {})
        if not isinstance(table, dict):
            raise self.fault("[words] must be a table", "words")
        return {name: self._alternatives(name, value) for name, value in table.items()}

    def _alternatives(self, name: str, value: object) -> str:
        if not isinstance(value, list) or not value or not all(isinstance(word, str) and word for word in value):
            raise self.fault(f"words.{name} must be a list of words", f"{name} =")
        return "(?:" + "|".join(value) + ")"

    def patterns(self, shared: Mapping[str, str]) -> tuple[Pattern, ...]:
        words = {**shared, **self.words}
        entries = self.table.get("pattern", [])
        if not isinstance(entries, list) or not entries:
            raise self.fault("there is no [[pattern]]", "")
        return tuple(self._pattern(entry, words) for entry in entries)

    def _pattern(self, entry: Mapping[str, object], words: Mapping[str, str]) -> Pattern:
        identity = entry.get("id")
        if not isinstance(identity, str):
            raise self.fault("a pattern has no id", "[[pattern]]")
        if unknown := entry.keys() - _KEYS:
            raise self.fault(f"pattern {identity}: unknown key {min(unknown)}", f'"{identity}"')
        try:
            severity = GateSeverity(str(entry.get("severity", "repair")))
        except ValueError as error:
            raise self.fault(f"pattern {identity}: severity is repair or fallback", f'"{identity}"') from error
        ignored = entry.get("ignore", [])
        if not isinstance(ignored, list):
            raise self.fault(f"pattern {identity}: ignore must be a list", f'"{identity}"')
        match = self.compiled(entry.get("match"), words, identity)
        return Pattern(
            id=identity,
            severity=severity,
            match=match,
            reaches_on=_BEYOND_A_LINE.search(_STAYS_IN_LINE.sub("", match.pattern)) is not None,
            user=self.compiled(entry["user"], words, identity) if "user" in entry else None,
            beside=self.compiled(entry["beside"], words, identity) if "beside" in entry else None,
            ignore=frozenset(map(str, ignored)),
        )

    def vetoes(self) -> dict[str, Veto]:
        tables = self.table.get("veto", {})
        if not isinstance(tables, dict):
            raise self.fault("[veto] must be a table", "veto")
        return {name: self._veto(name, table) for name, table in tables.items()}

    def _veto(self, name: str, table: object) -> Veto:
        if not isinstance(table, dict) or not table or table.keys() - {"before", "after", "sentence", "user"}:
            raise self.fault(f"veto {name} needs before, after, sentence or user", f"veto.{name}")
        return Veto(**{where: self.compiled(fragment, self.words, name) for where, fragment in table.items()})

    def text(self, key: str) -> str:
        value = self.table.get(key)
        if not isinstance(value, str):
            raise self.fault(f"{key} is missing", "")
        return value

    def compiled(self, fragment: object, words: Mapping[str, str], identity: str) -> LatePattern:
        """Fill in the words; where patterns are tried out, compile."""
        if not isinstance(fragment, str) or not fragment:
            raise self.fault(f"{identity}: a regular expression is missing", identity)
        for _ in range(4):
            missing = [name for name in _SLOT.findall(fragment) if name not in words]
            if missing:
                raise self.fault(f"{identity}: there are no words named {missing[0]}", identity)
            fragment = _SLOT.sub(lambda slot: words[slot[1]], fragment)
        pattern = LatePattern(fragment, re.MULTILINE)
        try:
            if self.tried:
                pattern.compiled  # noqa: B018 - looking at it compiles it
        except re.error as error:
            raise self.fault(f"{identity}: {error}", identity) from error
        return pattern

    def fault(self, reason: str, near: str) -> LexiconError:
        """Return the error, with the first line that holds `near`."""
        lines = (number for number, line in enumerate(self.raw.splitlines(), 1) if near and near in line)
        return LexiconError(f"{self.name}:{next(lines, 1)}: {reason}")
