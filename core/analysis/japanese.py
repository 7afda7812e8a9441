"""The Japanese analyser: the only user of `sudachipy`.

Its dictionary takes about 90 MB and 0.1 s to load; it is loaded on first use, once for each analyser.
"""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from core.analysis.english import stem
from core.analysis.text import fold

if TYPE_CHECKING:
    from sudachipy import Morpheme as SudachiMorpheme  # type: ignore[import-untyped]
    from sudachipy import Tokenizer

_Taken = TypeVar("_Taken")

_KANA_AND_KANJI = (
    r"\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUN = re.compile(
    rf"(?P<japanese>[{_KANA_AND_KANJI}]+)|(?P<word>[^\W_{_KANA_AND_KANJI}]+(?:['’][^\W_{_KANA_AND_KANJI}]+)*)"
)
# At once: no other thread gets its turn while the analyser works, which it does for milliseconds.
_MOST_CHARACTERS = 300
_BETWEEN_WORDS = re.compile(rf"[^\w{_KANA_AND_KANJI}]")
_HALVES = re.compile("[\ud800-\udfff]")  # of surrogate pairs: the analyser refuses them

SOUND = "="
"""Before a term that is a reading, not a word."""

_TO_KATAKANA = {hiragana: hiragana + 0x60 for hiragana in range(0x3041, 0x3097)}
_FUNCTION_WORDS = frozenset({"助詞", "助動詞", "補助記号", "空白", "接頭辞"})
_POLITE_ENDINGS = frozenset({"さん", "様", "君", "ちゃん", "達", "氏"})
_MAY_HELP = "非自立可能"
_NOUN_ENDINGS = dict(zip("うくぐすつぬぶむる", "いきぎしちにびみり", strict=True))
_EMPTY_VERBS = frozenset({"為る", "居る", "有る"})  # する, いる, ある: in every other sentence, and in none by content


@dataclass(frozen=True, slots=True)
class Morpheme:
    """A word as it stands in a text: `start` and `end` are positions in that text, `reading` is in katakana."""

    surface: str
    normalised: str
    reading: str
    part_of_speech: tuple[str, ...]
    start: int
    end: int


class WordKind(Enum):
    """How much a word tells of what a text is about."""

    NAME = "name"
    NOUN = "noun"
    VERB = "verb"
    OTHER = "other"
    FOREIGN = "foreign"


_HEARD = frozenset({WordKind.NAME, WordKind.NOUN})


