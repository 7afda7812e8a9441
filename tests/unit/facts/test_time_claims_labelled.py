"""The predicates on labelled lines."""

from typing import Any

import pytest

from core.facts.time_claims import (
    Approximation,
    ClaimKind,
    TimeClaim,
    contradicts,
    find_activity_claims,
    find_time_claims,
)
from tests.unit.facts.labelled import corpus, fourth_hand, moment, own_cases, score, seventh_hand, sixth_hand

SETS = pytest.mark.parametrize("lines", [corpus(), own_cases()], ids=["corpus", "own"])


def is_contradicted(line: dict[str, Any]) -> bool:
    return contradicts(find_time_claims(line["text"]), moment(line))


def as_claim(label: dict[str, Any]) -> TimeClaim:
    return TimeClaim(
        kind=ClaimKind(label["kind"]),
        value=label["value"],
        approx=Approximation(label["approx"]) if "approx" in label else None,
        ambiguous_12h=label.get("ambiguous_12h", False),
        start=0,
        end=1,
        rule="label",
    )


@SETS
def test_contradictions_are_found(lines: list[dict[str, Any]]) -> None:
    result = score(lines, lambda line: line["contradicts"], is_contradicted)
    assert result.recall >= 0.95, result.wrong
    assert result.false_alarms <= 0.02, result.wrong


@SETS
def test_statements_about_now_are_told_from_other_times(lines: list[dict[str, Any]]) -> None:
    result = score(lines, lambda line: bool(line["explicit_claims"]), lambda line: bool(find_time_claims(line["text"])))
    assert result.recall >= 0.95, result.wrong
    assert result.false_alarms <= 0.02, result.wrong


@SETS
def test_activities_are_found(lines: list[dict[str, Any]]) -> None:
    result = score(
        lines, lambda line: line["implicit_activity_claim"], lambda line: bool(find_activity_claims(line["text"]))
    )
    assert result.recall >= 0.9, result.wrong
    assert result.false_alarms <= 0.05, result.wrong


@SETS
def test_labels_agree_with_the_tolerances(lines: list[dict[str, Any]]) -> None:
    """The verdict alone, given the labelled claims, says what the label says."""
    for line in lines:
        claims = [as_claim(label) for label in line["explicit_claims"]]
        assert contradicts(claims, moment(line)) == line["contradicts"], line["id"]


@pytest.mark.parametrize(
    ("lines", "times_floor", "doings_floor"),
    [
        (fourth_hand(), (0.9, 0.04), (0.97, 0.03)),
        (sixth_hand(), (0.94, 0.02), (0.9, 0.04)),
        (seventh_hand(), (0.96, 0.01), (0.94, 0.025)),
    ],
    ids=["fourth", "sixth", "seventh"],
)
def test_lines_of_another_hand_keep_their_floors(
    lines: list[dict[str, Any]], times_floor: tuple[float, float], doings_floor: tuple[float, float]
) -> None:
    """Nothing was tuned on these; the floors are what was measured, to be raised and never lowered."""
    times = score(lines, lambda line: line["contradicts"], is_contradicted)
    doings = score(
        lines, lambda line: line["implicit_activity_claim"], lambda line: bool(find_activity_claims(line["text"]))
    )
    assert times.recall >= times_floor[0], times.wrong
    assert times.false_alarms <= times_floor[1], times.wrong
    assert doings.recall >= doings_floor[0], doings.wrong
    assert doings.false_alarms <= doings_floor[1], doings.wrong
