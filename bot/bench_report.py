"""How long the operator's report takes, and telling the usage of everybody, on a month in which much happened."""

import statistics
from collections.abc import Awaitable, Callable
from datetime import timedelta

import numpy as np

from bot.usage_report import month_until, usage_report
from core.clock import Clock
from core.ports import SocialStore, UsageStore
from core.social.types import Interest
from core.social.vectors import DIMENSIONS, encode
from core.turn.trace import TraceStep

_INTERESTS = 60
_TIMES = 5
_BEFORE = (
    TraceStep("pickup", "answer", ("mention",)),
    TraceStep("facts", "compiled", detail="clock=user"),
    TraceStep("history", "read", detail="messages=20"),
    TraceStep("stance.signal", "read", ("signal.casual.greeting",), 0.4, "mode=casual stakes=low"),
    TraceStep("stance.posture", "left_out"),
    TraceStep("recall", "none"),
    TraceStep("check.form", "passed", (), 0.1),
    TraceStep("check.time", "passed", (), 0.2),
)
_FOUND = TraceStep("check.stance", "found", ("stance.inflated_praise",), 0.3)
_PASSED = TraceStep("check.stance", "passed", (), 0.3)
PASSED_STEPS = (*_BEFORE, _PASSED)
BROKEN_STEPS = (*_BEFORE, _FOUND, TraceStep("repair", "written", ("stance.inflated_praise",)), _PASSED)
"""What traces of turns hold in which nothing, and in which something was found."""


async def fill_interests(social: SocialStore, character: str, *, clock: Clock) -> None:
    """Let a character's interest wander."""
    rng, now = np.random.default_rng(7), clock.now()
    numbers = rng.normal(size=DIMENSIONS)
    for number in range(_INTERESTS):
        numbers = numbers + 0.3 * rng.normal(size=DIMENSIONS)
        at = now - timedelta(days=_INTERESTS - number)
        interest = Interest(text="Tides.", tags=("tides",), features=encode(numbers.tolist()).tobytes(), at=at)
        await social.keep_interest(character, interest, source="", embedding_model="bench", history=_INTERESTS)


async def measure_report(make: Callable[[], Awaitable[str]], usage: UsageStore, clock: Clock) -> dict[str, float]:
    """Make the page and tell the usage of everybody some times each; return the middle and the worst milliseconds."""
    first, day = month_until(clock.now(), "UTC")
    pages = await _timed(clock, make)
    told = await _timed(clock, lambda: usage_report(usage, first, day))
    return {
        "page_kb": round(len(await make()) / 1000, 1),
        "report_p50_ms": round(statistics.median(pages), 1),
        "report_most_ms": round(max(pages), 1),
        "usage_p50_ms": round(statistics.median(told), 1),
        "usage_most_ms": round(max(told), 1),
    }


async def _timed(clock: Clock, run: Callable[[], Awaitable[object]]) -> list[float]:
    taken = []
    for _ in range(_TIMES):
        began = clock.monotonic()
        await run()
        taken.append((clock.monotonic() - began) * 1000)
    return taken
