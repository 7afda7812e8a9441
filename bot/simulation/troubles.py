"""What goes wrong in a simulation while a message is on its way: crashes, a clock that is set, second thoughts."""

import random
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

from bot.simulation.people import DAY, Act, Kind
from bot.simulation.truth import Observed, Truth
from core.clock import SimulatedClock
from core.proactive.attempt import Step
from core.proactive.types import Slot

_BEFORE_THE_CLAIM = (Step.OBSERVED, Step.SELECTED, Step.REVIEWED, Step.REGROUNDED)
_DEADLY = (*_BEFORE_THE_CLAIM, Step.CLAIMED, Step.SENDING, Step.DELIVERED, Step.RECORDED)
_JUMPS = (-86_400, -10_800, -3_600, -300, -45, -8, 8, 45, 300, 3_600, 10_800, 86_400)


class KilledError(BaseException):
    """The process is gone, as after `kill -9`: nothing in it gets to run any more."""


@dataclass(frozen=True, slots=True)
class Crash:
    """When (seconds from the start, or soon after) and at which step the process dies."""

    after: float
    step: Step


@dataclass(frozen=True, slots=True)
class Jump:
    """When the wall clock is set and by how many seconds; `between`: while a message is on its way."""

    after: float
    seconds: float
    between: bool


def crashes(count: int, *, seed: int, days: int) -> list[Crash]:
    """Return so many crashes in the order of their times."""
    rng = random.Random(f"{seed} crashes")
    moments = sorted(rng.uniform(0, days * DAY) for _ in range(count))
    return [Crash(moment, _DEADLY[(number + seed) % len(_DEADLY)]) for number, moment in enumerate(moments)]


def jumps(count: int, *, seed: int, days: int) -> list[Jump]:
    """Return so many jumps in the order of their times."""
    rng = random.Random(f"{seed} jumps")
    moments = sorted(rng.uniform(0, days * DAY) for _ in range(count))
    return [Jump(moment, rng.choice(_JUMPS), rng.random() < 0.5) for moment in moments]


@dataclass(slots=True, kw_only=True)
class Troubles:
    """`Witness` that disturbs. It writes down every observation as it is made."""

    clock: SimulatedClock
    truth: Truth
    seed: int
    disturbed: float
    crashes: deque[Crash]
    jumps: deque[Jump]
    do: Callable[[int, Act], Awaitable[None]]
    edit: Callable[[], Awaitable[None]]
    rival: Callable[[], Awaitable[None]]
    _disturbing: bool = field(default=False)

    async def reached(self, step: Step, slot: Slot) -> None:
        """Let some time pass, and now and then more than that."""
        if step is Step.OBSERVED:
            seen = Observed(order=self.truth.order(), at=self.clock.now(), elapsed=self.clock.monotonic())
            self.truth.observed[slot.id].append(seen)
        if self._disturbing:
            return
        rng = random.Random(f"{self.seed} {slot.id} {step}")
        await self.clock.advance(rng.uniform(0, 0.4))
        if self.crashes and self.crashes[0].after <= self.clock.monotonic() and self.crashes[0].step is step:
            self.crashes.popleft()
            raise KilledError
        if step in _BEFORE_THE_CLAIM:
            await self._disturb(step, slot, rng)

    def jump_if_due(self, *, between: bool) -> None:
        """Set the clock if that is due here."""
        if self.jumps and self.jumps[0].after <= self.clock.monotonic() and self.jumps[0].between is between:
            self.clock.jump_to(self.clock.now() + timedelta(seconds=self.jumps.popleft().seconds))

    async def _disturb(self, step: Step, slot: Slot, rng: random.Random) -> None:
        self.jump_if_due(between=True)
        if rng.random() >= self.disturbed:
            return
        person = slot.recipient.id
        disturbances: tuple[Callable[[], Awaitable[None]], ...] = (
            lambda: self.clock.advance(rng.uniform(30, 200)),
            lambda: self.do(person, Act(Kind.SPEAK)),
            lambda: self.do(person, Act(Kind.OFF)),
            lambda: self.do(person, Act(Kind.PAUSE, numbers=(5, None))),
            lambda: self.do(person, Act(Kind.QUIET, "08:00-20:00")),
            lambda: self.do(person, Act(Kind.LEAN)),
            self.rival,
            # A file can't be claimed together with a row: after the last look at it, an edit comes too late.
            self.rival if step is Step.REGROUNDED else self.edit,
        )
        self._disturbing = True
        try:
            await rng.choice(disturbances)()
        finally:
            self._disturbing = False
