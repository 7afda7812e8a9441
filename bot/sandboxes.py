"""The composition root of the sandbox: puts production's parts together so that nothing can be written or sent."""

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from bot.errors import StartError
from bot.evaluation.subjects import Choice, model_named, open_model
from bot.policy import policy_of
from bot.sandbox.cases import CaseResult, judge
from bot.sandbox.order import Order, StagingOnlyError
from bot.settings import Settings
from bot.stance import load_stances, variant_flags
from bot.tiers import endpoints_of
from core.analysis.japanese import JapaneseAnalyser
from core.characters.pack import CharacterPack
from core.clock import Clock
from core.embedding.encoder import SentenceEncoder
from core.embedding.remembering import RememberingEncoder
from core.facts.capsule.inspection import timetable_of
from core.ports import ChatModel
from core.sandbox.draft import SCRIPTED, Case, Draft, Variant
from core.sandbox.draft_reading import hashed, parse_draft, read_draft
from core.sandbox.errors import SandboxError
from core.sandbox.records import Comparison
from core.sandbox.running import Advance, Bench
from core.sandbox.scripted import ScriptedModel
from core.sandbox.snapshot import Context, Snapshot, invented, take
from core.sandbox.tracing import HeldTurn
from core.turn.trace import TraceRecord
from data.packs.loader import load_pack, pack_folders
from data.places import places_file
from data.sandbox import FOLDER
from data.snapshots import DatabaseContextSource
from prompts.loader import PromptLibrary
from prompts.messages import Messages

SUFFIXES = (".toml", ".yaml", ".yml")


def shipped_drafts() -> dict[str, Path]:
    """Return the drafts that come with the program, by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}


def saved_cases(settings: Settings) -> Sequence[Path]:
    """Return the regression cases: those that come with the program, then the operator's own."""
    own = cases_folder(settings)
    found = sorted(path for path in own.iterdir() if path.suffix in SUFFIXES) if own.is_dir() else []
    return [*shipped_drafts().values(), *found]


def cases_folder(settings: Settings) -> Path:
    """Return where the operator's own regression cases lie."""
    return settings.data_dir / "sandbox-cases"


def draft_at(name: str) -> Path:
    """Return the file of a draft: a path, or the name of one that comes with the program.

    Raises:
        StartError: there is none.
    """
    shipped, path = shipped_drafts(), Path(name)
    if path.is_file():
        return path
    if name in shipped:
        return shipped[name]
    raise StartError(f"{name}: there is no such file, nor a draft of that name. There are: {', '.join(shipped)}.")


def require_staging(settings: Settings) -> None:
    """Raise `StagingOnlyError` everywhere but in staging."""
    if settings.environment != "staging":
        raise StagingOnlyError(
            "The sandbox runs in staging only, so that trying things out never gets in the way of people. "
            "Set YORISOI_ENVIRONMENT=staging there (never where people talk)."
        )


async def run_cases(sandbox: "Sandbox", paths: Sequence[Path], model: str | None) -> list[CaseResult]:
    """Run cases one after another, each to its end or to its budget.

    Raises:
        StartError: a file holds no case, or there is no such model.
        CoreError: a draft can't be used, or a part can't be loaded.
    """
    drafts = [(path, sandbox.prepare(Order(draft=str(path), model=model))) for path in paths]
    for path, draft in drafts:
        if draft.case is None:
            raise StartError(f"{path}: is a draft but no case: it has no [case] (`--save-case` writes one).")
    results = []
    for path, draft in drafts:
        comparison = await sandbox.run(draft, stop=asyncio.Event(), advance=_nobody_watches)
        scripted = all(variant.model == SCRIPTED for variant in draft.variants)
        results.append(judge(path, comparison, draft.case or Case(holds=(), shows=()), scripted=scripted))
    return results


