from collections.abc import AsyncIterator

import pytest

from tests.model_server import ModelServer, model_server


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as running:
        yield running
