"""How long the gate takes over a reply; run with `--benchmark-enable`. Budget with the signal: 1 ms, 5 ms at 500."""

from collections.abc import Callable
from typing import Any

import pytest

from core.stance.gate.gate import StanceGate
from core.stance.gate.types import GateAction
from core.stance.types import ReflectiveSupportSignal

JA = "今日は疲れたんだね。彼がどう思っているかは分からないけど、まずは温かいものを飲んで、ゆっくり休んでほしいな。"
EN = "That sounds exhausting. I can't tell what he feels, rest a bit."


@pytest.mark.parametrize("text", [JA, EN, JA * 8, EN * 8], ids=["ja 60", "en 60", "ja 500", "en 500"])
def test_the_gate_over_a_good_reply(benchmark: Callable[..., Any], text: str) -> None:
    gate = StanceGate.load()
    verdict = benchmark(gate.verify, user="彼から返事がない、つらい", reply=text, signal=ReflectiveSupportSignal())
    assert verdict.action is GateAction.PASS
