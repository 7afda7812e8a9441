"""Every character on Discord in one process: connect, supervise, shut down in order."""

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any

import aiohttp
import discord
import structlog

from bot.discord.client import CharacterClient
from bot.discord.commands.tree import CommandCache
from bot.discord.community.accounts import Accounts
from bot.discord.endpoints import use_endpoints, without_voice
from bot.discord.kit import Surroundings
from bot.discord.operator_channel import OperatorChannel
from bot.discord.pulse import LOOK_EVERY, GatewayStalledError, Pulse
from bot.discord.refusals import DiscordRefusedError, malformed_token, refusal
from bot.discord.seats import DiscordOptions, Seat
from bot.discord.sharded import ShardedCharacterClient
from bot.errors import BotError
from bot.operations.notices import Notice
from bot.operations.operator import Operator
from bot.operations.vitals import Connection
from core.clock import Clock
from core.ports import Stores
from core.sharding.shards import EVERYTHING, Shards
from core.sharding.tenure import AllShards, ShardsLostError, Tenure
from prompts.messages import Messages

_FIRST_WAIT = 1.0
_LONGEST_WAIT = 120.0
_STEADY_SECONDS = 300.0

_log = structlog.get_logger(__name__)


class DiscordService:
    """Runs one connection per seat until told to stop.

    A character whose token or intents are refused is reported and left out; the others go on. Only when none is left
    does the service end by itself.
    """

    def __init__(
        self,
        *,
        seats: Sequence[Seat],
        stores: Stores,
        options: DiscordOptions,
        messages: Messages,
        clock: Clock,
        rng: random.Random,
        connected: Callable[[str, Connection], None] = lambda _, __: None,
        operator: Operator | None = None,
        shards: Shards = EVERYTHING,
        tenure: Tenure | None = None,
        last_resort: Callable[[ShardsLostError], None] = lambda _: None,
    ) -> None:
        """Take the seats; `connected` is told of their connections, `operator` says whom to tell of trouble.

        `tenure` says for how long this process may act for its `shards`; for ever where it is left out.
        `last_resort` is told when they are lost: the end that follows may hang on what can't be reached.
        """
        self._seats = seats
        self._operator = operator
        self._last_resort = last_resort
        self._lost_since: dict[str, float] = {}
        self._pulses = {seat.character.name: self._pulse(seat, clock, connected) for seat in seats}
        self._shared = Surroundings(
            stores=stores,
            options=options,
            messages=messages,
            clock=clock,
            rng=rng,
            tenure=tenure or AllShards(clock),
            accounts=Accounts(),
            shards=shards,
        )
        self._commands = CommandCache(options.command_cache)
        self._clients: dict[str, CharacterClient] = {}

    async def run(self, stop: asyncio.Event) -> None:
        """Run until `stop` is set, then finish or withdraw what is under way, close the companions and return.

        Raises:
            DiscordRefusedError: no character could be connected; its text says what to change (a `BotError`).
            GatewayLostError: nobody was connected for as long as the options allow.
            ShardsLostError: the shards are, or may be, another process's.
        """
        options = self._shared.options
        without_voice()
        use_endpoints(api_base=options.api_base, gateway=options.gateway)
        supervisors = [asyncio.create_task(self._supervise(seat)) for seat in self._seats]
        everybody = asyncio.create_task(_results(supervisors))
        stopped = asyncio.create_task(stop.wait())
        lost = asyncio.create_task(self._lost())
        dispossessed = asyncio.create_task(self._shared.tenure.lost())
        telling = asyncio.create_task(self._tell_operator())
        try:
            await asyncio.wait([everybody, stopped, lost, dispossessed], return_when=asyncio.FIRST_COMPLETED)
            if dispossessed.done():
                error = ShardsLostError(self._shared.shards)
                self._last_resort(error)
                raise error
            if not stopped.done():
                raise _end(everybody, options.exit_seconds)
        finally:
            for task in (stopped, lost, telling):
                task.cancel()
            await self._shut_down(supervisors)
            # Only now: replies are finished under the lease.
            dispossessed.cancel()
            await asyncio.gather(everybody, stopped, lost, dispossessed, telling, return_exceptions=True)

    def _pulse(self, seat: Seat, clock: Clock, connected: Callable[[str, Connection], None]) -> Pulse:
        name = seat.character.name

        def tell(state: Connection) -> None:
            connected(name, state)
            if state is Connection.READY and name in self._lost_since:
                self._is_back(name, clock.monotonic() - self._lost_since.pop(name))

        return Pulse(clock, tell)

    def _is_back(self, name: str, seconds: float) -> None:
        _log.info("gateway.back", character=name, minutes=round(seconds / 60, 1))
        if self._operator is not None:
            minutes = str(max(1, round(seconds / 60)))
            self._operator.notices.put(Notice("operator.gateway_back", (("character", name), ("minutes", minutes))))

    async def _lost(self) -> None:
        """Return when nobody was connected for so long that a new start may help; never where that isn't wanted."""
        longest = self._shared.options.exit_seconds
        while not longest or min(pulse.down_for for pulse in self._pulses.values()) < longest:
            await self._shared.clock.sleep(LOOK_EVERY)
        _log.error("gateway.given_up", minutes=round(longest / 60, 1))

    async def _tell_operator(self) -> None:
        if self._operator is None:
            return
        channel = OperatorChannel(
            channel_id=self._operator.channel_id,
            locale=self._operator.locale,
            messages=self._shared.messages,
            clients=lambda: [client for client in self._clients.values() if client.is_set_up],
        )
        await self._operator.notices.hand_on(channel.tell)

    async def _supervise(self, seat: Seat) -> str:
        """Keep a character connected; return why when that is impossible."""
        waits = _Waits(self._shared)
        if (malformed := malformed_token(seat)) is not None:
            return self._refused(seat, malformed)
        while True:
            client = self._new_client(seat)
            self._clients[seat.character.name] = client
            try:
                await client.login(seat.token)
                return await self._stay_connected(client, waits)
            except Exception as error:  # noqa: BLE001 - whatever it was must not take the other characters along
                await client.stop_intake()
                await client.close()
                reason = refusal(error, seat)
                if reason is not None:
                    return self._refused(seat, reason)
                await waits.after(error, seat)

    async def _stay_connected(self, client: CharacterClient, waits: "_Waits") -> str:
        """Connect again and again. discord.py does so itself for what it knows; a fault inside it ends up here."""
        while True:
            waits.connecting()
            try:
                await self._connect(client)
            except (discord.ConnectionClosed, discord.PrivilegedIntentsRequired):
                raise
            except Exception as error:
                if self._shared.shards.count > 1:
                    raise  # what is left of several connections is closed with the client
                await waits.after(error, client.seat)
            if client.is_closed():
                return f"{client.seat.character.name}: the connection was closed."
            await client.drop_socket()

    async def _connect(self, client: CharacterClient) -> None:
        """Be connected until the connection ends; one that stalls is given up."""
        name, longest = client.seat.character.name, self._shared.options.watch_seconds
        pulse = self._pulses[name]
        pulse.trying()
        connecting = asyncio.create_task(client.connect())
        stalled = asyncio.create_task(pulse.stalled(longest))
        try:
            await asyncio.wait([connecting, stalled], return_when=asyncio.FIRST_COMPLETED)
            if not connecting.done():
                _log.error("gateway.stalled", character=name, minutes=round(longest / 60, 1))
                self._lost_since.setdefault(name, self._shared.clock.monotonic() - longest)
                pulse.is_now(Connection.LOST)
                raise GatewayStalledError
            connecting.result()
        finally:
            connecting.cancel()
            stalled.cancel()
            await asyncio.gather(connecting, stalled, return_exceptions=True)

    def _refused(self, seat: Seat, reason: str) -> str:
        """Tell the operator at once where others go on; a single character's refusal is how the program ends."""
        if len(self._seats) > 1:
            _log.error("discord.refused", character=seat.character.name, reason=reason)
        return reason

    def _new_client(self, seat: Seat) -> CharacterClient:
        parts: dict[str, Any] = {
            "seat": seat,
            "shared": self._shared,
            "commands": self._commands,
            "forget_in_memory": self._forget_in_memory,
            "others_in_guild": lambda guild_id: self._is_shared(guild_id, seat),
            "pulse": self._pulses[seat.character.name],
        }
        shards = self._shared.shards
        return CharacterClient(**parts) if shards.count == 1 else ShardedCharacterClient(shards=shards, **parts)

    async def _forget_in_memory(self, user_id: int) -> None:
        await asyncio.gather(*(seat.voice.let_go(user_id) for seat in self._seats))
        companions = [client.kit.companion for client in self._clients.values() if client.is_set_up]
        await asyncio.gather(*(companion.forget_user(user_id) for companion in companions))

    def _is_shared(self, guild_id: int, seat: Seat) -> bool:
        others = (client for client in self._clients.values() if client.seat is not seat)
        return any(client.get_guild(guild_id) is not None for client in others)

    async def _shut_down(self, supervisors: Sequence[asyncio.Task[str]]) -> None:
        """Take nothing more, let what is on its way out get there, then close the connections."""
        clients = list(self._clients.values())
        await asyncio.gather(*(client.stop_intake() for client in clients), return_exceptions=True)
        for supervisor in supervisors:
            supervisor.cancel()
        await asyncio.gather(*supervisors, return_exceptions=True)
        await asyncio.gather(*(client.close() for client in clients), return_exceptions=True)


