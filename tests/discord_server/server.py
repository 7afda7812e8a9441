"""The loopback Discord: REST API, gateway and files on one port of 127.0.0.1."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from aiohttp import web

from core.clock import Clock, SystemClock
from tests.discord_server.actors import Person
from tests.discord_server.board import Board
from tests.discord_server.bots import Bot
from tests.discord_server.desk import Desk
from tests.discord_server.faults import Faults
from tests.discord_server.flags import PRIVILEGED, Intent
from tests.discord_server.gateway import Gateway
from tests.discord_server.journal import Journal, Request
from tests.discord_server.limits import Limits
from tests.discord_server.message import Message
from tests.discord_server.model import Channel, Guild
from tests.discord_server.rest.app import API, MAX_BODY, RestApi
from tests.discord_server.rest.call import Context
from tests.discord_server.sessions import Sessions
from tests.discord_server.signal import Signal
from tests.discord_server.world import World

T = TypeVar("T")
IDENTIFIES_A_DAY = 1000


class DiscordServer:
    """Use `async with DiscordServer.start() as discord`. `patience` is how long waits last, in seconds."""

    def __init__(self, *, clock: Clock, heartbeat_interval: float, deadline: float, patience: float) -> None:
        self.patience = patience
        self.signal = Signal()
        self.world = World(clock=clock, signal=self.signal)
        self.board = Board(self.world)
        self.desk = Desk(self.world, self.board, clock=clock, deadline=deadline)
        self.sessions = Sessions(self.signal)
        self.journal = Journal()
        self.gateway = Gateway(
            self.world, self.sessions, heartbeat_interval=heartbeat_interval, crashes=self.journal.crashes
        )
        self.faults = Faults()
        self.limits = Limits(clock)
        self._rest = RestApi(
            context=self._context, faults=self.faults, limits=self.limits, journal=self.journal, clock=clock
        )
        self._taken: set[int] = set()
        self.world.subscribe(self.sessions.publish)

    @classmethod
    @asynccontextmanager
    async def start(
        cls,
        *,
        clock: Clock | None = None,
        heartbeat_interval: float = 41.25,
        deadline: float = 3.0,
        patience: float = 10.0,
    ) -> AsyncIterator["DiscordServer"]:
        """Serve on a free port. `deadline` is the time for the first answer to an interaction, in seconds."""
        server = cls(
            clock=clock or SystemClock(), heartbeat_interval=heartbeat_interval, deadline=deadline, patience=patience
        )
        app = web.Application(client_max_size=MAX_BODY)
        server.install(app)
        runner = web.AppRunner(app, shutdown_timeout=1.0)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        port = runner.addresses[0][1]
        server.world.base_url = f"http://127.0.0.1:{port}"
        server.gateway.url = f"ws://127.0.0.1:{port}/gateway"
        try:
            yield server
        finally:
            server.faults.clear()
            await server.gateway.stop()
            await runner.cleanup()
        server.check_served()

    def check_served(self) -> None:
        """Fail where a bot asked for what this server doesn't do, or where this server's own code failed.

        A bot would see only a 404 or a 500 of that, and a test might take it for the behaviour it looks for.
        """
        if self.journal.crashes:
            raise ExceptionGroup("the loopback server failed", self.journal.crashes)
        assert not self.journal.unserved(), f"no such routes: {self.journal.unserved()}"

    def install(self, app: web.Application) -> None:
        """Add all routes."""
        self._rest.install(app)
        app.router.add_get("/gateway", self.gateway.serve)
        app.router.add_get("/attachments/{channel_id}/{attachment_id}/{filename}", self._file)

    @property
    def api_base(self) -> str:
        """The REST API's address, for YORISOI_DISCORD_API_BASE."""
        return self.world.base_url + API

    @property
    def gateway_url(self) -> str:
        """The gateway's address, for YORISOI_DISCORD_GATEWAY."""
        return self.gateway.url

    def environment(self) -> dict[str, str]:
        """Return the settings that make a bot process talk to this server."""
        return {
            "YORISOI_DISCORD_API_BASE": self.api_base,
            "YORISOI_DISCORD_GATEWAY": self.gateway_url,
            "YORISOI_ATTACHMENT_HOSTS": self.world.base_url,
        }

    def add_bot(self, name: str, *, token: str | None = None, intents_allowed: Intent = PRIVILEGED) -> Bot:
        """Register a bot; `intents_allowed` are the privileged intents switched on in its portal."""
        app = self.world.add_app(name, token=token or f"token-of-{name}", intents_allowed=intents_allowed)
        return Bot(app, sessions=self.sessions, signal=self.signal)

    def add_user(self, name: str, *, locale: str = "en-US") -> Person:
        """Open a person's account."""
        return Person(self.world.add_user(name, locale=locale), world=self.world, board=self.board, desk=self.desk)

    def add_guild(
        self,
        name: str = "Garden",
        *members: Person | Bot,
        locale: str = "en-US",
        shard: tuple[int, int] = (0, 1),
    ) -> Guild:
        """Found a server with members; its owner is an account of its own. `shard`: where it belongs, of how many."""
        owner = self.world.add_user(f"owner of {name}")
        guild = self.world.add_guild(name, owner=owner, locale=locale, shard=shard)
        for member in members:
            guild.join(member)
        return guild

    def sent(self, channel: Channel, *, by: Bot | None = None) -> list[Message]:
        """Return what bots (or one bot) posted in a channel and did not delete, oldest first."""
        return [one for one in channel.messages.values() if one.author.is_bot and (by is None or one.author is by.user)]

    def requests(self, route: str, *, by: Bot | None = None) -> list[Request]:
        """Return the requests made to a route (see `routes`), in order."""
        return self.journal.of(route, app=by.app if by else None)

    async def requested(self, route: str, *, times: int = 1, by: Bot | None = None) -> list[Request]:
        """Wait until a route was asked (and answered) so often, and return those requests."""
        return await self.wait_for(
            lambda: [one for one in self.requests(route, by=by) if one.status is not None],
            until=lambda found: len(found) >= times,
            what=f"{times} × {route}",
        )

    async def next_message(self, channel: Channel, *, by: Bot | None = None, within: float | None = None) -> Message:
        """Return the oldest message of a bot in the channel that no earlier call returned.

        A thinking state of a command doesn't count until it is filled.
        """

        def found() -> Message | None:
            for one in self.world.posted:
                wanted = one.channel is channel and one.author.is_bot and (by is None or one.author is by.user)
                if wanted and one.id not in self._taken and not one.is_loading:
                    return one
            return None

        message = await self.signal.until(
            found, what=f"a message in {channel.name or 'a direct message'}", within=within or self.patience
        )
        self._taken.add(message.id)
        return message

    async def wait_for(
        self,
        check: Callable[[], T | None],
        *,
        until: Callable[[T], bool] = bool,
        what: str = "a condition",
        within: float | None = None,
    ) -> T:
        """Return what `check` returns once `until` accepts it; looks again whenever anything changed."""

        def accepted() -> tuple[T] | None:
            value = check()
            return (value,) if value is not None and until(value) else None

        return (await self.signal.until(accepted, what=what, within=within or self.patience))[0]

    async def settled(self, message: Message, *, quiet: float = 0.5) -> Message:
        """Return a message once it has not been edited for `quiet` seconds (a streamed reply has ended)."""
        while await self.signal.happens(_more_revisions_than(message, len(message.revisions)), seconds=quiet):
            pass
        return message

    async def stays_silent(self, channel: Channel, *, by: Bot | None = None, seconds: float = 0.5) -> None:
        """Fail if a bot posts in the channel within the next `seconds`."""
        before = len(self.sent(channel, by=by))
        spoke = await self.signal.happens(lambda: len(self.sent(channel, by=by)) > before, seconds=seconds)
        assert not spoke, f"did not expect {self.sent(channel, by=by)[before:]}"

    async def typing(self, channel: Channel, *, by: Bot, within: float | None = None) -> None:
        """Return once the bot was seen typing in the channel."""
        await self.wait_for(lambda: (channel, by.user) in self.world.typing, what="typing", within=within)

    def _context(self) -> Context:
        return Context(
            world=self.world,
            board=self.board,
            desk=self.desk,
            gateway_url=self.gateway.url,
            identifies_left=IDENTIFIES_A_DAY - len(self.sessions.identifies),
            max_concurrency=self.gateway.max_concurrency or 1,
        )

    async def _file(self, request: web.Request) -> web.Response:
        stored = self.world.file(int(request.match_info["attachment_id"]))
        if stored is None:
            raise web.HTTPNotFound
        return web.Response(
            body=stored.data, headers={"Content-Type": stored.content_type or "application/octet-stream"}
        )


def _more_revisions_than(message: Message, seen: int) -> Callable[[], bool]:
    return lambda: len(message.revisions) > seen
