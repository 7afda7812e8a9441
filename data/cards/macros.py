"""The placeholders of cards, filled in once: {{char}} with the character, {{user}} with whom it talks to.

Who that is nobody knows at import, and a name that people choose must not stand in the instructions; so {{user}}
becomes a plain word. Placeholders for the time are taken out: there is one clock.
"""

import re

from core.values import Locale

OTHER = {Locale.EN: "the other person", Locale.JA: "相手"}
_MACRO = re.compile(r"\{\{([^{}]*)\}\}")
_OLD = re.compile(r"<(user|bot|char)>", re.IGNORECASE)
_SILENT = ("//", "comment:", "hidden_key:", "hidden_key", "noop", "trim")
_CHOICES = ("random", "pick")
_CLOCK = ("time", "date", "weekday", "isotime", "isodate", "datetimeformat", "idle_duration")


class Macros:
    """Fills placeholders in, and remembers those it didn't know."""

    def __init__(self, *, name: str, locale: Locale) -> None:
        self._name = name
        self._other = OTHER[locale]
        self.unknown: set[str] = set()

    def fill(self, text: str) -> str:
        """Return a text without placeholders, with plain line ends."""
        lines = text.replace("\r\n", "\n").replace("\r", "\n")
        return _OLD.sub(lambda match: self._person(match[1]), _MACRO.sub(lambda match: self._value(match[1]), lines))

    def _person(self, word: str) -> str:
        return self._other if word.lower() == "user" else self._name

    def _value(self, macro: str) -> str:
        bare = macro.strip()
        word = bare.lower()
        if word in {"char", "bot", "user"}:
            return self._person(word)
        if word == "newline":
            return "\n"
        if word.startswith(_SILENT):
            return ""
        kind, _, rest = bare.partition(":")
        if kind.strip().lower() in _CHOICES and rest:
            return re.split(r"::|,", rest.lstrip(":"))[0].strip()
        self.unknown.add(kind.strip().lower()[:30])
        return ""

    def notes(self) -> list[str]:
        """Return what to tell of placeholders that were taken out."""
        clocks = sorted(word for word in self.unknown if word.startswith(_CLOCK))
        others = sorted(self.unknown - set(clocks))
        told = []
        if clocks:
            told.append(f"placeholders for the time were taken out (there is one clock): {_listed(clocks)}")
        if others:
            told.append(f"placeholders nobody fills in here were taken out: {_listed(others)}")
        return told


def _listed(words: list[str]) -> str:
    return ", ".join(f"{{{{{word}}}}}" for word in words[:10])
