"""A text is encoded once as long as it is among the last few, and gives the same vector every time."""

from collections.abc import Sequence

import pytest

from core.embedding.encoder import SentenceEncoder
from core.embedding.recent import RecentVectors


class CountingEncoder(SentenceEncoder):
    """Gives made-up vectors and keeps what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def _encode(self, texts: list[str]) -> list[list[float]]:
        self.asked += texts
        return [[float(len(text))] for text in texts]


@pytest.fixture
def encoder() -> CountingEncoder:
    return CountingEncoder()


def lengths(vectors: Sequence[list[float] | None]) -> list[float | None]:
    return [None if vector is None else vector[0] for vector in vectors]


async def test_what_was_encoded_for_one_is_there_for_the_next(encoder: CountingEncoder) -> None:
    recent = RecentVectors(encoder)
    assert lengths(await recent.embed(["turn"])) == [4.0]
    assert lengths(recent.encode(["a reply", "turn"])) == [7.0, 4.0]
    assert lengths(await recent.embed(["a reply"])) == [7.0]
    assert encoder.asked == ["turn", "a reply"]
    assert recent.name == encoder.name


def test_an_empty_text_has_no_vector_and_a_text_asked_for_twice_is_encoded_once(encoder: CountingEncoder) -> None:
    recent = RecentVectors(encoder)
    assert lengths(recent.encode(["", "twice", "twice"])) == [None, 5.0, 5.0]
    assert lengths(recent.encode([""])) == [None]
    assert encoder.asked == ["twice"]


def test_only_the_last_few_are_kept(encoder: CountingEncoder) -> None:
    recent = RecentVectors(encoder, most=2)
    for text in ("one", "two", "one", "three", "one", "two"):
        recent.encode([text])
    assert encoder.asked == ["one", "two", "three", "two"]


def test_more_texts_than_are_kept_all_get_their_vectors(encoder: CountingEncoder) -> None:
    assert lengths(RecentVectors(encoder, most=1).encode(["a", "bb", "ccc"])) == [1.0, 2.0, 3.0]
