"""Which short pieces a text is made of: what the learned evidence reads beside the vectors.

A vector tells what a text is about; the pieces tell how it is put ("…だよ", "no need to", "only ever"). In Japanese a
piece is up to four characters, in other scripts up to three words. Pieces are hashed (CRC-32): no vocabulary is kept.
"""

import re
import zlib

BUCKETS = 1 << 15
_JAPANESE = re.compile(r"[\u3041-\u30fa\u4e00-\u9fff]")
_SPACE = re.compile(r"\s+")
_TOKEN = re.compile(r"[a-z']+|[0-9]+|[.,!?]")
_CHARACTERS, _WORDS = 4, 3
_START, _END = "^", "$"


def buckets(text: str) -> list[int]:
    """Return the numbers of the pieces of a folded text, each once, in ascending order."""
    if _JAPANESE.search(text):
        pieces = _runs(f"{_START}{_SPACE.sub('', text)}{_END}")
    else:
        words = [_START, *("#" if token.isdigit() else token for token in _TOKEN.findall(text))]
        pieces = {
            " ".join(words[at : at + size]) for size in range(1, _WORDS + 1) for at in range(len(words) - size + 1)
        }
    return sorted({zlib.crc32(piece.encode("utf-8", "replace")) % BUCKETS for piece in pieces})


def _runs(text: str) -> set[str]:
    return {text[at : at + size] for size in range(1, _CHARACTERS + 1) for at in range(len(text) - size + 1)}
