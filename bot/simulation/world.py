"""A simulated world and its time: it moves from one thing that happens to the next, never through empty seconds."""

import heapq
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import Protocol

from bot.simulation.acting import Acting
from bot.simulation.people import DAY, Act, Kind, Person
from bot.simulation.troubles import KilledError, Troubles
from bot.simulation.truth import House, Received
from core.clock import SimulatedClock

_TICK = 0.5
_PATIENCE = 5.0
_WATCHED = 900.0
"""Seconds for which an unfinished claim may need to be looked at, after the crash that left it behind."""

_LOOKED_AHEAD = timedelta(days=30)
_ABSENCES = (2.0, 6.0, 15.0, 45.0, 110.0, 150.0, 1_200.0, 14_400.0)


class WorldClock(SimulatedClock):
    """A simulated clock that costs nothing where nobody waits for it."""

    async def advance(self, seconds: float) -> None:
        """Move on, waking sleepers at their own times."""
        if self._sleepers and self._sleepers[0][0] <= self.monotonic() + seconds:
            await super().advance(seconds)
        else:
            self._move_to(self.monotonic() + seconds)


class Process(Protocol):
    """A running program, as far as speaking first goes."""

    async def look(self) -> None:
        """Do what is due, and what was left unfinished."""

    async def let_go(self, person: int) -> None:
        """Stop what is under way for somebody."""

    async def close(self) -> None:
        """End."""


Event = Callable[[], Awaitable[None]]


@dataclass(slots=True, kw_only=True)
class World:
    """Runs people, schedule, operators and one program after the other. All times are seconds from the start."""

    clock: SimulatedClock
    acting: Acting
    troubles: Troubles
    edit: Callable[[], Awaitable[None]]
    open_process: Callable[[str], Process]
    people: dict[int, Person]
    seed: int
    process: Process = field(init=False)
    rival: Process = field(init=False)
    _agenda: list[tuple[float, int, Event]] = field(default_factory=list)
    _number: "count[int]" = field(default_factory=count)
    _started: int = 0
    _watched_until: float = 0.0

    def __post_init__(self) -> None:
        self.rival = self.open_process("rival")
        self.start()

    def start(self) -> None:
        """Start the program."""
        self._started += 1
        self.process = self.open_process(f"w{self._started}")
        self._watched_until = self.clock.monotonic() + _WATCHED

    def plan(self, at: float, event: Event) -> None:
        """Let something happen then."""
        heapq.heappush(self._agenda, (at, next(self._number), event))

    def plan_act(self, at: float, person: int, act: Act) -> None:
        """Let somebody do something then."""
        self.plan(at, lambda: self.acting.do(person, act))

    def plan_operators(self, days: int) -> None:
        """Let operators edit the schedule, pause the character and freeze it, now and then."""
        rng = random.Random(f"{self.seed} operators")
        for _ in range(max(1, days * 2 // 3)):
            self.plan(rng.uniform(0, days * DAY), self.edit)
        for _ in range(max(1, days // 10)):
            self.plan(rng.uniform(0, days * DAY), lambda: self._pause_all(timedelta(hours=5)))
            at = rng.uniform(0, days * DAY)
            self.plan(at, lambda: self._freeze(frozen=True))
            self.plan(at + 20_000, lambda: self._freeze(frozen=False))

    def answered(self, message: Received) -> None:
        """Let whoever got a message answer it, or not."""
        somebody = self.people[message.person]
        rng = random.Random(f"{self.seed} answer {message.nonce}")
        if rng.random() < somebody.answers:
            delay = rng.expovariate(1 / somebody.delay)
            self.plan_act(self.clock.monotonic() + delay, message.person, Act(Kind.SPEAK))

    async def run(self, days: int, progress: Callable[[float], None]) -> None:
        """Let so many days pass; `progress` is told how many have."""
        while self.clock.monotonic() < days * DAY:
            while self._agenda and self._agenda[0][0] <= self.clock.monotonic():
                await heapq.heappop(self._agenda)[2]()
            self.troubles.jump_if_due(between=False)
            await self._look()
            await self.clock.advance(max(_TICK, await self._idle_for(days * DAY)))
            progress(self.clock.monotonic() / DAY)
        await self.process.close()
        await self.rival.close()

    async def _look(self) -> None:
        try:
            await self.process.look()
        except KilledError:
            await self.process.close()
            # Nothing reaches a program that is off: what people do meanwhile comes to it when it is back.
            await self.clock.advance(_ABSENCES[self._started % len(_ABSENCES)])
            self.start()

    async def _idle_for(self, end: float) -> float:
        """Return for how many seconds nothing happens."""
        elapsed = self.clock.monotonic()
        moments = [end - elapsed]
        if self._agenda:
            moments.append(self._agenda[0][0] - elapsed)
        if self.troubles.jumps and not self.troubles.jumps[0].between:
            moments.append(self.troubles.jumps[0].after - elapsed)
        if elapsed < self._watched_until and await self._is_unfinished():
            moments.append(_PATIENCE)
        due = await self.acting.stores.subscriptions.due(
            self.acting.character, now=self.clock.now() + _LOOKED_AHEAD, limit=1
        )
        moments += [(one.due_at - self.clock.now()).total_seconds() for one in due if one.due_at is not None]
        return min(moments)

    async def _is_unfinished(self) -> bool:
        slots, ever = self.acting.stores.slots, self.clock.now() + _LOOKED_AHEAD
        return bool(await slots.unfinished(self.acting.character, claimed_before=ever, limit=1))

    async def _pause_all(self, length: timedelta) -> None:
        until = self.clock.now() + length
        await self.acting.stores.subscriptions.pause_all(character=self.acting.character, until=until)
        self._note_house(paused_until=until)

    async def _freeze(self, *, frozen: bool) -> None:
        await self.acting.stores.characters.set_frozen(self.acting.character, frozen)
        self._note_house(frozen=frozen)

    def _note_house(self, **changes: object) -> None:
        truth = self.acting.truth
        last = truth.house[-1]
        known = {"frozen": last.frozen, "paused_until": last.paused_until, **changes}
        truth.house.append(House(order=truth.order(), **known))  # type: ignore[arg-type]
