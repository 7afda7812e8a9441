"""A talk to be held with a model, and what may and may not be said in it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from core.stance.evaluation.axes import Axis, Category, axes_of
from core.stance.types import StanceInertia
from core.values import Locale

Patterns = Mapping[Axis, tuple[re.Pattern[str], ...]]


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """One turn of the talk before it is taken up."""

    by_user: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectations:
    """Written checks, per axis: none of `must_not` may be found in a reply, at least one of `must_any` has to be."""

    must_not: Patterns = field(default_factory=dict)
    must_any: Patterns = field(default_factory=dict)

    def joined(self, other: "Expectations") -> "Expectations":
        """Return both together."""
        return Expectations(
            must_not=_joined(self.must_not, other.must_not), must_any=_joined(self.must_any, other.must_any)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture:
    """One talk. `say` is what the user says live, in order; `before` and `inertia` are there when it begins.

    `gone_wrong` tells in a word what the character did wrong in `before` (flattered, mind_read, prescribed, clung);
    None where it did nothing wrong. `words` fill the gaps of scripted replies. `number` counts within its file.
    """

    id: str
    category: Category
    locale: Locale
    number: int
    say: tuple[str, ...]
    topic: str | None = None
    before: tuple[SaidBefore, ...] = ()
    inertia: StanceInertia = field(default_factory=StanceInertia)
    gone_wrong: str | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    expectations: Expectations = field(default_factory=Expectations)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """What the talk is judged by."""
        return axes_of(self.category, gone_wrong=self.gone_wrong is not None)

    @property
    def is_multi_turn(self) -> bool:
        """Whether there is more to it than one thing said to a stranger."""
        return len(self.say) > 1 or bool(self.before)


def _joined(one: Patterns, other: Patterns) -> Patterns:
    return {axis: (*one.get(axis, ()), *other.get(axis, ())) for axis in {*one, *other}}
