"""A bot in a process of its own: talked to, killed and started again."""

import asyncio
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.discord_server.server import DiscordServer
from tests.integration.discord_server.scene import Scene


@asynccontextmanager
async def bot_process(server: DiscordServer, scene: Scene) -> AsyncIterator[Process]:
    """Run the echoing bot until the block ends."""
    module = "tests.integration.discord_server.echo_process"
    arguments = ("-m", module, server.api_base, server.gateway_url, scene.bot.token)
    process = await asyncio.create_subprocess_exec(sys.executable, "-W", "ignore", *arguments)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_killed_process_is_gone_and_its_successor_begins_anew(server: DiscordServer, scene: Scene) -> None:
    async with bot_process(server, scene) as process:
        await scene.bot.ready()
        await scene.alice.dm(scene.bot, "one")
        direct = scene.alice.dm_channel(scene.bot)
        assert (await server.next_message(direct, by=scene.bot)).content == "one"
        process.kill()
        await scene.bot.disconnected()
        await scene.alice.dm(scene.bot, "lost")
    async with bot_process(server, scene):
        await scene.bot.ready(identifies=2)
        await scene.alice.dm(scene.bot, "two")
        assert (await server.next_message(direct, by=scene.bot)).content == "two"
        assert scene.bot.resumes == 0
