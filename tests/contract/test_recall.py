"""`RecallStore`: only what may be recalled ever comes out, and a vector lives no longer than the text it is of."""

import numpy as np

from core.values import ConversationKey
from tests.contract.bundle import AKI, AKI_DM, BEN, CHANNEL, GUILD, HINATA, THREAD, AnyStores, after, key, message

MODEL = "test-model"
NOBODYS = ConversationKey("nobody", 1)


def vector(seed: int) -> bytes:
    return np.random.default_rng(seed).integers(-127, 128, 512, dtype=np.int8).tobytes()


async def embed_all(stores: AnyStores, model: str = MODEL) -> int:
    waiting = await stores.recall.unembedded(key(CHANNEL), model=model, beyond=0, limit=100)
    await stores.recall.keep_vectors(model, [(of, vector(index)) for index, of in enumerate(waiting)])
    return len(waiting)


async def embedded(stores: AnyStores, model: str = MODEL) -> list[int]:
    """The messages that have a vector."""
    pool = await stores.recall.pool(key(CHANNEL), model=model, limit=100)
    return [int(pool.message_ids[at]) for at in np.flatnonzero(pool.vectors.any(axis=1))]


async def everything_found(stores: AnyStores) -> set[int]:
    """All ids that come out by any way."""
    recall, here = stores.recall, key(CHANNEL)
    ids = {hit.message.message_id for hit in (await recall.search(here, ["tea"], limit=50)).hits}
    ids |= {entry.message_id for entry in await recall.newest(here, limit=50)}
    ids |= set((await recall.pool(here, model=MODEL, limit=50)).message_ids.tolist())
    ids |= {entry.message_id for entry in await recall.entries(here, list(range(20)))}
    for message_id in range(20):
        ids |= {entry.message_id for entry in await recall.beside(here, message_id)}
    return ids


async def test_a_search_gives_any_message_with_a_term_oldest_first_and_counts(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "tea rain"), message(2, "coffee"), message(3, "tea"), message(4, "rain tea")])

    result = await stores.recall.search(key(CHANNEL), ["tea", "rain", "cake"], limit=10)

    assert [(hit.message.message_id, hit.terms) for hit in result.hits] == [
        (1, frozenset({"tea", "rain"})),
        (3, frozenset({"tea"})),
        (4, frozenset({"rain", "tea"})),
    ]
    assert result.frequencies == {"tea": 3, "rain": 2, "cake": 0}
    assert result.size == 4


async def test_of_many_hits_those_with_the_most_and_rarest_terms_stay(stores: AnyStores) -> None:
    await stores.archive.add([message(n, "tea") for n in range(1, 9)] + [message(9, "rain"), message(10, "tea rain")])

    result = await stores.recall.search(key(CHANNEL), ["tea", "rain"], limit=2)

    assert [hit.message.message_id for hit in result.hits] == [9, 10]


async def test_an_unknown_conversation_is_empty(stores: AnyStores) -> None:
    recall = stores.recall

    assert (await recall.search(NOBODYS, ["tea"], limit=5)).hits == ()
    assert await recall.newest(NOBODYS, limit=5) == []
    assert (await recall.pool(NOBODYS, model=MODEL, limit=5)).whole
    assert await recall.entries(NOBODYS, [1]) == []
    assert await recall.beside(NOBODYS, 1) == []
    assert await recall.unembedded(NOBODYS, model=MODEL, beyond=0, limit=5) == []


async def test_the_newest_come_oldest_first(stores: AnyStores) -> None:
    await stores.archive.add([message(number, "tea") for number in (3, 1, 2)])

    assert [entry.message_id for entry in await stores.recall.newest(key(CHANNEL), limit=2)] == [2, 3]
    assert await stores.recall.newest(key(CHANNEL), limit=0) == []


async def test_a_pool_tells_whether_it_is_whole(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "tea"), message(2, "rain", author=HINATA), message(3, "cake")])

    whole = await stores.recall.pool(key(CHANNEL), model=MODEL, limit=3)
    part = await stores.recall.pool(key(CHANNEL), model=MODEL, limit=2)

    assert whole.whole
    assert whole.message_ids.tolist() == [1, 2, 3]
    assert list(whole.texts) == ["tea", "rain", "cake"]
    assert whole.by_self.tolist() == [False, True, False]
    assert not part.whole
    assert part.message_ids.tolist() == [2, 3]
    assert list(part.texts) == ["rain", "cake"]
    assert part.vectors.shape == (2, 512)
    assert not part.vectors.any()


