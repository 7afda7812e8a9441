"""A whole run: every talk with every model in every variant, a few at a time, until it is done or stopped."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.evaluation.stage import Stage
from bot.evaluation.subjects import Subject
from core.stance.evaluation.fixtures import Fixture
from core.stance.evaluation.records import TalkRecord
from core.stance.evaluation.variants import Variant

Advance = Callable[[str], None]
"""Called after each talk, with the name of its model."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run, in this order."""

    fixtures: tuple[Fixture, ...]
    subjects: tuple[Subject, ...]
    variants: tuple[Variant, ...]

    @property
    def size(self) -> int:
        """How many talks there are to hold."""
        return len(self.fixtures) * len(self.subjects) * len(self.variants)


@dataclass(frozen=True, slots=True)
class Result:
    """The talks that were finished, in the order of the plan; `complete` is false where it was stopped."""

    talks: tuple[TalkRecord, ...]
    complete: bool


async def hold_all(plan: Plan, stage: Stage, *, concurrency: int, stop: asyncio.Event, advance: Advance) -> Result:
    """Hold all talks, at most `concurrency` at a time. When `stop` is set, what is under way is dropped."""
    places = {subject.name: asyncio.Semaphore(min(concurrency, subject.at_once)) for subject in plan.subjects}

    async def hold(fixture: Fixture, subject: Subject, variant: Variant) -> TalkRecord:
        async with places[subject.name]:
            record = await stage.hold(fixture, subject, variant)
        advance(subject.name)
        return record

    tasks = [
        asyncio.create_task(hold(fixture, subject, variant))
        for subject in plan.subjects
        for fixture in plan.fixtures
        for variant in plan.variants
    ]
    async with _cancelled_when(stop, tasks):
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    _raise_first(outcomes)
    talks = tuple(outcome for outcome in outcomes if isinstance(outcome, TalkRecord))
    return Result(talks, complete=len(talks) == plan.size)


@asynccontextmanager
async def _cancelled_when(stop: asyncio.Event, tasks: Sequence[asyncio.Task[TalkRecord]]) -> AsyncIterator[None]:
    async def watch() -> None:
        await stop.wait()
        for task in tasks:
            task.cancel()

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


def _raise_first(outcomes: Sequence[TalkRecord | BaseException]) -> None:
    for outcome in outcomes:
        if isinstance(outcome, BaseException) and not isinstance(outcome, asyncio.CancelledError):
            raise outcome


def spread(fixtures: Sequence[Fixture], limit: int | None) -> tuple[Fixture, ...]:
    """Return `limit` of the fixtures (None: all of them): of each file about as many, single and multi-turn."""
    if limit is None or limit >= len(fixtures):
        return tuple(fixtures)
    files: dict[tuple[str, str], list[Fixture]] = {}
    for fixture in fixtures:
        files.setdefault((fixture.category, fixture.locale), []).append(fixture)
    queues = [_mixed(group, multi_first=n % 4 in {1, 2}) for n, group in enumerate(files.values())]
    rounds = range(max(map(len, queues)))
    return tuple([queue[n] for n in rounds for queue in queues if n < len(queue)][:limit])


def _mixed(group: Sequence[Fixture], *, multi_first: bool) -> list[Fixture]:
    """Return single-turn and multi-turn talks taking turns."""
    single = [fixture for fixture in group if not fixture.is_multi_turn]
    multi = [fixture for fixture in group if fixture.is_multi_turn]
    queues = (multi, single) if multi_first else (single, multi)
    mixed: list[Fixture] = []
    while single or multi:
        mixed += [queue.pop(0) for queue in queues if queue]
    return mixed
