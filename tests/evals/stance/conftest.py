"""One run of every scripted model in every variant, for all tests here."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest

from bot.evaluation.opening import open_stage
from bot.evaluation.report import Report
from bot.evaluation.run import Plan, hold_all
from bot.evaluation.subjects import SCRIPTED, choose, open_subjects
from bot.settings import Settings
from core.analysis.japanese import JapaneseAnalyser
from core.clock import SystemClock
from core.ports import Stores
from core.stance.evaluation.loading import load_fixtures
from core.stance.evaluation.personas import Persona
from core.stance.evaluation.scripts import Scripts
from core.stance.evaluation.variants import Variant
from data.evaluation import FOLDER
from data.packs.loader import load_packs
from data.places import places_file
from tests.fakes.stores import InMemoryStores


@pytest.fixture(scope="session")
def report() -> Report:
    return asyncio.run(_run())


async def _run() -> Report:
    settings, clock = Settings(_env_file=None), SystemClock()
    pack = load_packs().packs["hinata"]
    choices, scripts = choose(settings, [SCRIPTED]), Scripts.load(FOLDER / "replies")
    async with (
        open_stage(settings, pack, places=places_file(), analyser=JapaneseAnalyser(), open_stores=_in_memory) as stage,
        open_subjects(settings, choices, scripts, clock, random.Random(1)) as subjects,
    ):
        plan = Plan(load_fixtures(FOLDER / "fixtures"), subjects, tuple(Variant))
        result = await hold_all(plan, stage, concurrency=4, stop=asyncio.Event(), advance=lambda _: None)
    return Report.of(
        result.talks,
        at=datetime(2026, 11, 30, tzinfo=UTC),
        character=pack.character.name,
        complete=result.complete,
        planned=plan.size,
        scripted=frozenset(Persona),
    )


@asynccontextmanager
async def _in_memory(name: str) -> AsyncIterator[Stores]:
    del name
    yield InMemoryStores()
