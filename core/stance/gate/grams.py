"""Which short pieces a text is made of: what the learned evidence reads beside the vectors.

A vector tells what a text is about; the pieces tell how it is put ("…だよ", "no need to", "only ever"). There are two
views of a text. The first takes it whole: in Japanese up to four characters, in other scripts up to three words. The
second goes sentence by sentence, so that it knows how each begins and ends, and looks wider: up to five characters, or
words with others between them and five letters across words. Pieces are hashed (CRC-32): no vocabulary is kept.
"""

import re
import zlib
from collections.abc import Iterable

BUCKETS = 1 << 15
"""How many numbers each of the two views has; those of the second begin here."""
_JAPANESE = re.compile(r"[\u3041-\u30fa\u4e00-\u9fff]")
_SPACE = re.compile(r"\s+")
_TOKEN = re.compile(r"[a-z']+|[0-9]+|[.,!?]")
_SENTENCE_END = re.compile(r"(?<=[。!?！？…♪.])\s+|(?<=[。!?！？♪])|\n+")
_CHARACTERS, _WIDER_CHARACTERS, _WORDS, _LETTERS = 4, 5, 3, 5
_START, _END = "^", "$"

Pieces = tuple[list[int], list[int]]


def buckets(text: str) -> Pieces:
    """Return the numbers of the pieces of a folded text in each view, each once, in ascending order."""
    sentences = [sentence for sentence in _SENTENCE_END.split(text) if sentence.strip()]
    wider = set().union(*map(_of_sentence, sentences))
    return _numbers(_of_whole(text)), [BUCKETS + number for number in _numbers(wider)]


def _numbers(pieces: Iterable[str]) -> list[int]:
    return sorted({zlib.crc32(piece.encode("utf-8", "replace")) % BUCKETS for piece in pieces})


def _of_whole(text: str) -> set[str]:
    if _JAPANESE.search(text):
        return _runs(f"{_START}{_SPACE.sub('', text)}{_END}", _CHARACTERS)
    return _phrases([_START, *_words(text)])


def _of_sentence(text: str) -> set[str]:
    if _JAPANESE.search(text):
        return _runs(f"{_START}{_SPACE.sub('', text)}{_END}", _WIDER_CHARACTERS)
    words = [_START, *_words(text), _END]
    apart = {f"{words[at]} _ {words[at + gap]}" for gap in (2, 3) for at in range(len(words) - gap)}
    letters = f" {' '.join(words[1:-1])} "
    across = {f"c{letters[at : at + _LETTERS]}" for at in range(len(letters) - _LETTERS + 1)}
    return _phrases(words) | apart | across


def _words(text: str) -> list[str]:
    return ["#" if token.isdigit() else token for token in _TOKEN.findall(text)]


def _phrases(words: list[str]) -> set[str]:
    return {" ".join(words[at : at + size]) for size in range(1, _WORDS + 1) for at in range(len(words) - size + 1)}


def _runs(text: str, longest: int) -> set[str]:
    return {text[at : at + size] for size in range(1, longest + 1) for at in range(len(text) - size + 1)}
