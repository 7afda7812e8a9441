import json
from pathlib import Path

import pytest

from bot.settings import Settings, load
from bot.tiers import endpoints_of
from core.values import Tier


def _settings(monkeypatch: pytest.MonkeyPatch, **variables: str) -> Settings:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    return load().settings


def _list(*models: str) -> str:
    return json.dumps([{"base_url": "http://host/v1/", "model": model, "api_key": "k"} for model in models])


@pytest.mark.parametrize("tier", list(Tier))
def test_without_any_model_every_tier_uses_the_embedded_one(
    tier: Tier, bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert endpoints_of(_settings(monkeypatch), tier) == ()


def test_a_key_of_openai_alone_serves_every_tier(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = _settings(monkeypatch, OPENAI_API_KEY="k")
    models = {tier: endpoints_of(settings, tier)[0] for tier in Tier}
    assert {tier: endpoint.model for tier, endpoint in models.items()} == {
        Tier.ADVANCED: "gpt-4.1",
        Tier.BALANCED: "gpt-4.1-mini",
        Tier.BASIC: "gpt-4.1-nano",
    }
    assert all(endpoint.api_key == "k" and endpoint.accepts_images for endpoint in models.values())


def test_a_tier_s_own_list_wins_and_keeps_its_order(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = _settings(monkeypatch, OPENAI_API_KEY="k", YORISOI_BALANCED_MODELS=_list("first", "second"))
    assert [endpoint.model for endpoint in endpoints_of(settings, Tier.BALANCED)] == ["first", "second"]
    assert [endpoint.model for endpoint in endpoints_of(settings, Tier.BASIC)] == ["gpt-4.1-nano"]


def test_a_tier_without_a_list_borrows_its_neighbour_s(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = _settings(monkeypatch, YORISOI_BASIC_MODELS=_list("small"), YORISOI_ADVANCED_MODELS=_list("large"))
    assert endpoints_of(settings, Tier.BALANCED)[0].model == "small"


def test_everything_an_entry_says_reaches_the_endpoint(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {
        "base_url": "http://host/v1/",
        "model": "m",
        "api_key": "key",
        "images": True,
        "input_price": 2.0,
        "output_price": 8.0,
        "context_tokens": 8192,
    }
    settings = _settings(
        monkeypatch,
        YORISOI_BASIC_MODELS=json.dumps([entry]),
        YORISOI_MODEL_PIECE_SECONDS="7",
        YORISOI_MODEL_TOTAL_SECONDS="9",
    )
    (endpoint,) = endpoints_of(settings, Tier.BASIC)
    assert (endpoint.base_url, endpoint.model, endpoint.api_key) == ("http://host/v1", "m", "key")
    assert endpoint.accepts_images
    assert (endpoint.input_price, endpoint.output_price, endpoint.context_tokens) == (2.0, 8.0, 8192)
    assert (endpoint.timeouts.piece, endpoint.timeouts.total) == (7.0, 9.0)
    assert "key" not in repr(endpoint)
