"""The composition root of the benchmarks: the real parts in a database of their own, the outside world left out."""

import asyncio
import gc
import random
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path

from bot import bench, bench_community, bench_proactive
from bot.application import App
from bot.bench_load import Load, measure_load
from bot.bench_long import measure_long
from bot.bench_reading import measure_ranking, measure_stance, measure_time_guard
from bot.bench_recall import measure_recall, store_messages
from bot.bench_report import BROKEN_STEPS, PASSED_STEPS, fill_interests, measure_report
from bot.bench_start import measure_start
from bot.errors import StartError
from bot.loading import standing
from bot.policy import at_the_terminal, policy_of
from bot.reports import Reports
from bot.settings import Settings
from bot.stance import load_everything, load_stance
from bot.terminal.start import ArchiveHistory
from core.analysis.japanese import JapaneseAnalyser
from core.characters.pack import CharacterPack
from core.clock import Clock, SystemClock
from core.embedding.encoder import SentenceEncoder
from core.facts.time_claims import compile_patterns
from core.proactive.attempt import NobodyWatches
from core.proactive.factory import Outlets
from core.proactive.occasions import Occasions
from core.proactive.types import Claim
from core.recall.search import Recall
from core.social.archived import ArchivedPosts, RehearsedActions
from core.social.factory import make_cycle
from core.social.types import Digest, Post
from core.turn.checks.registry import prepare
from core.turn.policy import Budget, TurnPolicy
from core.values import Locale
from data.bench import bare_claims, bare_due, bare_finds, bare_turns, fill_digests, fill_month, fill_subscriptions
from data.opening import Place, holds_something
from data.packs.loader import load_packs
from data.places import places_file
from data.stores import Stores, open_stores
from data.traces import dump_steps
from prompts.loader import PromptLibrary
from prompts.messages import Messages
from scheduler.proactive import ProactiveTick

_SPAN = timedelta(days=3)
_JUST_NOW = timedelta(seconds=80)
"""People who were due so long ago are found, worked out and stored before the first of them counts as missed."""

_WATCHED = 200
_WATCHED_FOR = timedelta(seconds=10)


async def bench_turns(turns: int, place: Place | None = None, *, stored: int = 0) -> dict[str, float]:
    """Measure turns with the shipped character, in a database of its own or in an empty one of yours.

    `stored`: how many messages are in its archive before.
    """
    pack, clock = _shipped(), SystemClock()
    async with _opened(pack, place) as (app, stores):
        await store_messages(stores, stored)
        history = ArchiveHistory(stores.archive, pack.character.name)
        companion = app.companion(pack, history, _unbounded(app.settings))
        await _make_ready()
        measured = await bench.measure(companion, turns=turns, clock=clock)
        await companion.close()
        with tempfile.TemporaryDirectory() as folder:
            bare = await asyncio.to_thread(bare_turns, Path(folder) / "bare.db", turns, clock)
    bare_ms = 1000 * bare / turns
    return {"stored": stored, **measured, "bare_ms": round(bare_ms, 3), "ratio": round(measured["p50_ms"] / bare_ms, 1)}


async def bench_tick(size: int, due: int) -> dict[str, float]:
    """Measure finding and judging who is due among so many, and how soon after it is due a message is sent."""
    pack, clock = _shipped(), SystemClock()
    postbox = bench_proactive.PromptPostbox(clock)
    outlets = Outlets(
        messenger=postbox, keeper=bench_proactive.ForgetfulKeeper(), timetables=bench_proactive.NoSchedule()
    )
    async with _opened(pack) as (app, stores):
        await fill_subscriptions(
            stores.database,
            character=pack.character.name,
            timezone=bench_proactive.TIMEZONE,
            first=10**9,
            count=size - due,
            later=clock.now() + timedelta(hours=1),
            span=_SPAN,
        )
        spoken = replace(pack, proactive=bench_proactive.policy_around(clock.now()))
        occasions = app.occasions(spoken, outlets, TurnPolicy())
        judged = await _judged(occasions, stores, due, clock)
        sent = await _watched(occasions, stores, postbox, clock)
    return {"subscriptions": size, **judged, **sent}


