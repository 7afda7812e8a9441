"""Ranges of shards: what a text says, and whose servers belong to them."""

import pytest

from core.sharding.shards import EVERYTHING, Shards


@pytest.mark.parametrize(
    ("text", "shards"),
    [("0-3/16", Shards(0, 3, 16)), (" 5/16 ", Shards(5, 5, 16)), ("0/1", EVERYTHING), ("0-15/16", Shards(0, 15, 16))],
)
def test_a_range_is_read(text: str, shards: Shards) -> None:
    assert Shards.read(text) == shards


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not a range"),
        ("0-3", "is not a range"),
        ("-1/4", "is not a range"),
        ("1-2-3/4", "is not a range"),
        ("３/４", "is not a range"),
        ("3-1/4", "ends before it begins"),
        ("0-4/4", "names a shard that isn't there"),
        ("0/0", "has to have from 1"),
        ("0/70000", "has to have from 1"),
    ],
)
def test_what_is_no_range_is_refused_with_a_reason(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Shards.read(text)


def test_every_server_belongs_to_exactly_one_of_the_ranges() -> None:
    ranges = [Shards(0, 3, 16), Shards(4, 4, 16), Shards(5, 15, 16)]

    for number in range(64):
        guild_id = (number * 7919) << 22 | number
        assert [shards.has(guild_id) for shards in ranges].count(True) == 1


def test_direct_messages_belong_to_shard_0() -> None:
    assert Shards(0, 3, 16).has(None)
    assert not Shards(1, 15, 16).has(None)


def test_a_range_is_everything_when_no_shard_is_left_out() -> None:
    assert Shards(0, 15, 16).is_everything
    assert not Shards(0, 14, 16).is_everything
