"""The whole search, on stores in memory."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from core.recall.errors import NoSelectionError
from core.recall.question import read_question
from core.recall.recollection import Outcome, Recollection
from core.recall.search import Recall, Scope
from core.recall.selection import Offer, Pick, Select
from core.values import Surface, SurfaceKind
from tests.fakes.models import HashEmbedder
from tests.fakes.stores import InMemoryStores
from tests.unit.recall.lines import (
    ANALYSER,
    BEGINNING,
    HERE,
    RecallLine,
    Said,
    entries_of,
    entry,
    index_terms,
    recall_lines,
)

ELSEWHERE = Surface(kind=SurfaceKind.DM, channel_id=101)


class Desk:
    """A search, and a model that picks by what it is told."""

    def __init__(self, *, places: int = 200) -> None:
        self.stores = InMemoryStores(index_terms=index_terms)
        self.embedder = HashEmbedder(512)
        self.recall = Recall.on(self.stores.recall, analyser=ANALYSER, embedder=self.embedder, places=places)
        self.offers: list[Offer] = []

    def picking(self, choose: Callable[[str], float]) -> Select:
        async def select(offer: Offer) -> Sequence[Pick]:
            self.offers.append(offer)
            return [Pick(id=alias, confidence=choose(of.text or "")) for alias, of in offer.messages.items()]

        return select

    async def add(self, *texts: str) -> None:
        await self.stores.archive.add([entry(number, text) for number, text in enumerate(texts, 1)])

    async def ask(self, question: str, select: Select | None = None, **scope: object) -> Recollection:
        return await self.recall.search(read_question(question), Scope(conversation=HERE, **scope), select)  # type: ignore[arg-type]


def ids(recollection: Recollection) -> list[int]:
    return [cited.message_id for cited in recollection.cited]


async def unreachable(offer: Offer) -> Sequence[Pick]:
    raise NoSelectionError("model failed")


def nothing(text: str) -> float:
    return 0.0


async def test_what_asks_for_nothing_is_not_searched_for() -> None:
    desk = Desk()
    await desk.add("a cat moved in")

    assert (await desk.ask("I like cats")).outcome is Outcome.NONE


async def test_a_literal_find_needs_no_model_and_brings_its_neighbours() -> None:
    desk = Desk()
    await desk.add("good morning", "the fox got into the shed", "poor hens", "lunch was soup")

    found = await desk.ask("do you remember the fox?", desk.picking(nothing))

    assert found.outcome is Outcome.FOUND
    assert ids(found) == [2]
    assert [e.message_id for e in found.beside] == [1, 3]
    assert [e.message_id for e in found.evidence] == [1, 2, 3]
    assert found.offered == ()
    assert desk.offers == []


async def test_other_words_are_found_by_what_a_model_points_at() -> None:
    desk = Desk()
    await desk.add("hello", "they finally bumped my salary", "rain again")

    found = await desk.ask("do you remember my pay rise?", desk.picking(lambda text: float("salary" in text)))

    assert found.outcome is Outcome.FOUND
    assert ids(found) == [2]
    assert found.offered == (1, 2, 3)
    assert found.complete


async def test_words_that_come_near_are_looked_at_by_a_model() -> None:
    desk = Desk()
    await desk.add("hello", "my ex came in for brunch", "rain again")
    question = "what did my ex order at brunch?"

    assert (await desk.ask(question, desk.picking(nothing))).outcome is Outcome.NOT_FOUND
    assert ids(await desk.ask(question, desk.picking(lambda text: float("brunch" in text)))) == [2]


async def test_what_a_model_rejected_is_not_found_by_its_words_when_it_fails_later() -> None:
    desk = Desk(places=10)
    await desk.add("hello", "my ex came in for brunch", *(f"the weather of day {number}" for number in range(40)))
    answers: list[list[Pick] | NoSelectionError] = [[], NoSelectionError("over budget")]

    async def select(offer: Offer) -> Sequence[Pick]:
        desk.offers.append(offer)
        answer = answers.pop(0)
        if isinstance(answer, NoSelectionError):
            raise answer
        return answer

    found = await desk.ask("what did my ex order at brunch?", select)

    assert any("brunch" in (of.text or "") for of in desk.offers[0].messages.values())
    assert (found.outcome, found.why, ids(found)) == (Outcome.UNAVAILABLE, "over budget", [])


@pytest.mark.parametrize("own", [0, 1, 3])
async def test_messages_of_the_turn_itself_take_no_place_from_the_oldest(own: int) -> None:
    desk = Desk(places=10)
    await desk.add("my ex came in for brunch", *(f"the weather of day {number}" for number in range(40)))
    turn = set(range(9_000, 9_000 + own))  # not stored yet

    await desk.ask("what did my ex order at brunch?", desk.picking(nothing), without=turn)

    shown = [of.text or "" for offer in desk.offers for of in offer.messages.values()]
    assert any("brunch" in text for text in shown)
    assert [len(offer.messages) for offer in desk.offers] == [10, 10]


async def test_a_list_whose_messages_are_gone_is_shown_to_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    await desk.add("hello", "they finally bumped my salary", "rain again")

    async def gone(*_: object) -> list[object]:
        return []

    monkeypatch.setattr(desk.stores.recall, "entries", gone)
    found = await desk.ask("do you remember my pay rise?", desk.picking(nothing))

    assert desk.offers == []
    assert (found.outcome, found.why) == (Outcome.UNAVAILABLE, "gone meanwhile")


async def test_a_word_in_another_spelling_has_a_place_among_what_is_shown() -> None:
    desk = Desk(places=10)
    await desk.add("they tossed a case of scallops today", *(f"the weather of day {number}" for number in range(40)))

    found = await desk.ask("did I tell you of the scalops and the broken freezer at work?", desk.picking(nothing))

    assert 1 in found.offered


@pytest.mark.parametrize("select", [None, unreachable])
async def test_words_that_come_near_count_where_no_model_can_look(select: Select | None) -> None:
    desk = Desk()
    await desk.add("hello", "my ex came in for brunch", "rain again")

    found = await desk.ask("what did my ex order at brunch?", select)

    assert ids(found) == [2]
    assert found.literal == (2,)
    assert found.offered == (1, 2, 3)


@pytest.mark.parametrize("question", ["where did I say that the fox got in?", "狐が入った話、どこで言ったっけ"])
async def test_where_something_was_said_is_settled_by_words_alone(question: str) -> None:
    desk = Desk()
    await desk.add("good morning", "the fox got in", "小屋に狐が入った")

    assert (await desk.ask(question, desk.picking(nothing))).outcome is Outcome.FOUND
    assert desk.offers == []


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("when is Ida's match?", "Ida lost her match this morning"),
        ("what's the priest's name?", "the priest is a Nigerian fella, old Doyle told me"),
        ("who won the raffle?", "the raffle was won again"),
        ("娘がスペインにいたの、何年だっけ", "娘がスペインから帰る、三十日の便"),
        ("面談する会社の名前は？", "会社の面談、「元気です」って言って終わり"),
        ("where did I buy the lamp?", "bought a lamp in the end, it wobbles"),
        ("why did I quit the gym?", "quit the gym today"),
        ("what did the vet say about the limp?", "the vet looked at his limp again"),
        ("how long was the ferry?", "the ferry had eleven cows on it"),
        ("how many eggs did the hens lay?", "the hens lay eggs behind the 2 sheds"),
        ("what's the vet called?", "the vet called about the results"),
        ("how much was the lamp?", "got the lamp in 2019"),
        ("ランプ、どこで買ったっけ", "結局ランプを買った"),
        ("ジムはなんで辞めたんだっけ", "今日ジムを辞めた"),
    ],
)
async def test_what_may_be_no_answer_is_looked_at_by_a_model(question: str, text: str) -> None:
    desk = Desk()
    await desk.add("hello", text, "rain again")

    assert (await desk.ask(question, desk.picking(nothing))).outcome is Outcome.NOT_FOUND


async def test_when_all_was_looked_at_and_nothing_picked_it_is_not_there() -> None:
    desk = Desk()
    await desk.add("hello", "rain again")

    assert (await desk.ask("do you remember my pay rise?", desk.picking(nothing))).outcome is Outcome.NOT_FOUND


async def test_when_only_a_part_was_looked_at_nothing_picked_proves_nothing() -> None:
    desk = Desk(places=5)
    await desk.add(*(f"text {number}" for number in range(19)))

    found = await desk.ask("do you remember my pay rise?", desk.picking(nothing))

    assert found.outcome is Outcome.UNAVAILABLE
    assert not found.complete
    assert len(set(found.offered)) == 10
    assert [len(offer.messages) for offer in desk.offers] == [5, 5]


async def test_a_second_list_is_shown_where_the_first_holds_no_answer() -> None:
    desk = Desk(places=5)
    await desk.add(*(f"text {number}" for number in range(9)))

    found = await desk.ask("do you remember my pay rise?", desk.picking(nothing))

    assert found.outcome is Outcome.NOT_FOUND
    assert found.complete
    assert sorted(found.offered) == [*range(1, 10)]


async def test_no_second_list_is_shown_where_the_first_holds_an_answer() -> None:
    desk = Desk(places=5)
    await desk.add(*(f"text {number}" for number in range(9)))

    first = await desk.ask("do you remember my pay rise?", desk.picking(lambda text: 1.0))

    assert first.outcome is Outcome.FOUND
    assert len(desk.offers) == 1


async def test_what_a_model_points_at_in_the_second_list_is_found() -> None:
    desk = Desk(places=5)
    await desk.add(*(f"text {number}" for number in range(9)))
    await desk.ask("do you remember my pay rise?", desk.picking(nothing))
    second = {entry.text for entry in desk.offers[1].messages.values()}

    found = await desk.ask("do you remember my pay rise?", desk.picking(lambda text: float(text in second)))

    assert found.outcome is Outcome.FOUND
    assert {cited.text for cited in found.cited} <= second


async def test_an_answer_about_nothing_that_was_shown_is_followed_by_the_second_list_and_stays_a_fault() -> None:
    desk = Desk(places=5)
    await desk.add(*(f"text {number}" for number in range(9)))
    shown = 0

    async def select(offer: Offer) -> Sequence[Pick]:
        nonlocal shown
        shown += 1
        return [Pick(id="m77", confidence=1.0)] if shown == 1 else []

    assert (await desk.ask("do you remember my pay rise?", select)).outcome is Outcome.UNAVAILABLE
    assert shown == 2


async def test_a_second_list_that_no_model_answers_about_leaves_it_open() -> None:
    desk = Desk(places=5)
    await desk.add(*(f"text {number}" for number in range(9)))
    shown = 0

    async def select(offer: Offer) -> Sequence[Pick]:
        nonlocal shown
        shown += 1
        if shown == 2:
            raise NoSelectionError("over budget")
        return []

    found = await desk.ask("do you remember my pay rise?", select)

    assert (found.outcome, found.why) == (Outcome.UNAVAILABLE, "over budget")


@pytest.mark.parametrize("select", [None, unreachable])
async def test_without_a_models_answer_nothing_can_be_said(select: Select | None) -> None:
    desk = Desk()
    await desk.add("they finally bumped my salary")

    assert (await desk.ask("do you remember my pay rise?", select)).outcome is Outcome.UNAVAILABLE


async def test_an_answer_that_was_not_offered_is_unavailable() -> None:
    desk = Desk()
    await desk.add("they finally bumped my salary")

    async def select(offer: Offer) -> Sequence[Pick]:
        return [Pick(id="m7", confidence=1.0)]

    assert (await desk.ask("do you remember my pay rise?", select)).outcome is Outcome.UNAVAILABLE


async def test_a_message_that_is_deleted_while_a_model_looks_is_not_told() -> None:
    desk = Desk()
    await desk.add("hello", "they finally bumped my salary")

    async def select(offer: Offer) -> Sequence[Pick]:
        await desk.stores.archive.delete([2])
        return [Pick(id="m2", confidence=1.0)]

    found = await desk.ask("do you remember my pay rise?", select)

    assert found.outcome is Outcome.UNAVAILABLE
    assert found.evidence == ()


async def test_a_message_that_is_edited_while_a_model_looks_is_told_as_it_is_now() -> None:
    desk = Desk()
    await desk.add("they finally bumped my salary")

    async def select(offer: Offer) -> Sequence[Pick]:
        await desk.stores.archive.edit(1, "they bumped my salary twice", BEGINNING)
        return [Pick(id="m1", confidence=1.0)]

    found = await desk.ask("do you remember my pay rise?", select)

    assert [cited.text for cited in found.cited] == ["they bumped my salary twice"]


async def test_an_empty_archive_holds_nothing() -> None:
    assert (await Desk().ask("do you remember my cat?", None)).outcome is Outcome.NOT_FOUND


async def test_the_question_itself_is_never_its_own_answer() -> None:
    desk = Desk()
    await desk.add("do you remember the fox?", "do you remember the fox?")

    found = await desk.ask("do you remember the fox?", desk.picking(lambda text: 1.0), without={1, 2})

    assert found.outcome is Outcome.NOT_FOUND
    assert found.offered == ()


async def test_what_was_told_goes_before_an_earlier_question_for_it() -> None:
    desk = Desk()
    await desk.add("the fox got into the shed", "a", "b", "where did I say the fox got in?")

    assert ids(await desk.ask("do you remember the fox?"))[0] == 1


async def test_a_pointed_question_about_what_stands_in_view_asks_no_model() -> None:
    desk = Desk()
    await desk.add("hello", "rain")

    found = await desk.ask("when's my exam?", desk.picking(nothing), in_view={1, 2})

    assert found.outcome is Outcome.NONE
    assert desk.offers == []


async def test_a_question_without_words_of_its_own_is_about_what_was_said_last() -> None:
    desk = Desk()
    await desk.add("the fox got into the shed", "oh no", "rain", "tell me of the fox", "it was a fox")

    found = await desk.ask("where did I say that?", before={4: "tell me of the fox", 5: "it was a fox"})

    assert ids(found) == [1]
    assert found.question.wants_place


async def test_other_conversations_are_never_searched() -> None:
    desk = Desk()
    await desk.stores.archive.add([entry(1, "the fox got in", surface=ELSEWHERE)])

    found = await desk.ask("do you remember the fox?", desk.picking(lambda text: 1.0))

    assert found.outcome is Outcome.NOT_FOUND
    assert desk.offers == []


async def test_without_places_no_model_is_asked() -> None:
    desk = Desk(places=0)
    await desk.add("they finally bumped my salary")

    found = await desk.ask("do you remember my pay rise?", desk.picking(lambda text: 1.0))
    desk.recall.noted(HERE)
    await desk.recall.filler.idle()

    assert found.outcome is Outcome.UNAVAILABLE
    assert desk.offers == []
    assert desk.embedder.embedded == []


async def test_the_meaning_of_a_long_conversation_is_worked_out_and_kept() -> None:
    desk = Desk(places=3)
    await desk.add("one", "two", "three", "four", " ")

    desk.recall.noted(HERE)
    await desk.recall.filler.idle()
    desk.recall.noted(HERE)
    await desk.recall.filler.idle()

    assert sorted(desk.embedder.embedded) == ["four", "one", "three", "two"]
    pool = await desk.stores.recall.pool(HERE, model=desk.embedder.name, limit=10)
    assert [bool(row.any()) for row in pool.vectors] == [True, True, True, True, False]


async def test_a_short_conversation_needs_no_meaning() -> None:
    desk = Desk(places=3)
    await desk.add("one", "two", "three")

    desk.recall.noted(HERE)
    await desk.recall.filler.idle()

    assert desk.embedder.embedded == []


async def test_trouble_with_the_encoder_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(places=3)
    await desk.add("one", "two", "three", "four")

    async def broken(texts: Sequence[str]) -> list[list[float] | None]:
        raise RuntimeError

    monkeypatch.setattr(desk.embedder, "embed", broken)
    desk.recall.noted(HERE)
    await desk.recall.filler.idle()
    found = await desk.ask("do you remember my pay rise?", desk.picking(lambda text: float(text == "four")))

    assert ids(found) == [4]


async def test_a_filler_that_is_closed_stops() -> None:
    desk = Desk(places=3)
    await desk.add(*(str(number) for number in range(200)))
    desk.recall.noted(HERE)

    await desk.recall.filler.close()

    pool = await desk.stores.recall.pool(HERE, model=desk.embedder.name, limit=300)
    assert np.count_nonzero(pool.vectors.any(axis=1)) < 200


@pytest.mark.parametrize("kind", ["literal", "spelling", "paraphrase", "absent"])
async def test_labelled_lines_are_answered_with_the_right_message(kind: str) -> None:
    lines = [line for line in recall_lines() if line.kind == kind]
    wrong = [line.id for line in lines if not await answered(line.question, line.archive, line.expected)]

    assert len(wrong) <= len(lines) * 0.02, wrong


async def answered(question: str, archive: Sequence[Said], expected: frozenset[str]) -> bool:
    """Whether a question is answered right with a model that picks just what is expected."""
    desk = Desk()
    await desk.stores.archive.add(entries_of(tuple(archive)))
    wanted = {number for number, said in enumerate(archive, 1) if said.mid in expected}

    async def select(offer: Offer) -> Sequence[Pick]:
        return [Pick(id=alias, confidence=0.9) for alias, of in offer.messages.items() if of.message_id in wanted]

    found = await desk.ask(question, select)
    return bool(wanted & set(ids(found))) if wanted else found.outcome is Outcome.NOT_FOUND


async def test_words_alone_answer_nearly_every_question_that_shares_them() -> None:
    assert await _right_of_those_that_share_words(None) >= 0.97


async def test_with_a_model_that_picks_right_nearly_all_questions_that_share_words_are_answered() -> None:
    assert await _right_of_those_that_share_words(_picks) >= 0.98


async def _right_of_those_that_share_words(pick: Callable[[RecallLine], Select] | None) -> float:
    lines = [line for line in recall_lines() if line.kind in {"literal", "spelling"}]
    found = 0
    for line in lines:
        desk = Desk()
        await desk.stores.archive.add(entries_of(line.archive))
        recollection = await desk.ask(line.question, pick(line) if pick else None)
        found += any(line.archive[message_id - 1].mid in line.expected for message_id in ids(recollection))
    return found / len(lines)


def _picks(line: RecallLine) -> Select:
    async def select(offer: Offer) -> Sequence[Pick]:
        answers = [a for a, of in offer.messages.items() if line.archive[of.message_id - 1].mid in line.expected]
        return [Pick(id=alias, confidence=0.9) for alias in answers]

    return select
