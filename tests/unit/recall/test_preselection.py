"""Which messages are shown when there are more than fit: likeness first, with places for what likeness misses."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ports import CandidatePool
from core.recall import preselection
from core.recall.preselection import Likeness, Notes, Wanted
from core.social.vectors import encode


def direction(index: int, also: int | None = None) -> list[float]:
    vector = [0.0] * 512
    vector[index] = 1.0
    if also is not None:
        vector[also] = 0.3
    return vector


def pool(*messages: tuple[str, Sequence[float] | None], character: frozenset[int] = frozenset()) -> CandidatePool:
    """The messages with ids from 1; those of `character` are the character's."""
    rows = [np.zeros(512, np.int8) if vector is None else encode(vector) for _, vector in messages]
    numbers = range(1, len(messages) + 1)
    return CandidatePool(
        message_ids=np.array(numbers, np.int64),
        texts=[text for text, _ in messages],
        by_self=np.array([number in character for number in numbers], np.bool_),
        vectors=np.stack(rows) if rows else np.zeros((0, 512), np.int8),
        whole=False,
    )


def wanted(text: str = "where was it", vector: Sequence[float] | None = None, *, kinds: Sequence[str] = ()) -> Wanted:
    return Wanted(text=text, kinds=kinds, vector=vector, words_vector=None)


def preselect(wanted: Wanted, pool: CandidatePool, literal: Sequence[int], *, places: int) -> list[int]:
    likeness = Likeness.of(wanted, pool, Notes.of(wanted, pool.texts))
    near = likeness.near()
    favour = wanted.favour([pool.texts[position] for position in near])
    return preselection.preselect(likeness.favouring(near, favour), pool, literal, places=places)


def test_what_means_the_same_is_shown_in_the_order_of_time() -> None:
    messages = [("x", direction(9)) for _ in range(40)]
    messages[7] = messages[3] = ("x", direction(1))

    chosen = preselect(wanted(vector=direction(1)), pool(*messages), (), places=10)

    assert {4, 8} <= set(chosen)
    assert chosen == sorted(chosen)
    assert len(chosen) == 10


def test_some_places_are_for_the_newest() -> None:
    messages = [("x", direction(1)) for _ in range(40)] + [("x", direction(9)), ("x", direction(9))]

    assert 42 in preselect(wanted(vector=direction(1)), pool(*messages), (), places=10)


def test_what_shares_words_is_shown_first() -> None:
    messages = [("x", direction(1)) for _ in range(40)]
    messages[5] = ("x", direction(9))

    assert 6 in preselect(wanted(vector=direction(1)), pool(*messages), (6, 99), places=10)


def test_the_neighbours_of_what_is_alike_have_places_of_their_own() -> None:
    alike, other = direction(1), direction(9)
    messages = [("x", direction(9, also=1)) for _ in range(29)] + [("x", other)] * 20
    messages[38], messages[39], messages[40] = ("x", alike), ("x", other), ("x", alike)

    assert 40 in preselect(wanted(vector=alike), pool(*messages), (), places=20)


def test_the_language_of_the_question_goes_first() -> None:
    messages = [("日本語です", direction(1)) for _ in range(30)] + [("english", direction(9)) for _ in range(5)]
    messages += [("日本語です", direction(1)) for _ in range(30)]

    assert {31, 32, 33, 34, 35} <= set(preselect(wanted(vector=direction(1)), pool(*messages), (), places=10))


def test_what_people_said_goes_before_what_the_character_said_and_questions() -> None:
    messages = [("fine", direction(1)) for _ in range(30)]
    messages[2], messages[4] = ("fine?", direction(1)), ("fine", direction(1))
    others = frozenset(range(1, 31)) - {5, 3}

    chosen = preselect(wanted(vector=direction(1)), pool(*messages, character=others), (), places=4)

    assert 5 in chosen


def test_what_asks_for_a_service_or_is_a_mere_word_goes_last() -> None:
    plain = "we went down to the sea"
    messages = (
        [("write me a poem for her", direction(1))] * 10
        + [("lol", direction(1))] * 10
        + [("言って教えて", direction(1))]
    )
    messages[3] = messages[14] = (plain, direction(1))

    assert {4, 15} <= set(preselect(wanted(vector=direction(1)), pool(*messages), (), places=3))


def test_one_word_of_the_question_is_enough_to_be_alike() -> None:
    messages = [("a long walk by the sea", direction(9)) for _ in range(40)]
    messages[7] = ("a long walk by the sea", direction(2))
    question = Wanted(
        text="x", kinds=(), vector=direction(1), words_vector=None, word_vectors=[direction(3), direction(2)]
    )

    assert 8 in preselect(question, pool(*messages), (), places=4)


def test_a_message_that_may_hold_the_answer_is_favoured() -> None:
    messages = [("a long walk by the sea", direction(1)) for _ in range(40)]
    messages[7] = ("a long walk with my sister", direction(1))
    question = Wanted(text="x", kinds=(), doubtful=("who",), vector=direction(1), words_vector=None)

    assert 8 in preselect(question, pool(*messages), (), places=4)


def test_without_vectors_the_rest_still_counts() -> None:
    messages = [("rain", None) for _ in range(20)]
    messages[2] = ("it was 40 pounds", None)

    assert 3 in preselect(wanted(kinds=("money",)), pool(*messages), (), places=4)


def test_an_empty_pool_gives_nothing() -> None:
    assert preselect(wanted(vector=direction(1)), pool(), (), places=10) == []


@settings(deadline=None, max_examples=30)
@given(count=st.integers(0, 60), places=st.integers(1, 70))
def test_all_places_are_used_and_none_twice(count: int, places: int) -> None:
    messages = [(f"text {number}", direction(number % 7)) for number in range(count)]

    chosen = preselect(wanted(vector=direction(1)), pool(*messages), (1, 2), places=places)

    assert len(chosen) == len(set(chosen)) == min(count, places)
