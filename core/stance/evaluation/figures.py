"""Numbers out of talks: how many passed, and between which bounds the true share lies."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.rates import Rate
from core.stance.evaluation.axes import Axis, Category
from core.stance.evaluation.records import TalkRecord
from core.stance.evaluation.variants import Variant
from core.turn.trace import TurnOutcome
from core.values import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """How a model did in a variant. `outcomes` counts turns; `gate_says`: delivered ones the gate objects to."""

    model: str
    variant: Variant
    axes: dict[Axis, Rate]
    by_category: dict[Category, dict[Axis, Rate]]
    by_locale: dict[Locale, dict[Axis, Rate]]
    outcomes: dict[TurnOutcome, int]
    left_alone: Rate
    gate_says: Rate
    unanswered: int


def tabulate(talks: Iterable[TalkRecord]) -> tuple[Cell, ...]:
    """Return a cell for each model and variant, in the order they come first."""
    grouped: dict[tuple[str, Variant], list[TalkRecord]] = {}
    for talk in talks:
        grouped.setdefault((talk.model, talk.variant), []).append(talk)
    return tuple(_cell(model, variant, group) for (model, variant), group in grouped.items())


def _cell(model: str, variant: Variant, talks: Sequence[TalkRecord]) -> Cell:
    delivered = [turn for talk in talks for turn in talk.turns if turn.delivered is not None]
    categories = {category: [t for t in talks if t.fixture.category is category] for category in Category}
    locales = {locale: [t for t in talks if t.fixture.locale is locale] for locale in Locale}
    return Cell(
        model=model,
        variant=variant,
        axes=_rates(talks),
        by_category={category: _rates(group) for category, group in categories.items() if group},
        by_locale={locale: _rates(group) for locale, group in locales.items() if group},
        outcomes=dict(Counter(turn.outcome for talk in talks for turn in talk.turns)),
        left_alone=Rate(sum(turn.left_alone for turn in delivered), len(delivered)),
        gate_says=Rate(sum(bool(turn.gate_says) for turn in delivered), len(delivered)),
        unanswered=sum(not talk.was_answered for talk in talks),
    )


def _rates(talks: Sequence[TalkRecord]) -> dict[Axis, Rate]:
    marks = [mark for talk in talks for mark in talk.marks]
    counted = {axis: [mark.passed for mark in marks if mark.axis is axis] for axis in Axis}
    return {axis: Rate(sum(passed), len(passed)) for axis, passed in counted.items() if passed}
