"""The Japanese analyser: the only user of `sudachipy`.

Its dictionary takes about 90 MB and 0.1 s to load; it is loaded on first use, once for each analyser.
"""

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.analysis.text import fold

if TYPE_CHECKING:
    from sudachipy import Tokenizer  # type: ignore[import-untyped]

_KANA_AND_KANJI = (
    r"\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUN = re.compile(
    rf"(?P<japanese>[{_KANA_AND_KANJI}]+)|(?P<word>[^\W_{_KANA_AND_KANJI}]+(?:['’][^\W_{_KANA_AND_KANJI}]+)*)"
)
_MOST_CHARACTERS = 10_000  # the analyser refuses more than 49,149 bytes at once

_FUNCTION_WORDS = frozenset({"助詞", "助動詞", "補助記号", "空白"})
_MAY_HELP = "非自立可能"
_EMPTY_VERBS = frozenset({"為る", "居る", "有る"})  # する, いる, ある: in every other sentence, and in none by content


@dataclass(frozen=True, slots=True)
class Morpheme:
    """A word as it stands in a text: `start` and `end` are positions in that text."""

    surface: str
    normalised: str
    part_of_speech: tuple[str, ...]
    start: int
    end: int


class JapaneseAnalyser:
    """Splits Japanese into words. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tokenizer: Tokenizer | None = None

    def load(self) -> None:
        """Load the dictionary, if it is not loaded yet; to be called in a thread ahead of the first use."""
        with self._lock:
            self._loaded()

    def index_terms(self, text: str) -> list[str]:
        """Return the terms a text is indexed and searched under (`core.ports.IndexTerms`).

        Japanese gives the normalised forms of its content words in short units; other scripts their words, folded.
        """
        terms: list[str] = []
        for run in _RUN.finditer(fold(text).casefold()):
            if run["word"]:
                terms.append(run["word"].replace("’", "'"))
            else:
                terms += _content(self.morphemes(run["japanese"]))
        return terms

    def morphemes(self, text: str, *, long_units: bool = False) -> list[Morpheme]:
        """Return the words of a text in order. Short units suit an index, long ones keep names whole."""
        found: list[Morpheme] = []
        for start in range(0, len(text), _MOST_CHARACTERS):
            found += self._analyse(text[start : start + _MOST_CHARACTERS], start, long_units=long_units)
        return found

    def _analyse(self, text: str, offset: int, *, long_units: bool) -> list[Morpheme]:
        from sudachipy import SplitMode  # noqa: PLC0415

        mode = SplitMode.C if long_units else SplitMode.A
        with self._lock:
            return [
                Morpheme(
                    surface=word.surface(),
                    normalised=word.normalized_form(),
                    part_of_speech=tuple(word.part_of_speech()),
                    start=offset + word.begin(),
                    end=offset + word.end(),
                )
                for word in self._loaded().tokenize(text, mode)
            ]

    def _loaded(self) -> "Tokenizer":
        if self._tokenizer is None:
            from sudachipy import Dictionary  # noqa: PLC0415

            self._tokenizer = Dictionary(dict="core").tokenizer()
        return self._tokenizer


def _content(words: Sequence[Morpheme]) -> Iterator[str]:
    """Yield the normalised forms of content words; a verb that only helps another (食べて*みる*) is none."""
    previous: Morpheme | None = None
    for word in words:
        if not _is_function_word(word, previous):
            yield word.normalised.casefold()
        previous = word


def _is_function_word(word: Morpheme, previous: Morpheme | None) -> bool:
    if word.part_of_speech[0] in _FUNCTION_WORDS or not word.normalised.strip():
        return True
    if word.part_of_speech[0] != "動詞" or word.part_of_speech[1] != _MAY_HELP:
        return False
    return word.normalised in _EMPTY_VERBS or (previous is not None and _joins_verbs(previous))


def _joins_verbs(word: Morpheme) -> bool:
    """Return whether a helping verb may follow: after て and で, or directly after another verb."""
    return word.part_of_speech[:2] == ("助詞", "接続助詞") or word.part_of_speech[0] == "動詞"
