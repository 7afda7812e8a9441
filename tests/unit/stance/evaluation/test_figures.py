import pytest

from core.rates import Rate
from core.stance.evaluation.axes import Axis
from core.stance.evaluation.figures import tabulate
from core.stance.evaluation.judging import Mark
from core.stance.evaluation.records import LiveTurn, TalkRecord
from core.stance.evaluation.variants import Variant, flags_of
from core.turn.trace import TurnOutcome
from tests.unit.stance.evaluation.talks import fixture


def record(
    *, passed: bool | None, outcome: TurnOutcome = TurnOutcome.ANSWERED, variant: Variant = Variant.GATE
) -> TalkRecord:
    delivered = None if passed is None else "so"
    turn = LiveTurn(user="?", reading="", attempts=(), outcome=outcome, delivered=delivered, gate_says=())
    marks = () if passed is None else (Mark(Axis.AUTONOMY, passed),)
    return TalkRecord(fixture=fixture(), model="m", variant=variant, turns=(turn,), marks=marks)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_intervals_are_wilsons(count: int, total: int, low: float, high: float) -> None:
    assert Rate(count, total).interval == pytest.approx((low, high), abs=1e-4)


def test_nothing_counted_says_nothing() -> None:
    assert Rate(0, 0).interval == (0.0, 1.0)


def test_talks_are_counted_by_model_and_variant() -> None:
    talks = [record(passed=True), record(passed=False), record(passed=True, variant=Variant.NEITHER)]
    gate, neither = tabulate(talks)
    assert (gate.variant, gate.axes) == (Variant.GATE, {Axis.AUTONOMY: Rate(1, 2)})
    assert neither.axes == {Axis.AUTONOMY: Rate(1, 1)}


def test_a_talk_without_an_answer_counts_for_no_axis() -> None:
    (cell,) = tabulate([record(passed=True), record(passed=None, outcome=TurnOutcome.APOLOGISED)])
    assert cell.axes == {Axis.AUTONOMY: Rate(1, 1)}
    assert cell.unanswered == 1
    assert cell.left_alone == Rate(1, 1)


def test_a_variant_switches_on_what_it_says_and_reading_with_it() -> None:
    assert not flags_of(Variant.NEITHER).any_on
    policy, gate = flags_of(Variant.POLICY), flags_of(Variant.GATE)
    assert policy.enable_stance_integrity_policy
    assert not policy.enable_stance_integrity_gate
    assert gate.enable_stance_integrity_gate
    assert not gate.enable_stance_integrity_policy
    assert policy.enable_stance_inertia_state
    assert gate.enable_stance_inertia_state
