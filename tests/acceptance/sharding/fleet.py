"""Several real processes with a range of shards each, one loopback Discord, one PostgreSQL of their own."""

import asyncio
import json
import shutil
import signal
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from pathlib import Path

import psycopg

from core.clock import SystemClock
from core.proactive.types import Recipient, RecipientKind
from core.sharding.shards import Shards
from data.packs.loader import load_pack
from data.proactive.rows import put_parameters
from data.sql import NamedQueries
from tests import postgresql_server
from tests.acceptance.discord.stage import TOKEN, Script, button_of
from tests.acceptance.proactive.scene import always_open, due_now
from tests.acceptance.program import clean_environment
from tests.acceptance.sharding.cable import Cable
from tests.acceptance.spawning import Spawned, spawn
from tests.discord_server.actors import Person
from tests.discord_server.bots import Bot
from tests.discord_server.message import Message
from tests.discord_server.model import Channel
from tests.discord_server.routes import SEND_MESSAGE
from tests.discord_server.server import DiscordServer
from tests.model_server import ModelServer, model_server
from tests.postgresql_server import Server

PATIENCE = 120.0
LOST = 75
"""The exit code of a process that lost its shards, or can't have them."""


@dataclass(slots=True, eq=False)
class Ship:
    """One process, with a cable of its own to the database."""

    shards: Shards
    process: Spawned
    cable: Cable
    log: list[str] = field(default_factory=list)
    reader: asyncio.Task[None] | None = None

    @property
    def logged(self) -> str:
        """What it wrote to stderr so far."""
        return "\n".join(self.log)

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    async def ended(self) -> int:
        """Wait for its end; return its exit code."""
        code = await asyncio.wait_for(self.process.wait(), PATIENCE)
        if self.reader is not None:
            await self.reader
        return code


