"""How long a turn waits for stance integrity: the signal and the gate together; run with `--benchmark-enable -n 0`.

With the encoder the turn and the reply are encoded as well, once each, where the words leave something open.
"""

import asyncio
from collections.abc import Iterator

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.embedding.encoder import SentenceEncoder
from core.stance.policy import StanceFlags, StancePolicy
from data.places import places_file
from prompts.loader import PromptLibrary

TURNS = {
    "casual": (
        "今日は図書館に行ったあと、川のそばでラーメンを食べたよ。そっちはどうだった？",
        "いいね、どんなラーメンだったの？",
    ),
    "support": (
        "付き合って三年の彼が最近冷たくて、私が悪いのかなと毎晩考えてしまいます。",
        "それはつらいね。彼の気持ちまでは分からないけれど、ここで聞いているよ。",
    ),
    "english": (
        "He has been so cold lately and I keep wondering if it's me?",
        "That sounds exhausting. I can't know what he thinks, but I'm listening.",
    ),
}
TURNS["long"] = (TURNS["support"][0] * 13, TURNS["support"][1] * 14)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as running:
        yield running


@pytest.fixture(scope="module", params=["words", "encoder"])
def policy(request: pytest.FixtureRequest, runner: asyncio.Runner) -> StancePolicy:
    encoder = SentenceEncoder() if request.param == "encoder" else None
    if encoder is not None:
        runner.run(encoder.load())
    flags = StanceFlags(enable_stance_integrity_gate=True)
    return StancePolicy.load(flags, resources=places_file(), prompts=PromptLibrary.load(), encoder=encoder)


@pytest.mark.parametrize("kind", list(TURNS))
def test_reading_and_verifying(
    benchmark: BenchmarkFixture, runner: asyncio.Runner, policy: StancePolicy, kind: str
) -> None:
    text, reply = TURNS[kind]
    numbers = iter(range(1_000_000))

    async def turn() -> None:
        number = next(numbers)  # other texts each time: nothing is remembered
        reading = await policy.read(f"{text}{number}")
        assert reading is not None
        policy.verify(reading, f"{reply}{number}", complete=True)

    benchmark(lambda: runner.run(turn()))
