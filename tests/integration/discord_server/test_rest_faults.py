"""What discord.py makes of a REST API that fails, and what was stored all the same."""

import asyncio

import aiohttp
import discord
import pytest

from tests.discord_server.faults import Next
from tests.discord_server.routes import GATEWAY_BOT, OPEN_DM, SEND_MESSAGE
from tests.discord_server.server import DiscordServer
from tests.integration.discord_server.client import running
from tests.integration.discord_server.scene import Scene, text_channel


def next_send(server: DiscordServer, times: int | None = 1) -> Next:
    return server.faults.next(SEND_MESSAGE, times=times)


async def test_500_after_storing_is_retried_and_the_nonce_keeps_it_one_message(
    server: DiscordServer, scene: Scene
) -> None:
    async with running(scene.bot) as client:
        next_send(server).server_error(stored=True)
        sent = await text_channel(client, scene.channel).send("once", nonce="n-1")
        assert [message.id for message in server.sent(scene.channel)] == [sent.id]
        assert [request.status for request in server.requests(SEND_MESSAGE)] == [500, 200]


async def test_500_after_storing_is_covered_by_the_nonce_that_discord_py_picks(
    server: DiscordServer, scene: Scene
) -> None:
    async with running(scene.bot) as client:
        next_send(server).server_error(stored=True)
        await text_channel(client, scene.channel).send("once")
        assert len(server.sent(scene.channel)) == 1


async def test_same_text_sent_again_is_another_message(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        await text_channel(client, scene.channel).send("twice")
        await text_channel(client, scene.channel).send("twice")
        assert len(server.sent(scene.channel)) == 2


async def test_500_before_storing_is_retried(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        next_send(server).server_error()
        await text_channel(client, scene.channel).send("once")
        assert len(server.sent(scene.channel)) == 1


async def test_503_is_raised_at_once(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        next_send(server).server_error(503)
        with pytest.raises(discord.DiscordServerError):
            await text_channel(client, scene.channel).send("hello")
        assert len(server.requests(SEND_MESSAGE)) == 1


async def test_429_with_via_is_waited_for_and_retried(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        next_send(server).rate_limited(retry_after=0.01)
        await text_channel(client, scene.channel).send("hello")
        assert [request.status for request in server.requests(SEND_MESSAGE)] == [429, 200]
        assert server.journal.invalid() == 1


async def test_429_without_via_is_raised_as_a_ban(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        next_send(server).edge_banned()
        with pytest.raises(discord.HTTPException) as caught:
            await text_channel(client, scene.channel).send("hello")
        assert caught.value.status == 429
        assert len(server.requests(SEND_MESSAGE)) == 1


@pytest.mark.parametrize("stored", [False, True])
async def test_reset_surfaces_as_an_error_whether_or_not_it_was_stored(
    server: DiscordServer, scene: Scene, stored: bool
) -> None:
    async with running(scene.bot) as client:
        next_send(server).reset(stored=stored)
        with pytest.raises(aiohttp.ClientOSError):
            await text_channel(client, scene.channel).send("hello")
        assert len(server.sent(scene.channel)) == int(stored)
        assert [request.status for request in server.requests(SEND_MESSAGE)] == [0]


async def test_held_request_is_stored_only_when_released(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        gate = next_send(server).held()
        sending = asyncio.create_task(text_channel(client, scene.channel).send("later"))
        await gate.reached()
        assert server.sent(scene.channel) == []
        gate.release()
        await sending
        assert len(server.sent(scene.channel)) == 1


async def test_held_answer_leaves_the_message_stored(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        gate = next_send(server).held(stored=True)
        sending = asyncio.create_task(text_channel(client, scene.channel).send("now"))
        await gate.reached()
        assert len(server.sent(scene.channel)) == 1
        assert not sending.done()
        gate.release()
        await sending


async def test_ordered_refusals_have_their_codes(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        next_send(server).missing_permissions()
        next_send(server).cannot_dm()
        server.faults.next(OPEN_DM).opening_dms_too_fast()
        channel, user = text_channel(client, scene.channel), await client.fetch_user(scene.alice.id)
        codes = []
        for target in (channel, channel, user):
            with pytest.raises(discord.Forbidden) as caught:
                await target.send("hello")
            codes.append(caught.value.code)
        assert codes == [50013, 50007, 40003]


async def test_fault_strikes_only_where_its_condition_holds(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        order = server.faults.next(SEND_MESSAGE, times=None, where=lambda request: request.body["content"] == "bad")
        order.server_error(503)
        channel = text_channel(client, scene.channel)
        await channel.send("good")
        with pytest.raises(discord.DiscordServerError):
            await channel.send("bad")
        with pytest.raises(discord.DiscordServerError):
            await channel.send("bad")


async def test_exhausted_bucket_is_waited_for_without_a_429(server: DiscordServer, scene: Scene) -> None:
    server.limits.set(SEND_MESSAGE, limit=2, window=0.2)
    async with running(scene.bot) as client:
        channel = text_channel(client, scene.channel)
        for number in range(5):
            await channel.send(str(number))
        assert {request.status for request in server.requests(SEND_MESSAGE)} == {200}


async def test_full_bucket_answers_429_to_who_ignores_it(server: DiscordServer, scene: Scene) -> None:
    server.limits.set(SEND_MESSAGE, limit=1, window=60.0)
    url = f"{server.api_base}/channels/{scene.channel.id}/messages"
    headers = {"Authorization": f"Bot {scene.bot.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        statuses = [(await session.post(url, json={"content": str(number)})).status for number in range(2)]
    assert statuses == [200, 429]


async def test_wrong_token_is_refused(server: DiscordServer) -> None:
    client = discord.Client(intents=discord.Intents.default())
    try:
        with pytest.raises(discord.LoginFailure):
            await client.login("nobody's token")
    finally:
        await client.close()
    assert [request.status for request in server.journal.requests] == [401]


async def test_gateway_that_cannot_be_found_is_an_error(server: DiscordServer, scene: Scene) -> None:
    server.faults.next(GATEWAY_BOT).server_error(503)
    client = discord.AutoShardedClient(intents=discord.Intents.default())
    try:
        with pytest.raises(discord.GatewayNotFound):
            await client.start(scene.bot.token, reconnect=False)
    finally:
        await client.close()
