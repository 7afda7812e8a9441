"""Stance integrity as the operator switched it on."""

import asyncio
from functools import partial
from pathlib import Path

from bot.settings import Settings
from core.analysis.japanese import JapaneseAnalyser
from core.embedding.encoder import SentenceEncoder
from core.stance.policy import StanceFlags, StancePolicy
from prompts.loader import PromptLibrary


def flags_of(settings: Settings) -> StanceFlags:
    """Return what is switched on."""
    return StanceFlags(
        enable_reflective_support_signal=settings.enable_reflective_support_signal,
        enable_stance_integrity_policy=settings.enable_stance_integrity_policy,
        enable_stance_integrity_gate=settings.enable_stance_integrity_gate,
        enable_stance_inertia_state=settings.enable_stance_inertia_state,
    )


async def load_stance(
    settings: Settings, *, places: Path, analyser: JapaneseAnalyser, prompts: PromptLibrary
) -> StancePolicy:
    """Load what the flags need, beside the event loop; nothing where all of them are off.

    Raises:
        CoreError: A file can't be used; the text names it, the line and the reason.
    """
    flags = flags_of(settings)
    if not flags.any_on:
        return StancePolicy.off()
    encoder = SentenceEncoder()
    load = partial(StancePolicy.load, flags, resources=places, prompts=prompts, analyser=analyser, encoder=encoder)
    policy, _ = await asyncio.gather(asyncio.to_thread(load), encoder.load())
    return policy
