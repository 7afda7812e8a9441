"""Archives and questions by another hand, each archive by itself; the model picks just what answers."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from core.recall.question import Asking, RecallQuestion, read_question
from core.recall.recollection import Outcome, Recollection
from core.recall.search import Scope
from core.recall.selection import Offer, Pick
from tests.unit.recall.lines import HERE, RecallLine, entries_of, second_hand
from tests.unit.recall.test_search import Desk, ids


@dataclass(frozen=True)
class Answer:
    line: RecallLine
    is_asked: bool
    found: Recollection

    @property
    def is_right(self) -> bool:
        wanted = _wanted(self.line)
        return bool(wanted & set(ids(self.found))) if wanted else self.found.outcome is Outcome.NOT_FOUND


@pytest.fixture(scope="module", params=["dev", "test"])
def answers(request: pytest.FixtureRequest) -> list[Answer]:
    """Every line answered once, with one store for each archive."""
    of_archives = defaultdict(list)
    for line in second_hand(request.param):
        of_archives[line.archive].append(line)
    return [answer for lines in of_archives.values() for answer in asyncio.run(_answered(lines))]


async def _answered(lines: Sequence[RecallLine]) -> list[Answer]:
    desk = Desk()
    await desk.stores.archive.add(entries_of(lines[0].archive))
    return [await _answer(desk, line) for line in lines]


async def _answer(desk: Desk, line: RecallLine) -> Answer:
    """What isn't told for a question is searched for all the same: the two are counted by themselves."""

    async def select(offer: Offer) -> Sequence[Pick]:
        wanted = _wanted(line)
        return [Pick(id=alias, confidence=0.9) for alias, of in offer.messages.items() if of.message_id in wanted]

    read = read_question(line.question)
    question = read if read.is_asked else RecallQuestion(Asking.OUTRIGHT, line.question)
    return Answer(line, read.is_asked, await desk.recall.search(question, Scope(conversation=HERE), select))


def _wanted(line: RecallLine) -> set[int]:
    return {number for number, said in enumerate(line.archive, 1) if said.mid in line.expected}


@pytest.mark.parametrize("kind", ["literal", "spelling", "paraphrase"])
def test_what_was_said_is_found(answers: list[Answer], kind: str) -> None:
    of_kind = [answer for answer in answers if answer.line.kind == kind]

    assert sum(answer.is_right for answer in of_kind) >= 0.98 * len(of_kind)


def test_what_was_never_said_is_never_found(answers: list[Answer]) -> None:
    assert [answer.line.id for answer in answers if answer.line.kind == "absent" and not answer.is_right] == []


def test_nearly_all_are_told_for_questions_of_what_was_said(answers: list[Answer]) -> None:
    assert sum(answer.is_asked for answer in answers) >= 0.95 * len(answers)
