"""A process dies; one that waits has its shards within the lease, and nobody is answered twice."""

import signal
import time
from pathlib import Path

import pytest

from core.sharding.shards import Shards
from tests.acceptance.sharding.fleet import fleet
from tests.postgresql_server import Server

pytestmark = pytest.mark.acceptance

EVERYTHING = Shards(0, 1, 2)
LEASE = 3.0


async def test_who_waits_takes_a_dead_ones_shards_within_the_lease_and_answers_what_was_said(
    tmp_path: Path, postgresql: Server
) -> None:
    database = f"fleet_{tmp_path.name}"
    async with fleet(tmp_path, lease=LEASE, server=postgresql, database=database) as one:
        aki = one.discord.add_user("Aki")
        channels = [
            one.discord.add_guild(f"Garden {shard}", one.bot, aki, shard=(shard, 2)).add_text_channel()
            for shard in range(2)
        ]
        (first,) = await one.start(EVERYTHING)
        for channel in channels:
            await one.ask(aki, channel, "good morning")
        await one.all_answered_once()

        second = await one.standby(EVERYTHING)
        first.send(signal.SIGKILL)
        began = time.monotonic()
        await first.ended()
        said = [await one.ask(aki, channel, "still there?") for channel in channels]
        for message in said:
            await one.recovers("killed", message, began)
        await one.all_answered_once()
        assert second.logged.count("shards.taken") == 1
        one.every_nonce_is_one_message()
        one.sessions_began_in_turn()
        assert one.recovered["killed"] < 3 * LEASE + 5
