"""Many conversations at once at a steady pace: how long people wait for the program itself, and whether it grows."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from bot.bench import Discarded, Looks, Timed, a_message, cpu_seconds, private_memory_mb
from bot.terminal.identity import Snowflakes
from core.clock import Clock
from core.turn.companion import Companion

_PARTS = 4
_FIRST = 20


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked of the program: so many conversations, which together say so much a second for so long."""

    conversations: int = 200
    per_second: float = 50.0
    seconds: float = 60.0

    @property
    def turns(self) -> int:
        """How many messages that makes."""
        return max(_PARTS, int(self.per_second * self.seconds))


async def measure_load(companion: Companion, load: Load, *, clock: Clock) -> dict[str, float]:
    """Have the conversations take turns at the pace that is asked for; return waits, use and growth.

    Waits and memory are told for each quarter, too: what the conversations hold at all is there after the first, and
    some work only begins when they have become long.
    """
    ids, looks = Snowflakes(clock=clock), Looks(clock)
    for channel in range(-_FIRST, 0):  # the first turns, in both languages, also load what is loaded lazily
        await companion.receive(a_message(ids, clock, channel=channel), Discarded(ids))
        await companion.idle()
    began, busy = clock.monotonic(), cpu_seconds()
    parts: list[list[float]] = [[] for _ in range(_PARTS)]
    memory: list[float] = []
    with looks.on():
        for number in range(load.turns):
            await _until(began + number / load.per_second, clock)
            message = a_message(ids, clock, channel=1 + number % load.conversations)
            await companion.receive(message, Timed(clock, ids, parts[number * _PARTS // load.turns]))
            if (number + 1) * _PARTS // load.turns > len(memory):
                memory.append(round(private_memory_mb(), 1))
        await companion.idle()
    took, busy = clock.monotonic() - began, cpu_seconds() - busy
    answers = [wait for part in parts for wait in part]
    return {
        "conversations": load.conversations,
        "turns": load.turns,
        "turns_per_second": round(load.turns / took, 1),
        "answered": len(answers),
        "p50_ms": round(statistics.median(answers), 3),
        "p99_ms": _p99(answers),
        "longest_hold_ms": round(max(looks.late), 3),
        "cpu_share": round(busy / took, 3),
        **{f"p99_ms_{part}": _p99(waits) for part, waits in enumerate(parts, 1)},
        **{f"memory_private_mb_{part}": value for part, value in enumerate(memory, 1)},
    }


def _p99(waits: Sequence[float]) -> float:
    """Return what 99 in 100 don't exceed; answers to several messages at once may leave a short part without any."""
    if len(waits) <= 1:
        return round(sum(waits), 3)
    return round(statistics.quantiles(waits, n=100, method="inclusive")[98], 3)


async def _until(moment: float, clock: Clock) -> None:
    """Wait for a moment; the time is up to whoever waits, not to what they do meanwhile."""
    await clock.sleep(max(0.0, moment - clock.monotonic()))
