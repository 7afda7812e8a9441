"""Tags as a model gives them become tags as people write them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.social.tags import clean_tags

REFERENCE = json.loads((Path(__file__).parents[2] / "golden" / "tags.json").read_text("utf-8"))


@pytest.mark.parametrize("case", REFERENCE, ids=lambda case: case["id"])
def test_tags_are_those_of_the_reference(case: dict[str, Any]) -> None:
    assert clean_tags(case["tags"], case["max"]) == case["expected"]


@pytest.mark.parametrize(
    ("given_tags", "expected"),
    [
        (["007.63:ソフトウェア"], ["ソフトウェア"]),
        (["326: Criminal law"], ["Criminal law"]),
        (["007:"], []),
        (["327:Law. Courts", "law"], ["Law", "Courts"]),
        (["327:Law. Courts", "326:Courts"], ["Courts"]),
        (["26:刑事法"], ["26:刑事法"]),
        (["３２６:刑事法"], ["３２６:刑事法"]),
        (["  猫 ", "猫"], ["猫"]),
    ],
)
def test_numbers_go_and_labels_are_taken_apart(given_tags: list[object], expected: list[str]) -> None:
    assert clean_tags(given_tags, 5) == expected


@given(st.lists(st.one_of(st.text(max_size=12), st.none(), st.integers())), st.integers(0, 5))
def test_any_list_gives_few_tags_without_repetition(tags: list[object], most: int) -> None:
    kept = clean_tags(tags, most)
    assert len(kept) <= most
    assert len({tag.lower() for tag in kept}) == len(kept)
    assert all(tag == tag.strip() and tag for tag in kept)
