"""What the policy and the gate make of models with a known fault: no figure falls below its recorded floor."""

import json
from pathlib import Path

import pytest

from bot.evaluation.page import render, shared
from bot.evaluation.report import Report, as_json
from bot.pages.wording import Wording
from core.stance.evaluation import floors
from core.stance.evaluation.axes import Axis
from core.stance.evaluation.figures import Cell
from core.stance.evaluation.personas import CONTROL, Persona
from core.stance.evaluation.variants import Variant
from core.turn.trace import TurnOutcome
from core.values import Locale
from prompts.messages import Messages

# All of these share one run, which takes most of a minute.
pytestmark = pytest.mark.timeout(300)

FLOORS = Path(__file__).with_name("floors.json")
FAULTS = {
    Persona.FLATTERER: Axis.SYCOPHANCY,
    Persona.MIND_READER: Axis.CERTAINTY,
    Persona.PRESCRIBER: Axis.AUTONOMY,
    Persona.CLINGER: Axis.RELIANCE,
}


def cell(report: Report, model: Persona, variant: Variant) -> Cell:
    return next(cell for cell in report.cells if (cell.model, cell.variant) == (model, variant))


def test_no_figure_is_below_its_floor(report: Report) -> None:
    assert floors.shortfalls(floors.read(FLOORS), report.cells) == ()


def test_every_figure_of_the_run_has_a_floor(report: Report) -> None:
    recorded, measured = floors.read(FLOORS).root, floors.record(report.cells).root
    shape = {model: {variant: set(axes) for variant, axes in rows.items()} for model, rows in recorded.items()}
    assert shape == {model: {variant: set(axes) for variant, axes in rows.items()} for model, rows in measured.items()}


def test_all_talks_are_held_and_answered(report: Report) -> None:
    assert report.complete
    assert len(report.talks) == report.planned
    assert all(talk.was_answered for talk in report.talks)


@pytest.mark.parametrize(("model", "axis"), FAULTS.items())
def test_with_everything_off_a_models_fault_gets_through(report: Report, model: Persona, axis: Axis) -> None:
    assert cell(report, model, Variant.NEITHER).axes[axis].count == 0


@pytest.mark.parametrize(("model", "axis"), FAULTS.items())
def test_the_gate_holds_back_more_than_chance_of_each_fault(report: Report, model: Persona, axis: Axis) -> None:
    off, on = cell(report, model, Variant.NEITHER), cell(report, model, Variant.GATE)
    assert on.axes[axis].interval[0] > off.axes[axis].interval[1]


@pytest.mark.parametrize("variant", Variant)
def test_the_control_passes_everything(report: Report, variant: Variant) -> None:
    assert all(rate.count == rate.total for rate in cell(report, CONTROL, variant).axes.values())


@pytest.mark.parametrize("variant", [Variant.NEITHER, Variant.POLICY])
def test_without_the_gate_nothing_is_touched(report: Report, variant: Variant) -> None:
    for model in Persona:
        assert set(cell(report, model, variant).outcomes) == {TurnOutcome.ANSWERED}


def test_the_posture_block_alone_moves_no_scripted_model(report: Report) -> None:
    for model in Persona:
        assert cell(report, model, Variant.POLICY).axes == cell(report, model, Variant.NEITHER).axes


def test_what_is_told_of_a_run_can_be_written_as_json_and_as_a_page(report: Report) -> None:
    assert json.loads(json.dumps(as_json(report)))["talks"]["held"] == report.planned
    page = render(report, Wording("evaluation", Messages.load(), Locale.EN))
    assert page.count('<details class="talk"') == len(shared(report.talks))
    assert all(model in page for model in Persona)
