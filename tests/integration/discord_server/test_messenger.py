"""Messages that nobody asked for just now, over real sockets: one message, whatever goes wrong on the way."""

import random
from collections.abc import Callable

import pytest

from bot.discord.courier import ClosedChannels, Courier
from bot.discord.messenger import DiscordMessenger
from bot.discord.places import Places
from core.clock import SystemClock
from core.errors import DeliveryError, UnreachableError
from core.proactive.types import Recipient, RecipientKind
from core.values import SurfaceKind
from tests.discord_server.errors import ApiError
from tests.discord_server.faults import Next
from tests.discord_server.flags import MessageFlag
from tests.discord_server.routes import OPEN_DM, SEND_MESSAGE
from tests.discord_server.server import DiscordServer
from tests.integration.discord_server.client import Client, running
from tests.integration.discord_server.scene import Scene

TEXT = "Did you know moss has no roots? @everyone"
NONCE = "0123456789abcdefghij"
CLOCK = SystemClock()


def messenger(client: Client) -> DiscordMessenger:
    courier = Courier(clock=CLOCK, rng=random.Random(1), closed=ClosedChannels(clock=CLOCK))
    places = Places(client=client, courier=courier)
    return DiscordMessenger(client=client, places=places, courier=courier, clock=CLOCK)


def alice(scene: Scene) -> Recipient:
    return Recipient("hinata", RecipientKind.USER, scene.alice.id)


def channel(scene: Scene) -> Recipient:
    return Recipient("hinata", RecipientKind.CHANNEL, scene.channel.id)


def in_seconds(seconds: float) -> float:
    return CLOCK.monotonic() + seconds


async def test_a_person_gets_it_in_their_direct_messages(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        delivered = await messenger(client).send(alice(scene), TEXT, nonce=NONCE, give_up_at=in_seconds(20))

        dm = scene.alice.dm_channel(scene.bot)
        (message,) = server.sent(dm)
        assert (message.id, message.content) == (delivered.message_id, TEXT)
        assert (delivered.surface.kind, delivered.surface.channel_id) == (SurfaceKind.DM, dm.id)
        (request,) = server.requests(SEND_MESSAGE)
        assert request.body["nonce"] == NONCE
        assert request.body["enforce_nonce"] is True
        assert request.body["allowed_mentions"] == {"parse": []}
        assert request.body["flags"] == MessageFlag.SUPPRESS_EMBEDS


async def test_a_channel_gets_it_there(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        delivered = await messenger(client).send(channel(scene), TEXT, nonce=NONCE, give_up_at=in_seconds(20))

        (message,) = server.sent(scene.channel)
        assert message.id == delivered.message_id
        assert delivered.surface.guild_id == scene.guild.id
        assert server.requests(OPEN_DM) == []


PASSING: dict[str, tuple[str, Callable[[Next], object]]] = {
    "503": (SEND_MESSAGE, lambda order: order.server_error(503)),
    "503 after storing": (SEND_MESSAGE, lambda order: order.server_error(503, stored=True)),
    "reset": (SEND_MESSAGE, lambda order: order.reset()),
    "reset after storing": (SEND_MESSAGE, lambda order: order.reset(stored=True)),
    "429": (SEND_MESSAGE, lambda order: order.rate_limited()),
    "429 of the edge": (SEND_MESSAGE, lambda order: order.edge_banned()),
    "too fast": (OPEN_DM, lambda order: order.opening_dms_too_fast()),
    "opening is reset": (OPEN_DM, lambda order: order.reset()),
}


@pytest.mark.parametrize("fault", PASSING)
async def test_what_may_pass_is_tried_again_with_the_same_nonce(
    server: DiscordServer, scene: Scene, fault: str
) -> None:
    route, order = PASSING[fault]
    async with running(scene.bot) as client:
        order(server.faults.next(route))

        delivered = await messenger(client).send(alice(scene), TEXT, nonce=NONCE, give_up_at=in_seconds(30))

        (message,) = server.sent(scene.alice.dm_channel(scene.bot))
        assert message.id == delivered.message_id
        assert {request.body["nonce"] for request in server.requests(SEND_MESSAGE)} == {NONCE}


async def test_the_same_nonce_is_the_same_message(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        first = await messenger(client).send(alice(scene), TEXT, nonce=NONCE, give_up_at=in_seconds(20))
        again = await messenger(client).send(alice(scene), TEXT, nonce=NONCE, give_up_at=in_seconds(20))

        assert first == again
        assert len(server.sent(scene.alice.dm_channel(scene.bot))) == 1


REFUSED: dict[str, tuple[str, Callable[[Next], None], bool]] = {
    "50007": (SEND_MESSAGE, lambda order: order.cannot_dm(), False),
    "50278": (SEND_MESSAGE, lambda order: order.refused(ApiError(403, 50278, "no mutual guilds")), False),
    "opening 50007": (OPEN_DM, lambda order: order.cannot_dm(), False),
    "50013": (SEND_MESSAGE, lambda order: order.missing_permissions(), True),
    "404": (SEND_MESSAGE, lambda order: order.refused(ApiError(404, 10003, "Unknown Channel")), False),
}


@pytest.mark.parametrize("fault", REFUSED)
async def test_who_cannot_be_written_to_is_asked_once(server: DiscordServer, scene: Scene, fault: str) -> None:
    route, order, forbidden = REFUSED[fault]
    async with running(scene.bot) as client:
        order(server.faults.next(route, times=None))

        with pytest.raises(UnreachableError) as refused:
            await messenger(client).send(alice(scene), TEXT, nonce=NONCE, give_up_at=in_seconds(20))

        assert refused.value.forbidden is forbidden
        assert len(server.requests(route)) == 1


async def test_a_channel_that_is_gone_is_not_looked_for_again(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        gone = Recipient("hinata", RecipientKind.CHANNEL, 111_111_111_111_111_111)

        with pytest.raises(UnreachableError):
            await messenger(client).send(gone, TEXT, nonce=NONCE, give_up_at=in_seconds(20))

        assert server.requests(SEND_MESSAGE) == []


async def test_nothing_is_tried_after_the_lease(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        server.faults.next(SEND_MESSAGE, times=None).server_error(503)

        with pytest.raises(DeliveryError) as failed:
            await messenger(client).send(alice(scene), TEXT, nonce=NONCE, give_up_at=in_seconds(1.5))

        assert not isinstance(failed.value, UnreachableError)
        server.faults.clear()
        assert server.sent(scene.alice.dm_channel(scene.bot)) == []


async def test_a_wait_that_discord_asks_for_does_not_outlast_the_lease(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        server.faults.next(SEND_MESSAGE).rate_limited(retry_after=30)

        with pytest.raises(DeliveryError):
            await messenger(client).send(alice(scene), TEXT, nonce=NONCE, give_up_at=in_seconds(1))

        assert len(server.requests(SEND_MESSAGE)) == 1
