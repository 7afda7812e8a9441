"""A bench on which drafts are run with models that say what a test tells them to."""

import asyncio
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from core.analysis.japanese import JapaneseAnalyser
from core.characters.pack import CharacterPack
from core.clock import SimulatedClock, SystemClock
from core.embedding.remembering import RememberingEncoder
from core.facts.capsule.inspection import timetable_of
from core.ports import ChatModel
from core.sandbox.draft import Draft, Variant
from core.sandbox.draft_reading import parse_draft
from core.sandbox.records import Comparison
from core.sandbox.running import Bench
from core.sandbox.scripted import ScriptedModel
from core.sandbox.snapshot import Context, invented, take
from core.stance.policy import StancePolicy
from core.turn.policy import TurnPolicy
from data.packs.loader import SHIPPED, load_pack
from data.sandbox import FOLDER
from prompts.loader import PromptLibrary
from prompts.messages import Messages

PROMPTS = PromptLibrary.load()

MINIMAL = """
title = "A question"
at = 2026-11-30T16:08:00+09:00
messages = ["What are you up to?"]
[[variants]]
name = "now"
[[variants]]
name = "changed"
"""


@lru_cache
def hinata() -> CharacterPack:
    return load_pack(SHIPPED / "hinata")


def draft(text: str = MINIMAL, name: str = "draft.toml") -> Draft:
    return parse_draft(text.encode(), name, PROMPTS)


def shipped(name: str) -> Draft:
    return draft((FOLDER / f"{name}.toml").read_text("utf-8"))


def shipped_files() -> list[Path]:
    return sorted(FOLDER.glob("*.toml"))


def bench(
    of: Draft,
    model_of: Callable[[Variant, int], ChatModel] | None = None,
    *,
    context: Context | None = None,
    stance_of: Callable[[Variant, PromptLibrary], StancePolicy] | None = None,
    clock: SimulatedClock | SystemClock | None = None,
) -> Bench:
    pack, timetable = hinata(), timetable_of(hinata())
    assert of.at is not None
    return Bench(
        draft=of,
        snapshot=take(
            at=of.at,
            character=pack.character,
            timetable=timetable,
            context=context or invented(of, at=of.at, character=pack.character),
        ),
        timetable=timetable,
        model_of=model_of or (lambda _, repetition: ScriptedModel(of.script, repetition)),
        stance_of=stance_of or (lambda _, prompts: StancePolicy.off()),
        prompts=PROMPTS,
        messages=Messages.load(),
        policy=TurnPolicy(),
        analyser=JapaneseAnalyser(),
        embedder=RememberingEncoder(),
        recall_places=200,
        clock=clock or SystemClock(),
    )


async def compared(of: Bench) -> Comparison:
    return await of.compare(stop=asyncio.Event(), advance=lambda _variant, _done: None)
