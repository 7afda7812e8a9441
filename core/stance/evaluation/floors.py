"""The least that each scripted model has to reach, recorded in a file: no figure may fall unnoticed."""

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import Field, RootModel, ValidationError

from core.complaints import complaint
from core.errors import CoreError
from core.stance.evaluation.axes import Axis
from core.stance.evaluation.figures import Cell
from core.stance.evaluation.personas import CONTROL
from core.stance.evaluation.variants import Variant

_LEFT_ALONE = "left_alone"
_STEPS = 1000

Share = Annotated[float, Field(ge=0, le=1)]


class Floors(RootModel[dict[str, dict[Variant, dict[str, Share]]]]):
    """Shares by model, variant and axis; `left_alone` is the share of replies delivered as they were first written."""


class FloorsError(CoreError):
    """The file of floors can't be used."""


def record(cells: Iterable[Cell]) -> Floors:
    """Return what the cells reached, rounded down. Of the control also how many of its replies were left alone."""
    table: dict[str, dict[Variant, dict[str, float]]] = {}
    for cell in cells:
        reached = {axis.value: rate.share for axis, rate in cell.axes.items()}
        if cell.model == CONTROL:
            reached[_LEFT_ALONE] = cell.left_alone.share
        table.setdefault(cell.model, {})[cell.variant] = {key: _down(share) for key, share in reached.items()}
    return Floors(table)


def shortfalls(floors: Floors, cells: Iterable[Cell]) -> tuple[str, ...]:
    """Return a line for every figure below its floor, and for every one that has a floor but no figure."""
    reached = {(cell.model, cell.variant): cell for cell in cells}
    lines = []
    for model, variants in floors.root.items():
        for variant, axes in variants.items():
            cell = reached.get((model, variant))
            for key, floor in axes.items():
                share = _share(cell, key)
                if share is None:
                    lines.append(f"{model}, {variant}, {key}: not measured; the floor is {floor:.3f}")
                elif share < floor:
                    lines.append(f"{model}, {variant}, {key}: {share:.3f}, below the floor of {floor:.3f}")
    return tuple(lines)


def read(path: Path) -> Floors:
    """Read a file of floors.

    Raises:
        FloorsError: it can't be read, or holds something else.
    """
    try:
        return Floors.model_validate_json(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise FloorsError(f"{path}: {error}") from error
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in detail["loc"])
        raise FloorsError(f"{path}: {where}: {complaint(detail)}") from error


def write(path: Path, floors: Floors) -> None:
    """Write a file of floors.

    Raises:
        FloorsError: it can't be written.
    """
    try:
        path.write_text(json.dumps(floors.model_dump(mode="json"), indent=2) + "\n", "utf-8")
    except OSError as error:
        raise FloorsError(f"{path}: {error}") from error


def _share(cell: Cell | None, key: str) -> float | None:
    if cell is None:
        return None
    if key == _LEFT_ALONE:
        return cell.left_alone.share
    rate = cell.axes.get(Axis(key)) if key in list(Axis) else None
    return rate.share if rate is not None else None


def _down(share: float) -> float:
    return math.floor(share * _STEPS) / _STEPS