async def bench_claims(claims: int) -> dict[str, float]:
    """Measure claims, and a bare loop that brings as much to the disk as safely, in turns."""
    pack, clock = _shipped(), SystemClock()
    now = clock.now()
    policy = bench_proactive.policy_around(now)
    due = bench_proactive.due_between(
        pack.character.name, policy, claims, since=now - _JUST_NOW, until=now + timedelta(hours=1)
    )
    ours = bare = 0.0
    async with _opened(pack) as (_, stores):
        for subscription in due:
            await stores.subscriptions.put(subscription)
        wanted = bench_proactive.claims_of(due, policy, now)
        for number, part in enumerate(_parts(wanted, 4)):
            seconds, won = await bench_proactive.claim_all(stores.slots, part, clock)
            ours += seconds
            rows = [(claim.id, claim.slot.recipient.id, claim.slot.key) for claim in part]
            path = Path(stores.database.name).with_name(f"bare-{number}.db")
            bare += await asyncio.to_thread(bare_claims, path, rows, clock)
            if won != len(part):
                raise RuntimeError(f"{len(part) - won} claims were lost in a benchmark nobody disturbs")
    return {
        "claims": len(wanted),
        "claims_per_second": round(len(wanted) / ours, 1),
        "bare_per_second": round(len(wanted) / bare, 1),
        "ratio": round(bare / ours, 3),
    }


async def _judged(occasions: Occasions, stores: Stores, due: int, clock: Clock) -> dict[str, float]:
    """Find and judge who is due; then let them go, so that what is measured next has the same surroundings."""
    name, now = occasions.lookout.character, clock.now()
    waiting = bench_proactive.due_between(name, occasions.policy, due, since=now - _JUST_NOW, until=now)
    for subscription in waiting:
        await stores.subscriptions.put(subscription)
    bare = await asyncio.to_thread(bare_due, Path(stores.database.name), now, due, clock)
    seconds, admitted = await bench_proactive.find_and_judge(
        occasions, stores.subscriptions, character=name, most=due, clock=clock
    )
    for subscription in waiting:
        await stores.subscriptions.delete(subscription.recipient)
    return {
        "due": len(waiting),
        "admitted": admitted,
        "found_and_judged_seconds": round(seconds, 3),
        "bare_find_seconds": round(bare, 4),
        "ratio": round(seconds / bare, 1),
    }


async def _watched(
    occasions: Occasions, stores: Stores, postbox: bench_proactive.PromptPostbox, clock: Clock
) -> dict[str, float]:
    """Let people become due in the course of some seconds, look as the program does, see when each was written to."""
    name, since = occasions.lookout.character, clock.now() + timedelta(seconds=3)
    waiting = bench_proactive.due_between(name, occasions.policy, _WATCHED, since=since, until=since + _WATCHED_FOR)
    for subscription in waiting:
        await stores.subscriptions.put(subscription)
    tick = ProactiveTick(character=name, occasions=occasions, subscriptions=stores.subscriptions, slots=stores.slots)
    while clock.now() <= since + _WATCHED_FOR:
        await tick.tick(clock.now())
        await clock.sleep(Settings(_env_file=None).proactive_look_seconds)
    await tick.tick(clock.now())
    await tick.idle()
    return bench_proactive.delays(waiting, postbox.sent_at)


async def bench_ranking(sizes: Sequence[int]) -> list[dict[str, float]]:
    """Measure comparing an interest with so many posts."""
    return await asyncio.to_thread(measure_ranking, tuple(sizes))


async def bench_time(sizes: Sequence[int]) -> list[dict[str, float]]:
    """Measure the guard of time over texts of so many characters."""
    prepare()
    await compile_patterns()
    return await asyncio.to_thread(measure_time_guard, tuple(sizes))


async def bench_stance(sizes: Sequence[int]) -> list[dict[str, float]]:
    """Measure signal and gate, everything of stance integrity switched on, over texts of so many characters."""
    load = partial(load_everything, places=places_file(), analyser=JapaneseAnalyser(), prompts=PromptLibrary.load())
    whole, by_words = await load(encoder=SentenceEncoder()), await load(encoder=None)
    return await measure_stance(whole, by_words, tuple(sizes))


