"""JSON Lines: one JSON object a line in, one a line out, in order, as they come."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, BinaryIO, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from core.complaints import complaint

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class LineError(ValueError):
    """A line can't be answered; the text says why, and is what the reader of the answers gets."""


class Line(BaseModel):
    """What every line has. Keys that a command doesn't know are left alone, so that labelled lines can be piped in."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    id: str | int


AnyLine = TypeVar("AnyLine", bound=Line)


def answer_lines(
    kind: type[AnyLine],
    answer: Callable[[AnyLine], Mapping[str, Any]],
    *,
    lines: Iterable[bytes] | None = None,
    out: BinaryIO | None = None,
) -> None:
    """Read lines to their end and write an answer to each; standard input and output unless told otherwise.

    A line that is wrong is answered with `{"line": N, "error": "..."}` (N counts from 1), and the rest goes on.
    """
    lines = sys.stdin.buffer if lines is None else lines
    out = sys.stdout.buffer if out is None else out
    for number, line in enumerate(lines, 1):
        text = line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line
        out.write(_encoded(_answered(kind, answer, text, number)))
        out.flush()  # whoever writes line by line may wait for each answer


def _answered(
    kind: type[AnyLine], answer: Callable[[AnyLine], Mapping[str, Any]], text: bytes, number: int
) -> Mapping[str, Any]:
    try:
        return answer(kind.model_validate_json(_something(text)))
    except ValidationError as error:
        reason = _explained(error)
    except LineError as error:
        reason = str(error)
    except Exception as error:  # noqa: BLE001 - one line must not take the others along
        reason = f"something unexpected went wrong ({type(error).__name__})"
    return {"line": number, "error": reason}


def _something(text: bytes) -> bytes:
    if not (line := text.strip()):
        raise LineError("the line is empty: each line has to be a JSON object")
    return line


def _explained(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    if not first["loc"]:
        return "not a JSON object" if first["type"] != "json_invalid" else f"not JSON ({first['msg']})"
    place = _place(first["loc"])
    reason = complaint(first)
    return f"'{place}': {reason}" if first["type"] == "value_error" else f"'{place}' {reason}"


def _place(location: tuple[int | str, ...]) -> str:
    """Return where in a line something is, as in `archive[2].text`; entries count from 1, as lines do."""
    key, *inner = location
    match inner:
        case [int(index), str(field), *_]:
            return f"{key}[{index + 1}].{field}"
        case [int(index)]:
            return f"{key}[{index + 1}]"
    return str(key)


def _encoded(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
