"""The words of a question that tell what it is about, and how much each of them tells."""

import re
import tomllib
from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from core.analysis.japanese import IndexWord, JapaneseAnalyser, WordKind, sound_of
from core.analysis.text import fold

_MOST = 16
_WEIGHTS = {WordKind.NAME: 1.2, WordKind.NOUN: 1.0, WordKind.FOREIGN: 1.0, WordKind.VERB: 0.45, WordKind.OTHER: 0.3}
_WEAK = 0.4
_WANTED = 0.4
_ASKED_FOR = re.compile(r"(?:何の|なんの|どの|どんな|どういう|\bwhich |\bwhat )\Z")
_BEFORE = 10  # characters that one of those takes, with what comes before it
_TELLING = frozenset({WordKind.NAME, WordKind.NOUN, WordKind.FOREIGN})
_ASKS = ("何", "幾")  # 何分, 何曜, 幾つ
_HIRAGANA = re.compile(r"(?<![ぁ-ん])[ぁ-ん]{2,}")
_ONLY_HIRAGANA = re.compile(r"[ぁ-ん]+\Z")
_DOUBTFUL = 2  # a piece of so few kana may come of words cut in the wrong place
_LONGEST_SOUND = 6
_AFTER_A_NOUN = re.compile(r"[をのはがにでともへや、。?！!\s]|って|から|まで|だ|な|$")


@dataclass(frozen=True, slots=True)
class SoughtWord:
    """A word to look for. `weight` is from 0 to 1.2; a question can't be about a word that isn't `telling`.

    `sound`: the term for how it is read, as it may have been written otherwise. `perhaps`: it may be no word at all,
    and counts only if it is found. `written`: how it stands in the question, folded; "" if it may be no word.
    """

    term: str
    weight: float
    telling: bool
    sound: str | None = None
    perhaps: bool = False
    written: str = ""

    @property
    def terms(self) -> tuple[str, ...]:
        """Everything the word is found under."""
        return (self.term,) if self.sound is None else (self.term, self.sound)


def sought_words(analyser: JapaneseAnalyser, question: str) -> tuple[SoughtWord, ...]:
    """Return the content words of a question, each once, the most telling first."""
    text = fold(question).casefold()
    words = [word for word in analyser.index_words(text) if _says_something(word)]
    compounds = _compounds(analyser, text, words)
    shares = Counter(compounds)
    found: dict[str, SoughtWord] = {}
    for word, compound in zip(words, compounds, strict=True):
        sought = _sought(word, shares[compound], asked_for=_is_asked_for(text, word))
        if word.term not in found or found[word.term].weight < sought.weight:
            found[word.term] = sought
    known = {term for word in found.values() for term in word.terms}
    guesses = (SoughtWord(sound, 1.0, telling=True, perhaps=True) for sound in dict.fromkeys(_heard(text)))
    sought_all = (*found.values(), *(word for word in guesses if word.term not in known))
    return tuple(sorted(sought_all, key=lambda word: (word.perhaps, -word.weight))[:_MOST])


def _says_something(word: IndexWord) -> bool:
    if len(word.term) == 1 and (word.term.isascii() or "ぁ" <= word.term <= "ん"):
        return False
    return word.term not in _words("nothing") and not word.term.startswith(_ASKS)


def _sought(word: IndexWord, shared_by: int, *, asked_for: bool) -> SoughtWord:
    """Return a word with its weight; the parts of a compound share what the whole is worth.

    `asked_for`: it says what kind of thing is wanted ("which bird"), and need not stand in the answer.
    """
    if word.term in _words("weak"):
        return SoughtWord(word.term, _WEAK, telling=False)
    doubtful = len(word.written) <= _DOUBTFUL and _ONLY_HIRAGANA.match(word.written) is not None
    weight = _WEIGHTS[word.kind] / shared_by * (_WANTED if asked_for else 1.0)
    return SoughtWord(word.term, weight, word.kind in _TELLING, word.sound, doubtful, "" if doubtful else word.written)


def _is_asked_for(text: str, word: IndexWord) -> bool:
    return _ASKED_FOR.search(text[max(0, word.start - _BEFORE) : word.start]) is not None


def _compounds(analyser: JapaneseAnalyser, text: str, words: list[IndexWord]) -> list[int]:
    """Return for each word the number of the compound it belongs to."""
    starts = analyser.beginnings(text)
    return [bisect(starts, word.start) for word in words]


def _heard(text: str) -> Iterator[str]:
    """Yield what the beginnings of stretches in hiragana sound like, as far as a particle could follow there."""
    for stretch in _HIRAGANA.finditer(text):
        for length in range(2, min(_LONGEST_SOUND, len(stretch[0])) + 1):
            sound = stretch[0][:length]
            if _AFTER_A_NOUN.match(text, stretch.start() + length) and sound not in _words("nothing"):
                yield sound_of(sound)


@cache
def _words(which: str) -> frozenset[str]:
    table = tomllib.loads((files("core.recall.patterns") / "words.toml").read_text("utf-8"))
    return frozenset(word for words in table[which].values() for word in words.split())
