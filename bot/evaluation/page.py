"""A run as one self-contained page: every figure with its interval, every transcript, a filter; nothing is fetched."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, StrictUndefined

from bot.errors import BotError
from bot.evaluation.report import Report, categories
from core.rates import Rate
from core.stance.evaluation.axes import Axis
from core.stance.evaluation.records import TalkRecord
from core.stance.evaluation.variants import Variant
from core.turn.trace import TurnOutcome

_TEMPLATE = "page.html.j2"


class PageError(BotError):
    """The page can't be written."""


@dataclass(frozen=True, slots=True)
class SharedTalk:
    """A talk that went the same way, word for word, in several variants."""

    talk: TalkRecord
    variants: tuple[Variant, ...]


def write_page(report: Report, path: Path) -> None:
    """Write the page.

    Raises:
        PageError: the file can't be written.
    """
    try:
        path.write_text(render(report), "utf-8")
    except OSError as error:
        raise PageError(f"{path}: {error.strerror or error}") from error


def render(report: Report) -> str:
    """Return the page."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(files("bot.evaluation").joinpath(_TEMPLATE).read_text("utf-8"))
    return template.render(
        report=report,
        axes=[axis for axis in Axis if any(axis in cell.axes for cell in report.cells)],
        categories=categories(report),
        locales=sorted({talk.fixture.locale for talk in report.talks}),
        variants=tuple(dict.fromkeys(cell.variant for cell in report.cells)),
        outcomes=(TurnOutcome.REPAIRED, TurnOutcome.FALLBACK),
        talks=shared(report.talks),
        percent=_percent,
        place=_place,
    )


def shared(talks: Sequence[TalkRecord]) -> list[SharedTalk]:
    """Return the talks, those of one fixture and model that went the same way as one."""
    groups: dict[object, list[TalkRecord]] = {}
    for talk in talks:
        went = tuple((turn.attempts, turn.outcome, turn.delivered) for turn in talk.turns)
        groups.setdefault((talk.fixture.id, talk.model, went), []).append(talk)
    # Where a turn was read, it is told what it was taken for: the variant that tells most stands for all.
    return [SharedTalk(max(group, key=_tells), tuple(talk.variant for talk in group)) for group in groups.values()]


def _tells(talk: TalkRecord) -> int:
    return sum(bool(turn.reading) for turn in talk.turns)


def _percent(rate: Rate) -> str:
    return f"{rate.share * 100:.0f}"


def _place(rate: Rate) -> dict[str, str]:
    """Return where the share and its interval lie on a bar, in percent."""
    low, high = rate.interval
    return {
        "at": f"{rate.share * 100:.1f}",
        "low": f"{low * 100:.0f}",
        "high": f"{high * 100:.0f}",
        "width": f"{(high - low) * 100:.1f}",
    }
