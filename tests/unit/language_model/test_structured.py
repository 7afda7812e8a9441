import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from core.errors import ModelOutputError
from core.language_model.structured import ask_for, parse, strict_schema, structured
from core.language_model.types import ChatMessage, ChatRequest, Completion, Role
from tests.fakes.models import ScriptedModel


class Inner(BaseModel):
    title: str
    weight: float = 1.0


class Evidence(BaseModel):
    outcome: Literal["found", "not_found"]
    ids: list[int] = Field(default_factory=list)
    inner: Inner | None = None


REQUEST = ChatRequest(
    messages=(ChatMessage(Role.SYSTEM, "Select."), ChatMessage(Role.USER, "Which?")), max_output_tokens=64
)
GOOD = '{"outcome": "found", "ids": [1, 2]}'


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Sure! Here is what you asked for:\n\n{GOOD}\n\nLet me know {{if}} it helps.",
        '{"outcome": "found", "ids": [1, 2,],}',
        f"[note] {GOOD}",
        f'{{"thought": "I look at 1 and 2"}}\n{GOOD}',
        f"  \ufeff{GOOD}",
    ],
    ids=["plain", "fence", "chatter", "trailing commas", "brackets before", "another object before", "byte order mark"],
)
def test_value_is_found_however_it_is_wrapped(text: str) -> None:
    assert parse(text, Evidence) == Evidence(outcome="found", ids=[1, 2])


def test_commas_and_brackets_inside_strings_are_left_alone() -> None:
    assert parse('{"title": "a,} b,] \\" c", "weight": 2}', Inner).title == 'a,} b,] " c'


def test_line_break_inside_a_string_is_taken() -> None:
    assert parse('{"title": "one\ntwo"}', Inner).title == "one\ntwo"


@pytest.mark.parametrize(
    "text",
    ["", "found", "{", '{"outcome": "found"', '{"outcome": "maybe"}', "[1, 2]", "[" * 5000, '"found"'],
)
def test_anything_else_is_an_output_error(text: str) -> None:
    with pytest.raises(ModelOutputError, match="Evidence"):
        parse(text, Evidence)


def test_error_does_not_quote_the_answer() -> None:
    with pytest.raises(ModelOutputError) as caught:
        parse('{"outcome": "very private words"}', Evidence)
    assert "private" not in str(caught.value)
    assert caught.value.__cause__ is None


@given(st.text(max_size=200))
def test_no_text_makes_the_reader_fail_otherwise(text: str) -> None:
    with pytest.raises(ModelOutputError):
        parse(text.replace("outcome", ""), Evidence)


@given(st.text(), st.floats(allow_nan=False, allow_infinity=False))
def test_what_was_written_as_json_is_read_back(title: str, weight: float) -> None:
    inner = Inner(title=title, weight=weight)
    assert parse(f"Answer: {inner.model_dump_json()}", Inner) == inner


def _objects(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, list):
        return [found for item in node for found in _objects(item)]
    if not isinstance(node, dict):
        return []
    own = [node] if "properties" in node else []
    return own + [found for value in node.values() for found in _objects(value)]


def test_schema_is_strict_at_every_level_and_keeps_properties_named_like_keywords() -> None:
    schema = strict_schema(Evidence)
    objects = _objects(schema)
    assert len(objects) == 2
    for node in objects:
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])
    assert "title" in schema["$defs"]["Inner"]["properties"]
    assert "default" not in json.dumps(schema)


def test_request_carries_the_schema_and_tells_it_in_the_system_message() -> None:
    request = structured(REQUEST, Evidence)
    assert request.schema == strict_schema(Evidence)
    assert request.schema_name == "Evidence"
    assert request.messages[0].text.startswith("Select.\n\nAnswer with one JSON value")
    assert '"not_found"' in request.messages[0].text
    assert request.messages[1:] == REQUEST.messages[1:]


def test_system_message_is_added_where_there_is_none() -> None:
    request = structured(ChatRequest(messages=REQUEST.messages[1:], max_output_tokens=8), Evidence)
    assert [message.role for message in request.messages] == [Role.SYSTEM, Role.USER]


async def test_answer_is_counted_even_if_it_is_of_no_use() -> None:
    counted: list[Completion] = []

    async def count(completion: Completion) -> None:
        counted.append(completion)

    model = ScriptedModel([GOOD, "no idea"])
    assert (await ask_for(Evidence, model, REQUEST, count=count)).ids == [1, 2]
    with pytest.raises(ModelOutputError):
        await ask_for(Evidence, model, REQUEST, count=count)
    assert [completion.text for completion in counted] == [GOOD, "no idea"]
    assert model.requests[0].schema is not None
