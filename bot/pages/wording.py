"""The texts of a page or a table for those who run the bot, in one language."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from bot.pages.filling import fill
from bot.speech.language import operator_language
from bot.speech.words import words_in
from core.rates import Rate
from core.turn.trace import TurnOutcome
from core.values import Locale
from prompts.messages import Messages


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts below a key of the catalogue, in a language: called with the rest of a key, it returns its text."""

    part: str
    messages: Messages
    locale: Locale

    @classmethod
    def of_operator(cls, part: str) -> Self:
        """Return the texts in the language of whoever uses the command line."""
        return cls(part, Messages.load(), operator_language())

    def __call__(self, key: str, **values: object) -> str:
        """Return a text, filled in.

        Raises:
            MessageError: there is no such text, or a value is missing.
        """
        return self.messages.text(f"{self.part}.{key}", self.locale, **values)

    def fill(self, template: str, **values: object) -> str:
        """Return a page: see `bot.pages.filling`. The template has these texts as `t`."""
        return fill(template, locale=self.locale.value, t=self, **values)

    def share(self, rate: Rate) -> str:
        """Return a rate's share, as in "75 %"."""
        return self._common("share", share=f"{rate.share * 100:.0f}")

    def interval(self, rate: Rate) -> str:
        """Return a rate's 95 % interval, as in "30 to 95 %"."""
        low, high = rate.interval
        return self._common("interval", low=f"{low * 100:.0f}", high=f"{high * 100:.0f}")

    def difference(self, bounds: tuple[float, float]) -> str:
        """Return the bounds of a difference in points, as in "+5 to +30"."""
        low, high = (f"{bound * 100:+.0f}".replace("-", "−") for bound in bounds)
        return self._common("difference", low=low, high=high)

    def outcome(self, outcome: TurnOutcome) -> str:
        """Return how a turn ended."""
        return self._common(f"outcome.{outcome.value}")

    def listed(self, items: Iterable[str]) -> str:
        """Return things one after the other."""
        return self._common("comma").join(items)

    def reason(self, error: str) -> str:
        """Return what an error says: in this language as far as it is known there."""
        return words_in(self.locale)(error)

    def _common(self, key: str, **values: object) -> str:
        return self.messages.text(f"pages.{key}", self.locale, **values)
