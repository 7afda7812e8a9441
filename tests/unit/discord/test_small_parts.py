"""Pace, partners, buttons, composed characters."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.discord.buttons import MAX_ID_LENGTH, REGENERATE_PATTERN, STOP_PATTERN, RegenerateId, stop_id, to_base36
from bot.discord.graphemes import is_boundary, last_boundary
from bot.discord.pace import Pace
from bot.discord.partners import Partners
from core.clock import SimulatedClock

snowflakes = st.integers(min_value=2**40, max_value=2**63)


@given(snowflakes, snowflakes, st.lists(st.integers(1, 2**40), max_size=3))
def test_a_buttons_id_holds_all_it_needs_and_fits(asked: int, author: int, distances: list[int]) -> None:
    pressed = RegenerateId(asked, author, tuple(asked + distance for distance in distances))

    encoded = pressed.encode()

    assert encoded is not None
    assert len(encoded) <= MAX_ID_LENGTH
    match = REGENERATE_PATTERN.fullmatch(encoded)
    assert match is not None
    assert RegenerateId.decode(match) == pressed


def test_a_reply_of_too_many_messages_has_no_button() -> None:
    earlier = tuple(2**62 + (number << 36) for number in range(1, 20))
    assert RegenerateId(2**62, 2**61, earlier).encode() is None


@given(st.integers(0, 2**64))
def test_base36_can_be_read_back(number: int) -> None:
    assert int(to_base36(number), 36) == number


def test_a_stop_buttons_id_names_the_person() -> None:
    match = STOP_PATTERN.fullmatch(stop_id(123456789))
    assert match is not None
    assert int(match["author"], 36) == 123456789


def test_edits_become_rarer_when_they_are_held_back_and_frequent_again_afterwards() -> None:
    pace = Pace()
    assert pace.seconds == 1.2

    pace.took(4.0)
    assert pace.seconds == 4.0
    for _ in range(9):
        pace.took(30.0)
    assert pace.seconds == pace.longest
    for _ in range(20):
        pace.took(0.1)
    assert pace.seconds == pace.usual


async def test_a_partner_is_remembered_for_ten_minutes_in_that_channel_only() -> None:
    clock = SimulatedClock(datetime(2026, 3, 1, tzinfo=UTC))
    partners = Partners(clock=clock)

    partners.spoke(1, 2)

    assert partners.talking(1, 2)
    assert not partners.talking(3, 2)
    await clock.advance(601.0)
    assert not partners.talking(1, 2)


@pytest.mark.parametrize(
    ("text", "boundaries"),
    [
        ("ab", [0, 1, 2]),
        ("e\u0301a", [0, 2, 3]),
        ("👍🏽!", [0, 2, 3]),
        ("👩\u200d👧!", [0, 3, 4]),
        ("🇯🇵🇫🇷", [0, 2, 4]),
        ("❤\ufe0f", [0, 2]),
        ("\r\n", [0, 2]),
        ("ﾊﾞ", [0, 2]),
        ("\u1112\u1161\u11ab글", [0, 3, 4]),
        ("", [0]),
    ],
)
def test_boundaries_are_between_what_a_reader_sees_as_characters(text: str, boundaries: list[int]) -> None:
    assert [index for index in range(len(text) + 1) if is_boundary(text, index)] == boundaries


def test_the_last_boundary_is_the_limit_itself_when_one_character_is_longer() -> None:
    text = "e" + "\u0301" * 10
    assert last_boundary(text, 0, 5) == 5
    assert last_boundary("abc", 0, 2) == 2
