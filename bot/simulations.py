"""The composition root of simulations: the real parts on a clock that is moved, with a world around them."""

import asyncio
import multiprocessing
import queue
import random
import shutil
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from bot import logs
from bot.application import App
from bot.discord.consent import Consent
from bot.pages.wording import Wording
from bot.personal import Personal
from bot.settings import Settings
from bot.simulation.acting import EVERY_SLOT, Acting
from bot.simulation.checking import broken_rules
from bot.simulation.outside import FakeDiscord, MoodyModel, NothingKept
from bot.simulation.page import render
from bot.simulation.people import Person, channel, life, person
from bot.simulation.report import Group, Outcome, Plan
from bot.simulation.troubles import Troubles, crashes, jumps
from bot.simulation.truth import Received, Truth
from bot.simulation.week import Week
from bot.simulation.world import World, WorldClock
from bot.stance import load_stance
from core.analysis.japanese import JapaneseAnalyser
from core.characters.pack import CharacterPack
from core.clock import SimulatedClock
from core.embedding.encoder import SentenceEncoder
from core.facts.capsule.inspection import timetable_of
from core.proactive.attempt import NobodyWatches
from core.proactive.factory import Outlets
from core.proactive.types import SlotRecord
from core.turn.checks.registry import prepare
from core.turn.policy import TurnPolicy
from data.packs.live import LiveTimetable
from data.packs.loader import SHIPPED, load_pack
from data.packs.sources import SCHEDULE_FILE
from data.places import places_file
from data.stores import Stores, open_stores
from prompts.loader import PromptLibrary
from prompts.messages import Messages
from scheduler.proactive import ProactiveTick

_START = datetime.fromisoformat("2026-03-01T00:00:00+00:00")
"""So that a month has changes to summer time in it, in several zones on different days."""

_CHARACTER = "hinata"


_GROUP = 250
"""How many people share a world, so that several worlds can be worked on at once. It doesn't depend on the machine."""

_PEOPLE_A_CHANNEL = 10
"""How many people there are for each channel of a server."""

Progress = Callable[[float], None]


def simulate(plan: Plan, *, progress: Progress) -> Outcome:
    """Simulate everybody; `progress` is told how much of it is done, from 0 to 1."""
    groups = [range(first, min(first + _GROUP, plan.users)) for first in range(0, plan.users, _GROUP)]
    if len(groups) == 1:
        return Outcome(plan=plan, groups=[asyncio.run(simulate_group(plan, groups[0], progress=progress))])
    spawning, done = multiprocessing.get_context("spawn"), dict[int, float]()
    with spawning.Manager() as manager, ProcessPoolExecutor(mp_context=spawning) as workers:
        told = manager.Queue()
        waiting = [workers.submit(_one_group, plan, group, told) for group in groups]
        while not all(future.done() for future in waiting):
            with suppress(queue.Empty):
                first, share = told.get(timeout=0.5)
                done[first] = share
                progress(sum(done.values()) / len(groups))
        return Outcome(plan=plan, groups=[future.result() for future in waiting])


def page(outcome: Outcome, wording: Wording) -> str:
    """Return a page with pictures."""
    return render(outcome, load_pack(SHIPPED / _CHARACTER).proactive, wording)


