"""A session begins when Discord has told of all its servers, and no later."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from bot.discord.arrivals import Arrivals
from core.clock import SimulatedClock

NOW = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)


@dataclass
class Server:
    unavailable: bool


@dataclass
class Client:
    guilds: list[Server]


def waiting(*servers: Server) -> tuple[Arrivals, SimulatedClock, "asyncio.Task[None]"]:
    clock = SimulatedClock(NOW)
    arrivals = Arrivals(cast("Any", Client(list(servers))), clock)
    return arrivals, clock, asyncio.create_task(arrivals.all_there())


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_nothing_is_waited_for_where_every_server_is_there() -> None:
    for servers in ((), (Server(unavailable=False),)):
        _, _, task = waiting(*servers)
        await settled()
        assert task.done()


async def test_the_wait_ends_with_the_last_server() -> None:
    first, second = Server(unavailable=True), Server(unavailable=True)
    arrivals, clock, task = waiting(first, second)
    await settled()
    for server in (first, second):
        assert not task.done()
        await clock.advance(1.5)
        server.unavailable = False
        arrivals.came()
        await settled()
    assert task.done()


async def test_a_server_that_is_not_to_be_had_is_not_waited_for_for_long() -> None:
    _, clock, task = waiting(Server(unavailable=True))
    await settled()
    await clock.advance(1.9)
    assert not task.done()
    await clock.advance(0.2)
    await settled()
    assert task.done()
