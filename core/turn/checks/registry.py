"""The checks of a reply, in their order."""

from core.facts.time_claims import find_time_claims
from core.turn.checks.base import Check
from core.turn.checks.exposure import ExposureCheck
from core.turn.checks.form import FormCheck, FormPatterns
from core.turn.checks.pending import PendingCheck
from core.turn.checks.time import TimeCheck


def prepare() -> None:
    """Compile what the checks look for. It takes most of a second: do it in a thread, ahead of the first reply."""
    find_time_claims("あ a")


def all_checks() -> tuple[Check, ...]:
    """Return every check; a new one gets its line here and nowhere else."""
    return (
        ExposureCheck(),
        FormCheck(FormPatterns.load()),
        PendingCheck("stance"),
        TimeCheck(),
        PendingCheck("recall_denial"),
    )
