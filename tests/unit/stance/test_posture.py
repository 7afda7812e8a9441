"""When the posture block appears, and what it says. Golden files: run with STANCE_GOLDEN=write to write them anew."""

import os
from pathlib import Path

import pytest

from core.stance.posture import posture_block
from core.stance.types import Firmness, GuidanceStakes, ReflectiveSupportSignal, RiskLevel, SupportMode
from core.values import Locale
from prompts.loader import PromptLibrary

PROMPTS = PromptLibrary.load()
GOLDEN = Path(__file__).parent / "golden_posture"
REFLECTIVE = ReflectiveSupportSignal(mode=SupportMode.REFLECTIVE_SUPPORT)
TURNS = {
    "plain": (REFLECTIVE, Firmness.BASE),
    "pressed": (REFLECTIVE, Firmness.FIRM),
    "praise_wanted": (
        ReflectiveSupportSignal(mode=SupportMode.REFLECTIVE_SUPPORT, sycophancy_risk=RiskLevel.HIGH),
        Firmness.FIRMEST,
    ),
    "acute": (
        ReflectiveSupportSignal(
            mode=SupportMode.REFLECTIVE_SUPPORT,
            stakes=GuidanceStakes.EXTREMELY_HIGH,
            overreliance_risk=RiskLevel.HIGH,
            crisis=True,
        ),
        Firmness.FIRMEST,
    ),
}


@pytest.mark.parametrize("locale", list(Locale))
@pytest.mark.parametrize("mode", [SupportMode.NONE, SupportMode.CASUAL, SupportMode.TASK_ADVICE])
@pytest.mark.parametrize("firmness", list(Firmness))
def test_casual_and_technical_turns_get_none(mode: SupportMode, locale: Locale, firmness: Firmness) -> None:
    signal = ReflectiveSupportSignal(mode=mode, stakes=GuidanceStakes.MEDIUM, sycophancy_risk=RiskLevel.MEDIUM)
    assert posture_block(PROMPTS, signal=signal, firmness=firmness, locale=locale) is None


@pytest.mark.parametrize("locale", list(Locale))
@pytest.mark.parametrize("name", list(TURNS))
def test_the_block_reads_as_recorded(name: str, locale: Locale) -> None:
    signal, firmness = TURNS[name]
    block = posture_block(PROMPTS, signal=signal, firmness=firmness, locale=locale)
    path = GOLDEN / f"{name}-{locale}.txt"
    if os.environ.get("STANCE_GOLDEN") == "write":
        path.write_text(f"{block}\n", "utf-8")
    assert f"{block}\n" == path.read_text("utf-8")


@pytest.mark.parametrize("locale", list(Locale))
def test_each_firmness_reads_differently(locale: Locale) -> None:
    blocks = {posture_block(PROMPTS, signal=REFLECTIVE, firmness=firmness, locale=locale) for firmness in Firmness}
    assert len(blocks) == len(Firmness)


@pytest.mark.parametrize(
    "signal",
    [
        ReflectiveSupportSignal(stakes=GuidanceStakes.HIGH),
        ReflectiveSupportSignal(overreliance_risk=RiskLevel.HIGH),
        ReflectiveSupportSignal(sycophancy_risk=RiskLevel.HIGH),
        ReflectiveSupportSignal(crisis=True),
    ],
)
def test_high_stakes_and_high_risks_get_the_block_in_any_mode(signal: ReflectiveSupportSignal) -> None:
    assert posture_block(PROMPTS, signal=signal, firmness=Firmness.BASE, locale=Locale.EN)