def _nobody_watches(_variant: str, _done: int) -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """Runs drafts; `clock` tells how long things take, and what time it is where a draft doesn't."""

    settings: Settings
    clock: Clock
    prompts: PromptLibrary
    messages: Messages
    analyser: JapaneseAnalyser

    @classmethod
    def make(cls, settings: Settings, clock: Clock) -> "Sandbox":
        """Load what all drafts share."""
        return cls(
            settings=settings,
            clock=clock,
            prompts=PromptLibrary.load(),
            messages=Messages.load(),
            analyser=JapaneseAnalyser(),
        )

    @property
    def currency(self) -> str:
        """What money is counted in."""
        return self.settings.currency

    @property
    def drafts(self) -> Sequence[str]:
        """The names of the drafts that come with the program."""
        return tuple(shipped_drafts())

    def draft(self, name: str) -> Draft:
        """Return a draft that comes with the program.

        Raises:
            StartError: there is none of that name.
        """
        known = shipped_drafts()
        if name not in known:
            raise StartError(f"There is no draft '{name}'. There are: {', '.join(known)}.")
        return read_draft(known[name], self.prompts)

    def parse(self, content: bytes, name: str) -> Draft:
        """Return the draft in a file of that name.

        Raises:
            DraftError: it can't be used.
        """
        return parse_draft(content, name, self.prompts)

    def prepare(self, order: Order) -> Draft:
        """Return an order's draft as it is to be run; looks at all that can be wrong before anything is opened.

        Raises:
            DraftError: the draft can't be used.
            UnknownModelError: there is no model of that name.
            StartError: there is no such draft.
        """
        return self.adjusted(read_draft(draft_at(order.draft), self.prompts), order)

    def adjusted(self, draft: Draft, order: Order) -> Draft:
        """Return a draft with what was asked for on the command line in place of what it says."""
        if order.model is not None:
            draft = replace(draft, variants=tuple(replace(one, model=order.model) for one in draft.variants))
        if order.repetitions is not None:
            draft = replace(draft, repetitions=order.repetitions)
        self._choices(draft)
        return hashed(draft)

    async def run(self, draft: Draft, *, stop: asyncio.Event, advance: Advance) -> Comparison:
        """Run a draft; when `stop` is set, return what is finished.

        Raises:
            CoreError: The snapshot can't be taken, or a part can't be loaded.
            StartError: A model can't be had.
        """
        pack = self._pack(draft)
        snapshot, timetable = await self._snapshot(draft, pack), timetable_of(pack)
        async with AsyncExitStack() as stack:
            models = await self._models(draft, pack, stack)
            wanted = {variant.name: variant_flags(self.settings, variant.flags) for variant in draft.variants}
            policy = await load_stances(
                self.settings,
                wanted.values(),
                places=places_file(),
                analyser=self.analyser,
                prompts=self.prompts,
                encoder=SentenceEncoder(),
            )

            def model_of(variant: Variant, repetition: int) -> ChatModel:
                return models.get(variant.model) or ScriptedModel(draft.script, repetition)

            bench = Bench(
                draft=draft,
                snapshot=snapshot,
                timetable=timetable,
                model_of=model_of,
                stance_of=lambda variant, prompts: policy.switched(wanted[variant.name], prompts),
                prompts=self.prompts,
                messages=self.messages,
                policy=policy_of(self.settings),
                analyser=self.analyser,
                embedder=RememberingEncoder(),
                recall_places=self.settings.recall_messages,
                clock=self.clock,
            )
            return await bench.compare(stop=stop, advance=advance)

    async def turns(self, limit: int) -> list[TraceRecord]:
        """Return what the newest turns did, newest first.

        Raises:
            StorageError: The database can't be read.
        """
        return await self._source().turns(limit)

    async def held_turn(self, turn_id: str) -> tuple[HeldTurn, CharacterPack]:
        """Return a turn of the past with the character it was of.

        Raises:
            SandboxError: There is no such turn, its text is not held, or its character is gone.
            StorageError: The database can't be read.
        """
        held = await self._source().turn(turn_id)
        name = held.record.conversation.character
        folders = pack_folders(self.settings.characters_dir)
        if name not in folders:
            raise SandboxError(f"There is no character {name} any more.")
        return held, load_pack(folders[name])

    def _pack(self, draft: Draft) -> CharacterPack:
        from bot.packs import load_character  # noqa: PLC0415 - the other root brings the whole program along

        return load_character(self.settings, draft.character)

    async def _snapshot(self, draft: Draft, pack: CharacterPack) -> Snapshot:
        at = draft.at or self.clock.now()
        character = pack.character
        context: Context
        if draft.conversation is not None:
            context = await self._source().read(draft.conversation, character=character.name, now=at)
        else:
            context = invented(draft, at=at, character=character)
        return take(at=at, character=character, timetable=timetable_of(pack), context=context)

    async def _models(self, draft: Draft, pack: CharacterPack, stack: AsyncExitStack) -> dict[str | None, ChatModel]:
        """Open every model that is not scripted, each once; None stands for the character's own."""
        rng = random.Random()
        tier = pack.character.tier
        chosen: dict[str | None, Choice] = {choice.name: choice for choice in self._choices(draft)}
        if any(variant.model is None for variant in draft.variants):
            chosen[None] = Choice(tier.value, endpoints=endpoints_of(self.settings, tier), tier=tier)
        opened: dict[Choice, ChatModel] = {}
        for choice in chosen.values():
            same = next((one for one in opened if one.endpoints == choice.endpoints), None)
            opened[choice] = (
                await open_model(self.settings, choice, stack, self.clock, rng) if same is None else opened[same]
            )
        return {name: opened[choice] for name, choice in chosen.items()}

    def _choices(self, draft: Draft) -> list[Choice]:
        """Return what the models that a draft names mean."""
        names = list(dict.fromkeys(variant.model for variant in draft.variants))
        if SCRIPTED in names and not draft.script:
            raise StartError("The scripted model has nothing to say: the draft has no [[script]].")
        named = [name for name in names if name is not None and name != SCRIPTED]
        return [model_named(self.settings, name, others=(SCRIPTED,)) for name in named]

    def _source(self) -> DatabaseContextSource:
        return DatabaseContextSource(place=self.settings.database, index_terms=self.analyser.index_terms)
