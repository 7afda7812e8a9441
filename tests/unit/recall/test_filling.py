"""Vectors are worked out in the background: now and then, several at a time, with rests in between."""

import asyncio
from collections.abc import Sequence
from typing import cast

from core.clock import SimulatedClock
from core.ports import RecallStore, Unembedded
from core.recall.filling import VectorFiller
from core.values import ConversationKey
from tests.fakes.surface import START

HERE = ConversationKey("mio", 1)


class Shelf:
    """A store that holds so many messages without vectors."""

    def __init__(self, messages: int) -> None:
        self.missing = {key: Unembedded(key, f"text {key}") for key in range(messages)}
        self.looks = 0

    async def unembedded(
        self, conversation: ConversationKey, *, model: str, beyond: int, limit: int
    ) -> list[Unembedded]:
        del conversation, model, beyond
        self.looks += 1
        return [*self.missing.values()][:limit]

    async def keep_vectors(self, model: str, vectors: Sequence[tuple[Unembedded, bytes]]) -> None:
        del model
        for of, _ in vectors:
            del self.missing[of.key]


class Watched(SimulatedClock):
    """A clock that tells of each sleep."""

    def __init__(self) -> None:
        super().__init__(START)
        self.sleeps: asyncio.Queue[float] = asyncio.Queue()

    async def sleep(self, seconds: float) -> None:
        self.sleeps.put_nowait(seconds)
        await super().sleep(seconds)


class Slow:
    """An encoder that takes three seconds for whatever it is given."""

    name = "slow"

    def __init__(self, clock: SimulatedClock) -> None:
        self.clock = clock
        self.asked: list[int] = []

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        self.asked.append(len(texts))
        await self.clock.sleep(3.0)
        return [[1.0] * 512 for _ in texts]


def filling(messages: int) -> tuple[VectorFiller, Shelf, Slow, Watched]:
    clock, shelf = Watched(), Shelf(messages)
    encoder = Slow(clock)
    filler = VectorFiller(store=cast("RecallStore", shelf), embedder=encoder, beyond=200, clock=clock)
    return filler, shelf, encoder, clock


async def test_a_conversation_is_seen_to_at_first_and_then_at_each_twelfth_time() -> None:
    filler, shelf, _, _ = filling(0)

    looks = []
    for _ in range(25):
        filler.noted(HERE)
        await filler.idle()
        looks.append(shelf.looks)

    assert looks == [1] * 12 + [2] * 12 + [3]


async def test_the_encoder_rests_longer_than_it_works_where_much_is_missing() -> None:
    filler, shelf, encoder, clock = filling(70)

    filler.noted(HERE)
    works_and_rests = (3.0, [32]), (9.0, [32]), (3.0, [32, 32]), (9.0, [32, 32]), (3.0, [32, 32, 6])
    for seconds, asked in works_and_rests:
        assert await clock.sleeps.get() == seconds
        assert encoder.asked == asked
        await clock.advance(seconds)
    await filler.idle()

    assert shelf.missing == {}
    assert clock.sleeps.empty()
