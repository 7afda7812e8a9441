"""The checks of a reply, in their order."""

from core.facts.time_claims import find_claims
from core.stance.policy import StancePolicy
from core.turn.checks.base import Check
from core.turn.checks.exposure import ExposureCheck
from core.turn.checks.form import FormCheck, FormPatterns
from core.turn.checks.pending import SWITCHED_OFF, PendingCheck
from core.turn.checks.recall import RecallCheck, RecallPatterns
from core.turn.checks.stance import StanceCheck
from core.turn.checks.time import TimeCheck

# Claims of either kind in either language: what is common to many rules is needed for these.
_TYPICAL = "いま三時だよ。さっきごはん食べてた。月曜だね。\nIt's three now. I just woke up. Monday again. Making tea."


def prepare() -> None:
    """Get ready what the checks look things up in. It takes some time: do it in a thread, ahead of the first reply."""
    find_claims(_TYPICAL)
    FormPatterns.load()
    RecallPatterns.load()


def all_checks(stance: StancePolicy) -> tuple[Check, ...]:
    """Return every check; a new one gets its line here and nowhere else."""
    return (
        ExposureCheck(),
        FormCheck(),
        StanceCheck(stance) if stance.has_gate else PendingCheck("stance", SWITCHED_OFF),
        TimeCheck(),
        RecallCheck(),
    )