async def test_neighbours_are_the_messages_directly_beside(stores: AnyStores) -> None:
    await stores.archive.add(
        [message(1, "a"), message(2, "b"), message(3, "c"), message(9, "elsewhere", surface=THREAD)]
    )

    async def beside(message_id: int) -> list[int]:
        return [entry.message_id for entry in await stores.recall.beside(key(CHANNEL), message_id)]

    assert await beside(2) == [1, 3]
    assert await beside(1) == [2]
    assert await beside(9) == []
    assert await beside(77) == []


async def test_a_message_that_can_not_be_recalled_is_no_neighbour_and_no_bridge(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "a"), message(2, None, sensitive=True), message(3, "c")])

    assert await stores.recall.beside(key(CHANNEL), 3) == []


async def test_sensitive_deleted_and_opted_out_messages_come_out_nowhere(stores: AnyStores) -> None:
    await stores.archive.add(
        [
            message(1, "tea"),
            message(2, "tea", sensitive=True),
            message(3, "tea"),
            message(4, "tea", author=BEN),
            message(5, "tea", author=HINATA),
            message(6, "tea"),
            message(7, "tea", surface=AKI_DM),
        ]
    )
    await stores.archive.delete([3])
    await stores.archive.edit(6, None, after(60))
    await stores.users.set_opted_out(BEN, True)

    assert await everything_found(stores) == {1, 5}
    assert await embed_all(stores) == 2


async def test_who_opts_in_again_is_found_again(stores: AnyStores) -> None:
    await stores.archive.add([message(4, "tea", author=BEN)])
    await stores.users.set_opted_out(BEN, True)
    await stores.users.set_opted_out(BEN, False)

    assert await everything_found(stores) == {4}


async def test_vectors_are_kept_under_their_model(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "tea"), message(2, "rain")])

    assert await embed_all(stores) == 2
    assert await embed_all(stores) == 0
    assert await embedded(stores) == [1, 2]
    assert await embedded(stores, "another-model") == []

    assert await embed_all(stores, "another-model") == 2
    assert await embedded(stores, "another-model") == [1, 2]
    assert await embedded(stores) == []


async def test_a_vector_comes_back_as_it_was_kept(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "tea")])
    (of,) = await stores.recall.unembedded(key(CHANNEL), model=MODEL, beyond=0, limit=5)

    await stores.recall.keep_vectors(MODEL, [(of, vector(7))])

    pool = await stores.recall.pool(key(CHANNEL), model=MODEL, limit=5)
    assert pool.vectors.tobytes() == vector(7)


async def test_messages_without_a_vector_come_newest_first(stores: AnyStores) -> None:
    await stores.archive.add([message(number, f"text {number}") for number in (1, 2, 3)])

    waiting = await stores.recall.unembedded(key(CHANNEL), model=MODEL, beyond=2, limit=2)

    assert [of.text for of in waiting] == ["text 3", "text 2"]


async def test_a_short_conversation_needs_no_vectors(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "tea"), message(2, "rain")])

    assert await stores.recall.unembedded(key(CHANNEL), model=MODEL, beyond=2, limit=5) == []


async def test_an_edited_message_loses_its_vector(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "tea"), message(2, "rain")])
    await embed_all(stores)

    await stores.archive.edit(1, "coffee", after(60))

    assert await embedded(stores) == [2]


async def test_a_vector_of_a_text_that_changed_meanwhile_is_not_kept(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "tea")])
    waiting = await stores.recall.unembedded(key(CHANNEL), model=MODEL, beyond=0, limit=5)

    await stores.archive.edit(1, "coffee", after(60))
    await stores.recall.keep_vectors(MODEL, [(of, vector(1)) for of in waiting])

    assert await embedded(stores) == []


async def test_vectors_go_with_deleted_forgotten_and_outdated_messages(stores: AnyStores) -> None:
    await stores.archive.add([message(n, "tea") for n in (1, 2, 3)] + [message(4, "tea", author=BEN)])
    await embed_all(stores)

    await stores.archive.delete([2])
    await stores.archive.delete_older_than(after(2))
    await stores.privacy.forget(BEN)
    await stores.archive.add([message(n, "tea") for n in (1, 2)] + [message(4, "tea", author=AKI)])

    assert await embedded(stores) == [3]


async def test_vectors_go_with_their_channel(stores: AnyStores) -> None:
    await stores.archive.add([message(1, "tea")])
    await embed_all(stores)

    await stores.archive.delete_guild(GUILD, character="hinata")
    await stores.archive.add([message(1, "tea")])

    assert await embedded(stores) == []
