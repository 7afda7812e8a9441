"""Which models a tier uses, as the settings say; a tier without any uses the embedded model."""

from bot.settings import ModelEntry, Settings
from core.language_model.endpoint import Endpoint, Timeouts
from core.values import Tier

# Where a tier has no models of its own, a neighbour's are better than none: the cheaper one first.
_NEIGHBOURS = {
    Tier.ADVANCED: (Tier.BALANCED, Tier.BASIC),
    Tier.BALANCED: (Tier.BASIC, Tier.ADVANCED),
    Tier.BASIC: (Tier.BALANCED, Tier.ADVANCED),
}


def endpoints_of(settings: Settings, tier: Tier) -> tuple[Endpoint, ...]:
    """Return the tier's models in the order they are tried; () where the embedded model is used.

    Its own list first; else OpenAI's, if there is a key; else a neighbouring tier's list.
    """
    lists = _lists(settings)
    if not lists[tier] and settings.openai_api_key is not None:
        return (_openai(settings, tier),)
    chosen = next((lists[candidate] for candidate in (tier, *_NEIGHBOURS[tier]) if lists[candidate]), ())
    return tuple(_endpoint(settings, entry) for entry in chosen)


def unpriced(settings: Settings) -> tuple[str, ...]:
    """Return the models without a price; what they use counts as nothing where a cap is told in money."""
    endpoints = [endpoint for tier in Tier for endpoint in endpoints_of(settings, tier)]
    free = (endpoint.model for endpoint in endpoints if not endpoint.input_price and not endpoint.output_price)
    return tuple(dict.fromkeys(free))


def has_money_caps(settings: Settings) -> bool:
    """Return whether any cap is told in money."""
    return any(
        getattr(settings, f"{whose}_{period}_cost")
        for whose in ("user", "guild", "global")
        for period in ("daily", "monthly")
    )


def timeouts_of(settings: Settings) -> Timeouts:
    """Return how long answers are waited for."""
    return Timeouts(
        connect=settings.model_connect_seconds,
        piece=settings.model_piece_seconds,
        total=settings.model_total_seconds,
    )


def _lists(settings: Settings) -> dict[Tier, tuple[ModelEntry, ...]]:
    return {
        Tier.ADVANCED: settings.advanced_models,
        Tier.BALANCED: settings.balanced_models,
        Tier.BASIC: settings.basic_models,
    }


def _endpoint(settings: Settings, entry: ModelEntry) -> Endpoint:
    listed = settings.model_prices.get(entry.model)
    return Endpoint(
        base_url=entry.base_url,
        model=entry.model,
        api_key=entry.api_key.get_secret_value(),
        accepts_images=entry.images,
        input_price=_first(entry.input_price, listed.input if listed is not None else None),
        output_price=_first(entry.output_price, listed.output if listed is not None else None),
        context_tokens=entry.context_tokens,
        timeouts=timeouts_of(settings),
    )


def _openai(settings: Settings, tier: Tier) -> Endpoint:
    names = {
        Tier.ADVANCED: settings.openai_advanced_model,
        Tier.BALANCED: settings.openai_balanced_model,
        Tier.BASIC: settings.openai_basic_model,
    }
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key is not None else ""
    price = settings.model_prices.get(names[tier])
    return Endpoint(
        base_url=settings.openai_base_url,
        model=names[tier],
        api_key=key,
        accepts_images=True,
        input_price=price.input if price is not None else 0.0,
        output_price=price.output if price is not None else 0.0,
        timeouts=timeouts_of(settings),
    )


def _first(*prices: float | None) -> float:
    return next((price for price in prices if price is not None), 0.0)
