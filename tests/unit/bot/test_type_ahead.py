"""Keys that are typed while no prompt is open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.terminal.ahead import TypeAhead


def typed(*pieces: bytes) -> TypeAhead:
    ahead = TypeAhead()
    for piece in pieces:
        ahead.feed(piece)
    return ahead


def test_keys_become_lines_and_a_line_that_is_begun() -> None:
    ahead = typed(b"he", b"llo\n\nwor", b"ld")
    assert list(ahead.lines) == ["hello", ""]
    assert ahead.shown == "world"
    assert ahead.take_text() == "world"
    assert ahead.text == ""


def test_a_character_may_come_in_two_pieces() -> None:
    encoded = "猫だ".encode()
    assert typed(encoded[:1], encoded[1:4], encoded[4:]).text == "猫だ"


@pytest.mark.parametrize(
    ("keys", "left"),
    [
        (b"hallo\x7f\x7f\x7f\x7fello", "hello"),
        ("猫猫".encode() + b"\x08", "猫"),
        (b"\x7fa", "a"),
        (b"two words\x17", "two "),
        (b"two words  \x17\x17", ""),
        (b"all of it\x15new", "new"),
        (b"a\tb", "a b"),
        (b"a\x1b[D\x1b[1;5Cb\x1bOA\x1bxc", "abc"),
        (b"a\x00\x07b", "ab"),
    ],
)
def test_the_usual_keys_change_the_line(keys: bytes, left: str) -> None:
    assert typed(keys).text == left
    assert typed(*(keys[place : place + 1] for place in range(len(keys)))).text == left


def test_ctrl_d_ends_the_input_on_an_empty_line_only() -> None:
    assert not typed(b"a\x04").ended
    ended = typed(b"a\n\x04")
    assert ended.ended
    assert (list(ended.lines), ended.shown) == (["a"], "^D")


def test_a_terminal_that_is_gone_ends_the_input() -> None:
    assert typed(b"").ended


@given(st.lists(st.binary(min_size=1)))
def test_any_keys_leave_a_printable_line(pieces: list[bytes]) -> None:
    ahead = typed(*pieces)
    assert all(line.isprintable() for line in [*ahead.lines, ahead.text])