async def simulate_group(plan: Plan, numbers: range, *, progress: Progress) -> Group:
    """Simulate the people of these numbers, in a world of their own."""
    with tempfile.TemporaryDirectory() as folder:
        pack_folder = Path(shutil.copytree(SHIPPED / _CHARACTER, Path(folder) / _CHARACTER))
        pack, clock, truth = load_pack(pack_folder), WorldClock(_START), Truth()
        # Every world has its own luck.
        own = replace(plan, seed=plan.seed * 1_000 + numbers.start // _GROUP)
        async with _opened(Path(folder) / "simulation.db", pack, clock, own.seed) as (app, stores):
            channels = range(numbers.start // _PEOPLE_A_CHANNEL, numbers.stop // _PEOPLE_A_CHANNEL)
            people = [person(number, plan.seed) for number in numbers]
            people += [channel(number, plan.seed) for number in channels]
            world = await _world(app, stores, pack, pack_folder, clock, truth, own, people)
            await world.run(plan.days, lambda days: progress(days / plan.days))
            records = await _records(world)
    candidates = [candidate for known in pack.candidates.values() for candidate in known]
    return Group(records=records, truth=truth, broken=broken_rules(truth, pack.proactive, candidates))


def _one_group(plan: Plan, numbers: range, told: "queue.Queue[tuple[int, float]]") -> Group:
    """Work on one group in a process of its own; what only the check needed stays behind."""
    logs.configure(level="critical")
    days = set[int]()

    def progress(share: float) -> None:
        if (day := int(share * plan.days)) not in days:
            days.add(day)
            told.put((numbers.start, share))

    group = asyncio.run(simulate_group(plan, numbers, progress=progress))
    group.truth.schedule.clear()
    group.truth.observed.clear()
    return group


@dataclass(frozen=True, slots=True, kw_only=True)
class _Process:
    """`bot.simulation.world.Process`."""

    tick: ProactiveTick
    clock: SimulatedClock

    async def look(self) -> None:
        """Do what is due, and what was left unfinished."""
        await self.tick.tick(self.clock.now())
        await self.tick.idle()

    async def let_go(self, person: int) -> None:
        """Stop what is under way for somebody."""
        await self.tick.let_go(person)

    async def close(self) -> None:
        """End."""
        await self.tick.close()


async def _world(
    app: App,
    stores: Stores,
    pack: CharacterPack,
    folder: Path,
    clock: WorldClock,
    truth: Truth,
    plan: Plan,
    people: Sequence[Person],
) -> World:
    # These three are called when the world exists, which needs what they are given to.
    async def let_go(user_id: int) -> None:
        await world.process.let_go(user_id)

    async def rival() -> None:
        await world.rival.look()

    def answered(message: Received) -> None:
        world.answered(message)

    schedule = Week(file=folder / SCHEDULE_FILE, read=lambda: timetable_of(load_pack(folder)), truth=truth)
    personal = Personal(
        users=stores.users,
        kept_facts=stores.kept_facts,
        consents=stores.consents,
        caution=app.stance.caution,
        messages=app.messages,
        clock=clock,
    )
    acting = Acting(
        character=pack.character.name,
        consent=Consent(policy=pack.proactive, stores=stores, personal=personal, clock=clock),
        stores=stores,
        clock=clock,
        truth=truth,
        let_go=let_go,
        servers={one.id: one.server for one in people if one.server is not None},
    )
    troubles = Troubles(
        clock=clock,
        truth=truth,
        seed=plan.seed,
        disturbed=plan.disturbed,
        crashes=deque(crashes(plan.restarts, seed=plan.seed, days=plan.days)),
        jumps=deque(jumps(plan.jumps, seed=plan.seed, days=plan.days)),
        do=acting.do,
        edit=schedule.edit,
        rival=rival,
    )

    messenger = FakeDiscord(clock=clock, truth=truth, seed=plan.seed, unreachable=acting.unreachable, answered=answered)

    def process(worker: str) -> _Process:
        outlets = Outlets(messenger=messenger, keeper=NothingKept(), timetables=LiveTimetable(folder))
        occasions = replace(app, worker=worker, witness=troubles).occasions(pack, outlets, TurnPolicy())
        tick = ProactiveTick(
            character=pack.character.name,
            occasions=occasions,
            subscriptions=stores.subscriptions,
            slots=stores.slots,
            # One after the other, or the threads of the database would decide who comes first.
            concurrency=1,
        )
        return _Process(tick=tick, clock=clock)

    await schedule.note()
    world = World(
        clock=clock,
        acting=acting,
        troubles=troubles,
        edit=schedule.edit,
        open_process=process,
        people={somebody.id: somebody for somebody in people},
        seed=plan.seed,
    )
    for somebody in people:
        for at, act in life(somebody, plan.seed, plan.days):
            world.plan_act(at, somebody.id, act)
    world.plan_operators(plan.days)
    return world


async def _records(world: World) -> list[SlotRecord]:
    acting = world.acting
    records = list(acting.gone)
    for person_id in world.people:
        records += await acting.stores.slots.recent(acting.recipient(person_id), limit=EVERY_SLOT)
    return records


@asynccontextmanager
async def _opened(
    database: Path, pack: CharacterPack, clock: SimulatedClock, seed: int
) -> AsyncIterator[tuple[App, Stores]]:
    analyser = JapaneseAnalyser()
    analyser.load()
    prepare()
    async with open_stores(database, analyser.index_terms) as stores:
        settings, prompts, encoder = Settings(_env_file=None), PromptLibrary.load(), SentenceEncoder()
        app = App(
            settings=settings,
            clock=clock,
            rng=random.Random(seed),
            messages=Messages.load(),
            prompts=prompts,
            stance=await load_stance(
                settings, places=places_file(), analyser=analyser, prompts=prompts, encoder=encoder
            ),
            recall=None,
            stores=stores,
            models={pack.character.tier: MoodyModel(clock=clock, seed=seed)},
            worker="simulation",
            witness=NobodyWatches(),
        )
        yield app, stores
