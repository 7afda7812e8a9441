"""The chat models of the tiers: opened together, closed together; nothing here knows data or scheduler."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from bot.embedded import ensure_weights, has_weights, patient_timeouts, sidecar_options
from bot.settings import Settings
from bot.tiers import endpoints_of
from core.characters.pack import CharacterPack
from core.clock import Clock
from core.language_model.chain import ModelChain
from core.language_model.client import OpenAIChatModel
from core.language_model.embedded import EmbeddedModel
from core.ports import ChatModel
from core.values import Tier


def tiers_of(packs: Iterable[CharacterPack]) -> frozenset[Tier]:
    """Return the tiers that characters use."""
    return frozenset(pack.character.tier for pack in packs)


async def get_ready(settings: Settings, tiers: Iterable[Tier]) -> None:
    """Fetch the embedded model's weights where a tier needs them.

    Raises:
        StartError: The operator's own file of weights is not there.
        WeightsError: The weights can't be had.
    """
    if any(not endpoints_of(settings, tier) for tier in tiers):
        await ensure_weights(settings)


@asynccontextmanager
async def open_models(
    settings: Settings, tiers: Iterable[Tier], clock: Clock, rng: random.Random
) -> AsyncIterator[dict[Tier, ChatModel]]:
    """Open a chain of models for each tier. Tiers without models of their own share one embedded model."""
    async with AsyncExitStack() as stack:
        opened: dict[Tier, ChatModel] = {}
        embedded: EmbeddedModel | None = None
        for tier in sorted(tiers):
            models: list[ChatModel] = []
            for endpoint in endpoints_of(settings, tier):
                model = OpenAIChatModel(endpoint, clock=clock)
                stack.push_async_callback(model.aclose)
                models.append(model)
            if not models:
                if embedded is None:
                    embedded = await stack.enter_async_context(open_embedded(settings, clock))
                models.append(embedded)
            opened[tier] = ModelChain(tier=tier, models=models, clock=clock, rng=rng)
        yield opened


def model_status(settings: Settings) -> dict[str, list[dict[str, Any]]]:
    """Return the models of each tier in their order, without keys."""
    embedded = {"model": sidecar_options(settings).gguf.name, "at": "embedded", "ready": has_weights(settings)}
    return {
        tier.value: [{"model": endpoint.model, "at": endpoint.address} for endpoint in endpoints_of(settings, tier)]
        or [embedded]
        for tier in Tier
    }


@asynccontextmanager
async def open_embedded(settings: Settings, clock: Clock) -> AsyncIterator[EmbeddedModel]:
    """Open the embedded model, which loads while the first message is still being written."""
    model = EmbeddedModel(
        options=sidecar_options(settings),
        clock=clock,
        timeouts=patient_timeouts(settings),
        can_look_up=settings.local_gguf is not None,
    )
    warming = asyncio.create_task(model.warm_up())
    try:
        yield model
    finally:
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)
        await model.aclose()
