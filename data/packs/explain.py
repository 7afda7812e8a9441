"""What pydantic found wrong with a file, in words that say how to put it right."""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from core.errors import Problem
from core.toml_lines import Path
from data.packs.files import TomlFile

Model = TypeVar("Model", bound=BaseModel)

_KEY = "[key]"  # pydantic's mark for an error about a table's key, not its value
_MESSAGES = {
    "missing": "is missing; add it",
    "string_type": "must be a text in quotes",
    "string_too_short": "must not be empty",
    "string_too_long": "is too long: at most {max_length} characters",
    "bool_type": "must be true or false, without quotes",
    "int_type": "must be a whole number, without quotes",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "enum": "must be one of {expected}",
    "tuple_type": "must be a list in square brackets",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "model_attributes_type": "must be a table",
    "too_short": "must hold at least {min_length}",
    "too_long": "holds too many: at most {max_length}",
}


def read_table(model: type[Model], file: TomlFile, problems: list[Problem]) -> Model | None:
    """Return a file as its model, or None with every fault among the problems."""
    try:
        return model.model_validate(file.data)
    except ValidationError as error:
        problems.extend(_problem(model, file, details) for details in error.errors(include_input=False))
        return None


def valid_items(model: type[Model], items: object, *path: str | int) -> Iterator[tuple[Path, Model]]:
    """Yield the tables of an array at `path` that are valid by themselves, whatever else is wrong."""
    for index, item in enumerate(items if isinstance(items, list) else ()):
        try:
            yield (*path, index), model.model_validate(item)
        except ValidationError:
            continue


def _problem(model: type[BaseModel], file: TomlFile, details: ErrorDetails) -> Problem:
    path = tuple(part for part in details["loc"] if part != _KEY)
    return file.problem(path, f"{_name(path)} {_reason(model, path, details)}")


def _reason(model: type[BaseModel], path: Path, details: ErrorDetails) -> str:
    kind, context = details["type"], details.get("ctx", {})
    if kind == "extra_forbidden":
        return _unknown_key(model, path)
    if kind == "value_error":
        return str(context["error"])
    if kind in _MESSAGES:
        return _MESSAGES[kind].format(**context)
    return f"is not right: {details['msg']}"


def _unknown_key(model: type[BaseModel], path: Path) -> str:
    *parents, key = path
    known = list(_model_at(model, tuple(parents)).model_fields)
    near = get_close_matches(str(key), known, n=1, cutoff=0.6)
    if near:
        return f"is not known; did you mean '{near[0]}'?"
    if parents and key in model.model_fields:
        return "is not known here; it belongs at the top of the file, before the first [table]"
    return f"is not known; known here: {', '.join(known)}"


def _model_at(model: type[BaseModel], path: Path) -> type[BaseModel]:
    """Follow a path through the models' annotations; indices and free keys lead into what a field holds."""
    for part in path:
        if part in model.model_fields:
            model = next(_models_in(model.model_fields[str(part)].annotation), model)
    return model


def _models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def _name(path: Path) -> str:
    name = ""
    for part in path:
        name += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if name else part
    return f"'{name}'" if name else "the file"
