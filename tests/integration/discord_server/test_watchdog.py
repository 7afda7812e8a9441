"""The service against the loopback Discord, on a simulated clock: connections that stall, and telling the operator."""

import asyncio
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from bot.discord.seats import DiscordOptions, Seat
from bot.discord.service import DiscordService, GatewayLostError
from bot.operations.notices import Notice, Notices
from bot.operations.operator import Operator
from bot.operations.vitals import Connection
from core.characters.pack import ProactivePolicy
from core.clock import SimulatedClock
from core.ports import Messenger
from core.proactive.drafting import Drafting
from core.proactive.repertoire import Repertoire
from core.turn.companion import Companion
from core.values import Locale
from prompts.messages import Messages
from tests.discord_server.server import DiscordServer
from tests.fakes.models import ScriptedModel
from tests.fakes.surface import CHARACTER, START, Room
from tests.integration.discord_server.scene import Scene


class Mute:
    """`Voice` of a character that never speaks first."""

    def begin(self, companion: Companion, messenger: Messenger) -> None:
        pass

    async def let_go(self, user_id: int) -> None:
        pass

    async def end(self) -> None:
        pass


class Watched:
    """A service under watch."""

    def __init__(self, server: DiscordServer, scene: Scene, folder: Path, **options: Any) -> None:
        self.model = ScriptedModel()
        room = Room(self.model)
        self.clock = SimulatedClock(START)
        self.states: list[Connection] = []
        self.changed = asyncio.Event()
        self.notices = Notices(self.clock)
        seat = Seat(
            character=CHARACTER,
            token=scene.bot.token,
            token_variable="YORISOI_DISCORD_TOKEN",
            model_name="scripted",
            accepts_images=False,
            companion=lambda _history, _messages: room.companion,
            voice=Mute(),
            repertoire=Repertoire(policy=ProactivePolicy(), candidates={}, drafting=cast("Drafting", None)),
            report=cast("Any", None),
        )
        self.service = DiscordService(
            seats=[seat],
            stores=room.stores,
            options=DiscordOptions(
                command_cache=folder / "commands.json",
                api_base=server.api_base,
                gateway=server.gateway_url,
                welcome=False,
                **options,
            ),
            messages=Messages.load(),
            clock=self.clock,
            rng=random.Random(1),
            connected=self._connected,
            operator=Operator(channel_id=scene.channel.id, locale=Locale.JA, notices=self.notices),
        )

    def _connected(self, character: str, state: Connection) -> None:
        assert character == CHARACTER.name
        self.states.append(state)
        self.changed.set()

    async def until(self, state: Connection) -> None:
        """Wait for a state of the connection."""
        async with asyncio.timeout(10):
            while self.states[-1] is not state:
                self.changed.clear()
                await self.changed.wait()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["asyncio.Task[None]"]:
        stop = asyncio.Event()
        task = asyncio.create_task(self.service.run(stop))
        try:
            yield task
        finally:
            stop.set()
            await asyncio.gather(task, return_exceptions=True)


async def test_a_connection_that_falls_silent_is_given_up_and_made_anew(
    server: DiscordServer, scene: Scene, tmp_path: Path
) -> None:
    watched = Watched(server, scene, tmp_path, watch_seconds=300.0)
    async with watched.running():
        await watched.until(Connection.READY)
        await watched.clock.advance(290)
        assert watched.states[-1] is Connection.READY
        await watched.clock.advance(30)
        await watched.until(Connection.LOST)
        while scene.bot.identifies < 2:
            await watched.clock.advance(1)
            await asyncio.sleep(0.01)
        await watched.until(Connection.READY)
        told = await server.next_message(scene.channel, by=scene.bot)
    assert watched.states == [Connection.CONNECTING, Connection.READY, Connection.LOST, Connection.READY]
    assert re.fullmatch(r"✅ \*\*\w+\*\*とDiscordの接続が\d分ぶりに戻りました。", told.content)


async def test_what_the_gateway_sends_keeps_a_connection(server: DiscordServer, scene: Scene, tmp_path: Path) -> None:
    watched = Watched(server, scene, tmp_path, watch_seconds=300.0)
    async with watched.running():
        await watched.until(Connection.READY)
        for turn in range(1, 4):
            await watched.clock.advance(200)
            await scene.alice.dm(scene.bot, "hello")
            await watched.model.wait_for_requests(turn)
        assert watched.states == [Connection.CONNECTING, Connection.READY]


async def test_after_long_without_any_connection_the_program_ends_for_its_supervisor(
    server: DiscordServer, scene: Scene, tmp_path: Path
) -> None:
    server.gateway.refuses = True
    watched = Watched(server, scene, tmp_path, watch_seconds=300.0, exit_seconds=600.0)
    async with watched.running() as task:
        while not task.done():
            await watched.clock.advance(15)
            await asyncio.sleep(0.005)
        with pytest.raises(GatewayLostError, match="10 minutes"):
            await task
    assert watched.states == [Connection.CONNECTING]


async def test_the_operator_is_told_in_their_channel_and_language(
    server: DiscordServer, scene: Scene, tmp_path: Path
) -> None:
    watched = Watched(server, scene, tmp_path)
    async with watched.running():
        await watched.until(Connection.READY)
        watched.notices.put(Notice("operator.gateway", (("character", "mio"),)))
        told = await server.next_message(scene.channel, by=scene.bot)
    assert told.content == Messages.load().text("operator.gateway", Locale.JA, character="mio")
