"""The server says so where it can't play Discord, instead of answering with what looks like Discord's refusal."""

import asyncio

import aiohttp
import pytest

from tests.discord_server.server import DiscordServer


async def ask_for_stickers() -> None:
    async with DiscordServer.start() as server, aiohttp.ClientSession() as session:
        await session.get(f"{server.api_base}/sticker-packs")


async def test_unknown_route_fails_the_test_that_used_it() -> None:
    with pytest.raises(AssertionError, match="GET /api/v10/sticker-packs"):
        await ask_for_stickers()


async def send_nonsense() -> None:
    headers = {"Authorization": "Bot token"}
    async with DiscordServer.start() as server, aiohttp.ClientSession(headers=headers) as session:
        server.add_bot("Hinata", token="token")
        await session.post(f"{server.api_base}/users/@me/channels", json={})


async def test_error_of_the_servers_own_fails_the_test() -> None:
    with pytest.raises(ExceptionGroup, match="the loopback server failed"):
        await send_nonsense()


async def test_wait_in_vain_names_what_was_awaited() -> None:
    async with DiscordServer.start(patience=0.01) as server:
        bot = server.add_bot("Hinata")
        guild = server.add_guild("Garden", bot)
        with pytest.raises(AssertionError, match="a message in general"):
            await server.next_message(guild.add_text_channel("general"))


async def test_silence_is_broken_by_a_message() -> None:
    async with DiscordServer.start() as server:
        bot = server.add_bot("Hinata")
        channel = server.add_guild("Garden", bot).add_text_channel("general")
        await server.stays_silent(channel, seconds=0.01)
        headers = {"Authorization": f"Bot {bot.token}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            gate = server.faults.next("POST /channels/{channel_id}/messages").held()
            posting = session.post(f"{server.api_base}/channels/{channel.id}/messages", json={"content": "boo"})
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(asyncio.wait_for(posting, 10))
                await gate.reached()
                gate.release()
                with pytest.raises(AssertionError, match="did not expect"):
                    await server.stays_silent(channel, seconds=10)
