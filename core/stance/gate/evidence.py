"""What words alone miss: a linear layer over the sentence encoder, one row of weights a rule.

It only ever adds a finding, only where the words of the rules found nothing, and it can't overrule a veto: a reply
that only asks, or that names nobody where the rule needs somebody, is left alone. Its findings ask for repair and cover
the whole reply, since a vector does not tell which words it came from. The weights are fitted on the project's own
labelled replies; `python -m tests.unit.stance.gate_fit` writes the file anew.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from operator import mul
from typing import Self

from core.stance.gate.lexicon import Lexicon, LexiconError
from core.stance.gate.rules.base import Exchange
from core.stance.gate.types import GateSeverity, StanceFinding
from core.values import Locale

Encode = Callable[[Sequence[str]], Sequence[Sequence[float] | None]]
"""Returns one vector of `DIMENSIONS` numbers a text, None for an empty one."""

DIMENSIONS = 512
_FILE = "evidence.json"
_SHORTEST = 8
_LONGEST = 400
_ABOUT_SOMEBODY = frozenset({"third_party_certainty", "user_story_lock_in"})


@dataclass(frozen=True, slots=True)
class Row:
    """One rule's weights (those of the reply, of the user's turn, and a constant) and the score it must exceed."""

    rule: str
    threshold: float
    weights: tuple[float, ...]

    def score(self, features: Sequence[float]) -> float:
        """Return the score of the joined vectors."""
        weighted: float = sum(map(mul, self.weights, features))
        return weighted + self.weights[-1]


class LearnedEvidence:
    """Scores a reply for every rule."""

    def __init__(self, rows: tuple[Row, ...], persons: Mapping[Locale, re.Pattern[str]], encode: Encode) -> None:
        self._rows = rows
        self._persons = persons
        self._encode = encode

    @classmethod
    def load(cls, lexicons: Mapping[Locale, Lexicon], encode: Encode) -> Self:
        """Read the weights that come with the program.

        Raises:
            LexiconError: the file can't be used.
        """
        return cls(read_rows(), {locale: lexicon.person for locale, lexicon in lexicons.items()}, encode)

    def findings(self, exchange: Exchange, *, user: str, reply: str) -> tuple[StanceFinding, ...]:
        """Return a finding for each rule whose score is high enough and whose argument is there."""
        if not _SHORTEST <= len(reply.strip()) <= _LONGEST or _only_asks(exchange):
            return ()
        vectors = self._encode([reply, user])
        said = vectors[0]
        if said is None:
            return ()
        features = [*said, *(vectors[1] or [0.0] * DIMENSIONS)]
        return tuple(
            StanceFinding(row.rule, GateSeverity.REPAIR, 0, len(reply))
            for row in self._rows
            if row.score(features) > row.threshold and self._has_argument(row.rule, exchange)
        )

    def _has_argument(self, rule: str, exchange: Exchange) -> bool:
        if rule not in _ABOUT_SOMEBODY:
            return True
        texts = (exchange.reply.text, exchange.user.text)
        return any(person.search(text) for person in self._persons.values() for text in texts)


def read_rows() -> tuple[Row, ...]:
    """Return the shipped rows.

    Raises:
        LexiconError: the file is damaged.
    """
    entry = files("core.stance.gate").joinpath("weights").joinpath(_FILE)
    try:
        table = json.loads(entry.read_text("utf-8"))
        rows = tuple(Row(rule, float(row["threshold"]), tuple(row["weights"])) for rule, row in table.items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise LexiconError(f"{entry}: {error}") from error
    if any(len(row.weights) != 2 * DIMENSIONS + 1 for row in rows):
        raise LexiconError(f"{entry}: a row must hold {2 * DIMENSIONS + 1} weights")
    return rows


def _only_asks(exchange: Exchange) -> bool:
    reply = exchange.reply
    said = [number for number in range(len(reply.starts)) if reply.text[slice(*reply.bounds(number))].strip()]
    return all(number in reply.questions for number in said)
