"""Stance integrity as the operator switched it on."""

import asyncio
from collections.abc import Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from bot.settings import Settings
from core.analysis.japanese import JapaneseAnalyser
from core.embedding.encoder import SentenceEncoder
from core.stance.policy import StanceFlags, StancePolicy, faults_of_places
from prompts.loader import PromptLibrary

if TYPE_CHECKING:
    from core.sandbox.draft import Flags

_log = structlog.get_logger(__name__)


def flags_of(settings: Settings) -> StanceFlags:
    """Return what is switched on."""
    return StanceFlags(
        enable_reflective_support_signal=settings.enable_reflective_support_signal,
        enable_stance_integrity_policy=settings.enable_stance_integrity_policy,
        enable_stance_integrity_gate=settings.enable_stance_integrity_gate,
        enable_stance_inertia_state=settings.enable_stance_inertia_state,
    )


def variant_flags(settings: Settings, flags: "Flags") -> StanceFlags:
    """Return what a variant of the sandbox has switched on; what it doesn't say is as in the settings."""
    return flags_of(settings).switched(**asdict(flags))


async def load_stance(
    settings: Settings, *, places: Path, analyser: JapaneseAnalyser, prompts: PromptLibrary, encoder: SentenceEncoder
) -> StancePolicy:
    """Read what an operator may have written; the rest is loaded when it is first needed, or at `warm_up`.

    `places` is the file that comes with the program; of the operator's own, what can't be used is logged.

    Raises:
        CoreError: A shipped file can't be used; the text names it, the line and the reason.
    """
    policy = await asyncio.to_thread(
        StancePolicy.opened,
        flags_of(settings),
        resources=places,
        own_resources=settings.resources_file,
        prompts=prompts,
        analyser=analyser,
        encoder=encoder,
    )
    for fault in policy.ignored_places:
        _log.warning("places.entry_ignored", fault=fault)
    return policy


def places_problems(settings: Settings, *, places: Path) -> tuple[str, ...]:
    """Return a line for everything of the operator's file of places that is left out.

    Raises:
        CoreError: The shipped file can't be used.
    """
    own = settings.resources_file
    return () if own is None else faults_of_places(places, own)


_ALL_ON = StanceFlags(
    enable_reflective_support_signal=True,
    enable_stance_integrity_policy=True,
    enable_stance_integrity_gate=True,
    enable_stance_inertia_state=True,
)


async def load_everything(
    *, places: Path, analyser: JapaneseAnalyser, prompts: PromptLibrary, encoder: SentenceEncoder | None
) -> StancePolicy:
    """Return a policy with everything on and ready at once, to be measured; without `encoder` words decide alone.

    Raises:
        CoreError: A shipped file can't be used; the text names it, the line and the reason.
    """
    policy = await asyncio.to_thread(
        StancePolicy.load, _ALL_ON, resources=places, prompts=prompts, analyser=analyser, encoder=encoder
    )
    await policy.warm_up()
    await policy.compile_patterns()
    return policy


async def load_stances(
    settings: Settings,
    wanted: Iterable[StanceFlags],
    *,
    places: Path,
    analyser: JapaneseAnalyser,
    prompts: PromptLibrary,
    encoder: SentenceEncoder,
) -> StancePolicy:
    """Load what any of the `wanted` flags need, to be switched for each of them (`StancePolicy.switched`).

    Raises:
        CoreError: A shipped file can't be used; the text names it, the line and the reason.
    """
    if not any(flags.any_on for flags in wanted):
        return StancePolicy.off()
    load = partial(
        StancePolicy.load,
        _ALL_ON,
        resources=places,
        own_resources=settings.resources_file,
        prompts=prompts,
        analyser=analyser,
        encoder=encoder,
    )
    policy, _ = await asyncio.gather(asyncio.to_thread(load), encoder.load())
    return policy
