"""What is said instead of a reply that can't be sent: written texts by reason; real places where much is at stake."""

import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Self

from core.errors import CoreError
from core.stance.resources import Resources, Topic
from core.stance.types import GuidanceStakes, ReflectiveSupportSignal, SupportDomain
from core.values import Locale

ACUTE = "acute"
ALONE = "acute_alone"
"""Acute danger where no model may be asked and no answer can follow."""
HIGH_STAKES = "high_stakes_specificity"
PLACES = "{places}"

_TOPICS: Mapping[SupportDomain, tuple[Topic, ...]] = {
    SupportDomain.HEALTH: (Topic.HEALTH, Topic.CRISIS, Topic.EMERGENCY),
    SupportDomain.LEGAL: (Topic.LEGAL, Topic.MONEY),
    SupportDomain.FINANCE: (Topic.MONEY, Topic.LEGAL),
    SupportDomain.CAREER: (Topic.LEGAL, Topic.CRISIS),
    SupportDomain.PARENTING: (Topic.CHILD, Topic.HEALTH, Topic.EMERGENCY),
    SupportDomain.RELATIONSHIP: (Topic.VIOLENCE, Topic.CRISIS),
}
_ACUTE_TOPICS = (Topic.EMERGENCY, Topic.CRISIS)
_OTHER_TOPICS = (Topic.CRISIS, Topic.HEALTH, Topic.EMERGENCY)


class FallbackError(CoreError):
    """The written replies can't be used."""

    hint = "error.internal"


@dataclass(frozen=True, slots=True)
class Fallbacks:
    """The written replies by locale and reason, and the places they point to."""

    texts: Mapping[Locale, Mapping[str, tuple[str, ...]]]
    resources: Resources

    @classmethod
    def load(cls, resources: Resources) -> Self:
        """Read the texts that come with the program.

        Raises:
            FallbackError: a file is no TOML, or a reason has no list of texts.
        """
        return cls({locale: _read(locale) for locale in Locale}, resources)

    def choose(
        self,
        reason: str,
        *,
        signal: ReflectiveSupportSignal,
        locale: Locale,
        country: str | None,
        rng: random.Random,
    ) -> str:
        """Return a reply for the reason (a rule's id). Acute danger goes before any other reason.

        Raises:
            FallbackError: there are no texts for the reason.
        """
        key = reason_for(reason, signal)
        variants = self.texts[locale].get(key)
        if variants is None:
            raise FallbackError(f"stance-fallbacks-{locale}.toml has no texts for {key}")
        text = rng.choice(variants)
        return text.replace(PLACES, self._places(signal, locale, country)) if PLACES in text else text

    def _places(self, signal: ReflectiveSupportSignal, locale: Locale, country: str | None) -> str:
        topics = _ACUTE_TOPICS if signal.crisis else _TOPICS.get(signal.domain, _OTHER_TOPICS)
        found = self.resources.find(topics, country) or self.resources.find(_OTHER_TOPICS, country)
        return "\n".join(f"- {place.line(locale)}" for place in found)


def reason_for(reason: str, signal: ReflectiveSupportSignal) -> str:
    """Return under which reason to answer: acute danger and high stakes go before the rule that was broken."""
    if reason == ALONE:
        return ALONE
    if signal.crisis or signal.stakes is GuidanceStakes.EXTREMELY_HIGH:
        return ACUTE
    return reason


def _read(locale: Locale) -> Mapping[str, tuple[str, ...]]:
    name = f"stance-fallbacks-{locale}.toml"
    try:
        table = tomllib.loads(files("prompts").joinpath(name).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FallbackError(f"{name}: {error}") from error
    for reason, texts in table.items():
        if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
            raise FallbackError(f"{name}: {reason} must be a list of texts")
    return {reason: tuple(texts) for reason, texts in table.items()}
