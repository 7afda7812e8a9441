"""From evidence to the signal: what follows from the marks of the rules and the scores of the layer.

The rules come first. The layer speaks where they are silent, under a name of its own in `matched` (`learned.…`);
what a veto took back stays taken back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from core.stance.signal.evidence import Evidence
from core.stance.signal.layer import Scores
from core.stance.signal.reading import Reading
from core.stance.signal.rule import Mark
from core.stance.signal.thresholds import THRESHOLDS, Thresholds
from core.stance.signal.vetoes import denied, figurative, past, somebody_else, told_elsewhere, watched
from core.stance.types import (
    EvidenceBalance,
    GuidanceStakes,
    OrderedEnum,
    PushbackLevel,
    ReflectiveSupportSignal,
    RiskLevel,
    SupportDomain,
    SupportMode,
)

_VETOES_OF_DANGER = (denied, past, somebody_else, figurative, told_elsewhere, watched)
_REPEATED_AFTER = 2
LEANING = "learned.leaning_reflective"
"""In `matched` of a turn that may be reflective support; it only bears on the turns after it."""
_HOLDING = frozenset({SupportMode.REFLECTIVE_SUPPORT, SupportMode.TASK_ADVICE})
"""Modes that hold on; small talk may turn into anything at any moment."""

Level = TypeVar("Level", bound=OrderedEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the turns before say about this one.

    `mode`: the mode in force; `pushes`: active pushes so far; `answered`: the character has spoken in the meantime;
    `leaning`: the last turn may have been reflective support, though it could not be told from its words.
    """

    mode: SupportMode = SupportMode.NONE
    pushes: int = 0
    answered: bool = False
    leaning: bool = False

    def with_answer(self, *, comforting: bool) -> "Context":
        """Return the context after the character has spoken; comfort tells what a turn was that could not be told."""
        if self.leaning and comforting:
            return replace(self, mode=SupportMode.REFLECTIVE_SUPPORT, leaning=False, answered=True)
        return replace(self, answered=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Judges one turn."""

    thresholds: Thresholds = THRESHOLDS

    def is_settled(self, evidence: Evidence, scores: Scores) -> bool:
        """Return whether a turn needs no vector: nothing to answer, or words that leave no doubt of something else."""
        if evidence.has(Mark.NOTHING_TO_ANSWER):
            return True
        settled = max(scores["mode"]["casual"], scores["mode"]["task_advice"]) >= self.thresholds.sure
        return settled and evidence.has(Mark.TASK, Mark.CASUAL)

    def is_unlike(self, evidence: Evidence, scores: Scores) -> bool:
        """Return whether words alone leave no doubt that a turn is neither reflective support nor about danger."""
        told = evidence.has(Mark.CRISIS, Mark.WARNING, Mark.REFLECTIVE, Mark.REFLECTIVE_CLEAR, Mark.OVERRELIANCE_HIGH)
        return not told and scores["mode"]["reflective_support"] < self.thresholds.unlike

    def judge(
        self, reading: Reading, evidence: Evidence, scores: Scores, context: Context, *, vectored: bool = True
    ) -> ReflectiveSupportSignal:
        """Return the signal of a turn. `vectored`: the scores rest on the sentence vector, too."""
        if evidence.has(Mark.NOTHING_TO_ANSWER):
            return ReflectiveSupportSignal(mode=context.mode, matched=evidence.matched)
        learned: list[str] = []
        wanted = self.thresholds.crisis if vectored else self.thresholds.crisis_by_words
        crisis = self._crisis(reading, evidence, scores, wanted, learned)
        mode = SupportMode.REFLECTIVE_SUPPORT if crisis else self._mode(reading, evidence, scores, context, learned)
        if mode is SupportMode.NONE:
            return ReflectiveSupportSignal(mode=context.mode, matched=(*evidence.matched, *learned))
        domain = SupportDomain(best(scores["domain"]))
        if mode is not SupportMode.REFLECTIVE_SUPPORT:
            domain = domain if mode is SupportMode.TASK_ADVICE else SupportDomain.OTHER
            return ReflectiveSupportSignal(mode=mode, domain=domain, matched=(*evidence.matched, *learned))
        return ReflectiveSupportSignal(
            mode=mode,
            domain=domain,
            stakes=self._stakes(evidence, scores, crisis=crisis),
            evidence_balance=self._balance(evidence, scores),
            pushback=self._pushback(evidence, scores, context),
            sycophancy_risk=self._sycophancy(evidence, scores, context),
            overreliance_risk=self._overreliance(evidence, scores),
            crisis=crisis,
            matched=(*evidence.matched, *learned),
        )

    def _crisis(self, reading: Reading, evidence: Evidence, scores: Scores, wanted: float, learned: list[str]) -> bool:
        if evidence.has(Mark.CRISIS):
            return True
        if evidence.has(Mark.TASK, Mark.CASUAL):
            return False
        if scores["crisis"]["own"] * scores["mode"]["reflective_support"] < wanted:
            return False
        if any(veto(reading) for veto in _VETOES_OF_DANGER):
            return False
        learned.append("learned.crisis")
        return True

    def _mode(
        self, reading: Reading, evidence: Evidence, scores: Scores, context: Context, learned: list[str]
    ) -> SupportMode:
        if evidence.has(Mark.WARNING, Mark.REFLECTIVE_CLEAR):
            return SupportMode.REFLECTIVE_SUPPORT
        odds = self._in_context(reading, scores["mode"], context)
        if odds["reflective_support"] >= self._needed(evidence, odds["none"], context):
            learned.append("learned.reflective_support")
            return SupportMode.REFLECTIVE_SUPPORT
        if odds["reflective_support"] >= self.thresholds.leaning and not evidence.has(Mark.TASK, Mark.CASUAL):
            learned.append(LEANING)
        if odds["none"] >= self.thresholds.nothing and len(reading.text) <= self.thresholds.nothing_length:
            learned.append("learned.none")
            return SupportMode.NONE
        small_talk = odds["casual"] * self.thresholds.casual_share >= odds["task_advice"]
        mode = SupportMode.CASUAL if small_talk else SupportMode.TASK_ADVICE
        learned.append(f"learned.{mode.value}")
        return mode

    def _needed(self, evidence: Evidence, nothing: float, context: Context) -> float:
        """How much of the layer a turn needs to be taken for reflective support; one that is marked says something."""
        if evidence.has(Mark.TASK, Mark.CASUAL) or context.mode is SupportMode.TASK_ADVICE:
            return self.thresholds.reflective_contested
        if evidence.has(Mark.REFLECTIVE, Mark.OVERRELIANCE_HIGH, Mark.PUSHBACK_REPEATED):
            return self.thresholds.reflective_marked * (1 - nothing)
        return self.thresholds.reflective

    def _in_context(self, reading: Reading, odds: Mapping[str, float], context: Context) -> dict[str, float]:
        """Let the mode in force hold on, unless the topic is changed in so many words."""
        held = SupportMode.REFLECTIVE_SUPPORT if context.leaning else context.mode
        if held not in _HOLDING or reading.has("topic_change"):
            return dict(odds)
        factor = self.thresholds.staying_leaning if context.leaning else self.thresholds.staying
        weighed = {name: odd * (factor if name == held else 1.0) for name, odd in odds.items()}
        total = sum(weighed.values())
        return {name: odd / total for name, odd in weighed.items()}

    def _stakes(self, evidence: Evidence, scores: Scores, *, crisis: bool) -> GuidanceStakes:
        if crisis:
            return GuidanceStakes.EXTREMELY_HIGH
        learned = GuidanceStakes(best(scores["stakes"]))
        grave = scores["stakes"]["high"] + scores["stakes"]["extremely_high"]
        named = evidence.has(Mark.STAKES_HIGH) and grave >= self.thresholds.rule_support
        if evidence.has(Mark.WARNING) or named:
            return highest(learned, GuidanceStakes.HIGH)
        return learned

    def _balance(self, evidence: Evidence, scores: Scores) -> EvidenceBalance:
        learned = EvidenceBalance(best(scores["evidence_balance"]))
        if scores["evidence_balance"][learned] >= self.thresholds.level:
            return learned
        marked = (
            (Mark.MIND_READING, EvidenceBalance.THIRD_PARTY_MIND_READING),
            (Mark.BALANCED, EvidenceBalance.BALANCED),
            (Mark.INTERPRETATION, EvidenceBalance.USER_INTERPRETATION_HEAVY),
            (Mark.ONE_SIDED, EvidenceBalance.ONE_SIDED),
        )
        return next((balance for mark, balance in marked if evidence.has(mark)), learned)

    def _pushback(self, evidence: Evidence, scores: Scores, context: Context) -> PushbackLevel:
        level = self._pressed(evidence, scores, context)
        if level is PushbackLevel.ACTIVE and context.pushes >= _REPEATED_AFTER:
            return PushbackLevel.REPEATED
        return level

    def _pressed(self, evidence: Evidence, scores: Scores, context: Context) -> PushbackLevel:
        odds = scores["pushback"]
        if evidence.has(Mark.PUSHBACK_REPEATED) and odds["none"] < 1 - self.thresholds.rule_support:
            return PushbackLevel.REPEATED
        if evidence.has(Mark.PUSHBACK_ACTIVE) and odds["none"] < 1 - self.thresholds.rule_support:
            return PushbackLevel.ACTIVE
        if not (context.answered and context.mode is SupportMode.REFLECTIVE_SUPPORT):
            return PushbackLevel(best(odds))
        level = PushbackLevel(best(self._in_answer(odds)))
        return level if level.at_least(PushbackLevel.ACTIVE) else self._in_reply(evidence, level)

    def _in_answer(self, odds: Mapping[str, float]) -> dict[str, float]:
        """Return the odds of pushback in answer to what the character said."""
        return {
            name: odd * (self.thresholds.pressing if PushbackLevel(name).at_least(PushbackLevel.ACTIVE) else 1.0)
            for name, odd in odds.items()
        }

    @staticmethod
    def _in_reply(evidence: Evidence, level: PushbackLevel) -> PushbackLevel:
        """Said after an answer, asking for agreement presses, and a "but" resists."""
        if evidence.has(Mark.VERDICT_SOUGHT, Mark.PUSHBACK_ACTIVE):
            return PushbackLevel.ACTIVE
        return highest(level, PushbackLevel.MILD) if evidence.has(Mark.PUSHBACK_MILD) else level

    def _sycophancy(self, evidence: Evidence, scores: Scores, context: Context) -> RiskLevel:
        learned = RiskLevel(best(scores["sycophancy_risk"]))
        pressed = self._pushback(evidence, scores, context).at_least(PushbackLevel.ACTIVE)
        asked = evidence.has(Mark.VERDICT_SOUGHT) and scores["sycophancy_risk"]["high"] >= self.thresholds.rule_support
        return RiskLevel.HIGH if pressed or asked else learned

    def _overreliance(self, evidence: Evidence, scores: Scores) -> RiskLevel:
        learned = RiskLevel(best(scores["overreliance_risk"]))
        clear = scores["overreliance_risk"]["low"] > 1 - self.thresholds.rule_support
        if evidence.has(Mark.OVERRELIANCE_HIGH) and not clear:
            return RiskLevel.HIGH
        if evidence.has(Mark.OVERRELIANCE_MEDIUM) and not clear:
            return highest(learned, RiskLevel.MEDIUM)
        return learned


def best(odds: Mapping[str, float]) -> str:
    """Return the most probable class."""
    return max(odds, key=odds.__getitem__)


def highest(first: Level, second: Level) -> Level:
    """Return the higher of two levels."""
    return first if first.at_least(second) else second