async def bench_memory(sizes: Sequence[int]) -> list[dict[str, float]]:
    """Measure what so many conversations add to the memory of the process."""
    pack, clock = _shipped(), SystemClock()
    async with _opened(pack) as (app, stores):
        history = ArchiveHistory(stores.archive, pack.character.name)
        companion = app.companion(pack, history, _unbounded(app.settings))
        measured = await bench.measure_memory(companion, sizes=tuple(sizes), clock=clock)
        await companion.close()
    return measured


async def bench_load(load: Load, place: Place | None = None) -> dict[str, float]:
    """Measure many conversations at a steady pace, with the shipped character."""
    pack, clock = _shipped(), SystemClock()
    async with _opened(pack, place) as (app, stores):
        history = ArchiveHistory(stores.archive, pack.character.name)
        companion = app.companion(pack, history, _unbounded(app.settings))
        await _make_ready()
        measured = await measure_load(companion, load, clock=clock)
        await companion.close()
    return measured


async def bench_long(characters: int, *, rounds: int = 3) -> list[dict[str, float | str]]:
    """Measure awkward messages of so many characters, with the shipped character."""
    pack, clock = _shipped(), SystemClock()
    async with _opened(pack) as (app, stores):
        history = ArchiveHistory(stores.archive, pack.character.name)
        companion = app.companion(pack, history, _unbounded(app.settings))
        await _make_ready()
        measured = await measure_long(companion, characters=characters, rounds=rounds, clock=clock)
        await companion.close()
    return measured


async def bench_start(sizes: Sequence[int], idle_seconds: float) -> list[dict[str, float]]:
    """Measure the start of the program with so many messages stored, and what it uses when nobody talks."""
    analyser, clock, results = JapaneseAnalyser(), SystemClock(), []
    analyser.load()
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            async with open_stores(Path(folder) / "yorisoi.db", analyser.index_terms) as stores:
                await store_messages(stores, size)
            results.append(
                {"messages": size, **await measure_start(Path(folder), idle_seconds=idle_seconds, clock=clock)}
            )
    return results


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much of everything a run of all benchmarks takes; three sizes where growth is to be seen."""

    turns: int = 300
    subscriptions: tuple[int, ...] = (10_000, 100_000, 1_000_000)
    due: int = 1000
    claims: tuple[int, ...] = (250, 500, 1000)
    messages: tuple[int, ...] = (2_000, 10_000, 50_000)
    vectors: tuple[int, ...] = (1_000, 10_000, 100_000)
    characters: tuple[int, ...] = (60, 500, 2_000)
    conversations: tuple[int, ...] = (50, 200, 800)
    stored: tuple[int, ...] = (500, 2_000, 8_000)
    idle_seconds: float = 30.0


QUICK = Extent(
    turns=10,
    subscriptions=(2_000,),
    due=20,
    claims=(20,),
    messages=(1_000,),
    vectors=(100, 200, 400),
    characters=(60, 120, 240),
    conversations=(2, 4, 8),
    stored=(50,),
    idle_seconds=1.0,
)
"""Enough to see that all of them run; the figures say little."""


async def bench_all(extent: Extent) -> AsyncIterator[tuple[str, list[dict[str, float]]]]:
    """Run the benchmarks that grow with a size, one after the other; give each one's name and figures as it ends."""
    yield "ranking", await bench_ranking(extent.vectors)
    yield "stance", await bench_stance(extent.characters)
    yield "time", await bench_time(extent.characters)
    yield "memory", await bench_memory(extent.conversations)
    yield "start", await bench_start(extent.stored, extent.idle_seconds)
    yield "turn", [await bench_turns(extent.turns, stored=stored) for stored in extent.stored]
    yield "claim", [await bench_claims(claims) for claims in extent.claims]
    yield "tick", [await bench_tick(size, extent.due) for size in extent.subscriptions]
    yield "recall", [await bench_recall(size) for size in extent.messages]
    yield "report", [await bench_report(size) for size in extent.messages]


async def bench_recall(messages: int) -> dict[str, float]:
    """Measure an archive of so many messages, in a database of its own."""
    analyser, encoder = JapaneseAnalyser(), SentenceEncoder()
    analyser.load()
    await encoder.load()
    with tempfile.TemporaryDirectory() as folder:
        async with open_stores(Path(folder) / "bench.db", analyser.index_terms) as stores:
            recall = Recall.on(stores.recall, analyser=analyser, embedder=encoder)
            gc.freeze()  # as the program does once it is ready
            clock = SystemClock()
            bare = partial(bare_finds, Path(folder) / "bench.db", clock=clock)
            measured = await measure_recall(stores, recall, messages=messages, bare=bare, clock=clock)
            await recall.filler.close()
    return measured


