"""Gates whose learned evidence is made up, so that what follows from it can be told."""

from collections.abc import Sequence

import numpy as np

from core.stance.gate.evidence import LearnedEvidence
from core.stance.gate.gate import StanceGate
from core.stance.gate.grams import BUCKETS
from core.stance.gate.layer import ANY, DANGER, DIMENSIONS, RANK, Bars, Layer
from core.stance.gate.lexicon import Lexicon
from core.stance.gate.registry import RULES
from core.values import Locale

RULE_IDS = tuple(rule.id for rule in RULES)
HEADS = (*RULE_IDS, ANY, DANGER)
BARS = Bars(
    worth_encoding=-1.0,
    unit=dict.fromkeys(RULE_IDS, 1.0),
    found=0.5,
    named=dict.fromkeys(RULE_IDS, 0.5),
    danger=4.0,
    danger_at_stake=3.0,
)


def learning(rule: str, *, danger: float = 0.0, bars: Bars = BARS) -> StanceGate:
    """A gate whose learned evidence finds `rule`, and `danger`, wherever a text holds "marvel"."""
    vectors = np.zeros((2, len(HEADS), RANK, 1 + DIMENSIONS), dtype=np.float32)
    vectors[0, [HEADS.index(rule), HEADS.index(ANY)], 0, 1] = 1.0
    vectors[0, HEADS.index(DANGER), 0, 1] = danger
    vectors[1, :, 0, 0] = 1.0
    layer = Layer(
        heads=HEADS,
        pieces=np.zeros((2 * BUCKETS, len(HEADS)), dtype=np.float32),
        pieces_bias=np.zeros(len(HEADS), dtype=np.float32),
        vectors=vectors,
        bias=np.zeros(len(HEADS), dtype=np.float32),
        bars=dict.fromkeys(Locale, bars),
    )
    lexicons = {locale: Lexicon.load(locale) for locale in Locale}
    return StanceGate(lexicons, LearnedEvidence(layer, lexicons, marvels))


def marvels(texts: Sequence[str]) -> list[list[float] | None]:
    """Vectors that tell whether a text holds "marvel"."""
    return [[float("marvel" in text.lower())] + [0.0] * (DIMENSIONS - 1) for text in texts]
