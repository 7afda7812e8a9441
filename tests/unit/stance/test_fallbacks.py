"""The written replies: enough of them, fit for their reason, and pointing to real places."""

import random
from pathlib import Path

import pytest

from core.stance.fallbacks import ACUTE, ALONE, HIGH_STAKES, PLACES, FallbackError, Fallbacks
from core.stance.gate.gate import StanceGate
from core.stance.gate.registry import RULES
from core.stance.gate.types import GateAction
from core.stance.resources import Resources
from core.stance.types import GuidanceStakes, ReflectiveSupportSignal, SupportDomain
from core.values import Locale
from prompts.loader import PromptLibrary

ROOT = Path(__file__).parents[3]
FALLBACKS = Fallbacks.load(Resources.load(ROOT / "data/resources/resources.toml"))
GATE = StanceGate.load()
REASONS = (*(rule.id for rule in RULES), ACUTE, ALONE)
PLAIN = ReflectiveSupportSignal()
CRISIS = ReflectiveSupportSignal(crisis=True, stakes=GuidanceStakes.EXTREMELY_HIGH)
ALL = [(locale, reason, text) for locale in Locale for reason in REASONS for text in FALLBACKS.texts[locale][reason]]


def choose(reason: str, signal: ReflectiveSupportSignal, locale: Locale, country: str | None) -> str:
    return FALLBACKS.choose(reason, signal=signal, locale=locale, country=country, rng=random.Random(1))


@pytest.mark.parametrize("locale", list(Locale))
def test_every_reason_has_at_least_four_texts(locale: Locale) -> None:
    assert set(FALLBACKS.texts[locale]) == set(REASONS)
    for reason, texts in FALLBACKS.texts[locale].items():
        assert len(set(texts)) >= 4, reason


@pytest.mark.parametrize(("locale", "reason", "text"), ALL)
def test_a_fallback_passes_the_gate_itself(locale: Locale, reason: str, text: str) -> None:
    for user in (
        "",
        "薬とお金のことで迷ってる。もう寝る。私は正しいよね？",
        "he hit me, should I stop the tablets? going to bed",
    ):
        assert GATE.verify(user=user, reply=text, signal=CRISIS).action is GateAction.PASS


@pytest.mark.parametrize(("locale", "reason", "text"), ALL)
def test_only_high_stakes_and_acute_danger_name_places(locale: Locale, reason: str, text: str) -> None:
    assert text.count(PLACES) == (1 if reason in {ACUTE, ALONE, HIGH_STAKES} else 0)


def test_acute_danger_goes_before_any_other_reason() -> None:
    said = choose("inflated_praise", CRISIS, Locale.JA, "JP")
    assert "119" in said
    assert "0120-279-338" in said
    assert PLACES not in said


@pytest.mark.parametrize(
    ("country", "number"),
    [("US", "988"), ("GB", "116 123"), ("IE", "116 123"), ("CA", "9-8-8"), ("AU", "13 11 14"), ("NZ", "1737")],
)
def test_the_country_decides_whom_to_ring(country: str, number: str) -> None:
    assert number in choose("overreliance_continuation", CRISIS, Locale.EN, country)


@pytest.mark.parametrize("country", [None, "BR"])
def test_where_the_country_is_unknown_the_directory_is_named(country: str | None) -> None:
    assert "findahelpline.com" in choose(HIGH_STAKES, CRISIS, Locale.EN, country)


@pytest.mark.parametrize("domain", list(SupportDomain))
@pytest.mark.parametrize("country", ["JP", "US", "GB", "IE", "CA", "AU", "NZ", None])
def test_high_stakes_always_name_a_place(domain: SupportDomain, country: str | None) -> None:
    signal = ReflectiveSupportSignal(domain=domain, stakes=GuidanceStakes.HIGH)
    assert "\n- " in choose(HIGH_STAKES, signal, Locale.EN, country)


def test_an_unknown_reason_is_an_error() -> None:
    with pytest.raises(FallbackError, match="no texts for nonsense"):
        choose("nonsense", PLAIN, Locale.EN, None)


@pytest.mark.parametrize("locale", list(Locale))
def test_every_rule_has_a_reason_for_repair(locale: Locale) -> None:
    prompts = PromptLibrary.load()
    every = [prompts.render("chat-repair", locale, reasons=[f"stance.{rule.id}"]) for rule in RULES]
    assert len(set(every)) == len(RULES)
    assert prompts.render("chat-repair", locale, reasons=["stance.unknown"]) not in every
