"""A discord.py client inside the test's own process."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.discord_server.bots import Bot
from tests.discord_server.server import DiscordServer


class Client(discord.AutoShardedClient):
    """Keeps what it was told, for tests to wait on."""

    def __init__(self, *, intents: discord.Intents, heartbeat_timeout: float) -> None:
        super().__init__(intents=intents, guild_ready_timeout=0.05, heartbeat_timeout=heartbeat_timeout)
        self.tree = discord.app_commands.CommandTree(self)
        self.messages: asyncio.Queue[discord.Message] = asyncio.Queue()
        self.readies = 0

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Leave out the five seconds that the library waits before it begins another session."""

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
async def running(
    bot: Bot, *, intents: discord.Intents | None = None, heartbeat_timeout: float = 60.0
) -> AsyncIterator[Client]:
    """Run a client for a bot until the block ends."""
    client = Client(intents=intents or all_intents(), heartbeat_timeout=heartbeat_timeout)
    task = asyncio.create_task(client.start(bot.token))
    try:
        await bot.ready()
        await client.wait_until_ready()
        yield client
    finally:
        await client.close()
        await asyncio.gather(task, return_exceptions=True)


@contextmanager
def pointed_at(server: DiscordServer) -> Iterator[None]:
    """Have discord.py talk to a loopback server."""
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = server.api_base, yarl.URL(server.gateway_url)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway
