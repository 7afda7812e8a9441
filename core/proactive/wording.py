"""A candidate's text with its slots filled: by code, from the capsule, and from nothing else.

A text may hold `{activity}`, `{since}` and `{left}` of what the character is doing, `{next}` and `{ahead}` of what
comes after. Lengths are told the way people tell them, never as a time on the clock.
"""

import re

from core.characters.pack import Activity
from core.facts.capsule.lengths import Phrase, phrase
from core.facts.capsule.types import CharacterFacts
from core.values import Locale

SLOTS = frozenset({"activity", "since", "left", "next", "ahead"})
"""The names a text may hold between braces."""

_SLOT = re.compile(r"\{([^{}]*)\}")


def slots_in(text: str) -> tuple[str, ...]:
    """Return the names that stand between braces in a text, in their order."""
    return tuple(_SLOT.findall(text))


def worded(text: str, facts: CharacterFacts, locale: Locale) -> str | None:
    """Return the text with its slots filled, None where the capsule does not hold what one of them needs."""
    filled = {name: _filling(name, facts, locale) for name in slots_in(text)}
    if any(value is None for value in filled.values()):
        return None
    return _SLOT.sub(lambda match: filled[match[1]] or "", text)


def _filling(name: str, facts: CharacterFacts, locale: Locale) -> str | None:
    upcoming = facts.upcoming
    match name:
        case "activity":
            return _title(facts.activity, locale)
        case "since" if facts.activity is not None and facts.since is not None:
            return phrase(Phrase.SINCE, facts.since, locale)
        case "left" if facts.activity is not None and facts.left is not None:
            return phrase(Phrase.LEFT, facts.left, locale)
        case "next" if upcoming is not None:
            return _title(upcoming.activity, locale)
        case "ahead" if upcoming is not None:
            return phrase(Phrase.AHEAD, upcoming.ahead, locale)
    return None


def _title(activity: Activity | None, locale: Locale) -> str | None:
    return None if activity is None else activity.text.get(locale)
