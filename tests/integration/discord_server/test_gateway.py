"""Sessions of a real discord.py client: reconnecting, resuming, starting anew, being turned away."""

import aiohttp
import discord
import pytest

from tests.discord_server.flags import Intent
from tests.discord_server.server import DiscordServer
from tests.integration.discord_server.client import all_intents, pointed_at, running
from tests.integration.discord_server.scene import Scene


async def test_op_7_resumes_and_replays_what_was_missed(scene: Scene) -> None:
    async with running(scene.bot) as client:
        scene.bot.told_to_reconnect()
        await scene.alice.says(scene.channel, "while you were away")
        await scene.bot.resumed()
        assert (await client.heard()).content == "while you were away"
        assert (scene.bot.identifies, client.readies) == (1, 1)


async def test_dropped_connection_resumes_and_replays(scene: Scene) -> None:
    async with running(scene.bot) as client:
        scene.bot.dropped()
        await scene.bot.disconnected()
        await scene.alice.says(scene.channel, "while you were away")
        await scene.bot.resumed()
        assert (await client.heard()).content == "while you were away"


async def test_events_are_replayed_once_and_in_order(scene: Scene) -> None:
    async with running(scene.bot) as client:
        await scene.alice.says(scene.channel, "before")
        assert (await client.heard()).content == "before"
        scene.bot.dropped()
        await scene.bot.disconnected()
        for text in ("one", "two"):
            await scene.alice.says(scene.channel, text)
        await scene.bot.resumed()
        await scene.alice.says(scene.channel, "after")
        assert [(await client.heard()).content for _ in range(3)] == ["one", "two", "after"]


async def test_op_9_starts_a_new_session_that_misses_what_was_said(scene: Scene) -> None:
    async with running(scene.bot) as client:
        scene.bot.invalidated(resumable=False)
        missed = await scene.alice.says(scene.channel, "lost")
        await scene.bot.ready(identifies=2)
        await scene.alice.says(scene.channel, "heard")
        assert (await client.heard()).content == "heard"
        channel = client.get_channel(scene.channel.id)
        assert isinstance(channel, discord.TextChannel)
        assert missed.id in [message.id async for message in channel.history()]


async def test_op_9_that_is_resumable_resumes(scene: Scene) -> None:
    async with running(scene.bot):
        scene.bot.invalidated(resumable=True)
        await scene.bot.resumed()
        assert scene.bot.identifies == 1


async def test_expired_session_is_answered_with_op_9_on_resume(scene: Scene) -> None:
    async with running(scene.bot):
        scene.bot.dropped()
        scene.bot.expire_sessions()
        await scene.bot.ready(identifies=2)
        assert scene.bot.resumes == 0


async def test_intents_that_are_switched_off_end_the_client(server: DiscordServer) -> None:
    bot = server.add_bot("Hinata", intents_allowed=Intent(0))
    client = discord.AutoShardedClient(intents=all_intents())
    try:
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await client.start(bot.token)
    finally:
        await client.close()


async def test_close_4014_ends_a_running_client(scene: Scene) -> None:
    client = discord.Client(intents=all_intents(), guild_ready_timeout=0.05)

    async def on_ready() -> None:
        scene.bot.closed(4014)

    client.event(on_ready)
    try:
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await client.start(scene.bot.token)
    finally:
        await client.close()


async def test_close_4004_ends_a_running_client(scene: Scene) -> None:
    client = discord.Client(intents=all_intents(), guild_ready_timeout=0.05)

    async def on_ready() -> None:
        scene.bot.closed(4004)

    client.event(on_ready)
    try:
        with pytest.raises(discord.ConnectionClosed) as caught:
            await client.start(scene.bot.token)
        assert caught.value.code == 4004
    finally:
        await client.close()


async def test_what_was_said_while_down_is_in_the_history(scene: Scene) -> None:
    async with running(scene.bot):
        pass
    assert not scene.bot.connected
    await scene.alice.says(scene.channel, "anybody?")
    async with running(scene.bot) as client:
        channel = client.get_channel(scene.channel.id)
        assert isinstance(channel, discord.TextChannel)
        assert [message.content async for message in channel.history()] == ["anybody?"]
        assert client.messages.empty()


async def test_heartbeats_are_acknowledged() -> None:
    async with DiscordServer.start(heartbeat_interval=0.05) as server:
        scene = Scene(server)
        with pointed_at(server):
            async with running(scene.bot):
                before = server.gateway.heartbeats
                await server.wait_for(lambda: server.gateway.heartbeats >= before + 3, what="heartbeats")
                assert (scene.bot.identifies, scene.bot.resumes) == (1, 0)


async def test_unacknowledged_heartbeats_make_the_client_resume() -> None:
    async with DiscordServer.start(heartbeat_interval=0.05) as server:
        scene = Scene(server)
        with pointed_at(server):
            async with running(scene.bot, heartbeat_timeout=0.2):
                server.gateway.acknowledges = False
                await server.wait_for(lambda: scene.bot.resumes >= 1, what="a resume")
                server.gateway.acknowledges = True
                assert scene.bot.identifies == 1


async def test_members_can_be_asked_for(scene: Scene) -> None:
    async with running(scene.bot) as client:
        guild = client.guilds[0]
        assert [member.id for member in await guild.query_members("ali")] == [scene.alice.id]
        assert (await guild.fetch_member(scene.alice.id)).name == "alice"


async def test_new_guild_is_told_while_connected(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        server.add_guild("Library", scene.bot)
        guild = await client.wait_for("guild_join", timeout=10)
        assert guild.name == "Library"


async def test_two_bots_have_sessions_of_their_own(server: DiscordServer, scene: Scene) -> None:
    other = server.add_bot("Kaede")
    scene.guild.join(other)
    async with running(scene.bot) as hinata, running(other) as kaede:
        await scene.alice.dm(other, "only you")
        assert (await kaede.heard()).content == "only you"
        assert hinata.messages.empty()


async def test_malformed_event_ends_the_client(scene: Scene) -> None:
    client = discord.Client(intents=all_intents(), guild_ready_timeout=0.05)

    async def on_ready() -> None:
        scene.bot.receives("MESSAGE_CREATE", {})

    client.event(on_ready)
    try:
        with pytest.raises(KeyError):
            await client.start(scene.bot.token)
    finally:
        await client.close()


async def test_refused_connection_is_an_error(server: DiscordServer, scene: Scene) -> None:
    server.gateway.refuses = True
    client = discord.Client(intents=all_intents())
    try:
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await client.start(scene.bot.token, reconnect=False)
    finally:
        await client.close()
