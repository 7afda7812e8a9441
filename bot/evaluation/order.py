"""What somebody asked for on the command line, checked, and carried out."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from bot.errors import StartError
from bot.evaluation.report import Report
from bot.evaluation.run import Plan, hold_all, spread
from bot.evaluation.stage import Stage
from bot.evaluation.subjects import Choice, choose, open_subjects
from bot.evaluation.watching import progress
from bot.settings import Settings
from bot.stopping import stop_event
from core.clock import SystemClock
from core.stance.evaluation.axes import Category
from core.stance.evaluation.fixtures import Fixture
from core.stance.evaluation.loading import load_fixtures
from core.stance.evaluation.scripts import Scripts
from core.stance.evaluation.variants import Variant
from core.values import Locale

_Value = TypeVar("_Value", Variant, Locale, Category)


class OrderError(StartError):
    """What was asked for can't be done; the text says what there is."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What to run. Empty `locales` and `categories` mean all; `fixtures` None the talks that come with the program."""

    models: tuple[str, ...]
    variants: tuple[Variant, ...]
    locales: tuple[Locale, ...]
    categories: tuple[Category, ...]
    limit: int | None
    concurrency: int
    fixtures: Path | None

    @classmethod
    def of(
        cls,
        *,
        models: Sequence[str],
        variants: str,
        locale: str | None,
        categories: Sequence[str],
        limit: int | None,
        concurrency: int,
        fixtures: Path | None,
    ) -> "Order":
        """Return the order.

        Raises:
            OrderError: a variant, language or category is none.
        """
        return cls(
            models=tuple(models),
            variants=_known(Variant, "variant", (name.strip() for name in variants.split(","))),
            locales=_known(Locale, "language", [locale] if locale else []),
            categories=_known(Category, "category", categories),
            limit=limit,
            concurrency=concurrency,
            fixtures=fixtures,
        )

    def prepare(self, settings: Settings, files: Path) -> "Prepared":
        """Read the files and look the models up.

        Raises:
            OrderError: nothing is left to be run.
            UnknownModelError: there is no such model.
            EvaluationError: a file can't be used.
        """
        choices = choose(settings, self.models)
        scripts = Scripts.load(files / "replies")
        fixtures = tuple(filter(self._wants, load_fixtures(self.fixtures or files / "fixtures")))
        if not fixtures:
            raise OrderError("There is no talk of that category in that language.")
        if any(choice.persona is not None for choice in choices) and (wanting := scripts.lacks(fixtures)):
            raise OrderError("Scripted models can't hold these talks:\n" + "\n".join(wanting))
        return Prepared(self, choices, scripts, spread(fixtures, self.limit))

    def _wants(self, fixture: Fixture) -> bool:
        return (not self.locales or fixture.locale in self.locales) and (
            not self.categories or fixture.category in self.categories
        )


@dataclass(frozen=True, slots=True)
class Prepared:
    """An order with everything it needs."""

    order: Order
    choices: tuple[Choice, ...]
    scripts: Scripts
    fixtures: tuple[Fixture, ...]


async def carry_out(prepared: Prepared, stage: Stage) -> Report:
    """Hold the talks; Ctrl-C ends it early with what was finished.

    Raises:
        StartError: no model answered at all, or the embedded model's file is not there.
        WeightsError: the embedded model's weights can't be had.
    """
    clock = SystemClock()
    order = prepared.order
    async with open_subjects(stage.settings, prepared.choices, prepared.scripts, clock, random.Random()) as subjects:
        plan = Plan(prepared.fixtures, subjects, order.variants)
        with progress(plan.size) as advance:
            result = await hold_all(plan, stage, concurrency=order.concurrency, stop=stop_event(), advance=advance)
    if result.talks and not any(talk.was_answered for talk in result.talks):
        raise StartError("No model answered. `yorisoi doctor` says what is wrong and how to mend it.")
    return Report.of(
        result.talks,
        at=clock.now(),
        character=stage.pack.character.name,
        complete=result.complete,
        planned=plan.size,
        scripted=frozenset(subject.name for subject in subjects if subject.scripted),
    )


def _known(kind: type[_Value], what: str, names: Iterable[str]) -> tuple[_Value, ...]:
    names = tuple(dict.fromkeys(names))
    for name in names:
        if name not in set(kind):
            raise OrderError(f"There is no {what} '{name}'. There are: {', '.join(kind)}.")
    return tuple(kind(name) for name in names)
