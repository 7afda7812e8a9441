"""How a rule is built: a candidate pattern, its required argument, and nothing that takes it back."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from core.stance.gate.lexicon import Lexicon, Pattern, Veto
from core.stance.gate.spans import Span
from core.stance.gate.types import GateSeverity, StanceFinding
from core.stance.gate.view import View
from core.stance.signal.patterns import LatePattern
from core.stance.types import ReflectiveSupportSignal
from core.values import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What a rule looks at: the reply, the user's turn before it, and what the signal says of that turn.

    `worth` holds for each locale of the reply the patterns worth trying and where, by the ids of their rules.
    `asked` is the user's turn as it was written.
    """

    reply: View
    user: View
    asked: str
    signal: ReflectiveSupportSignal
    worth: Mapping[Locale, Mapping[str, Sequence[tuple[Pattern, Sequence[Span]]]]]


class Rule:
    """Base of the rules. A subclass names its id, its vetoes, and may demand more of a candidate."""

    id: ClassVar[str]
    vetoes: ClassVar[tuple[str, ...]]
    asks_count: ClassVar[bool] = False
    """Whether a candidate in a question counts; a question usually takes it back."""

    def __init__(self, lexicons: dict[Locale, Lexicon]) -> None:
        self._lexicons = lexicons
        self._vetoes = {
            locale: {name: lexicon.vetoes[name] for name in self.vetoes} for locale, lexicon in lexicons.items()
        }

    def findings(self, exchange: Exchange) -> tuple[StanceFinding, ...]:
        """Return what breaks the rule, at most one finding a sentence, in the order of the text."""
        by_sentence: dict[int, tuple[Span, GateSeverity]] = {}
        for pattern, span in self._candidates(exchange):
            number = exchange.reply.sentence_at(span.start)
            known = by_sentence.get(number)
            if known is None or (pattern.severity is GateSeverity.FALLBACK and known[1] is not GateSeverity.FALLBACK):
                by_sentence[number] = (span, pattern.severity)
        return tuple(
            StanceFinding(self.id, severity, *exchange.reply.folded.span(*span))
            for _, (span, severity) in sorted(by_sentence.items())
        )

    def admits(self, exchange: Exchange, pattern: Pattern, match: re.Match[str]) -> bool:
        """Return whether the candidate has the argument the rule demands (who; about whom)."""
        return True

    def _candidates(self, exchange: Exchange) -> Iterator[tuple[Pattern, Span]]:
        for locale, worth in exchange.worth.items():
            lexicon, vetoes = self._lexicons[locale], self._vetoes[locale]
            for pattern, places in worth.get(self.id, ()):
                if not _called_for(pattern, exchange):
                    continue
                for place in places:
                    for match in pattern.match.finditer(exchange.reply.text, *place):
                        if self._holds(exchange, lexicon, vetoes, pattern, match):
                            yield pattern, Span(*match.span())

    def _holds(
        self,
        exchange: Exchange,
        lexicon: Lexicon,
        vetoes: dict[str, Veto],
        pattern: Pattern,
        match: re.Match[str],
    ) -> bool:
        reply = exchange.reply
        number = reply.sentence_at(match.start())
        if match.start() == match.end():
            return False
        if number in reply.questions and not self.asks_count and "question" not in pattern.ignore:
            return False
        bounds = reply.bounds(number)
        clause = _clause(reply.text, bounds, Span(*match.span()), lexicon.clause)
        for name, veto in vetoes.items():
            if name in pattern.ignore:
                continue
            if (veto.user and veto.user.search(exchange.user.text)) or _takes_back(
                veto, reply.text, bounds, clause, match
            ):
                return False
        return self.admits(exchange, pattern, match)


def _called_for(pattern: Pattern, exchange: Exchange) -> bool:
    """Return whether what a pattern demands of the turn and of the rest of the reply is there."""
    if pattern.user and not pattern.user.search(exchange.user.text):
        return False
    return not pattern.beside or pattern.beside.search(exchange.reply.text) is not None


def _clause(text: str, sentence: Span, match: Span, boundary: LatePattern) -> Span:
    """Return the clause around a match."""
    start = sentence.start
    for found in boundary.finditer(text, sentence.start, match.start):
        start = found.end()
    after = boundary.search(text, match.end, sentence.end)
    return Span(start, after.start() if after else sentence.end)


def _takes_back(veto: Veto, text: str, sentence: Span, clause: Span, match: re.Match[str]) -> bool:
    return bool(
        (veto.before and veto.before.search(text[clause.start : match.start()]))
        or (veto.after and veto.after.search(text[match.end() : clause.end]))
        or (veto.sentence and veto.sentence.search(text[sentence.start : sentence.end]))
    )
