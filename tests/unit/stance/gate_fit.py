"""Fits the weights of the learned evidence on the development side: `python -m tests.unit.stance.gate_fit`.

Ridge regression in closed form over the vectors of reply and user's turn. The threshold of a rule is a quantile of the
leave-one-out scores of clean replies, so that no line is judged by weights that have seen it. Deterministic.
"""

import json
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np

from core.stance.gate.registry import RULES
from tests.unit.stance.gate_corpus import encode, labelled

PENALTY = 3.0
QUANTILES = {"inflated_praise": 0.99, "third_party_certainty": 0.995}
ELSE_QUANTILE = 0.997


def main() -> None:
    rows = labelled("dev")
    features = np.hstack(
        [
            np.array(encode([row.reply for row in rows])),
            np.array(encode([row.user for row in rows])),
            np.ones((len(rows), 1)),
        ]
    )
    wanted = np.array([[rule.id in row.violations for rule in RULES] for row in rows], dtype=float)
    clean = np.array([not row.violations for row in rows])
    inverse = np.linalg.solve(features.T @ features + PENALTY * np.eye(features.shape[1]), features.T)
    leverage = np.einsum("ij,ji->i", features, inverse)[:, None]
    left_out = (features @ (inverse @ wanted) - leverage * wanted) / (1 - leverage)
    weights = inverse @ wanted
    table = {
        rule.id: {
            "threshold": round(float(np.quantile(left_out[clean, index], QUANTILES.get(rule.id, ELSE_QUANTILE))), 4),
            "weights": [round(float(weight), 4) for weight in weights[:, index]],
        }
        for index, rule in enumerate(RULES)
    }
    target = Path(str(files("core.stance.gate").joinpath("weights/evidence.json")))
    target.write_text(json.dumps(table, separators=(",", ":")).replace('},"', '},\n"') + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(rows)} replies, {int(clean.sum())} of them clean -> {target.name}\n")


if __name__ == "__main__":
    main()
