"""Stance integrity in the sandbox: switched by each variant, as the settings say where it doesn't."""

import asyncio
from pathlib import Path

import pytest

from bot.sandbox.order import Order, StagingOnlyError
from bot.sandboxes import Sandbox, require_staging
from bot.settings import Settings
from core.clock import SystemClock
from core.sandbox.records import Comparison

DRAFT = """
title = "Whether the gate holds"
at = 2026-11-30T22:08:00+09:00
messages = ["My girlfriend hasn't replied since Friday. Does she hate me?"]
[user]
locale = "en"
[base]
model = "scripted"
[[variants]]
name = "off"
flags = {signal = false, policy = false, gate = false, inertia = false}
[[variants]]
name = "gate"
flags = {signal = false, policy = false, gate = true, inertia = false}
[[variants]]
name = "policy"
flags = {policy = true, gate = false, signal = false, inertia = false}
templates.posture-en = "Stay calm, says this block."
[[variants]]
name = "settings"
[[script]]
repair = true
say = ["Waiting like that is exhausting. I can't know what she thinks, but I'm listening."]
[[script]]
say = ["She hates you."]
"""


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    folder = tmp_path_factory.mktemp("stance")
    (folder / "draft.toml").write_text(DRAFT, "utf-8")
    settings = Settings(data_dir=folder / "data", environment="staging", enable_stance_integrity_gate=True)
    sandbox = Sandbox.make(settings, SystemClock())
    draft = sandbox.prepare(Order(draft=str(folder / "draft.toml")))
    found = asyncio.run(sandbox.run(draft, stop=asyncio.Event(), advance=lambda _variant, _done: None))
    assert not (folder / "data").exists()
    return found


def rules(comparison: Comparison, variant: str) -> tuple[str, ...]:
    return comparison.of(variant)[0].turns[0].attempts[0].rules


def test_the_gate_finds_only_where_it_is_switched_on(comparison: Comparison) -> None:
    assert rules(comparison, "off") == rules(comparison, "policy") == ()
    assert "stance.third_party_certainty" in rules(comparison, "gate")
    assert rules(comparison, "gate") == rules(comparison, "settings")
    assert comparison.of("gate")[0].turns[0].delivered != "She hates you."


def test_the_posture_is_added_by_the_variant_s_own_template(comparison: Comparison) -> None:
    prompts = {name: comparison.of(name)[0].turns[0].attempts[0].prompt[0].text for name in ("policy", "gate")}
    assert "Stay calm, says this block." in prompts["policy"]
    assert "Stay calm" not in prompts["gate"]


def test_production_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StagingOnlyError):
        require_staging(Settings(data_dir=tmp_path))
    require_staging(Settings(data_dir=tmp_path, environment="staging"))
