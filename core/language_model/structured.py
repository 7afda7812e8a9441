"""Answers of a given structure: asked for by JSON Schema, read tolerantly, checked strictly."""

import json
import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from core.errors import ModelOutputError
from core.language_model.types import ChatMessage, ChatRequest, Completion, Role
from core.ports import ChatModel

T = TypeVar("T", bound=BaseModel)

_INSTRUCTION = "Answer with one JSON value and nothing else. It has to match this JSON Schema:"
_MOST_STARTS = 32
_OPENING = re.compile(r"[{\[]")
_TRAILING_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')


async def ask_for(
    shape: type[T],
    model: ChatModel,
    request: ChatRequest,
    *,
    count: Callable[[Completion], Awaitable[None]] | None = None,
) -> T:
    """Ask a model for a value of `shape`; `count` is given the answer before it is read, usable or not.

    Raises:
        ModelOutputError: the answer is not of that shape.
        ModelError: the model gave no answer.
    """
    completion = await model.complete(structured(request, shape))
    if count is not None:
        await count(completion)
    return parse(completion.text, shape)


def structured(request: ChatRequest, shape: type[BaseModel]) -> ChatRequest:
    """Return the request with the schema of `shape`, also told in words for servers that don't enforce it."""
    schema, instruction = strict_schema(shape), _instruction(shape)
    first, *rest = request.messages
    if first.role is Role.SYSTEM:
        messages = (replace(first, text=f"{first.text}\n\n{instruction}"), *rest)
    else:
        messages = (ChatMessage(Role.SYSTEM, instruction), first, *rest)
    return replace(request, messages=messages, schema=schema, schema_name=_schema_name(shape))


@cache
def strict_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema in the strict form that servers enforce: all properties required, none besides.

    It is made once for each shape: not to be changed.
    """
    strict: dict[str, Any] = _strict(shape.model_json_schema())
    return strict


@cache
def _instruction(shape: type[BaseModel]) -> str:
    return f"{_INSTRUCTION}\n{json.dumps(strict_schema(shape), ensure_ascii=False, separators=(',', ':'))}"


def parse(text: str, shape: type[T]) -> T:
    """Read a value out of an answer: also from a code fence, amid other words, or with trailing commas.

    Raises:
        ModelOutputError: there is none of that shape; the answer's text is not quoted.
    """
    problems = 0
    for candidate in _json_values(text):
        try:
            return shape.model_validate(candidate)
        except ValidationError as error:
            problems = max(problems, error.error_count())
    what = f"does not fit ({problems} problems)" if problems else "holds no JSON"
    raise ModelOutputError(f"a model was asked for {shape.__name__}, but its answer {what}")


def _json_values(text: str) -> Iterator[Any]:
    """Yield what can be read as JSON from each opening bracket on; of a whole value, not its inner ones again."""
    tidy = _TRAILING_COMMA.sub(lambda match: match[1] or "", text)
    decoder = json.JSONDecoder(strict=False)  # line breaks inside strings are common
    position = 0
    for _ in range(_MOST_STARTS):
        opening = _OPENING.search(tidy, position)
        if opening is None:
            return
        try:
            value, position = decoder.raw_decode(tidy, opening.start())
        except (ValueError, RecursionError):
            position = opening.end()
        else:
            yield value


def _strict(node: Any) -> Any:  # noqa: ANN401 - a JSON Schema is any JSON
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _strict(value) for key, value in node.items() if key not in {"default", "title", "properties"}}
    if "properties" in node:
        kept["properties"] = {name: _strict(value) for name, value in node["properties"].items()}
        kept["required"] = list(node["properties"])
        kept["additionalProperties"] = False
    return kept


def _schema_name(shape: type[BaseModel]) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", shape.__name__)[:64]
