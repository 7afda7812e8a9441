"""Two processes share the shards of one bot: each answers its own servers, and nobody answers twice."""

import asyncio
import signal
import time
from pathlib import Path

import pytest

from core.proactive.types import RecipientKind
from core.sharding.shards import Shards
from tests import postgresql_server
from tests.acceptance.sharding.fleet import LOST, Fleet, fleet
from tests.model_server import Answer

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.chaos,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not postgresql_server.installed(), reason=postgresql_server.MISSING),
]

LOW, HIGH = Shards(0, 1, 4), Shards(2, 3, 4)
LEASE = 8.0


async def test_shards_are_divided_taken_over_and_never_answered_for_twice(tmp_path: Path) -> None:
    async with fleet(tmp_path, lease=LEASE) as one:
        await _run(one)


async def _run(one: Fleet) -> None:
    aki = one.discord.add_user("Aki")
    guilds = [one.discord.add_guild(f"Garden {shard}", one.bot, aki, shard=(shard, 4)) for shard in range(4)]
    channels = [guild.add_text_channel() for guild in guilds]
    # Where nobody talks, and who doesn't.
    ben, quiet = one.discord.add_user("Ben"), guilds[3].add_text_channel("quiet")
    guilds[0].join(ben)
    low, high = await one.start(LOW, HIGH)
    assert one.bot.shards == [(0, 4), (1, 4), (2, 4), (3, 4)]
    for channel in channels:
        await one.ask(aki, channel, "good morning")
    await one.all_answered_once()

    # What is said first goes by the same division, direct messages by shard 0.
    await one.consent((RecipientKind.USER, ben.id, None), (RecipientKind.CHANNEL, quiet.id, guilds[3].id))
    await one.said_first(ben.dm_channel(one.bot), quiet)

    # Whoever wants any of the shards is refused while their holder lives.
    refused = await one.launch(Shards(1, 2, 4), wait=False)
    assert await refused.ended() == LOST
    assert "can't be had" in refused.logged
    assert "--wait" in refused.logged

    # One stands still in the middle of an answer; another takes its place; when it wakes it sends nothing more.
    thought = asyncio.Event()
    one.script.when("stars", Answer(text="There are so many of them.", hold=thought))
    successor = await one.launch(HIGH)
    await one.logs(successor, "shards.waiting")
    asked = await one.ask(aki, channels[2], "stars")
    await one.model.wait_for_requests(5)
    high.send(signal.SIGSTOP)
    began = time.monotonic()
    thought.set()
    await one.recovers("stood still", asked, began)
    high.send(signal.SIGCONT)
    assert await high.ended() == LOST
    assert "was lost" in high.logged
    assert "Traceback" not in high.logged

    # One dies; what is said meanwhile is answered by whoever takes its place.
    heir = await one.launch(LOW)
    await one.logs(heir, "shards.waiting")
    low.send(signal.SIGKILL)
    began = time.monotonic()
    await low.ended()
    await one.recovers("killed", await one.ask(aki, channels[1], "still there?"), began)

    # The database is out of reach of one process only: it stops, and can be followed by another.
    follower = await one.launch(HIGH)
    await one.logs(follower, "shards.waiting")
    successor.cable.cut()
    began = time.monotonic()
    await one.recovers("cut off", await one.ask(aki, channels[3], "and you?"), began)
    assert await successor.ended() == LOST

    # In order: the next one waits, and has the shards as soon as they are given up.
    last = await one.launch(LOW)
    await one.logs(last, "shards.waiting")
    heir.send(signal.SIGTERM)
    began = time.monotonic()
    await one.recovers("restarted", await one.ask(aki, channels[0], "good night"), began)
    assert await heir.ended() == 0

    await one.all_answered_once()
    await one.said_first(ben.dm_channel(one.bot), quiet)
    one.no_nonce_was_used_twice()
    print(f"\nseconds until somebody answered again: {one.recovered}")  # noqa: T201
    assert max(one.recovered.values()) < 5 * LEASE
