"""What the checks of a format have against a value, in plain words that follow the value's name."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import ErrorDetails

_WHOLE, _NUMBER, _YES_OR_NO = "is not a whole number", "is not a number", "is neither true nor false"
_TEXT, _LIST, _OBJECT, _EMPTY = "is not a text", "is not a list", "is not an object", "is empty"
_MOMENT = "is not a date with a time, such as 2026-11-30T16:08:00+09:00"
_OTHER_FORM = "does not have the right form"
_PHRASES = {
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "int_type": _WHOLE,
    "int_parsing_size": "is too large a number",
    "float_parsing": _NUMBER,
    "float_type": _NUMBER,
    "finite_number": _NUMBER,
    "bool_parsing": _YES_OR_NO,
    "bool_type": _YES_OR_NO,
    "json_invalid": "is not JSON",
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "string_type": _TEXT,
    "string_unicode": "has characters in it that can't be read",
    "tuple_type": _LIST,
    "list_type": _LIST,
    "frozen_set_type": _LIST,
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "datetime_type": _MOMENT,
    "datetime_parsing": _MOMENT,
    "datetime_from_date_parsing": _MOMENT,
    "timezone_aware": "needs an offset: write it like 2026-11-30T16:08:00+09:00",
}
_BOUNDS = {
    "greater_than_equal": ("ge", "must be at least {}"),
    "greater_than": ("gt", "must be more than {}"),
    "less_than_equal": ("le", "must be at most {}"),
    "less_than": ("lt", "must be less than {}"),
    "string_too_long": ("max_length", "is longer than {} characters"),
    "too_long": ("max_length", "has more than {} entries"),
    "string_too_short": ("min_length", "needs at least {} characters"),
    "too_short": ("min_length", "needs at least {} entries"),
    "literal_error": ("expected", "must be one of {}"),
    "enum": ("expected", "must be one of {}"),
}


def complaint(detail: ErrorDetails) -> str:
    """Return what is wrong with a value, without repeating it; a check of ours is quoted as it stands."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "value_error":
        return str(context["error"])
    if kind in _BOUNDS:
        return _bound(kind, context)
    return _PHRASES.get(kind, _OTHER_FORM)


def _bound(kind: str, context: Mapping[str, Any]) -> str:
    name, phrase = _BOUNDS[kind]
    bound = context[name]
    if name == "min_length" and bound == 1:
        return _EMPTY
    return phrase.format(int(bound) if isinstance(bound, float) and bound.is_integer() else bound)
