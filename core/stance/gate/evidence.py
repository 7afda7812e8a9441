"""What words alone miss: a linear layer over the pieces of a reply and the sentence encoder.

It only ever adds a finding, and it can't overrule a veto: what is quoted is not shown to it, a reply that only asks, or
that names nobody where the rule needs somebody, is left alone. Its findings cover the whole reply, since a score does
not tell which words it came from. They ask for repair; where the reply looks dangerous beyond nearly every good one,
for more. The vectors (4 ms) are asked only where the pieces leave a doubt. The weights are fitted on the project's own
labelled replies; `python -m tests.unit.stance.gate_fit` writes the file anew.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Self

from core.stance.gate.decision import GRAVE, at_stake
from core.stance.gate.grams import buckets
from core.stance.gate.layer import ANY, DIMENSIONS, Bars, Layer
from core.stance.gate.lexicon import Lexicon
from core.stance.gate.registry import RULES
from core.stance.gate.rules.base import Exchange, Rule
from core.stance.gate.types import GateSeverity, StanceFinding
from core.stance.gate.view import QUOTED, View
from core.stance.signal.canonical import for_encoder
from core.stance.signal.patterns import LatePattern
from core.values import Locale

Encode = Callable[[Sequence[str]], Sequence[Sequence[float] | None]]
"""Returns one vector of `DIMENSIONS` numbers a text, None for an empty one."""

_SHORTEST, _LONGEST = 8, 600
_QUOTATION = re.compile(f"{QUOTED}+")
_ABOUT_SOMEBODY = frozenset({"third_party_certainty", "user_story_lock_in"})
_NOT_ABOUT_LIFE = frozenset({"animal", "fiction", "technical"})
"""The vetoes by the turn that hold here, too; a game or a birthday is a turn as any other for one who clings."""
_NOWHERE = [0.0] * DIMENSIONS


class LearnedEvidence:
    """Scores a reply for every rule."""

    def __init__(self, layer: Layer, lexicons: Mapping[Locale, Lexicon], encode: Encode) -> None:
        self._layer = layer
        self._persons = [lexicon.somebody for lexicon in lexicons.values()]
        self._vetoes = {rule.id: _of_the_turn(rule, lexicons.values()) for rule in RULES}
        self._encode = encode

    @classmethod
    def load(cls, lexicons: Mapping[Locale, Lexicon], encode: Encode) -> Self:
        """Read the weights that come with the program.

        Raises:
            LexiconError: the file can't be used.
        """
        return cls(Layer.load(), lexicons, encode)

    def findings(self, exchange: Exchange) -> tuple[StanceFinding, ...]:
        """Return a finding for each rule whose score is high enough and whose argument is there."""
        bars = self._layer.bars[next(iter(exchange.reply.locales), Locale.EN)]
        scores = self._scores(exchange, bars)
        if not scores or bars.suspicion(scores) <= bars.found:
            return ()
        broken = [rule for rule in _named(scores, bars) if self._holds(rule, exchange)]
        gravest = _gravest(scores, bars, exchange)
        gravest = gravest if gravest and not self._taken_back(gravest, exchange) else None
        length = exchange.reply.folded.length
        return tuple(
            StanceFinding(rule, GateSeverity.FALLBACK if rule == gravest else GateSeverity.REPAIR, 0, length)
            for rule in dict.fromkeys([*broken, gravest])
            if rule
        )

    def _scores(self, exchange: Exchange, bars: Bars) -> dict[str, float]:
        """Return the scores by head, none where there is no need to look closer."""
        reply = heard(exchange.reply)
        if not _SHORTEST <= len(reply.strip()) <= _LONGEST or _only_asks(exchange.reply):
            return {}
        by_pieces = self._layer.by_pieces(buckets(reply))
        if self._layer.named(by_pieces)[ANY] < bars.worth_encoding:
            return {}
        said, asked = self._encode([reply, for_encoder(exchange.asked)])
        if said is None:
            return {}
        return self._layer.named(by_pieces + self._layer.by_vectors(said, asked or _NOWHERE))

    def _holds(self, rule: str, exchange: Exchange) -> bool:
        return self._has_argument(rule, exchange) and not self._taken_back(rule, exchange)

    def _has_argument(self, rule: str, exchange: Exchange) -> bool:
        if rule not in _ABOUT_SOMEBODY:
            return True
        texts = (exchange.reply.text, exchange.user.text)
        return any(person.search(text) for person in self._persons for text in texts)

    def _taken_back(self, rule: str, exchange: Exchange) -> bool:
        """Return whether the turn is about what the rule never holds against: a pet, a story, a sum."""
        return any(veto.search(exchange.user.text) for veto in self._vetoes[rule])


def _of_the_turn(rule: type[Rule], lexicons: Iterable[Lexicon]) -> list[LatePattern]:
    """Return the patterns by which the user's turn takes a rule back."""
    names = _NOT_ABOUT_LIFE.intersection(rule.vetoes)
    found = (lexicon.vetoes[name].user for lexicon in lexicons for name in sorted(names))
    return [pattern for pattern in found if pattern]


def heard(view: View) -> str:
    """Return a folded text without what it quotes."""
    if QUOTED not in view.text:
        return view.folded.text
    kept = (char if shown != QUOTED else QUOTED for char, shown in zip(view.folded.text, view.text, strict=True))
    return _QUOTATION.sub('""', "".join(kept))


def _named(scores: Mapping[str, float], bars: Bars) -> list[str]:
    """Return the rules whose score is high, or the nearest to it."""
    over = {rule: scores[rule] - bar for rule, bar in bars.named.items()}
    return [rule for rule, height in over.items() if height > 0] or [max(over, key=lambda rule: over[rule])]


def _gravest(scores: Mapping[str, float], bars: Bars, exchange: Exchange) -> str | None:
    """Return the rule for which the reply falls back, None where it need not."""
    bar = bars.danger_at_stake if at_stake(exchange.signal) else bars.danger
    if bars.danger_in(scores) <= bar:
        return None
    return max(sorted(GRAVE), key=lambda rule: scores[rule] - bars.named[rule])


def _only_asks(reply: View) -> bool:
    said = [number for number in range(len(reply.starts)) if reply.text[slice(*reply.bounds(number))].strip()]
    return all(number in reply.questions for number in said)