@dataclass(slots=True)
class Fleet:
    """The processes and what they share. `lease` is how many seconds a lease lasts.

    `asked` are the messages to be answered, `told` those that were met by a notice instead (the database was out of
    reach), `due` where the character has been due to speak first. `recovered` are seconds by what was survived.
    """

    discord: DiscordServer
    model: ModelServer
    bot: Bot
    server: Server
    database: str
    folder: Path
    characters: Path
    lease: float
    stack: AsyncExitStack
    script: Script = field(default_factory=Script)
    ships: list[Ship] = field(default_factory=list)
    asked: list[Message] = field(default_factory=list)
    told: list[Message] = field(default_factory=list)
    due: list[Channel] = field(default_factory=list)
    recovered: dict[str, float] = field(default_factory=dict)

    async def launch(self, shards: Shards, *, wait: bool = True) -> Ship:
        """Start a process for a range of shards."""
        cable = await self.stack.enter_async_context(Cable.laid(self.server.socket))
        number = len(self.ships)
        data = self.folder / f"data-{number}"
        environment = {
            **self.discord.environment(),
            "YORISOI_DATA_DIR": str(data),
            "YORISOI_DATABASE_URL": cable.url(self.database),
            "YORISOI_SHARDS": str(shards),
            "YORISOI_LEASE_SECONDS": str(self.lease),
            "YORISOI_DISCORD_TOKEN": TOKEN,
            "YORISOI_CHARACTER": "hinata",
            "YORISOI_CHARACTERS_DIR": str(self.characters),
            "YORISOI_PROACTIVE_CHOICE": "seed",
            "YORISOI_BALANCED_MODELS": json.dumps([{"base_url": self.model.url, "api_key": "", "model": "scripted"}]),
            "YORISOI_DEBOUNCE_SECONDS": "0.05",
            "YORISOI_MESSAGES_PER_MINUTE": "600",
            "YORISOI_WELCOME": "false",
            "YORISOI_LOG_FORMAT": "json",
        }
        process = await spawn(
            "run",
            *(["--wait"] if wait else []),
            cwd=self.folder,
            env=clean_environment(self.folder, **environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        ship = Ship(shards, process, cable)
        self.ships.append(ship)
        ship.reader = asyncio.create_task(self._read(ship))
        return ship

    async def logs(self, ship: Ship, text: str) -> None:
        """Wait until a process has logged something."""
        try:
            await self.discord.wait_for(lambda: text in ship.logged, within=PATIENCE)
        except AssertionError:
            raise AssertionError(f"waited in vain for {text!r} in {ship.logged[-3000:]}") from None

    async def start(self, *ranges: Shards) -> list[Ship]:
        """Start processes, the first before the others (it makes the tables), and wait until they have caught up."""
        first = await self.launch(ranges[0])
        await self.logs(first, "shards.taken")
        others = [await self.launch(shards) for shards in ranges[1:]]
        for ship in (first, *others):
            await self.logs(ship, "catch_up.done")
        return [first, *others]

    async def standby(self, shards: Shards) -> Ship:
        """Start a process that waits for shards somebody else has."""
        ship = await self.launch(shards)
        await self.logs(ship, "shards.waiting")
        return ship

    async def ask(self, person: Person, where: Channel, text: str) -> Message:
        """Say something to the character."""
        said = await person.says(where, f"{self.bot.mention} {text}")
        self.asked.append(said)
        return said

    def replies(self, to: Message) -> list[Message]:
        """What stands as a reply to a message."""
        return [one for one in self.discord.sent(to.channel) if one.reference_id == to.id]

    def answers(self, to: Message) -> list[Message]:
        """The finished answers to a message."""
        return [one for one in self.replies(to) if button_of(one, "again:")]

    def notices(self, to: Message) -> list[Message]:
        """The replies that say why there is no answer: they have no button, or are meant to stay as they are."""
        return [one for one in self.replies(to) if not one.components]

    async def answered(self, to: Message) -> Message:
        """Wait for the answer to a message."""
        what = f"an answer to {to.content}"
        return (await self.discord.wait_for(lambda: self.answers(to), what=what, within=PATIENCE))[0]

    async def met(self, to: Message) -> bool:
        """Wait for an answer or a notice; return whether it is an answer. A notice is remembered in `told`."""
        await self.discord.wait_for(
            lambda: self.answers(to) or self.notices(to), what=f"a reply to {to.content}", within=PATIENCE
        )
        if self.answers(to):
            return True
        self.asked.remove(to)
        self.told.append(to)
        return False

    async def recovers(self, what: str, to: Message, since: float) -> None:
        """Wait for an answer; note how many seconds it took."""
        await self.answered(to)
        self.note(what, since)

    def note(self, what: str, since: float) -> None:
        """Note how long it took until there was an answer again; the longest time counts."""
        took = round(time.monotonic() - since, 1)
        self.recovered[what] = max(took, self.recovered.get(what, 0.0))
        print(f"{what}: {took} s")  # noqa: T201 - the report that is asked for

    async def all_answered_once(self) -> None:
        """Wait until everything asked is answered, and see that nothing was answered twice, or told twice."""
        for message in self.asked:
            await self.answered(message)
        assert Counter(len(self.replies(message)) for message in self.asked) == {1: len(self.asked)}
        assert all(len(self.replies(message)) == 1 for message in self.told)

    async def consent(self, *recipients: tuple[RecipientKind, int, int | None]) -> None:
        """Store the consent of people (or channels, with their server) who have been due for some seconds."""
        # Beside the event loop, which carries what goes through the cables.
        await asyncio.to_thread(self._consent, recipients)

    def _consent(self, recipients: Sequence[tuple[RecipientKind, int, int | None]]) -> None:
        policy, now = load_pack(self.characters / "hinata").proactive, SystemClock().now()
        sql, _ = NamedQueries("postgresql").statement("put_subscription")
        with psycopg.connect(self.server.url(self.database)) as connection:
            # The server may be stopped the next moment, and this is where the story begins.
            connection.execute("SET LOCAL synchronous_commit = on")
            for kind, recipient_id, guild_id in recipients:
                due = replace(due_now(policy, Recipient("hinata", kind, recipient_id), now), guild_id=guild_id)
                connection.execute(sql.encode(), put_parameters(due, whatever=True))

    def said_first(self, channel: Channel) -> list[Message]:
        """What the character said in a channel by itself."""
        return [one for one in self.discord.sent(channel) if one.reference_id is None]

    async def all_spoken_to_once(self) -> dict[str, int]:
        """Wait until every slot has ended; see that it was said once what counts as sent, and never more than once.

        Returns how many slots ended in which way.
        """
        slots = Counter[str]()
        async with asyncio.timeout(PATIENCE):
            while {"claimed", "sending"} & set(slots) or sum(slots.values()) < len(self.due):
                await asyncio.sleep(0.2)  # what is stored after a message was sent tells nobody of it
                slots = await asyncio.to_thread(self._slots)
        said = [len(self.said_first(channel)) for channel in self.due]
        assert max(said, default=0) <= 1
        # What may or may not be out is never sent again, and counts as unknown even if it is.
        assert slots["sent"] <= sum(said) <= slots["sent"] + slots["unknown"]
        return dict(slots)

    def _slots(self) -> Counter[str]:
        with psycopg.connect(self.server.url(self.database)) as connection:
            rows = connection.execute("SELECT state, count(*) FROM proactive_slots GROUP BY state").fetchall()
        return Counter(dict(rows))

    def every_nonce_is_one_message(self) -> None:
        """See that whatever was sent under a nonce, however often and by whom, is one message."""
        ids: defaultdict[str, set[str]] = defaultdict(set)
        for request in self.discord.requests(SEND_MESSAGE):
            if request.status == HTTPStatus.OK:
                assert request.body["enforce_nonce"] is True
                assert isinstance(request.answer, dict)
                ids[request.body["nonce"]].add(request.answer["id"])
        assert ids
        assert [nonce for nonce, several in ids.items() if len(several) > 1] == []
        standing = [one.nonce for one in self.discord.world.posted if one.author.is_bot and not one.deleted]
        assert None not in standing
        assert len(standing) == len(set(standing))

    def sessions_began_in_turn(self) -> None:
        """See that nobody began a session sooner than Discord allows after another of its bucket."""
        assert self.discord.gateway.hasty == 0

    async def _read(self, ship: Ship) -> None:
        assert ship.process.stderr is not None
        # What went on is to be read afterwards, where a test failed.
        with (self.folder / f"{self.ships.index(ship)} {ship.shards.first}-{ship.shards.last}.log").open("ab") as kept:
            async for line in ship.process.stderr:
                kept.write(line)
                kept.flush()
                ship.log.append(line.decode(errors="replace").rstrip())
                self.discord.signal.notify()

    async def close(self) -> None:
        """End all processes, however they fare."""
        for ship in self.ships:
            if ship.process.returncode is None:
                ship.send(signal.SIGCONT)
                ship.process.kill()
            await ship.ended()


@asynccontextmanager
async def fleet(
    folder: Path, *, lease: float, server: Server | None = None, database: str = "fleet"
) -> AsyncIterator[Fleet]:
    """Set up everything but the processes, with a server of its own unless told otherwise."""
    async with AsyncExitStack() as stack:
        if server is None:
            server = Server(postgresql_server.make_folder())
            stack.callback(shutil.rmtree, server.folder, ignore_errors=True)
            stack.callback(server.stop)
            await asyncio.to_thread(server.start)
        server.create(database)
        discord = await stack.enter_async_context(DiscordServer.start(patience=PATIENCE))
        discord.gateway.max_concurrency = 16
        model = await stack.enter_async_context(model_server())
        one = Fleet(
            discord=discord,
            model=model,
            bot=discord.add_bot("Hinata", token=TOKEN),
            server=server,
            database=database,
            folder=folder,
            characters=always_open(folder / "characters"),
            lease=lease,
            stack=stack,
        )
        model.respond = one.script.respond
        try:
            yield one
        finally:
            await one.close()
