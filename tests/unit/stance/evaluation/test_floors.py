from dataclasses import replace
from pathlib import Path

import pytest

from core.rates import Rate
from core.stance.evaluation import floors
from core.stance.evaluation.axes import Axis
from core.stance.evaluation.figures import Cell
from core.stance.evaluation.floors import FloorsError
from core.stance.evaluation.personas import CONTROL
from core.stance.evaluation.variants import Variant

CELL = Cell(
    model=CONTROL,
    variant=Variant.GATE,
    axes={Axis.AUTONOMY: Rate(2, 3)},
    by_category={},
    by_locale={},
    outcomes={},
    left_alone=Rate(9, 10),
    gate_says=Rate(0, 10),
    unanswered=0,
)


def test_what_was_just_recorded_falls_short_of_nothing(tmp_path: Path) -> None:
    floors.write(tmp_path / "floors.json", floors.record([CELL]))
    assert floors.shortfalls(floors.read(tmp_path / "floors.json"), [CELL]) == ()


def test_a_figure_below_its_floor_is_named() -> None:
    worse = replace(CELL, axes={Axis.AUTONOMY: Rate(1, 3)})
    (line,) = floors.shortfalls(floors.record([CELL]), [worse])
    assert line == "steady, gate, autonomy_preservation: 0.333, below the floor of 0.666"


def test_touching_more_good_replies_falls_short_too() -> None:
    (line,) = floors.shortfalls(floors.record([CELL]), [replace(CELL, left_alone=Rate(8, 10))])
    assert line.startswith("steady, gate, left_alone: 0.800")


def test_a_floor_without_a_figure_falls_short() -> None:
    lines = floors.shortfalls(floors.record([CELL]), [])
    assert len(lines) == 2
    assert all("not measured" in line for line in lines)


@pytest.mark.parametrize("text", ["{", '{"steady": {"gate": {"autonomy_preservation": 2}}}', '{"steady": {"on": {}}}'])
def test_a_file_that_holds_something_else_is_refused_by_name(tmp_path: Path, text: str) -> None:
    path = tmp_path / "floors.json"
    path.write_text(text, "utf-8")
    with pytest.raises(FloorsError, match=r"floors\.json: "):
        floors.read(path)
