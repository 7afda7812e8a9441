"""How much time the program itself takes for a turn: a model that answers at once, everything else real."""

import asyncio
import json
import resource
import statistics
import sys
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from bot.terminal.identity import Snowflakes
from core.clock import Clock
from core.language_model.types import ChatEvent, ChatRequest, Completion, Delta, Finished, TokenUsage
from core.turn.companion import Companion
from core.turn.reply import Reply
from core.values import Address, InboundMessage, Speaker, Surface, SurfaceKind

_ANSWER = "That sounds like a good day. What was the best part of it?"
_MESSAGES = (
    "I went to the {place} today and then we had {dish} by the {water}, and I counted {birds} birds. How was yours?",
    "今日は{place}に行ったあと、{water}のそばで{dish}を食べたよ。鳥が{birds}羽もいた。そっちはどうだった？",
)
_WORDS = (
    {
        "place": ["library", "market", "museum", "station", "garden", "office", "bakery", "temple", "cinema", "pool"],
        "dish": ["noodles", "soup", "curry", "rice", "dumplings", "toast", "pancakes", "salad", "stew"],
        "water": ["river", "lake", "sea", "pond", "fountain", "harbour", "canal"],
    },
    {
        "place": ["図書館", "市場", "博物館", "駅", "庭園", "会社", "パン屋", "お寺", "映画館", "プール"],
        "dish": ["ラーメン", "スープ", "カレー", "おにぎり", "餃子", "トースト", "パンケーキ", "サラダ", "シチュー"],
        "water": ["川", "湖", "海", "池", "噴水", "港", "運河"],
    },
)
_CONVERSATIONS = 20
_FIRST_USER = 1_000_000
"""Whoever talks in channel 0; each channel is a direct message, so it has a person of its own."""


