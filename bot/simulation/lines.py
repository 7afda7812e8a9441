"""What a simulation came to, as lines for the terminal."""

from collections.abc import Iterator, Mapping

from rich.cells import cell_len

from bot.pages.wording import Wording
from bot.simulation.report import Outcome
from core.proactive.types import SlotState

_ENDS = (SlotState.SENT, SlotState.DECLINED, SlotState.FAILED, SlotState.UNKNOWN)
_INDENT = "  "


def lines(outcome: Outcome, wording: Wording) -> Iterator[str]:
    """Yield how many occasions ended how, why some were skipped, how often each rule was broken, and what was asked."""
    plan = outcome.plan
    yield from _counts({wording(f"counts.{end}"): outcome.counted(end) for end in _ENDS})
    yield wording("counts.skipped")
    yield from _counts({reason(why, wording): count for why, count in outcome.skipped().items()}, _INDENT)
    yield wording("rules")
    yield from _counts({wording(f"violation.{kind}"): count for kind, count in outcome.violations.items()}, _INDENT)
    yield from _counts({wording(f"plan.{name}"): getattr(plan, name) for name in ("days", "users", "seed")})


def reason(why: str, wording: Wording) -> str:
    """Return why an occasion was skipped, in the words that `/proactive why` has for it."""
    return wording.messages.text(f"proactive.reason.{why}", wording.locale)


def _counts(counts: Mapping[str, int], indent: str = "") -> Iterator[str]:
    """Yield names with their numbers below each other."""
    width = max(map(cell_len, counts), default=0)
    digits = max((len(str(count)) for count in counts.values()), default=0)
    for name, count in counts.items():
        yield f"{indent}{name}{' ' * (width - cell_len(name))}  {count:>{digits}}"
