"""The stores under test: once in memory, once on SQLite."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.stores import open_stores
from tests.contract.bundle import AnyStores
from tests.fakes.stores import InMemoryStores, casefolded_words


@pytest.fixture(params=["memory", "sqlite"])
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[AnyStores]:
    if request.param == "memory":
        yield InMemoryStores()
        return
    async with open_stores(tmp_path / "yorisoi.db", casefolded_words) as opened:
        yield opened
