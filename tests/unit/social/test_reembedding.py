"""One embedding model for the system: another is refused until every vector was made anew."""

from collections.abc import Sequence

import pytest

from core.embedding.remote import FirstDimensions
from core.errors import ModelUnavailableError
from core.social.reembedding import EmbeddingMismatchError, Reembedding, require_model
from tests.fakes.models import HashEmbedder
from tests.unit.social.scene import Scene, post


class Failing(HashEmbedder):
    """Fails with its second call."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        self.calls += 1
        if self.calls == 2:
            raise ModelUnavailableError("gone")
        return await super().embed(texts)


async def filled(posts: int = 3) -> Scene:
    scene = Scene()
    await scene.open(*(post(number) for number in range(1, posts + 1)))
    await scene.care_about("sea")
    await require_model(scene.stores.embeddings, "topics")
    return scene


async def test_another_model_is_refused_with_what_to_do() -> None:
    scene = await filled()

    with pytest.raises(EmbeddingMismatchError, match=r"'topics', but 'hash' is set.*yorisoi reembed"):
        await require_model(scene.stores.embeddings, "hash")
    await require_model(scene.stores.embeddings, "topics")


async def test_after_all_vectors_were_made_anew_the_other_model_is_the_systems() -> None:
    scene, told = await filled(), []

    done = await Reembedding(store=scene.stores.embeddings, embedder=HashEmbedder()).run(
        lambda made, total: told.append((made, total))
    )

    assert done == 4
    assert told == [(0, 4), (4, 4)]
    await require_model(scene.stores.embeddings, "hash")
    assert (await scene.stores.posts.get([1]))[0].digest is not None


async def test_broken_off_it_goes_on_where_it_was() -> None:
    scene, embedder = await filled(posts=100), Failing()
    work = Reembedding(store=scene.stores.embeddings, embedder=embedder)

    with pytest.raises(ModelUnavailableError):
        await work.run(lambda made, total: None)
    with pytest.raises(EmbeddingMismatchError):
        await require_model(scene.stores.embeddings, "topics")

    assert await work.run(lambda made, total: None) == 101 - 64


async def test_vectors_of_a_remote_model_are_cut_to_the_width_of_all() -> None:
    (long, none) = await FirstDimensions(HashEmbedder(1000)).embed(["x", ""])
    (short,) = await FirstDimensions(HashEmbedder(16)).embed(["x"])

    assert none is None
    assert long is not None
    assert short is not None
    assert (len(long), len(short), short[16:]) == (512, 512, [0.0] * 496)