def _end(everybody: "asyncio.Task[list[str]]", exit_seconds: float) -> BotError:
    """Return why the service ends by itself."""
    if everybody.done():
        return DiscordRefusedError("\n".join(everybody.result()))
    return GatewayLostError(f"No character was connected to Discord for {exit_seconds / 60:g} minutes.")


class GatewayLostError(BotError):
    """Nobody was connected for too long; whoever started the program may start it again."""


async def _results(supervisors: Sequence[asyncio.Task[str]]) -> list[str]:
    return await asyncio.gather(*supervisors)


class _Waits:
    """How long to wait before connecting again: doubling, until a connection has lasted."""

    def __init__(self, shared: Surroundings) -> None:
        self._clock = shared.clock
        self._rng = shared.rng
        self._failures = 0
        self._since = shared.clock.monotonic()

    def connecting(self) -> None:
        """Note that a connection begins."""
        self._since = self._clock.monotonic()

    async def after(self, error: Exception, seat: Seat) -> None:
        """Wait after a failure."""
        lasted = self._clock.monotonic() - self._since
        self._failures = 1 if lasted >= _STEADY_SECONDS else self._failures + 1
        longest = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** (self._failures - 1))
        seconds = longest * self._rng.uniform(0.5, 1.0)
        _log.warning(
            "discord.connection_failed",
            character=seat.character.name,
            error=type(error).__name__,
            seconds=round(seconds, 1),
            # A broken connection explains itself; anything else is a fault to be found.
            exc_info=not isinstance(error, discord.DiscordException | aiohttp.ClientError | OSError),
        )
        await self._clock.sleep(seconds)
