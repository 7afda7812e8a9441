"""The one door to stance integrity: all that a turn knows of it (seed 000, §2 and §10).

A turn asks what it is (`read`), what to add to the prompt (`posture`), what is wrong with a reply (`verify`), what to
say instead (`fallback`) and what the session remembers afterwards (`after`). Importing this loads neither lexicons nor
numpy; `load` does.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from core.stance.countries import country_of_zone
from core.stance.fallbacks import ACUTE, HIGH_STAKES
from core.stance.gate.types import GateAction, GateSeverity, StanceFinding
from core.stance.inertia import advance, firmness_of, note_gate
from core.stance.posture import posture_block
from core.stance.resources import country_of
from core.stance.types import Firmness, GuidanceStakes, ReflectiveSupportSignal, RiskLevel, StanceInertia, SupportMode
from core.values import Locale
from prompts.loader import PromptLibrary

if TYPE_CHECKING:
    from core.embedding.encoder import SentenceEncoder
    from core.stance.parts import StanceParts
    from core.stance.signal.words import Analyser

PREFIX = "stance."
"""Before the ids of the gate's rules, where they stand among those of other checks."""

Said = tuple[bool, str]
"""One turn of the talk before: whether the user said it (else the character), and the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceFlags:
    """What is switched on (seed 000, §10). Posture, gate and inertia read the signal even if its own flag is off."""

    enable_reflective_support_signal: bool = False
    enable_stance_integrity_policy: bool = False
    enable_stance_integrity_gate: bool = False
    enable_stance_inertia_state: bool = False

    @property
    def any_on(self) -> bool:
        """Whether turns are read at all."""
        return (
            self.enable_reflective_support_signal
            or self.enable_stance_integrity_policy
            or self.enable_stance_integrity_gate
            or self.enable_stance_inertia_state
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceReading:
    """What a turn is and how firmly the stance is held in it. `inertia` counts the turn already."""

    text: str = field(repr=False)
    signal: ReflectiveSupportSignal
    firmness: Firmness
    inertia: StanceInertia

    @property
    def holds_back(self) -> bool:
        """Whether nothing of the reply is shown before all of it is verified."""
        return self.signal.calls_for_posture

    @property
    def is_sensitive(self) -> bool:
        """Whether neither side of the turn may be stored with its text."""
        signal = self.signal
        return signal.mode is SupportMode.REFLECTIVE_SUPPORT or _is_grave(signal)

    @property
    def calls_for_reserve(self) -> bool:
        """Whether the character had better not speak first for a while: danger, or leaning on it too much."""
        return self.signal.crisis or self.signal.overreliance_risk is RiskLevel.HIGH

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that told what the turn is."""
        return self.signal.matched

    @property
    def summary(self) -> str:
        """The signal in a few words for the trace; no text."""
        signal = self.signal
        crisis = " crisis" if signal.crisis else ""
        return (
            f"mode={signal.mode} domain={signal.domain} stakes={signal.stakes} pushback={signal.pushback}"
            f" firmness={self.firmness}{crisis}"
        )


@dataclass(frozen=True, slots=True)
class StanceFault:
    """What breaks the stance in a reply, and where. `dangerous`: the reply is to be replaced, not written again."""

    rule: str
    dangerous: bool
    start: int
    end: int


