"""The loopback server with a discord.py client inside the test's own process."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.discord_server.bots import Bot
from tests.discord_server.server import DiscordServer


class Client(discord.AutoShardedClient):
    """Keeps what it was told, for tests to wait on."""

    def __init__(self, intents: discord.Intents) -> None:
        super().__init__(intents=intents, guild_ready_timeout=0.05)
        self.tree = discord.app_commands.CommandTree(self)
        self.messages: asyncio.Queue[discord.Message] = asyncio.Queue()
        self.readies = 0

    async def on_message(self, message: discord.Message) -> None:
        """Collect what others write."""
        if message.author != self.user:
            self.messages.put_nowait(message)

    async def on_ready(self) -> None:
        """Count the sessions."""
        self.readies += 1

    async def heard(self) -> discord.Message:
        """Return the next message of somebody else."""
        async with asyncio.timeout(10):
            return await self.messages.get()


def all_intents() -> discord.Intents:
    """Return the default intents with the text of messages."""
    intents = discord.Intents.default()
    intents.message_content = True
    return intents


@asynccontextmanager
async def running(bot: Bot, *, intents: discord.Intents | None = None) -> AsyncIterator[Client]:
    """Run a client for a bot until the block ends."""
    client = Client(intents or all_intents())
    task = asyncio.create_task(client.start(bot.token))
    try:
        await bot.ready()
        await client.wait_until_ready()
        yield client
    finally:
        await client.close()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """Return a running loopback Discord."""
    async with DiscordServer.start() as started:
        yield started


@pytest.fixture(autouse=True)
def _pointed_at_the_server(server: DiscordServer) -> Iterator[None]:
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = server.api_base, yarl.URL(server.gateway_url)
    yield
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway
