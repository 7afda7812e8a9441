"""Which short pieces a text is made of: what the learned evidence reads beside the vectors.

A vector tells what a text is about; the pieces tell how it is put ("…だよ", "no need to", "only ever"). There are two
views of a text. The first takes it whole: in Japanese up to four characters, in other scripts up to three words. The
second goes sentence by sentence, so that it knows how each begins and ends, and looks wider: up to five characters, or
words with others between them and five letters across words. Pieces are hashed (CRC-32): no vocabulary is kept.
"""

import re
from zlib import crc32

BUCKETS = 1 << 15
"""How many numbers each of the two views has; those of the second begin here."""
_JAPANESE = re.compile(r"[\u3041-\u30fa\u4e00-\u9fff]")
_SPACE = re.compile(r"\s+")
_TOKEN = re.compile(r"[a-z']+|[0-9]+|[.,!?]")
_SENTENCE_END = re.compile(r"(?<=[。!?！？…♪.])\s+|(?<=[。!?！？♪])|\n+")
_CHARACTERS, _WIDER_CHARACTERS, _WORDS, _LETTERS = 4, 5, 3, 5
_START, _END = "^", "$"
_ACROSS = crc32(b"c")
"""Before letters across words, so that they are never taken for a word."""

Pieces = tuple[list[int], list[int]]


def buckets(text: str) -> Pieces:
    """Return the numbers of the pieces of a folded text in each view, each once, in ascending order."""
    sentences = [sentence for sentence in _SENTENCE_END.split(text) if sentence.strip()]
    wider = set().union(*map(_of_sentence, sentences))
    return _numbers(_of_whole(text)), [BUCKETS + number for number in _numbers(wider)]


def _numbers(sums: set[int]) -> list[int]:
    return sorted({value % BUCKETS for value in sums})


def _of_whole(text: str) -> set[int]:
    if _JAPANESE.search(text):
        return _runs(f"{_START}{_SPACE.sub('', text)}{_END}", _CHARACTERS)
    return _phrases([_START, *_words(text)])


def _of_sentence(text: str) -> set[int]:
    if _JAPANESE.search(text):
        return _runs(f"{_START}{_SPACE.sub('', text)}{_END}", _WIDER_CHARACTERS)
    words = [_START, *_words(text), _END]
    coded = [word.encode() for word in words]
    apart = {crc32(b"%b _ %b" % pair) for gap in (2, 3) for pair in zip(coded, coded[gap:], strict=False)}
    letters = f" {' '.join(words[1:-1])} ".encode()
    across = {crc32(letters[at : at + _LETTERS], _ACROSS) for at in range(len(letters) - _LETTERS + 1)}
    return _phrases(words) | apart | across


def _words(text: str) -> list[str]:
    return ["#" if token.isdigit() else token for token in _TOKEN.findall(text)]


def _phrases(words: list[str]) -> set[int]:
    """Return the sums of up to so many words that follow each other, with a blank between them."""
    coded = [word.encode() for word in words]
    return _sums(coded, [b" " + word for word in coded], _WORDS)


def _runs(text: str, longest: int) -> set[int]:
    coded = [char.encode("utf-8", "replace") for char in text]
    return _sums(coded, coded, longest)


def _sums(first: list[bytes], following: list[bytes], longest: int) -> set[int]:
    """Return the sum of each run: the sum of a longer one goes on from that of the shorter one it begins with."""
    sums: set[int] = set()
    for start, code in enumerate(first):
        value = crc32(code)
        sums.add(value)
        for other in following[start + 1 : start + longest]:
            value = crc32(other, value)
            sums.add(value)
    return sums
