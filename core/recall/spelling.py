"""Words that stand in a message otherwise than the index knows: mistyped, joined or apart, in kana.

Looked at text by text, and only for words of a question that the index doesn't hold at all. A slip of the hand makes
another word of many a short one (father, feather), so a short word with a slip is worth too little to be a find alone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise

from core.analysis.japanese import SOUND, sound_of
from core.analysis.text import fold
from core.recall.words import SoughtWord

_LATIN = re.compile(r"[a-z][a-z'’]*")
_KATAKANA = re.compile(r"[ァ-ヴー]{3,}")
_SAME = 0.7
_SLIP = 0.45
_SHORTEST_WITH_A_SLIP = 5
_LONG = 8
_LONG_IN_KATAKANA = 6
_SHORTEST_JOINED = 5
_SHORTEST_SOUND = 4
_LONG_VOWEL = "ー"


@dataclass(frozen=True, slots=True)
class _Written:
    term: str
    form: str


@dataclass(frozen=True, slots=True)
class Spellings:
    """How the words of a question may be written otherwise; a slip spares the first letter (`_beginnings`).

    `_latin` finds words in Latin letters that begin like one of them.
    """

    _beginnings: frozenset[str] = frozenset()
    _slips: Mapping[str, Sequence[_Written]] = field(default_factory=dict)
    _joined: Mapping[str, _Written] = field(default_factory=dict)
    _sounds: Sequence[_Written] = ()
    _latin: re.Pattern[str] | None = None

    @classmethod
    def of(cls, words: Sequence[SoughtWord], question: str) -> "Spellings":
        """Return the spellings of those words in a question; what the index knows of them isn't to be among them."""
        written = [_Written(word.term, _bare(word.written)) for word in words if word.telling and word.written]
        slips: dict[str, list[_Written]] = {}
        for one in written:
            for form in _one_less(one.form):
                slips.setdefault(form, []).append(one)
        sounds = [_Written(word.term, word.sound.removeprefix(SOUND)) for word in words if word.sound]
        joined = {one.form: one for one in _joined(written, question) if len(one.form) >= _SHORTEST_JOINED}
        beginnings = frozenset(one.form[:1] for one in written)
        sounds = [one for one in sounds if len(one.form) >= _SHORTEST_SOUND]
        return cls(beginnings, slips, joined, sounds, _words_beginning(beginnings | {form[:1] for form in joined}))

    def can_be_in(self, texts: Sequence[str]) -> bool:
        """Return whether one of the texts may hold such a spelling: quicker for many than `held` is for each.

        All are looked at as one text, so it may be a word that stands in two of them, a half in each.
        """
        plain = fold("\n".join(texts)).casefold()
        words = set(self._latin.findall(plain)) if self._latin is not None else set()
        katakana = set() if plain.isascii() else {_bare(word) for word in _KATAKANA.findall(plain)}
        if any(self._like(word) for word in words | katakana if word[:1] in self._beginnings):
            return True
        if any(form.startswith(word) and form[len(word) :] in plain for form in self._joined for word in words):
            return True
        heard = sound_of(plain) if self._sounds else ""
        return any(one.form in heard for one in self._sounds)

    def held(self, text: str) -> Mapping[str, float]:
        """Return the terms that a text holds in another spelling, and how much each counts, from 0 to 1."""
        found: dict[str, float] = {}
        plain = fold(text).casefold()
        words = [*_LATIN.findall(plain), *(_bare(word) for word in _KATAKANA.findall(plain))]
        for form in (word for word in words if word[:1] in self._beginnings):
            for one in self._like(form):
                found[one.term] = max(found.get(one.term, 0.0), _worth(one.form, form))
        together = {first + second for first, second in pairwise(words)}
        found.update((one.term, _SAME) for form, one in self._joined.items() if form in words or form in together)
        heard = sound_of(plain) if self._sounds else ""
        found.update((one.term, _SAME) for one in self._sounds if one.form in heard)
        return {term: worth for term, worth in found.items() if worth}

    def _like(self, form: str) -> Set[_Written]:
        return {one for shorter in _one_less(form) for one in self._slips.get(shorter, ())}


def _joined(written: Sequence[_Written], question: str) -> Iterator[_Written]:
    """Yield what may stand joined in a message and apart here (check-in: checkin), or the other way round."""
    yield from (one for one in written if one.form.isascii())
    words = _LATIN.findall(fold(question).casefold())
    for pair in pairwise(words):
        yield from (_Written(one.term, "".join(pair)) for one in written if one.form in pair)


def _words_beginning(letters: Set[str]) -> re.Pattern[str] | None:
    latin = "".join(sorted(letter for letter in letters if _LATIN.match(letter)))
    return re.compile(f"[{latin}][a-z'’]*") if latin else None


def _bare(written: str) -> str:
    return written.replace(_LONG_VOWEL, "").replace("’", "'")


def _one_less(word: str) -> Iterator[str]:
    """Yield the word, and, if it is long enough to be told from others, all there is with one letter less."""
    yield word
    if len(word) >= _SHORTEST_WITH_A_SLIP:
        yield from (word[:at] + word[at + 1 :] for at in range(len(word)))


def _worth(sought: str, found: str) -> float:
    """Return what a spelling counts: nothing if it differs in its first letter or by more than one slip."""
    if sought == found:
        return _SAME
    if min(len(sought), len(found)) < _SHORTEST_WITH_A_SLIP or sought[0] != found[0]:
        return 0.0
    is_long = min(len(sought), len(found)) >= (_LONG if sought.isascii() else _LONG_IN_KATAKANA)
    if len(sought) == len(found) and sorted(sought) != sorted(found) and not is_long:
        return 0.0  # another letter in a short word mostly makes another word
    return _SAME if is_long else _SLIP
