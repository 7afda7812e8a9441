"""How quickly the archive finds, chooses and deletes at a size: one long conversation amid many shorter ones."""

import asyncio
import random
import statistics
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate

import numpy as np

from core.clock import Clock
from core.ports import ArchiveEntry, Stores
from core.recall.question import read_question
from core.recall.recollection import Recollection
from core.recall.search import Recall, Scope
from core.recall.words import sought_words
from core.values import ConversationKey, Surface, SurfaceKind

_BATCH = 2_000
_LONG = 0.2  # of all messages, so many are in the conversation that is searched; the rest in a hundred others
_OTHERS = 100
_VOCABULARY = 20_000
_QUESTIONS = 300
_CHOICES = 5
_WITH_VECTORS = 20_000
_DELETIONS = 100
_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
_SYLLABLES = ("ka", "ri", "to", "mo", "sen", "bu", "la", "pi", "dor", "vek", "nu", "shi", "gal", "em", "or", "ty", "zo")


BareFinds = Callable[[ConversationKey, Sequence[Sequence[str]]], list[float]]
"""Takes a conversation and lists of terms; returns the seconds a bare connection takes to read what holds each."""


async def measure_recall(
    stores: Stores, recall: Recall, *, messages: int, bare: BareFinds, clock: Clock
) -> dict[str, float]:
    """Store messages made of random words, as common as words are; return milliseconds."""
    rng, words = random.Random(7), _Words(random.Random(7))
    began = clock.monotonic()
    await store_messages(stores, messages)
    stored = clock.monotonic() - began
    await stores.archive.delete_older_than(_BEGINNING)  # nothing is: the nightly round merges the index

    asked: list[list[str]] = []

    async def find() -> None:
        question = read_question(f"do you remember the {words.some(rng)} and the {words.some(rng)} {words.some(rng)}?")
        asked.append(_terms(recall, question.clause))
        await recall.store.search(_place(0)[0], asked[-1], limit=100)

    async def choose() -> Recollection:
        question = read_question("do you remember what they said about my wages?")
        return await recall.search(question, Scope(conversation=_place(0)[0]), None)

    await recall.embedder.embed(["."])
    await _store_vectors(stores, recall)
    finding = await _timed(clock, find, _QUESTIONS)
    bare_finding = await asyncio.to_thread(bare, _place(0)[0], asked)
    choosing = await _timed(clock, choose, _CHOICES)
    doomed = iter(rng.sample(range(messages), _DELETIONS))
    deleting = await _timed(clock, lambda: stores.archive.delete([next(doomed) + 1]), _DELETIONS)
    held_up = await _longest_hold_up(clock, choose)
    return {
        "messages": messages,
        "stored_per_second": round(messages / stored, 1),
        **_spread("find", finding),
        **_spread("bare_find", bare_finding),
        "find_ratio": round(statistics.median(finding) / statistics.median(bare_finding), 1),
        **_spread("choose", choosing),
        **_spread("delete", deleting),
        "loop_held_up_ms": round(held_up * 1000, 3),
    }


async def store_messages(stores: Stores, messages: int) -> None:
    """Store so many messages, which are the same at every call."""
    rng = random.Random(7)
    words = _Words(rng)
    for start in range(0, messages, _BATCH):
        await stores.archive.add([_entry(number, words, rng) for number in range(start, min(messages, start + _BATCH))])


async def _store_vectors(stores: Stores, recall: Recall) -> None:
    """Give the newest messages of the long conversation vectors: what they mean is of no interest here."""
    rng, model = np.random.default_rng(7), recall.embedder.name
    waiting = await stores.recall.unembedded(_place(0)[0], model=model, beyond=0, limit=_WITH_VECTORS)
    vectors = rng.integers(-127, 128, (len(waiting), 512), np.int8)
    await stores.recall.keep_vectors(model, [(of, row.tobytes()) for of, row in zip(waiting, vectors, strict=True)])


class _Words:
    """Made-up words, the n-th of them about n times rarer than the first."""

    def __init__(self, rng: random.Random) -> None:
        self._words = ["".join(rng.choices(_SYLLABLES, k=rng.randint(2, 4))) for _ in range(_VOCABULARY)]
        self._weights = list(accumulate(1.0 / (10 + rank) for rank in range(_VOCABULARY)))

    def some(self, rng: random.Random, count: int = 1) -> str:
        return " ".join(rng.choices(self._words, cum_weights=self._weights, k=count))


def _entry(number: int, words: _Words, rng: random.Random) -> ArchiveEntry:
    conversation, surface = _place(0 if rng.random() < _LONG else rng.randint(1, _OTHERS))
    is_self = bool(number % 2)
    return ArchiveEntry(
        conversation=conversation,
        surface=surface,
        message_id=number + 1,
        author_id=0 if is_self else surface.channel_id,
        author_name="Bench",
        is_self=is_self,
        text=words.some(rng, rng.randint(4, 16)),
        sent_at=_BEGINNING + timedelta(seconds=number),
    )


def _place(number: int) -> tuple[ConversationKey, Surface]:
    channel_id = 1_000 + number
    return ConversationKey("bench", channel_id), Surface(kind=SurfaceKind.DM, channel_id=channel_id)


def _terms(recall: Recall, clause: str) -> list[str]:
    return [term for word in sought_words(recall.analyser, clause) for term in word.terms]


async def _timed(clock: Clock, run: Callable[[], Awaitable[object]], times: int) -> list[float]:
    """Return how many seconds each run took."""
    taken = []
    for _ in range(times):
        began = clock.monotonic()
        await run()
        taken.append(clock.monotonic() - began)
    return taken


async def _longest_hold_up(clock: Clock, run: Callable[[], Awaitable[object]]) -> float:
    """Return for how many seconds the event loop was not free at most, while something ran."""
    running, longest = asyncio.ensure_future(run()), 0.0
    while not running.done():
        began = clock.monotonic()
        await asyncio.sleep(0.001)
        longest = max(longest, clock.monotonic() - began - 0.001)
    return longest


def _spread(name: str, seconds: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(seconds, n=20, method="inclusive")
    return {f"{name}_p50_ms": round(cuts[9] * 1000, 3), f"{name}_p95_ms": round(cuts[18] * 1000, 3)}