async def bench_cycle(posts: int, cycles: int) -> dict[str, float]:
    """Measure cycles of the shipped character among so many posts, which is what they would do on Discord."""
    pack, clock = _shipped(), SystemClock()
    async with _opened(pack) as (app, stores):
        vectors = bench_community.NearVectors()
        parts = replace(app, embedder=vectors).social_parts(TurnPolicy())

        async def put(digests: Sequence[tuple[Post, Digest]]) -> None:
            await fill_digests(stores.database, digests, embedding_model=vectors.name, now=clock.now())

        await parts.is_sensitive("Loads what tells it, as the program does with the first message.")
        await bench_community.fill(stores, put, pack.character.name, posts=posts, clock=clock)
        source = ArchivedPosts(stores.posts)
        who = replace(
            app.participant(pack, source=source, actions=RehearsedActions(pack.character.name, clock=clock)),
            model=bench_community.PromptModel(),
        )
        return await bench_community.measure_cycle(
            lambda: make_cycle(parts, who), stores.posts, cycles=cycles, clock=clock
        )


async def bench_report(messages: int) -> dict[str, float]:
    """Measure the operator's report on a month of so many messages."""
    clock, name = SystemClock(), _shipped().character.name
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder))
        async with open_stores(settings.database, _no_terms) as stores:
            await fill_month(
                stores.database,
                character=name,
                messages=messages,
                steps=(dump_steps(PASSED_STEPS), dump_steps(BROKEN_STEPS)),
                until=clock.now(),
            )
            await fill_interests(stores.social, name, clock=clock)
            reports = Reports(settings=settings, clock=clock, messages=Messages.load())
            measured = await measure_report(lambda: reports.page(stores, Locale.EN), stores.usage, clock)
    return {"messages": messages, **measured}


def _unbounded(settings: Settings) -> TurnPolicy:
    """Return the policy of these settings, every budget counted as there and none of them ever used up."""
    policy = at_the_terminal(policy_of(settings))
    budget = Budget(tokens=10**12)
    return replace(policy, user_budget=budget, guild_budget=budget, global_budget=budget)


def _no_terms(text: str) -> list[str]:
    """Leave words out of the index: nothing is searched for."""
    del text
    return []


async def _make_ready() -> None:
    """Do what the program does once it is ready."""
    await compile_patterns()
    gc.freeze()


@asynccontextmanager
async def _opened(pack: CharacterPack, place: Place | None = None) -> AsyncIterator[tuple[App, Stores]]:
    """Open everything in a folder that is gone afterwards, or with the database at `place`, which has to be empty."""
    if place is not None and await holds_something(place):
        raise StartError("That database is in use: make an empty one for the benchmark (`createdb`).")
    with tempfile.TemporaryDirectory() as folder, standing():
        analyser = JapaneseAnalyser()
        analyser.load()
        prepare()
        async with open_stores(place or Path(folder) / "bench.db", analyser.index_terms) as stores:
            prompts, encoder = PromptLibrary.load(), SentenceEncoder()
            settings = Settings(_env_file=None)
            policy = await load_stance(
                settings, places=places_file(), analyser=analyser, prompts=prompts, encoder=encoder
            )
            recall = Recall.on(stores.recall, analyser=analyser, embedder=encoder)
            yield (
                App(
                    settings=settings,
                    clock=SystemClock(),
                    rng=random.Random(1),
                    messages=Messages.load(),
                    prompts=prompts,
                    stance=policy,
                    recall=recall,
                    stores=stores,
                    models={pack.character.tier: bench.StubModel()},
                    worker="bench",
                    witness=NobodyWatches(),
                ),
                stores,
            )
            await recall.filler.close()


def _shipped() -> CharacterPack:
    return next(iter(load_packs().packs.values()))


def _parts(claims: Sequence[Claim], count: int) -> Iterator[Sequence[Claim]]:
    size = -(-len(claims) // count)
    return (claims[start : start + size] for start in range(0, len(claims), size))