class StancePolicy:
    """Stance integrity as far as it is switched on."""

    def __init__(self, flags: StanceFlags, parts: "StanceParts | None") -> None:
        self._flags = flags
        self._parts = parts if flags.any_on else None

    @classmethod
    def off(cls) -> Self:
        """Return the policy that does nothing."""
        return cls(StanceFlags(), None)

    @classmethod
    def load(
        cls,
        flags: StanceFlags,
        *,
        resources: Path,
        prompts: PromptLibrary,
        analyser: "Analyser | None" = None,
        encoder: "SentenceEncoder | None" = None,
    ) -> Self:
        """Load what the flags need (0.3 s; to be called in a thread); nothing where all of them are off.

        Without `encoder` words decide alone, which is quicker and somewhat less sure.

        Raises:
            CoreError: a lexicon, the weights, the texts or the file of places can't be used; it names file and reason.
        """
        if not flags.any_on:
            return cls.off()
        from core.stance.parts import StanceParts  # noqa: PLC0415 - brings numpy along

        return cls(flags, StanceParts.load(resources=resources, prompts=prompts, analyser=analyser, encoder=encoder))

    @property
    def reads(self) -> bool:
        """Whether turns are read."""
        return self._parts is not None

    @property
    def has_posture(self) -> bool:
        """Whether the posture block is switched on."""
        return self._parts is not None and self._flags.enable_stance_integrity_policy

    @property
    def has_gate(self) -> bool:
        """Whether replies are checked."""
        return self._parts is not None and self._flags.enable_stance_integrity_gate

    @property
    def has_inertia(self) -> bool:
        """Whether sessions remember."""
        return self._parts is not None and self._flags.enable_stance_inertia_state

    async def read(
        self, text: str, history: Sequence[Said] = (), inertia: StanceInertia | None = None, *, counts: bool = True
    ) -> StanceReading | None:
        """Return what a turn is, None where nothing is switched on. Never raises on text.

        `inertia` is what the session remembers; `counts` is false for a turn it has counted already (an answer that is
        written anew).
        """
        if self._parts is None:
            return None
        signal = await self._parts.signal(text, history)
        remembered = inertia if inertia is not None and self.has_inertia else StanceInertia()
        now = advance(remembered, signal) if counts or not self.has_inertia else remembered
        return StanceReading(text=text, signal=signal, firmness=firmness_of(signal, now), inertia=now)

    async def is_sensitive(self, text: str) -> bool:
        """Return whether a text by itself may not be stored."""
        reading = await self.read(text)
        return reading is not None and reading.is_sensitive

    def posture(self, reading: StanceReading | None, locale: Locale) -> str | None:
        """Return the lines to add to the prompt, None where the turn calls for none."""
        if self._parts is None or reading is None or not self.has_posture:
            return None
        return posture_block(self._parts.prompts, signal=reading.signal, firmness=reading.firmness, locale=locale)

    def verify(self, reading: StanceReading, reply: str, *, complete: bool) -> tuple[StanceFault, ...]:
        """Return what breaks the stance in a reply; `complete` is false while it is still being written."""
        if self._parts is None or not self.has_gate:
            return ()
        verdict = self._parts.gate.verify(user=reading.text, reply=reply, signal=reading.signal, complete=complete)
        return _faults(verdict.findings, verdict.action)

    def fallback(
        self,
        rules: Sequence[str],
        reading: StanceReading | None,
        *,
        locale: Locale,
        zone: str | None,
        rng: random.Random,
    ) -> str | None:
        """Return what to say instead of a reply that broke `rules` (the gravest first; none: there is no reply at all).

        Acute danger is answered whatever was broken, high stakes with places, too. `zone` is where the user lives, if
        they said so. None where the first of the rules is not one of stance and nothing is acute.
        """
        if self._parts is None or reading is None or not self.has_gate:
            return None
        reason = _reason(rules, reading.signal)
        if reason is None:
            return None
        country = (country_of_zone(zone) if zone is not None else None) or country_of(locale)
        return self._parts.fallbacks.choose(reason, signal=reading.signal, locale=locale, country=country, rng=rng)

    def after(self, reading: StanceReading, rules: Sequence[str]) -> StanceInertia | None:
        """Return what the session remembers after a turn whose replies broke `rules`; None if it remembers nothing."""
        if not self.has_inertia:
            return None
        return note_gate(reading.inertia, _first_of_ours(rules))


def _is_grave(signal: ReflectiveSupportSignal) -> bool:
    return signal.crisis or signal.stakes.at_least(GuidanceStakes.HIGH)


def _faults(findings: Sequence[StanceFinding], action: GateAction) -> tuple[StanceFault, ...]:
    """Return the findings as faults whose gravest says what the whole verdict says."""
    any_dangerous = any(finding.severity is GateSeverity.FALLBACK for finding in findings)
    together = action is GateAction.FALLBACK and not any_dangerous
    return tuple(
        StanceFault(
            PREFIX + finding.rule,
            together or finding.severity is GateSeverity.FALLBACK,
            finding.start,
            finding.end,
        )
        for finding in findings
    )


def _reason(rules: Sequence[str], signal: ReflectiveSupportSignal) -> str | None:
    if signal.crisis or signal.stakes is GuidanceStakes.EXTREMELY_HIGH:
        return ACUTE
    if not rules or not rules[0].startswith(PREFIX):
        return None
    return HIGH_STAKES if _is_grave(signal) else rules[0].removeprefix(PREFIX)


def _first_of_ours(rules: Sequence[str]) -> str | None:
    return next((rule.removeprefix(PREFIX) for rule in rules if rule.startswith(PREFIX)), None)
