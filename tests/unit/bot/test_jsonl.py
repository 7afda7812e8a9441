import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from bot.cli.jsonl import Line, LineError, answer_lines


class Word(Line):
    text: str


def shout(line: Word) -> dict[str, Any]:
    if line.text == "no":
        raise LineError("'text': no is no answer")
    if line.text == "bug":
        raise KeyError(line.text)
    return {"id": line.id, "loud": line.text.upper()}


def answers(*lines: str | bytes) -> list[Mapping[str, Any]]:
    out = io.BytesIO()
    answer_lines(Word, shout, lines=[one.encode() if isinstance(one, str) else one for one in lines], out=out)
    return [json.loads(line) for line in out.getvalue().decode().splitlines()]


def test_every_line_is_answered_in_order() -> None:
    assert answers('{"id": 2, "text": "b"}\n', '{"id": "あ", "text": "a"}') == [
        {"id": 2, "loud": "B"},
        {"id": "あ", "loud": "A"},
    ]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("\n", "the line is empty: each line has to be a JSON object"),
        ("hello", "not JSON"),
        ('{"id": 1, "text": "a"', "not JSON"),
        (b'{"id": 1, "text": "\xff"}', "not JSON"),
        ("[" * 5000, "not JSON"),
        ("[]", "not a JSON object"),
        ('"text"', "not a JSON object"),
        ('{"text": "a"}', "'id' is missing"),
        ('{"id": 1}', "'text' is missing"),
        ('{"id": 1, "text": 5}', "'text' is not a text"),
        ('{"id": null, "text": "a"}', "'id' is not a text"),
        ('{"id": 1, "text": "no"}', "'text': no is no answer"),
        ('{"id": 1, "text": "bug"}', "something unexpected went wrong (KeyError)"),
    ],
)
def test_a_bad_line_is_told_and_the_rest_goes_on(line: str | bytes, error: str) -> None:
    first, bad, last = answers('{"id": 1, "text": "a"}', line, '{"id": 3, "text": "c"}')
    assert (first, last) == ({"id": 1, "loud": "A"}, {"id": 3, "loud": "C"})
    assert set(bad) == {"line", "error"}
    assert bad["line"] == 2
    assert bad["error"].startswith(error)


def test_keys_that_mean_nothing_here_and_a_byte_order_mark_are_left_alone() -> None:
    assert answers(b'\xef\xbb\xbf{"id": 1, "text": "a", "lang": "en"}\r\n') == [{"id": 1, "loud": "A"}]


def test_nothing_in_is_nothing_out() -> None:
    assert answers() == []


def test_a_line_is_answered_before_the_next_is_read() -> None:
    out = io.BytesIO()

    def lines() -> Iterator[bytes]:
        for number in range(3):
            assert out.getvalue().count(b"\n") == number
            yield b'{"id": 1, "text": "a"}'

    answer_lines(Word, shout, lines=lines(), out=out)
    assert out.getvalue().count(b"\n") == 3
