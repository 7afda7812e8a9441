"""One cycle of a character: the seed's steps in order, bounded, each failing alone (seed 002, 「活動サイクル」)."""

from dataclasses import dataclass, replace
from datetime import datetime

from core.ports import Embedder
from core.social.candidates import Candidates
from core.social.follows import tidy_follows
from core.social.impressions import read_posts, think_of_authors
from core.social.intake import Intake
from core.social.interests import update_interest
from core.social.journal import Decision
from core.social.posting import maybe_post
from core.social.ranking import Candidate, drawn, first_to_read, ordered
from core.social.reactions import react
from core.social.stage import Scene, Stage
from core.social.types import CycleRecord


@dataclass(frozen=True, slots=True)
class CycleReport:
    """A cycle in numbers, and every decision in its order."""

    record: CycleRecord
    decisions: tuple[Decision, ...] = ()
    calls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """Runs once."""

    stage: Stage
    intake: Intake
    candidates: Candidates
    embedder: Embedder

    async def run(self) -> CycleReport:
        """Go through all steps; what was kept before a failure stays, and a later cycle goes on from there."""
        began_at = self.stage.clock.now()
        if await self.stage.states.is_frozen(self.stage.name):
            return await self._ended(began_at, note="frozen")
        async with self.stage.journal.step("cycle"):
            await self._steps(began_at)
        return await self._ended(began_at, note="model" if self.stage.asker.stands_still else "")

    async def _steps(self, now: datetime) -> None:
        stage = self.stage
        accesses = await self.intake.accesses()
        await self.intake.take_in(accesses.values(), stage.journal)
        scene = Scene(accesses=accesses, interest=await stage.social.interest(stage.name))
        read = await read_posts(stage, scene, await self._choose(scene, now))
        scene = replace(scene, read=tuple(read))
        scene = replace(scene, peers=tuple(await think_of_authors(stage, scene)))
        await react(stage, scene)
        interest = await update_interest(stage, scene, self.embedder)
        await maybe_post(stage, scene, interest)
        await tidy_follows(stage, scene, interest)

    async def _choose(self, scene: Scene, now: datetime) -> list[Candidate]:
        stage = self.stage
        gathered = await self.candidates.gather(
            frozenset(scene.accesses), scene.interest, now=now, journal=stage.journal
        )
        compared = drawn(gathered, bounds=stage.bounds, rng=stage.rng)
        features = None if scene.interest is None else scene.interest.features
        return first_to_read(ordered(compared, features, bounds=stage.bounds), bounds=stage.bounds)

    async def _ended(self, began_at: datetime, *, note: str) -> CycleReport:
        stage = self.stage
        record = CycleRecord(
            character=stage.name,
            began_at=began_at,
            ended_at=stage.clock.now(),
            done=stage.journal.done,
            failed=dict(stage.journal.failed),
            note=note,
        )
        await stage.social.record_cycle(record, keep=stage.bounds.cycles_kept)
        return CycleReport(record, tuple(stage.journal.decisions), stage.asker.calls)
