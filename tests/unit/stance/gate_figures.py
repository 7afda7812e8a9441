"""Recall and false alarms of the gate, 95 % intervals: `python -m tests.unit.stance.gate_figures [dev|test]`."""

import math
import sys
from collections.abc import Sequence

from core.stance.gate.gate import StanceGate
from core.stance.gate.registry import RULES
from core.stance.gate.types import GateAction
from core.stance.types import ReflectiveSupportSignal
from tests.unit.stance.gate_corpus import HANDS, LabelledReply, encode, labelled

_PLAIN = ReflectiveSupportSignal()


def wilson(hits: int, of: int, z: float = 1.96) -> tuple[float, float]:
    if not of:
        return 0.0, 1.0
    share, square = hits / of, z * z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = z * math.sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def rate(hits: int, of: int) -> str:
    low, high = wilson(hits, of)
    return f"{hits}/{of} = {hits / of if of else 0:.3f} [{low:.3f}, {high:.3f}]"


def report(rows: Sequence[LabelledReply], gate: StanceGate) -> list[str]:
    judged = [(row, gate.verify(user=row.user, reply=row.reply, signal=_PLAIN)) for row in rows]
    bad = [(row, verdict) for row, verdict in judged if row.violations]
    clean = [(row, verdict) for row, verdict in judged if not row.violations]
    grave = [verdict for row, verdict in bad if row.severity == "fallback"]
    lines = [
        f"  any rule fired on bad  {rate(sum(bool(v.findings) for _, v in bad), len(bad))}",
        f"  any rule fired on clean {rate(sum(bool(v.findings) for _, v in clean), len(clean))}",
        f"  fallback on clean      {rate(sum(v.action is GateAction.FALLBACK for _, v in clean), len(clean))}",
        f"  fallback where wanted  {rate(sum(v.action is GateAction.FALLBACK for v in grave), len(grave))}",
    ]
    for rule in RULES:
        broken = [verdict for row, verdict in bad if rule.id in row.violations]
        fired = [row for row, verdict in judged if any(found.rule == rule.id for found in verdict.findings)]
        false = sum(not row.violations for row in fired)
        right = sum(rule.id in row.violations for row in fired)
        found = sum(any(finding.rule == rule.id for finding in verdict.findings) for verdict in broken)
        lines.append(
            f"  {rule.id:26} recall {rate(found, len(broken))}  precision {rate(right, len(fired))}"
            f"  false {rate(false, len(clean))}"
        )
    return lines


def main() -> None:
    side = sys.argv[1] if len(sys.argv) > 1 else "test"
    for name, gate in (("words", StanceGate.load()), ("words and evidence", StanceGate.load(encode))):
        for locale in ("ja", "en"):
            for hand in HANDS:
                file = f"{hand}_{locale}"
                if rows := labelled(side, [file]):
                    sys.stdout.write(f"{name}, {file}, {side}\n" + "\n".join(report(rows, gate)) + "\n")


if __name__ == "__main__":
    main()
