"""A rule of the signal: a candidate AND its required argument AND no veto."""

from dataclasses import dataclass
from enum import StrEnum

from core.stance.signal.reading import Reading
from core.stance.signal.vetoes import Veto
from core.values import Locale


class Mark(StrEnum):
    """What a rule says about a turn. What follows from the marks stands in `judgement.py`."""

    NOTHING_TO_ANSWER = "nothing_to_answer"
    CASUAL = "casual"
    TASK = "task"
    REFLECTIVE = "reflective"
    REFLECTIVE_CLEAR = "reflective_clear"
    CRISIS = "crisis"
    WARNING = "warning"
    PUSHBACK_MILD = "pushback_mild"
    PUSHBACK_ACTIVE = "pushback_active"
    PUSHBACK_REPEATED = "pushback_repeated"
    VERDICT_SOUGHT = "verdict_sought"
    OVERRELIANCE_MEDIUM = "overreliance_medium"
    OVERRELIANCE_HIGH = "overreliance_high"
    STAKES_HIGH = "stakes_high"
    BALANCED = "balanced"
    ONE_SIDED = "one_sided"
    INTERPRETATION = "interpretation"
    MIND_READING = "mind_reading"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """`candidate` and `argument` name groups of the lexicons; any of each has to occur.

    `argument` may be empty (the candidate holds it already); where `ellipsis` is true a Japanese turn may leave it out,
    as Japanese leaves out who is meant. `vetoes` are asked last; any of them takes the candidate back.
    """

    id: str
    mark: Mark
    candidate: tuple[str, ...]
    argument: tuple[str, ...] = ()
    ellipsis: bool = False
    vetoes: tuple[Veto, ...] = ()

    def fires(self, reading: Reading) -> bool:
        """Return whether the rule applies to a turn."""
        if not reading.has(*self.candidate):
            return False
        if self.argument and not reading.has(*self.argument) and not self._left_out(reading):
            return False
        return not any(veto(reading) for veto in self.vetoes)

    def _left_out(self, reading: Reading) -> bool:
        return self.ellipsis and Locale.JA in reading.locales
