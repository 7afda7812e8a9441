"""Turns what is wrong with the settings into one line for each bad value, without repeating the value."""

import difflib
from collections.abc import Iterable, Mapping

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

_PHRASES = {
    "int_parsing": "is not a whole number",
    "int_from_float": "is not a whole number",
    "float_parsing": "is not a number",
    "bool_parsing": "is neither true nor false",
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "string_too_short": "is empty",
    "finite_number": "is not a number",
    "dict_type": "is not an object",
    "tuple_type": "is not a list",
    "model_type": "is not an object",
    "model_attributes_type": "is not an object",
    "string_type": "is not a text",
}
_BOUNDS = {
    "greater_than_equal": ("ge", "must be at least"),
    "greater_than": ("gt", "must be more than"),
    "less_than_equal": ("le", "must be at most"),
    "less_than": ("lt", "must be less than"),
}


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
    return f"{variable}{_place(inner)} {_reason(detail)}. A good value: {variable}={example}"


def _place(inner: list[int | str]) -> str:
    if not inner:
        return ""
    parts = [f"entry {part + 1}" if isinstance(part, int) else f'"{part}"' for part in inner]
    return f" ({', '.join(parts)})"


def _reason(detail: ErrorDetails) -> str:
    kind, context = detail["type"], detail.get("ctx", {})
    if kind in _BOUNDS:
        bound, phrase = _BOUNDS[kind]
        return f"{phrase} {context[bound]}"
    if kind == "literal_error":
        return f"must be one of {context['expected']}"
    if kind == "string_pattern_mismatch":
        return "does not have the right form"
    if kind == "value_error":
        return str(context["error"])
    return _PHRASES.get(kind, detail["msg"])


def _unknown(name: str, prefix: str, choices: Mapping[str, str]) -> str:
    near = difflib.get_close_matches(name.removeprefix(prefix), choices, n=1, cutoff=0.6)
    return f"{name} is not a setting and is ignored." + (f" Did you mean {choices[near[0]]}?" if near else "")
