"""The loopback server, with discord.py pointed at it."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.discord_server.server import DiscordServer
from tests.integration.discord_server.client import pointed_at
from tests.integration.discord_server.scene import Scene


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """Return a running loopback Discord."""
    async with DiscordServer.start() as started:
        yield started


@pytest.fixture(autouse=True)
def _pointed_at_the_server(server: DiscordServer) -> Iterator[None]:
    with pointed_at(server):
        yield


@pytest.fixture
def scene(server: DiscordServer) -> Scene:
    """Return the usual cast on it."""
    return Scene(server)
