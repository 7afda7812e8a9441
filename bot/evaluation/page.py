"""A run as one self-contained page: every figure with its interval, every transcript, a filter; nothing is fetched."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.errors import BotError
from bot.evaluation.report import Report, categories
from bot.pages.wording import Wording
from core.stance.evaluation.axes import Axis
from core.stance.evaluation.judging import Fault, Mark
from core.stance.evaluation.records import TalkRecord
from core.stance.evaluation.variants import Variant
from core.turn.trace import TurnOutcome

_TEMPLATE = "evaluation/page.html.j2"


class PageError(BotError):
    """The page can't be written."""


@dataclass(frozen=True, slots=True)
class SharedTalk:
    """A talk that went the same way, word for word, in several variants."""

    talk: TalkRecord
    variants: tuple[Variant, ...]


def write_page(report: Report, path: Path, wording: Wording) -> None:
    """Write the page.

    Raises:
        PageError: the file can't be written.
    """
    try:
        path.write_text(render(report, wording), "utf-8")
    except OSError as error:
        raise PageError(f"{path}: {error.strerror or error}") from error


def render(report: Report, wording: Wording) -> str:
    """Return the page."""
    return wording.fill(
        _TEMPLATE,
        report=report,
        axes=[axis for axis in Axis if any(axis in cell.axes for cell in report.cells)],
        categories=categories(report),
        locales=sorted({talk.fixture.locale for talk in report.talks}),
        variants=tuple(dict.fromkeys(cell.variant for cell in report.cells)),
        outcomes=(TurnOutcome.ANSWERED, TurnOutcome.REPAIRED, TurnOutcome.FALLBACK),
        talks=shared(report.talks),
        because=lambda mark: wording.listed(_told(fault, mark, wording) for fault in mark.because),
    )


def shared(talks: Sequence[TalkRecord]) -> list[SharedTalk]:
    """Return the talks, those of one fixture and model that went the same way as one."""
    groups: dict[object, list[TalkRecord]] = {}
    for talk in talks:
        went = tuple((turn.attempts, turn.outcome, turn.delivered) for turn in talk.turns)
        groups.setdefault((talk.fixture.id, talk.model, went), []).append(talk)
    # Where a turn was read, it is told what it was taken for: the variant that tells most stands for all.
    return [SharedTalk(max(group, key=_tells), tuple(talk.variant for talk in group)) for group in groups.values()]


def _told(fault: Fault, mark: Mark, wording: Wording) -> str:
    """Return what is wrong with a reply; with its number where there are several, its axis where that isn't said."""
    why = wording(f"because.{fault.told}", said=fault.said)
    if fault.axis is not mark.axis:
        why = wording("because.axis", axis=wording(f"axis.{fault.axis}.heading"), why=why)
    return why if fault.reply is None else wording("because.reply", number=fault.reply, why=why)


def _tells(talk: TalkRecord) -> int:
    return sum(bool(turn.reading) for turn in talk.turns)
