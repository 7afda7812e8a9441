"""Turns what is wrong with the settings into one line for each bad value, without repeating the value."""

import difflib
from collections.abc import Iterable, Mapping

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from core.complaints import complaint


def describe(error: ValidationError, fields: Mapping[str, FieldInfo], variables: Mapping[str, str]) -> tuple[str, ...]:
    """Return a line for each bad value: the variable, what is wrong with it, a good value."""
    return tuple(_line(detail, fields, variables) for detail in error.errors(include_input=False, include_url=False))


def misspellings(names: Iterable[str], known: Iterable[str], *, prefix: str) -> tuple[str, ...]:
    """Return a line for each variable that no setting has; what nearly all begin with makes no two of them alike."""
    choices = {name.removeprefix(prefix): name for name in sorted(known)}
    return tuple(_unknown(name, prefix, choices) for name in sorted(set(names) - set(choices.values())))


def _line(detail: ErrorDetails, fields: Mapping[str, FieldInfo], variables: Mapping[str, str]) -> str:
    head, *inner = detail["loc"]
    by_variable = {variable: field for field, variable in variables.items()}
    field = by_variable.get(str(head), str(head))
    variable = variables.get(field, str(head))
    example = (fields[field].examples or [""])[0] if field in fields else ""
    return f"{variable}{_place(inner)} {complaint(detail)}. A good value: {variable}={example}"


def _place(inner: list[int | str]) -> str:
    if not inner:
        return ""
    parts = [f"entry {part + 1}" if isinstance(part, int) else f'"{part}"' for part in inner]
    return f" ({', '.join(parts)})"


def _unknown(name: str, prefix: str, choices: Mapping[str, str]) -> str:
    near = difflib.get_close_matches(name.removeprefix(prefix), choices, n=1, cutoff=0.6)
    return f"{name} is not a setting and is ignored." + (f" Did you mean {choices[near[0]]}?" if near else "")
