"""How long the signal takes without the encoder; run with `--benchmark-enable -n 0`."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.stance.signal.signal import SignalReader

JAPANESE = "付き合って三年の彼が最近冷たくて、私が悪いのかなと毎晩考えてしまいます。別れるべきでしょうか。"
ENGLISH = "He has been so cold lately and I keep wondering if it's me?"


@pytest.fixture(scope="module")
def reader() -> SignalReader:
    loaded = SignalReader.load()
    loaded.read_by_words("温める")
    return loaded


@pytest.mark.parametrize("text", [JAPANESE, ENGLISH, JAPANESE * 9, ENGLISH * 8], ids=["ja60", "en60", "ja500", "en480"])
def test_signal_by_words(benchmark: BenchmarkFixture, reader: SignalReader, text: str) -> None:
    benchmark(_uncached, reader, text)


def _uncached(reader: SignalReader, text: str) -> object:
    from core.stance.signal.canonical import _canonical  # noqa: PLC0415

    _canonical.cache_clear()
    return reader.read_by_words(text)
