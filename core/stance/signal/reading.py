"""A turn as the rules see it: its canonical text, its words, and which groups of the lexicons it touches."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from core.analysis.japanese import JapaneseAnalyser
from core.stance.signal.canonical import canonical
from core.stance.signal.lexicon import Lexicon
from core.stance.signal.words import Analyser, english_forms, has_japanese, japanese_forms
from core.values import Locale

FEW_LATIN_WORDS = 2
"""Latin words in a Japanese text from which on it is read as English, too."""


@dataclass(slots=True, kw_only=True)
class Reading:
    """One turn, analysed once. What groups it touches is worked out when a rule first asks."""

    raw: str
    text: str
    locales: tuple[Locale, ...]
    lexicons: Mapping[Locale, Lexicon]
    forms: Mapping[Locale, list[str]] = field(repr=False)
    _counts: dict[str, int] | None = field(default=None, repr=False)

    def count(self, group: str) -> int:
        """Return how often the words and patterns of a group occur in the text."""
        return self.counts().get(group, 0)

    def has(self, *groups: str) -> bool:
        """Return whether any of the groups occurs."""
        return not self.counts().keys().isdisjoint(groups)

    def counts(self) -> Mapping[str, int]:
        """Return how often each group that occurs does."""
        if self._counts is None:
            self._counts = {}
            for locale in self.locales:
                lexicon = self.lexicons[locale]
                for found in (lexicon.groups_of(self.forms[locale]), lexicon.matches(self.text)):
                    for name, count in found.items():
                        self._counts[name] = self._counts.get(name, 0) + count
        return self._counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Reads turns with the lexicons of both locales."""

    analyser: Analyser
    lexicons: Mapping[Locale, Lexicon]

    @classmethod
    def load(cls, analyser: Analyser | None = None) -> Self:
        """Load the shipped lexicons; Japanese words are brought to the form the analyser gives them.

        Raises:
            LexiconError: a lexicon can't be used.
        """
        used: Analyser = analyser if analyser is not None else JapaneseAnalyser()
        return cls(
            analyser=used,
            lexicons={
                Locale.JA: Lexicon.load(Locale.JA, lambda word: japanese_forms(word.lower(), used)),
                Locale.EN: Lexicon.load(Locale.EN, english_forms),
            },
        )

    def compile(self) -> None:
        """Compile the patterns of all lexicons; see `Lexicon.compile`."""
        for lexicon in self.lexicons.values():
            lexicon.compile()

    def read(self, text: str) -> Reading:
        """Analyse a turn. Takes any string."""
        plain = canonical(text)
        forms: dict[Locale, list[str]] = {}
        if has_japanese(plain):
            forms[Locale.JA] = japanese_forms(plain, self.analyser)
        english = english_forms(plain)
        if not forms or len(english) >= FEW_LATIN_WORDS:
            forms[Locale.EN] = english
        return Reading(raw=text, text=plain, locales=tuple(forms), lexicons=self.lexicons, forms=forms)
