"""`yorisoi inspect recall`: the search of a turn over the archive a line brings along."""

import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.cli import recall_lines
from bot.cli.jsonl import answer_lines
from bot.cli.recall_lines import RecallLine, answer_all
from core.analysis.japanese import JapaneseAnalyser
from core.ports import MessageArchive
from core.recall.search import Recall
from tests.fakes.models import HashEmbedder
from tests.fakes.stores import InMemoryStores

ARCHIVE = [
    {"mid": "a", "author": "user", "text": "the fox got into the shed"},
    {"mid": "b", "author": "bot", "text": "poor hens"},
    {"mid": 7, "author": "user", "text": "they finally bumped my salary"},
]
RAISE = "do you remember my pay rise?"


@asynccontextmanager
async def scratch() -> AsyncIterator[tuple[MessageArchive, Recall]]:
    analyser = JapaneseAnalyser()
    stores = InMemoryStores(index_terms=analyser.index_terms)
    yield stores.archive, Recall.on(stores.recall, analyser=analyser, embedder=HashEmbedder(512), places=3)


def answers(monkeypatch: pytest.MonkeyPatch, *lines: object) -> list[dict[str, Any]]:
    out, given = io.BytesIO(), [json.dumps(line).encode() + b"\n" for line in lines]
    monkeypatch.setattr(
        recall_lines, "answer_lines", lambda kind, answer: answer_lines(kind, answer, lines=given, out=out)
    )
    answer_all(scratch())
    return [json.loads(line) for line in out.getvalue().splitlines()]


def line(question: str, **more: object) -> dict[str, object]:
    return {"id": 1, "archive": ARCHIVE, "question": question, **more}


def test_what_words_find_stands_first_and_its_neighbours_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answers(monkeypatch, line("did I mention the fox?")) == [
        {
            "id": 1,
            "recall_question": True,
            "literal": ["a"],
            "offered": [],
            "complete": True,
            "outcome": "found",
            "evidence": ["a", "b"],
        }
    ]


def test_what_asks_for_nothing_has_no_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = answers(monkeypatch, line("do you remember the 90s?"))

    assert (found["recall_question"], found["outcome"], found["evidence"]) == (False, "none", [])


def test_a_reference_that_was_offered_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = answers(monkeypatch, line(RAISE, selected=[{"mid": 7, "confidence": 1}]))

    assert found["outcome"] == "found"
    assert found["offered"] == ["a", "b", 7]
    assert found["evidence"] == [7, "b"]


@pytest.mark.parametrize(
    ("selected", "outcome"),
    [
        (None, "unavailable"),
        ([], "not_found"),
        ([{"mid": 7, "confidence": 0.2}], "not_found"),
        ([{"mid": "zz", "confidence": 1}], "unavailable"),
        ([{"mid": "7", "confidence": 1}], "unavailable"),
        ([{"mid": 7, "confidence": "sure"}], "unavailable"),
        ([{"mid": 7}], "unavailable"),
        ([{"mid": True, "confidence": 1}], "unavailable"),
        ([{"mid": ["a"], "confidence": 1}], "unavailable"),
        (["a"], "unavailable"),
        ("a", "unavailable"),
        ([{"mid": "zz", "confidence": 1}, {"mid": 7, "confidence": 0.9}], "found"),
    ],
)
def test_what_a_model_answered_is_checked(monkeypatch: pytest.MonkeyPatch, selected: object, outcome: str) -> None:
    (found,) = answers(monkeypatch, line(RAISE, selected=selected))

    assert found["outcome"] == outcome


def test_of_a_longer_archive_a_part_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    longer = [*ARCHIVE, *({"mid": f"c{number}", "author": "user", "text": "rain"} for number in range(4))]

    (found,) = answers(monkeypatch, {"id": 1, "archive": longer, "question": RAISE, "selected": []})

    assert (found["complete"], len(found["offered"]), found["outcome"]) == (False, 6, "unavailable")


def test_an_archive_that_fits_into_two_lists_is_offered_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    longer = [*ARCHIVE, {"mid": "c", "author": "user", "text": "rain"}]

    (found,) = answers(monkeypatch, {"id": 1, "archive": longer, "question": RAISE, "selected": []})

    assert (found["complete"], len(found["offered"]), found["outcome"]) == (True, 4, "not_found")


def test_each_line_has_an_archive_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    _, second = answers(monkeypatch, line("did I mention the fox?"), {**line("did I mention the fox?"), "archive": []})

    assert (second["outcome"], second["evidence"]) == ("not_found", [])


def test_a_bad_line_is_told_and_the_rest_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    twice = {**line(RAISE), "archive": [ARCHIVE[0], ARCHIVE[0]]}

    partial = {**line(RAISE), "archive": [ARCHIVE[0], {"mid": "b"}]}

    first, second, third, fourth = answers(monkeypatch, {"id": 1}, twice, line("did I mention the fox?"), partial)

    assert first == {"line": 1, "error": "'archive' is missing"}
    assert fourth == {"line": 4, "error": "'archive[2].author' is missing"}
    assert second["error"] == "'archive': two messages have the same mid"
    assert third["outcome"] == "found"


def test_the_line_leaves_what_it_does_not_know_alone() -> None:
    parsed = RecallLine.model_validate({**line(RAISE), "expected_mids": ["a"], "lang": "en"})
    assert parsed.selected is None