@dataclass(frozen=True, slots=True)
class IndexWord:
    """A term of the index with the kind of word it came from; `FOREIGN` is anything that isn't Japanese.

    `sound` is the term it is found under by those who write it otherwise (傘, かさ); None where there is none.
    `written`: how the word stands in the folded text, from `start` on.
    """

    term: str
    kind: WordKind
    written: str
    start: int
    sound: str | None = None


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
        """Return the terms a text is indexed and searched under (`core.ports.IndexTerms`)."""
        terms: list[str] = []
        for word in self.index_words(text):
            terms += [word.term] if word.sound is None else [word.term, word.sound]
        return terms

    def index_words(self, text: str) -> list[IndexWord]:
        """Return the terms of a text with their kinds.

        Japanese gives the normalised forms of its content words in short units, verbs in the form they have as a
        noun (引っ越す and 引っ越し meet); English gives stems, other scripts their words, folded.
        """
        words: list[IndexWord] = []
        for run in _RUN.finditer(fold(text).casefold()):
            if run["word"]:
                words.append(IndexWord(stem(run["word"]), WordKind.FOREIGN, run["word"], run.start()))
            else:
                words += _content(self.morphemes(run["japanese"]), run.start())
        return words

    def morphemes(self, text: str) -> list[Morpheme]:
        """Return the words of a text in order, in the short units that suit an index."""
        return [word for start, part in _parts(text) for word in self._analyse(part, start)]

    def normalised_forms(self, text: str) -> list[str]:
        """Return the normalised forms of the words of a text in long units: several times faster than the words."""
        return self._in_long_units(text, lambda word, _: word.normalized_form())

    def beginnings(self, text: str) -> list[int]:
        """Return where the words of a text begin, in order, in the long units that keep names whole."""
        return self._in_long_units(text, lambda word, offset: offset + word.begin())

    def _in_long_units(self, text: str, take: "Callable[[SudachiMorpheme, int], _Taken]") -> list[_Taken]:
        """Return what is taken of each word and the position where its part of the text begins."""
        from sudachipy import SplitMode  # noqa: PLC0415

        taken: list[_Taken] = []
        for start, part in _parts(text):
            with self._lock:
                taken += [take(word, start) for word in self._loaded().tokenize(part, SplitMode.C)]
        return taken

    def _analyse(self, text: str, offset: int) -> list[Morpheme]:
        from sudachipy import SplitMode  # noqa: PLC0415

        with self._lock:
            return [
                Morpheme(
                    surface=word.surface(),
                    normalised=word.normalized_form(),
                    reading=word.reading_form(),
                    part_of_speech=tuple(word.part_of_speech()),
                    start=offset + word.begin(),
                    end=offset + word.end(),
                )
                for word in self._loaded().tokenize(text, SplitMode.A)
            ]

    def _loaded(self) -> "Tokenizer":
        if self._tokenizer is None:
            from sudachipy import Dictionary  # noqa: PLC0415

            self._tokenizer = Dictionary(dict="core").tokenizer()
        return self._tokenizer


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield a text in parts that are short enough, each with where it begins; cut between words where that is seen."""
    text, start = _HALVES.sub("\ufffd", text), 0
    while len(text) - start > _MOST_CHARACTERS:
        *_, cut = [
            _MOST_CHARACTERS,
            *(sign.end() - start for sign in _BETWEEN_WORDS.finditer(text, start, start + _MOST_CHARACTERS)),
        ]
        yield start, text[start : start + cut]
        start += cut
    yield start, text[start:]


def sound_of(reading: str) -> str:
    """Return the term for what is read so (katakana or hiragana)."""
    return SOUND + reading.translate(_TO_KATAKANA)


def _content(words: Sequence[Morpheme], offset: int) -> Iterator[IndexWord]:
    """Yield the content words; a verb that only helps another (食べて*みる*) is none."""
    previous: Morpheme | None = None
    for word in words:
        if not _is_function_word(word, previous):
            kind = _kind(word)
            heard = kind in _HEARD and len(word.reading) > 1
            sound = sound_of(word.reading) if heard else None
            yield IndexWord(_term(word).casefold(), kind, word.surface, offset + word.start, sound)
        previous = word


def _term(word: Morpheme) -> str:
    """Return the normalised form; of a verb the form that serves as a noun: 引っ越す → 引っ越し, 忘れる → 忘れ."""
    if word.part_of_speech[0] != "動詞":
        return word.normalised
    inflection, body, last = word.part_of_speech[4], word.normalised[:-1], word.normalised[-1]
    if "一段" in inflection and last == "る" and body:
        return body
    if inflection.startswith("五段") and last in _NOUN_ENDINGS and body:
        return body + _NOUN_ENDINGS[last]
    return word.normalised


def _kind(word: Morpheme) -> WordKind:
    match word.part_of_speech[:2]:
        case ("名詞", "固有名詞"):
            return WordKind.NAME
        case ("名詞", "数詞") | ("名詞", "助動詞語幹"):
            return WordKind.OTHER
        case ("名詞" | "形状詞", _):
            return WordKind.NOUN
        case ("動詞", _):
            return WordKind.VERB
    return WordKind.OTHER


def _is_function_word(word: Morpheme, previous: Morpheme | None) -> bool:
    if word.part_of_speech[0] in _FUNCTION_WORDS or not word.normalised.strip():
        return True
    if word.part_of_speech[0] == "接尾辞" and word.normalised in _POLITE_ENDINGS:
        return True
    if word.part_of_speech[0] != "動詞" or word.part_of_speech[1] != _MAY_HELP:
        return False
    return word.normalised in _EMPTY_VERBS or (previous is not None and _joins_verbs(previous))


def _joins_verbs(word: Morpheme) -> bool:
    """Return whether a helping verb may follow: after て and で, or directly after another verb."""
    return word.part_of_speech[:2] == ("助詞", "接続助詞") or word.part_of_speech[0] == "動詞"
