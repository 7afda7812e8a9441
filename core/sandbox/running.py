"""Runs a draft: every variant as often as it asks for, turn by turn, through the steps that production runs."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from core.analysis.japanese import JapaneseAnalyser
from core.clock import Clock
from core.facts.schedule.timetable import Timetable
from core.ports import ChatModel, Embedder
from core.recall.search import Recall
from core.sandbox.draft import Draft, Facts, Variant
from core.sandbox.errors import BudgetSpentError, SandboxError
from core.sandbox.frozen import Course, OwnUsage, frozen_recall, frozen_stores
from core.sandbox.legacy import LegacyClocks, NoFacts, legacy_templates
from core.sandbox.metering import Meter, MeteredModel
from core.sandbox.records import Comparison, Sample, Stopped, meets
from core.sandbox.session import FrozenClock, HeardVerification, Run
from core.sandbox.snapshot import Snapshot
from core.sandbox.tools import Ledger, guarded
from core.stance.policy import StancePolicy
from core.turn.checks.registry import all_checks
from core.turn.counting import CallBook
from core.turn.fact_notes import CapsuleNote, FactNotes
from core.turn.history import Histories
from core.turn.policy import Budget as DailyBudget
from core.turn.policy import TurnPolicy
from core.turn.quota import Quota
from core.turn.steps import make_steps
from prompts.loader import PromptError, PromptLibrary
from prompts.messages import Messages

Advance = Callable[[str, int], None]
"""Called after each sample, with its variant and how many are done."""
ModelOf = Callable[[Variant, int], ChatModel]
"""Returns the model of a variant in a repetition (from 0)."""
StanceOf = Callable[[Variant, PromptLibrary], StancePolicy]
"""Returns stance integrity as a variant has it switched on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What the variants of a comparison share. `clock` measures how long things take; what time it *is* is frozen."""

    draft: Draft
    snapshot: Snapshot
    timetable: Timetable | None
    model_of: ModelOf
    stance_of: StanceOf
    prompts: PromptLibrary
    messages: Messages
    policy: TurnPolicy
    analyser: JapaneseAnalyser
    embedder: Embedder
    recall_places: int
    clock: Clock

    async def compare(self, *, stop: asyncio.Event, advance: Advance) -> Comparison:
        """Run everything, one answer after another, until it is done, over its budget, or `stop` is set.

        The repetitions go round the variants, so that a run that is stopped has about as many of each.
        """
        draft = self.draft
        meter = Meter(draft.budget, self.clock)
        samples: list[Sample] = []
        working = asyncio.create_task(self._all(meter, samples, advance))
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
            stopped = await _ended(working, cancel=not working.done())
        finally:
            stopping.cancel()
            working.cancel()
            await asyncio.gather(stopping, working, return_exceptions=True)
        return Comparison(
            draft=draft,
            snapshot_digest=self.snapshot.digest,
            at=self.snapshot.at,
            character=self.snapshot.character.name,
            variants=draft.variants,
            samples=tuple(samples),
            spent=meter.spent,
            planned=draft.repetitions * len(draft.variants),
            stopped=stopped,
        )

    async def _all(self, meter: Meter, samples: list[Sample], advance: Advance) -> Stopped | None:
        try:
            for repetition in range(self.draft.repetitions):
                for variant in self.draft.variants:
                    async with asyncio.timeout(meter.seconds_left) as limit:
                        samples.append(await self._sample(variant, repetition, meter))
                    advance(variant.name, len(samples))
        except BudgetSpentError as error:
            return Stopped(error.limit.value)
        except TimeoutError:
            if not limit.expired():
                raise
            return Stopped.SECONDS
        return None

    async def _sample(self, variant: Variant, repetition: int, meter: Meter) -> Sample:
        run = self._run(variant, repetition, meter)
        try:
            turns = [await run.turn(text) for text in self.draft.messages]
        except PromptError as error:
            raise SandboxError(f"Variant '{variant.name}': {error}") from error
        return Sample(
            variant=variant.name,
            repetition=repetition + 1,
            turns=tuple(turns),
            tools=dict(run.ledger.used),
            refused=dict(run.ledger.refused),
            meets=meets(self.draft.expect, [turn.delivered for turn in turns]),
        )

    def _run(self, variant: Variant, repetition: int, meter: Meter) -> Run:
        context, ledger = self.snapshot.context, Ledger()
        course = Course(last_seen=context.last_seen, inertia=context.inertia)
        clock = FrozenClock(self.snapshot.at, self.clock)
        model = MeteredModel(self.model_of(variant, repetition), meter, self.clock, temperature=variant.temperature)
        stores = frozen_stores(self.snapshot, course, ledger)
        histories = Histories(source=stores.history, conversations=1, messages=self.policy.history_messages)
        prompts = self.prompts.replaced(variant.templates) if variant.templates else self.prompts
        stance = self.stance_of(variant, prompts)
        policy, usage = _unbounded(self.policy), OwnUsage()
        steps = make_steps(
            character=self.snapshot.character,
            timetable=self._timetable(ledger),
            model=model,
            stores=stores,
            histories=histories,
            stance=stance,
            recall=self._recall(ledger),
            checks=all_checks(stance),
            book=CallBook(usage=usage, quota=Quota(policy), clock=clock),
            prompts=prompts,
            messages=self.messages,
            policy=policy,
            facts=self._facts(variant, ledger),
            clock=clock,
        )
        heard = HeardVerification(checks=steps.responder.verification.checks, clock=clock)
        return Run(
            snapshot=self.snapshot,
            steps=replace(steps, responder=replace(steps.responder, verification=heard)),
            heard=heard,
            model=model,
            histories=histories,
            stance=stance,
            course=course,
            ledger=ledger,
            next_id=self.snapshot.first_free_id,
        )

    def _timetable(self, ledger: Ledger) -> Timetable | None:
        timetable: Timetable | None = self.timetable and guarded("timetable", self.timetable, ledger)
        return timetable

    def _recall(self, ledger: Ledger) -> Recall:
        store = frozen_recall(self.snapshot, self.analyser.index_terms, ledger)
        return Recall.on(store, analyser=self.analyser, embedder=self.embedder, places=self.recall_places)

    def _facts(self, variant: Variant, ledger: Ledger) -> FactNotes:
        match variant.facts:
            case Facts.CAPSULE:
                return CapsuleNote()
            case Facts.LEGACY_CLOCKS:
                return LegacyClocks(self._timetable(ledger), self.draft.calendar_read_at, legacy_templates())
            case Facts.NONE:
                return NoFacts()


async def _ended(working: "asyncio.Task[Stopped | None]", *, cancel: bool) -> Stopped | None:
    if cancel:
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        if working.cancelled():
            return Stopped.CANCELLED
    return working.result()


def _unbounded(policy: TurnPolicy) -> TurnPolicy:
    """Return the policy without the day's bounds: a comparison has a budget of its own."""
    return replace(policy, user_budget=DailyBudget(), guild_budget=DailyBudget(), global_budget=DailyBudget())
