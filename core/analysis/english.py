"""English words in the form they are indexed under: the only user of `snowballstemmer`.

Stems (rings, ringing → ring), irregular forms (rang → ring), and American spelling (colour → color).
"""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snowballstemmer.english_stemmer import EnglishStemmer

_ENDING = re.compile(r"(?<=\w)'(?:s|m|re|ve|ll|d)?\Z")
_SPELLINGS = (
    (re.compile(r"(?<=[a-z]{2})our(?=s?\Z|ed\Z|ing\Z|ful|ite|able|hood)"), "or"),
    (re.compile(r"(?<=[a-z]{3})is(?=e[sdr]?\Z|ing\Z|ation)"), "iz"),
    (re.compile(r"(?<=[a-z]{2}[tb])re(?=s?\Z)"), "er"),
    (re.compile(r"(?<=[a-z]{3}[aeio])ll(?=ed\Z|ing\Z|er\Z)"), "l"),
)


def stem(word: str) -> str:
    """Return the form that a word in lower case shares with its other forms; what isn't English stays as it is."""
    bare = _ENDING.sub("", word.replace("’", "'"))
    return _stem(bare) if bare.isascii() else irregular_forms().get(bare, bare)


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    regular = irregular_forms().get(word, word)
    for pattern, replacement in _SPELLINGS:
        regular = pattern.sub(replacement, regular)
    # A new one for each word: a stemmer keeps its state in itself, and several threads may be at work.
    return str(_stemmer().stemWord(regular))


def _stemmer() -> "EnglishStemmer":
    from snowballstemmer.english_stemmer import EnglishStemmer  # noqa: PLC0415

    return EnglishStemmer()


@cache
def irregular_forms() -> dict[str, str]:
    """Return the regular word for each irregular form: rang → ring, children → child, flat → apartment is none."""
    table = tomllib.loads((files("core.analysis") / "english_forms.toml").read_text("utf-8"))
    return {form: word for words in table.values() for word, forms in words.items() for form in forms.split()}
