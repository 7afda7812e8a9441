from collections.abc import AsyncIterator

import pytest

from core.errors import ModelOutputError
from core.language_model.streams import collect
from core.language_model.types import ChatEvent, Delta, Finished, TokenUsage


async def written(count: int, read: list[int]) -> AsyncIterator[ChatEvent]:
    for number in range(count):
        read.append(number)
        yield Delta("four")
    yield Finished(model="m", usage=TokenUsage(1, 1), cost_micros=0, cut_off=False)


async def test_an_answer_is_read_to_its_end() -> None:
    assert (await collect(written(5, []), most=20)).text == "four" * 5


async def test_a_model_that_writes_on_and_on_is_not_listened_to() -> None:
    read: list[int] = []

    with pytest.raises(ModelOutputError, match="far more"):
        await collect(written(1_000_000, read), most=20)

    assert len(read) == 6
