"""A model may only point: whatever else it answers changes nothing."""

import pytest
from pydantic import ValidationError

from core.errors import ModelOutputError
from core.language_model.structured import parse, strict_schema
from core.recall.selection import Checked, Fault, Offer, Pick, Picks, check
from tests.unit.recall.lines import entry

OFFER = Offer.of("my cat's name?", [entry(11, "a cat moved in"), entry(12, "she is called Momo"), entry(13, "rain")])


def checked(*picks: tuple[str, float]) -> Checked:
    return check([Pick(id=name, confidence=confidence) for name, confidence in picks], OFFER)


def test_messages_are_offered_under_short_aliases_in_their_order() -> None:
    assert [(alias, of.message_id) for alias, of in OFFER.messages.items()] == [("m1", 11), ("m2", 12), ("m3", 13)]


def test_what_was_picked_with_confidence_is_found_surest_first() -> None:
    assert checked(("m1", 0.7), ("m2", 0.9), ("m3", 0.3)) == Checked((12, 11))


def test_picking_nothing_is_no_fault() -> None:
    assert checked() == Checked()


def test_picking_without_confidence_is_picking_nothing() -> None:
    assert checked(("m1", 0.59)) == Checked()


@pytest.mark.parametrize("name", ["m4", "m0", "12", "M2", "m2 ", "the cat is called Momo", "", "m1,m2"])
def test_what_was_not_offered_is_a_fault(name: str) -> None:
    assert checked((name, 1.0)) == Checked((), Fault.NOT_OFFERED)


def test_a_pick_that_was_offered_counts_beside_one_that_was_not() -> None:
    assert checked(("m99", 1.0), ("m2", 0.8)) == Checked((12,))


def test_an_unsure_pick_does_not_make_up_for_one_that_was_not_offered() -> None:
    assert checked(("m99", 1.0), ("m2", 0.2)) == Checked((), Fault.NOT_OFFERED)


def test_no_more_than_three_are_taken_and_each_once() -> None:
    offer = Offer.of("?", [entry(number, "x") for number in range(1, 51)])
    picks = [Pick(id=f"m{number}", confidence=0.9) for number in range(1, 51)]

    assert check([picks[4], *picks, *picks], offer).message_ids == (5, 1, 2)


def test_prose_around_the_answer_is_left_alone() -> None:
    text = 'Sure! Here it is:\n```json\n{"messages": [{"id": "m2", "confidence": 1}]}\n```\nShe told me on Monday.'
    assert parse(text, Picks).messages == [Pick(id="m2", confidence=1.0)]


@pytest.mark.parametrize(
    "text",
    [
        "The cat is called Momo.",
        '{"messages": ["m1"]}',
        '{"messages": [{"id": "m1", "confidence": "high"}]}',
        '{"messages": [{"id": "m1", "confidence": "0.9"}]}',
        '{"messages": [{"id": 1, "confidence": 0.9}]}',
        '{"messages": [{"id": "m1", "confidence": 7}]}',
        '{"messages": [{"id": "m1"}]}',
        '{"messages": [{"id": "m1", "confidence": 0.9, "text": "she is called Momo"}]}',
        '{"answer": "Momo"}',
        "",
    ],
)
def test_an_answer_of_another_shape_can_not_be_read(text: str) -> None:
    with pytest.raises(ModelOutputError):
        parse(text, Picks)


def test_a_confidence_is_from_0_to_1() -> None:
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValidationError):
            Pick(id="m1", confidence=wrong)


def test_servers_are_told_the_exact_shape() -> None:
    schema = strict_schema(Picks)
    assert schema["required"] == ["messages"]
    assert schema["$defs"]["Pick"]["required"] == ["id", "confidence"]
    assert schema["$defs"]["Pick"]["additionalProperties"] is False