class StubModel:
    """A `ChatModel` that answers at once."""

    name = "stub"
    accepts_images = False
    can_look_up = True

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return 0."""
        del usage
        return 0

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        """Yield the answer in two pieces."""
        del request
        yield Delta(_ANSWER[:20])
        yield Delta(_ANSWER[20:])
        yield Finished(self.name, TokenUsage(100, 20))

    async def complete(self, request: ChatRequest) -> Completion:
        """Return the answer; of several values the first where one is asked for, and no items for a list."""
        return Completion(_answer_to(request), self.name, TokenUsage(100, 20))


class Discarded:
    """A channel and sink that throws replies away."""

    def __init__(self, ids: Snowflakes) -> None:
        """Take where the ids of replies come from."""
        self._ids = ids

    def open(self, turn_id: str) -> Self:
        """Return this, whatever the turn."""
        del turn_id
        return self

    def typing(self) -> AbstractAsyncContextManager[None]:
        """Show nothing."""
        return nothing()

    async def show(self, text: str) -> None:
        """Show nothing."""
        del text

    async def finish(self, reply: Reply) -> tuple[int, ...]:
        """Return the id of a message that nobody gets."""
        del reply
        return (self._ids.next(),)

    async def withdraw(self) -> None:
        """Do nothing: nothing was shown."""


class Timed(Discarded):
    """A channel and sink that throws replies away, but for how many milliseconds after its making they came."""

    def __init__(self, clock: Clock, ids: Snowflakes, waits: list[float]) -> None:
        """Take the clock, and where to note the waits; the time runs from now."""
        super().__init__(ids)
        self._waits = waits
        self._clock = clock
        self._began = clock.monotonic()

    def since(self) -> float:
        """Return how many milliseconds have passed."""
        return (self._clock.monotonic() - self._began) * 1000

    async def finish(self, reply: Reply) -> tuple[int, ...]:
        """Note when the reply came."""
        self._waits.append(self.since())
        return await super().finish(reply)


@dataclass(slots=True)
class Looks:
    """How late the event loop came to look, in milliseconds: so long it was held up."""

    clock: Clock
    every: float = 0.002
    """Seconds between two looks."""
    late: list[float] = field(default_factory=lambda: [0.0])

    @contextmanager
    def on(self) -> Iterator[None]:
        """Look again and again while the context is open."""
        looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            looking.cancel()

    async def _look(self) -> None:
        while True:
            before = self.clock.monotonic()
            await asyncio.sleep(self.every)
            self.late.append((self.clock.monotonic() - before - self.every) * 1000)


def _answer_to(request: ChatRequest) -> str:
    if request.schema is None:
        return _ANSWER
    fields = request.schema["properties"].items()
    return json.dumps({name: [] if field.get("type") == "array" else field["enum"][0] for name, field in fields})


async def measure(companion: Companion, *, turns: int, clock: Clock) -> dict[str, float]:
    """Run turns one after the other in a few conversations, then at once in many; return milliseconds and rates."""
    ids = Snowflakes(clock=clock)
    replies = Discarded(ids)
    for channel in range(_CONVERSATIONS):  # the first turns, in both languages, also load what is loaded lazily
        await _say(companion, replies, ids, clock, channel=-channel)
    times: list[float] = []
    waits: list[float] = []
    busy = cpu_seconds()
    for number in range(turns):
        answer = Timed(clock, ids, waits)
        await _say(companion, answer, ids, clock, channel=1 + number % _CONVERSATIONS)
        times.append(answer.since())
    busy = cpu_seconds() - busy
    began_at = clock.monotonic()
    for number in range(turns):
        message = a_message(ids, clock, channel=1000 + number)
        await companion.receive(message, replies)
    await companion.idle()
    elapsed = clock.monotonic() - began_at
    return {
        "turns": turns,
        "p50_ms": round(statistics.median(times), 3),
        "p99_ms": round(statistics.quantiles(times, n=100, method="inclusive")[98], 3),
        "reply_p50_ms": round(statistics.median(waits), 3),
        "reply_p99_ms": round(statistics.quantiles(waits, n=100, method="inclusive")[98], 3),
        "cpu_ms_per_turn": round(1000 * busy / turns, 3),
        "turns_per_second": round(1000 * turns / sum(times), 1),
        "turns_per_second_concurrent": round(turns / elapsed, 1),
        "memory_peak_mb": round(peak_memory_mb(), 1),
        "memory_private_mb": round(private_memory_mb(), 1),
    }


async def measure_memory(companion: Companion, *, sizes: tuple[int, ...], clock: Clock) -> list[dict[str, float]]:
    """Hold so many conversations, each with a turn, on top of the ones before; return what they add to memory."""
    ids, results, channel = Snowflakes(clock=clock), [], 0
    replies = Discarded(ids)
    await _say(companion, replies, ids, clock, channel=0)
    at_first = private_memory_mb()
    for size in sizes:
        while channel < size:
            channel += 1
            await _say(companion, replies, ids, clock, channel=channel)
        more = private_memory_mb() - at_first
        results.append(
            {
                "conversations": size,
                "memory_private_mb": round(private_memory_mb(), 1),
                "kb_per_conversation": round(1000 * more / size, 2),
                "bare_kb": round(bare := _bare_kilobytes(size), 2),
                "ratio": round(1000 * more / size / bare, 1),
            }
        )
    return results


def _bare_kilobytes(conversations: int) -> float:
    """Return what one of so many conversations takes if nothing is held but what was said and by whom."""
    tracemalloc.start()
    held = {
        number: [(number, _MESSAGES[0] + str(number)), (0, _ANSWER + str(number))] for number in range(conversations)
    }
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return taken / 1000 / len(held)


def cpu_seconds() -> float:
    """Return for how many seconds the processor has worked for this process, all threads together."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def peak_memory_mb() -> float:
    """Return the most memory this process ever held, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


def private_memory_mb() -> float:
    """Return this process's own memory now, in MB, without the pages of mapped files; 0 where it isn't told."""
    try:
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) / 1e3 for line in lines if line.startswith("RssAnon"))


async def _say(companion: Companion, replies: Discarded, ids: Snowflakes, clock: Clock, *, channel: int) -> None:
    await companion.receive(a_message(ids, clock, channel=channel), replies)
    await companion.idle()


def a_message(ids: Snowflakes, clock: Clock, *, channel: int) -> InboundMessage:
    """Return something somebody says now in a direct message of their own, in Japanese or English by the channel.

    It is hardly ever the same twice: what is found in a text is remembered for a while.
    """
    message_id, language = ids.next(), channel % len(_MESSAGES)
    words = {name: some[message_id % len(some)] for name, some in _WORDS[language].items()}
    return InboundMessage(
        id=message_id,
        author=Speaker(id=_FIRST_USER + channel, name="Bench"),
        surface=Surface(kind=SurfaceKind.DM, channel_id=channel),
        text=_MESSAGES[language].format(**words, birds=10 + (message_id >> 22) % 9973),
        sent_at=clock.now(),
        address=Address.DM,
    )


@asynccontextmanager
async def nothing() -> AsyncIterator[None]:
    """Do nothing while something is written."""
    yield
