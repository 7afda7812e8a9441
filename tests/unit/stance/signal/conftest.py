import pytest

from core.stance.signal.reading import Reader
from core.stance.signal.signal import SignalReader


@pytest.fixture(scope="session")
def reader() -> Reader:
    return Reader.load()


@pytest.fixture(scope="session")
def by_words() -> SignalReader:
    return SignalReader.load()
