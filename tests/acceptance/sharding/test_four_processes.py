"""Four processes share the shards of one bot under load while everything that may break does."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.proactive.types import RecipientKind
from core.sharding.shards import Shards
from tests import postgresql_server
from tests.acceptance.sharding.fleet import LOST, Fleet, Ship, fleet
from tests.acceptance.sharding.talk import Talk
from tests.discord_server.actors import Person
from tests.discord_server.model import Channel, Guild
from tests.model_server import Answer

pytestmark = [
    pytest.mark.acceptance,
    pytest.mark.chaos,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not postgresql_server.installed(), reason=postgresql_server.MISSING),
]

COUNT = 4
RANGES = [Shards(shard, shard, COUNT) for shard in range(COUNT)]
LEASE = 15.0  # as it is by default
DUE_EACH = 2


async def test_four_processes_lose_and_double_nothing_whatever_happens_to_them(tmp_path: Path) -> None:
    async with fleet(tmp_path, lease=LEASE) as one:
        chaos = await Chaos.begun(one)
        talkers = [(one.discord.add_user(f"Talker {shard}"), shard) for shard in range(COUNT)]
        places = []
        for talker, shard in talkers:
            chaos.guilds[shard].join(talker)
            places.append((talker, chaos.guilds[shard].add_text_channel("talk")))
        async with chaos.supervised(), Talk.going_on(one, *places) as talk:
            await chaos.refused()
            await chaos.killed(0)
            await chaos.stood_still(1)
            await chaos.cut_off(2)
            await chaos.cut_off_briefly(3)
            await chaos.database_restarted()
            await chaos.database_away()
            await chaos.rolling_restart()
        await chaos.settled()
        print(f"\n{chaos.started_again} processes were started again by who looks after them")  # noqa: T201
        print(f"\n{talk.asked} questions, {len(one.told)} met by a notice; said first: {chaos.slots}")  # noqa: T201
        print(f"seconds until somebody answered again: {one.recovered}")  # noqa: T201
        assert len(one.told) <= COUNT * 4
        assert max(one.recovered.values()) < 10 * LEASE


class Chaos:
    """What is done to the processes, one after the other; who has which shard is in `ships`."""

    def __init__(self, one: Fleet, aki: Person, guilds: list[Guild], channels: list[Channel]) -> None:
        self.one = one
        self.aki = aki
        self.guilds = guilds
        self.channels = channels
        self.ships: list[Ship] = []
        self.slots: dict[str, int] = {}
        self.started_again = 0
        self._looked_after = asyncio.Event()
        self._looked_after.set()

    @classmethod
    async def begun(cls, one: Fleet) -> "Chaos":
        """Start a process for each shard, and see that all of them answer."""
        aki = one.discord.add_user("Aki")
        guilds = [
            one.discord.add_guild(f"Garden {shard}", one.bot, aki, shard=(shard, COUNT)) for shard in range(COUNT)
        ]
        self = cls(one, aki, guilds, [guild.add_text_channel() for guild in guilds])
        self.ships = await one.start(*RANGES)
        assert one.bot.shards == [(shard, COUNT) for shard in range(COUNT)]
        await asyncio.gather(*(self._recovers("started", shard, time.monotonic()) for shard in range(COUNT)))
        return self

    @asynccontextmanager
    async def supervised(self) -> AsyncIterator[None]:
        """Start again whoever lost the shards, as a supervisor does."""
        looking = asyncio.create_task(self._look_after())
        try:
            yield
        finally:
            looking.cancel()
            await asyncio.wait({looking})
            if not looking.cancelled():
                looking.result()

    async def _look_after(self) -> None:
        while True:
            await self.one.discord.signal.changed()
            await self._looked_after.wait()
            for shard, ship in enumerate(self.ships):
                if ship.process.returncode is not None:
                    self.started_again += 1
                    self.ships[shard] = await self.one.launch(RANGES[shard])

    async def refused(self) -> None:
        """Whoever wants shards that somebody has is told so, and ends."""
        refused = await self.one.launch(Shards(1, 2, COUNT), wait=False)
        assert await refused.ended() == LOST
        assert "can't be had" in refused.logged
        assert "--wait" in refused.logged

    async def killed(self, shard: int) -> None:
        """A process dies, while people are due to be spoken to; the next one is there already."""
        heir = await self.one.standby(RANGES[shard])
        await self._due()
        dead, self.ships[shard] = self.ships[shard], heir
        dead.send(signal.SIGKILL)
        began = time.monotonic()
        await dead.ended()
        await self._recovers("killed", shard, began)

    async def stood_still(self, shard: int) -> None:
        """A process stands still in the middle of an answer until another has its shards; when it wakes it is over."""
        one, sleeper = self.one, self.ships[shard]
        thought = asyncio.Event()
        one.script.when("stars", Answer(text="There are so many of them.", hold=thought))
        self.ships[shard] = await one.standby(RANGES[shard])
        await self._due()
        asked = await one.ask(self.aki, self.channels[shard], "stars")
        await one.discord.wait_for(lambda: any("stars" in each.last_text for each in one.model.requests))
        sleeper.send(signal.SIGSTOP)
        began = time.monotonic()
        thought.set()
        await one.recovers("stood still", asked, began)
        sleeper.send(signal.SIGCONT)
        assert await sleeper.ended() == LOST
        assert "was lost" in sleeper.logged
        assert "Traceback" not in sleeper.logged

    async def cut_off(self, shard: int) -> None:
        """One process can't reach the database any more, and nobody tells it: it stops by itself in time."""
        lost = self.ships[shard]
        self.ships[shard] = await self.one.standby(RANGES[shard])
        await self._due()
        lost.cable.cut()
        await self._recovers("cut off", shard, time.monotonic())
        assert await lost.ended() == LOST
        assert "Traceback" not in lost.logged

    async def cut_off_briefly(self, shard: int) -> None:
        """The way to the database is open again before the lease is over: the process goes on."""
        ship = self.ships[shard]
        ship.cable.cut()
        began = time.monotonic()
        asked = await self.one.ask(self.aki, self.channels[shard], "a moment, please")
        await asyncio.sleep(LEASE / 3)
        ship.cable.mend()
        await self.one.met(asked)
        await self._recovers("cut off briefly", shard, began)
        assert ship.process.returncode is None

    async def database_restarted(self) -> None:
        """The server is stopped at once and started again: everybody goes on."""
        await self._due()
        began = time.monotonic()
        await asyncio.to_thread(self.one.server.stop)
        await asyncio.to_thread(self.one.server.start)
        await asyncio.gather(*(self._recovers("database restarted", shard, began) for shard in range(COUNT)))
        assert [ship.process.returncode for ship in self.ships] == [None] * COUNT

    async def database_away(self) -> None:
        """The server is away for longer than a lease: everybody stops, and is started again by whoever looks after."""
        self._looked_after.clear()
        await asyncio.to_thread(self.one.server.stop)
        asked = [await self.one.ask(self.aki, channel, "are you all there?") for channel in self.channels]
        assert [await ship.ended() for ship in self.ships] == [LOST] * COUNT
        await asyncio.to_thread(self.one.server.start)
        began = time.monotonic()
        self._looked_after.set()
        self.one.discord.signal.notify()
        await asyncio.gather(*map(self.one.met, asked))
        await asyncio.gather(*(self._recovers("database away", shard, began) for shard in range(COUNT)))

    async def rolling_restart(self) -> None:
        """One after the other is replaced in order: the next one waits, and has the shards as soon as they are free."""
        for shard, old in enumerate(self.ships):
            self.ships[shard] = await self.one.standby(RANGES[shard])
            await self._due()
            old.send(signal.SIGTERM)
            await self._recovers(f"restarted {shard}", shard, time.monotonic())
            assert await old.ended() == 0

    async def settled(self) -> None:
        """Everything is answered once and said first at most once, under nonces of its own."""
        await self.one.all_answered_once()
        self.slots = await self.one.all_spoken_to_once()
        self.one.every_nonce_is_one_message()
        self.one.sessions_began_in_turn()

    async def _due(self) -> None:
        """Let people and channels be due to be spoken to right now, on every shard."""
        wanted: list[tuple[RecipientKind, int, int | None]] = []
        for guild in self.guilds:
            quiet = guild.add_text_channel(f"quiet {len(self.one.due)}")
            self.one.due.append(quiet)
            wanted.append((RecipientKind.CHANNEL, quiet.id, guild.id))
        for number in range(DUE_EACH):
            person = self.one.discord.add_user(f"Ben {len(self.one.due)} {number}")
            self.guilds[0].join(person)
            self.one.due.append(person.dm_channel(self.one.bot))
            wanted.append((RecipientKind.USER, person.id, None))
        await self.one.consent(*wanted)

    async def _recovers(self, what: str, shard: int, since: float) -> None:
        """Ask something; a notice is asked again, as people do. Note the longest time until an answer on any shard."""
        while not await self.one.met(await self.one.ask(self.aki, self.channels[shard], f"still there? ({what})")):
            pass
        self.one.note(what, since)
