"""What the rules found in a turn, before anything follows from it."""

from dataclasses import dataclass
from typing import Self

from core.stance.signal.reading import Reading
from core.stance.signal.registry import RULES, rules_near
from core.stance.signal.rule import Mark

NO_WORDS = "none.no_words"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The ids of the rules that fired, in order, and what they mark the turn with."""

    matched: tuple[str, ...]
    marks: frozenset[Mark]

    @classmethod
    def gather(cls, reading: Reading) -> Self:
        """Ask every rule."""
        if not reading.text:
            return cls((NO_WORDS,), frozenset({Mark.NOTHING_TO_ANSWER}))
        near = {place for group in reading.counts() for place in rules_near().get(group, ())}
        fired = [rule for rule in map(RULES.__getitem__, sorted(near)) if rule.fires(reading)]
        return cls(tuple(rule.id for rule in fired), frozenset(rule.mark for rule in fired))

    def has(self, *marks: Mark) -> bool:
        """Return whether the turn bears any of the marks."""
        return not self.marks.isdisjoint(marks)
