"""The recall guard: nobody is told that they never said something, nor that they said what they never did.

Under `found` and `unavailable` a reply may not deny that something was said. Under `not_found` and `unavailable` it
may not claim to remember what stands nowhere in front of it; only a claim with words of its own can be told from a
true one. Under `found`, asked outright, it may quote nothing that nobody said.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Self

from core.analysis.english import stem
from core.analysis.text import fold
from core.recall.question import Asking
from core.recall.recollection import Outcome
from core.turn.checks.base import CheckResult, Finding, Severity
from core.turn.types import AssembledTurn, EnrichedTurn

DENIED_FOUND = "recall.denied_found"
DENIED_UNAVAILABLE = "recall.denied_unavailable"
INVENTED = "recall.invented"
MISQUOTED = "recall.misquoted"

_DENIED = {Outcome.FOUND: DENIED_FOUND, Outcome.UNAVAILABLE: DENIED_UNAVAILABLE}
_MAY_INVENT = frozenset({Outcome.NOT_FOUND, Outcome.UNAVAILABLE})
_SENTENCE = re.compile(r"[^。！？!?\n.]+(?:\.(?=\w)[^。！？!?\n.]+)*[。！？!?.]*")
_TELLING = re.compile(r"[一-鿿々]{2,}|[ァ-ヴー]{2,}|[a-z][a-z'’-]{3,}", re.IGNORECASE)
_QUOTED = re.compile(r"「[^」]*」|『[^』]*』|\"[^\"]*\"|“[^”]*”")
_WORD = re.compile(r"[0-9]{2,}|[a-z][a-z'’-]+|[^\W0-9a-z_]{2,}")
_NEEDED_IN_ENGLISH = 2
_GIVEN_AFTER = re.compile(r"(?:だ|で[すし]|って(?:言|い|呼|名|聞)|と(?:言|い|呼|聞)|ちゃん|くん|さん)")
_GIVEN_BEFORE = re.compile(r"(?:\b(?:is|was|called|named|said|say|told me|on|at|in)|['’]s)[,:]?\s*$", re.IGNORECASE)

_Patterns = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPatterns:
    """What denials and claims of memory look like."""

    denial: _Patterns
    not_denied: _Patterns
    memory: _Patterns
    not_claimed: _Patterns
    common: frozenset[str]

    @classmethod
    @cache
    def load(cls) -> Self:
        """Read the patterns of this package, once."""
        table = tomllib.loads((files("core.turn.checks") / "recall_patterns.toml").read_text("utf-8"))
        common = {word if not word.isascii() else stem(word) for words in table["common"].values() for word in words}
        return cls(
            denial=_compiled(table["denial"]),
            not_denied=_compiled(table["not_denied"]),
            memory=_compiled(table["memory"]),
            not_claimed=_compiled(table["not_claimed"]),
            common=frozenset(common),
        )


class RecallCheck:
    """Asks for another try at a reply that denies what may have been said, or invents what was."""

    name = "recall"

    @property
    def _patterns(self) -> RecallPatterns:
        """Read when a reply first needs them: a start has more urgent things to do."""
        return RecallPatterns.load()

    def check(self, turn: AssembledTurn, text: str, *, complete: bool) -> CheckResult:
        """Find denials and invented memories, given how the search ended."""
        outcome = turn.enriched.recollection.outcome
        if outcome is Outcome.NONE:
            return CheckResult(checked=False, detail="nothing was looked up")
        findings: list[Finding] = []
        for sentence in _SENTENCE.finditer(text):
            rule = self._broken(sentence[0], outcome, turn.enriched)
            if rule is not None:
                findings.append(Finding(rule, Severity.REPAIR, sentence.start(), sentence.end()))
        outright = outcome is Outcome.FOUND and turn.enriched.recollection.question.asking is Asking.OUTRIGHT
        if outright and (wrong := misquotation(text, _said(turn.enriched))) is not None:
            findings.append(Finding(MISQUOTED, Severity.REPAIR, *wrong))
        return CheckResult(tuple(findings))

    def _broken(self, sentence: str, outcome: Outcome, enriched: EnrichedTurn) -> str | None:
        if outcome in _DENIED and denies(self._patterns, sentence):
            return _DENIED[outcome]
        if outcome in _MAY_INVENT and invents(self._patterns, sentence, _in_front(enriched)):
            return INVENTED
        return None


def denies(patterns: RecallPatterns, sentence: str) -> bool:
    """Return whether a sentence denies that something was said."""
    folded = _without_quotations(sentence)
    for pattern in patterns.denial:
        for match in pattern.finditer(folded):
            before, after = folded[: match.start()], folded[match.start() :]
            if not any(p.search(before) or p.search(after) for p in patterns.not_denied):
                return True
    return False


def invents(patterns: RecallPatterns, sentence: str, in_front: str) -> bool:
    """Return whether a sentence claims that something was said of which no word is in front of the writer."""
    folded = fold(sentence)
    if not any(pattern.search(folded) for pattern in patterns.memory):
        return False
    if any(pattern.search(folded) for pattern in patterns.not_claimed):
        return False
    known = {stem(word) for word in re.findall(r"[a-z'’-]{2,}", in_front)}
    new = [word.casefold() for word in _TELLING.findall(folded)]
    japanese = [word for word in new if not word.isascii() and not _is_known(word, in_front, patterns.common)]
    english = {stem(word) for word in new if word.isascii()} - known - patterns.common
    return bool(japanese) or len(english) >= _NEEDED_IN_ENGLISH


def misquotation(reply: str, said: str) -> tuple[int, int] | None:
    """Return where a reply gives for an answer what shares nothing with what was said: 「ミカ」だよ for 「もち」.

    Not where it quotes something that was said as well: the other words in quotation marks are of its own choosing.
    """
    quoted = [(match, _is_new(fold(match[0][1:-1]).casefold(), said)) for match in _QUOTED.finditer(reply)]
    if any(not new and _WORD.search(fold(match[0]).casefold()) for match, new in quoted):
        return None
    given = (match for match, new in quoted if new and _is_given(reply, match))
    return next((match.span() for match in given), None)


def _is_given(reply: str, quoted: re.Match[str]) -> bool:
    return bool(_GIVEN_AFTER.match(reply, quoted.end()) or _GIVEN_BEFORE.search(reply[: quoted.start()]))


def _is_new(quoted: str, said: str) -> bool:
    words = _WORD.findall(quoted)
    return bool(words) and not any(piece in said for word in words for piece in _pieces(word))


def _pieces(word: str) -> Iterator[str]:
    """Yield what of a word is enough to know it by: its stem, or any two characters of a Japanese one."""
    if word.isascii():
        yield stem(word)
    else:
        yield from (word[start : start + 2] for start in range(len(word) - 1))


def _is_known(word: str, in_front: str, common: frozenset[str]) -> bool:
    return word in in_front or any(part in word for part in common if not part.isascii())


def _in_front(enriched: EnrichedTurn) -> str:
    """Return all that the writer of a reply knows of what was said: the talk so far, and the message itself."""
    said = [ingredient.utterance.text for ingredient in (*enriched.history, *enriched.quoted)]
    return _joined(*said, *_told(enriched))


def _said(enriched: EnrichedTurn) -> str:
    """Return what may be quoted: what others said, and what was found.

    What the character said itself may be a slip, and is a source only where nothing else was found.
    """
    others = [one.utterance.text for one in (*enriched.history, *enriched.quoted) if not one.utterance.is_self]
    found = enriched.recollection
    cited = [entry for entry in found.cited if not entry.is_self] or found.cited
    beside = [entry for entry in found.beside if not entry.is_self]
    return _joined(*others, *(entry.text or "" for entry in (*cited, *beside)), *_told(enriched))


def _told(enriched: EnrichedTurn) -> Iterator[str]:
    yield from (message.text for message in enriched.turn.messages)
    yield from (fact.text for fact in enriched.turn.snapshot.capsule.user.kept)


def _joined(*texts: str) -> str:
    return fold("\n".join(texts)).casefold()


def _without_quotations(text: str) -> str:
    return _QUOTED.sub("", fold(text))


def _compiled(by_language: Mapping[str, Sequence[str]]) -> _Patterns:
    patterns = (pattern for patterns in by_language.values() for pattern in patterns)
    return tuple(re.compile(pattern.replace("'", "['’]"), re.IGNORECASE) for pattern in patterns)
