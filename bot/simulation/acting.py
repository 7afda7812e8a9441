"""Does what people do, through the program's own code, and writes down what is so from then on."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.discord.consent import FOR_EVER, Consent, Party
from bot.discord.ranges import read_ranges
from bot.personal import Told
from bot.simulation.people import Act, Kind
from bot.simulation.truth import Chosen, Truth
from core.clock import Clock
from core.ports import Stores
from core.proactive.types import Recipient, RecipientKind, SlotRecord
from core.values import GuildSettings, Locale

_TAKEN = {"on_done", "on_stopped", "quiet_done", "windows_done", "pace_done", "noted", "off_done", "pause_done"}
_RESERVE = timedelta(days=7)
EVERY_SLOT = 100_000
_MANAGER = 1


@dataclass(slots=True, kw_only=True)
class Acting:
    """What people can do, and those who manage servers for their channels.

    `servers`: the server of each channel. `gone` keeps what was decided for people whose rows they had deleted, for
    the count.
    """

    character: str
    consent: Consent
    stores: Stores
    clock: Clock
    truth: Truth
    let_go: Callable[[int], Awaitable[None]]
    servers: Mapping[int, int] = field(default_factory=dict)
    unreachable: set[int] = field(default_factory=set)
    gone: list[SlotRecord] = field(default_factory=list)
    _zones: dict[int, str | None] = field(default_factory=dict)

    async def do(self, person: int, act: Act) -> None:
        """Let somebody do something."""
        acts: Mapping[Kind, Callable[[int, Act], Awaitable[None]]] = {
            Kind.SPEAK: self._speak,
            Kind.OPT_OUT: self._opt_out,
            Kind.COME_BACK: self._come_back,
            Kind.FORGET: self._forget,
            Kind.CLOSE_DMS: self._close_dms,
            Kind.OPEN_DMS: self._open_dms,
            Kind.LEAN: self._lean,
            Kind.MOVE: self._move if person not in self.servers else self._move_server,
            Kind.SILENCE: lambda channel, _: self._pause_server(channel, FOR_EVER),
            Kind.LIFT: lambda channel, _: self._pause_server(channel, None),
            Kind.REMOVE: self._remove,
        }
        await acts.get(act.kind, self._choose)(person, act)

    def recipient(self, person: int) -> Recipient:
        """Return somebody as the program knows them."""
        kind = RecipientKind.CHANNEL if person in self.servers else RecipientKind.USER
        return Recipient(self.character, kind, person)

    async def _speak(self, person: int, act: Act) -> None:
        del act
        if self._now(person).opted_out:
            return
        user_id = None if person in self.servers else person
        await self.stores.subscriptions.spoke(self.character, user_id=user_id, channel_id=person, now=self.clock.now())
        self.truth.spoke[person].append(self.truth.order())

    async def _choose(self, person: int, act: Act) -> None:
        told = await self._ask(person, act)
        if told.key.removeprefix("proactive.") in _TAKEN:
            self._note(person, **self._chosen(person, act))

    async def _ask(self, person: int, act: Act) -> Told:
        server, consent = self.servers.get(person), self.consent
        party = Party(recipient=self.recipient(person), guild_id=server, chosen_by=server and _MANAGER)
        match act.kind:
            case Kind.ON:
                return await consent.switch_on(party, act.text, Locale.EN)
            case Kind.QUIET:
                return await consent.set_quiet(party, act.text)
            case Kind.WINDOWS:
                return await consent.set_windows(party, act.text)
            case Kind.PACE:
                return await consent.set_pace(party, *act.numbers)
            case Kind.PAUSE:
                return await consent.pause(party, act.numbers[0] or 0, 0)
            case _:
                return await consent.switch_off(party)

    def _chosen(self, person: int, act: Act) -> dict[str, object]:
        match act.kind:
            case Kind.ON:
                known = self._now(person).zone or self._zones.get(self.servers.get(person, 0))
                return {"enabled": True, "zone": act.text or known, "paused_until": None}
            case Kind.QUIET:
                ranges = None if act.text is None else read_ranges(act.text)
                return {"quiet": ranges[0] if ranges else None}
            case Kind.WINDOWS:
                return {"windows": None if act.text is None else read_ranges(act.text)}
            case Kind.PACE:
                per_day, gap_hours = act.numbers
                return {"per_day": per_day, "gap": None if gap_hours is None else timedelta(hours=gap_hours)}
            case Kind.PAUSE:
                return {"paused_until": self.clock.now() + timedelta(hours=act.numbers[0] or 0)}
            case _:
                return {"enabled": False}

    async def _move(self, person: int, act: Act) -> None:
        await self.stores.users.set_timezone(person, act.text)
        self._note(person, zone=act.text)

    async def _move_server(self, channel: int, act: Act) -> None:
        """Set a server's clock; its channels go by it, but for those that were given one of their own."""
        server = self.servers[channel]
        before = self._zones.get(server)
        await self.stores.guilds.put(GuildSettings(guild_id=server, timezone=act.text))
        self._zones[server] = act.text
        for other in self._channels_beside(channel):
            if self.truth.chosen.get(other) and self._now(other).zone == before:
                self._note(other, zone=act.text)

    async def _pause_server(self, channel: int, until: datetime | None) -> None:
        known = await self.stores.subscriptions.of_guild(self.servers[channel], character=self.character)
        for one in known:
            await self.consent.pause_channel(one.recipient, until)
            self._note(one.recipient.id, paused_until=until)

    async def _remove(self, channel: int, act: Act) -> None:
        del act
        server, channels = self.servers[channel], self._channels_beside(channel)
        for other in channels:
            self.gone += await self.stores.slots.recent(self.recipient(other), limit=EVERY_SLOT)
        await self.stores.subscriptions.delete_guild(server, character=self.character)
        await self.stores.guilds.delete(server)
        self._zones.pop(server, None)
        for other in channels:
            self._begin_anew(other)

    def _channels_beside(self, channel: int) -> list[int]:
        return [other for other, server in self.servers.items() if server == self.servers[channel]]

    async def _opt_out(self, person: int, act: Act) -> None:
        del act
        await self.stores.users.set_opted_out(person, True)
        self._note(person, opted_out=True)

    async def _come_back(self, person: int, act: Act) -> None:
        """Opt in again; consent has to be given anew."""
        del act
        await self.stores.users.set_opted_out(person, False)
        self._begin_anew(person)

    async def _forget(self, person: int, act: Act) -> None:
        del act
        self.gone += await self.stores.slots.recent(self.recipient(person), limit=EVERY_SLOT)
        await self.let_go(person)
        await self.stores.privacy.forget(person)
        self._begin_anew(person)

    async def _close_dms(self, person: int, act: Act) -> None:
        del act
        self.unreachable.add(person)

    async def _open_dms(self, person: int, act: Act) -> None:
        del act
        self.unreachable.discard(person)

    async def _lean(self, person: int, act: Act) -> None:
        del act
        until = self.clock.now() + _RESERVE
        if await self.stores.subscriptions.suspend(person, until=until):
            self._note(person, suspended_until=until)

    def _now(self, person: int) -> Chosen:
        known = self.truth.chosen.get(person)
        return known[-1] if known else Chosen()

    def _begin_anew(self, person: int) -> None:
        order = self.truth.order()
        self.truth.chosen[person].append(Chosen(order=order, since=order, at=self.clock.now()))

    def _note(self, person: int, **changes: object) -> None:
        known = replace(self._now(person), order=self.truth.order(), at=self.clock.now())
        self.truth.chosen[person].append(replace(known, **changes))  # type: ignore[arg-type]
