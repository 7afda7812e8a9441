"""The lines of `yorisoi inspect features` and `yorisoi inspect tags`."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from bot.cli.jsonl import Line, LineError
from core.social.tags import clean_tags
from core.social.vectors import DIMENSIONS, Encoded, VectorError, blend, contrast, cosine, decode, encode

_Stored = Annotated[list[Annotated[int, Field(ge=-128, le=127)]], Field(min_length=DIMENSIONS, max_length=DIMENSIONS)]
_Number = Annotated[float, Field(allow_inf_nan=False)]


class TagsLine(Line):
    """Tags as a model gave them, and how many are kept at most."""

    tags: list[Any]
    max: Annotated[int, Field(ge=0)]


class FeaturesLine(Line):
    """An operation on vectors, with what that operation needs."""

    op: Literal["encode", "decode", "cosine", "contrast", "blend"]
    input: list[_Number] | None = None
    encoded: _Stored | None = None
    a: _Stored | None = None
    b: _Stored | None = None
    x: _Number | None = None
    gain: _Number | None = None
    mid: _Number | None = None
    new: _Stored | None = None
    old: _Stored | None = None
    h: _Number | None = None


def tags_of(line: TagsLine) -> dict[str, Any]:
    """Return what is kept of the tags."""
    return {"id": line.id, "tags": clean_tags(line.tags, line.max)}


def features_of(line: FeaturesLine) -> dict[str, Any]:
    """Return the numbers an operation gives.

    Raises:
        LineError: something that the operation needs is missing, or can't be used.
    """
    try:
        return {"id": line.id} | _OPERATIONS[line.op](line)
    except (VectorError, OverflowError) as error:
        raise LineError(str(error)) from error


def _encode(line: FeaturesLine) -> dict[str, Any]:
    return {"encoded": encode(_needed(line, "input")).tolist()}


def _decode(line: FeaturesLine) -> dict[str, Any]:
    return {"decoded": decode(_stored(line, "encoded")).tolist()}


def _cosine(line: FeaturesLine) -> dict[str, Any]:
    return {"cosine": cosine(_stored(line, "a"), _stored(line, "b"))}


def _contrast(line: FeaturesLine) -> dict[str, Any]:
    return {"y": contrast(_needed(line, "x"), _needed(line, "gain"), _needed(line, "mid"))}


def _blend(line: FeaturesLine) -> dict[str, Any]:
    old = None if line.old is None else _stored(line, "old")
    return {"stored": blend(_stored(line, "new"), old, _needed(line, "h")).tolist()}


_OPERATIONS: dict[str, Callable[[FeaturesLine], dict[str, Any]]] = {
    "encode": _encode,
    "decode": _decode,
    "cosine": _cosine,
    "contrast": _contrast,
    "blend": _blend,
}


def _needed(line: FeaturesLine, name: str) -> Any:  # noqa: ANN401 - the fields of a line have various types
    value = getattr(line, name)
    if value is None:
        raise LineError(f"'{name}' is missing")
    return value


def _stored(line: FeaturesLine, name: str) -> Encoded:
    return np.array(_needed(line, name), dtype=np.int8)
