"""Which language a text is in, as far as its script tells: Japanese, English, or can't say."""

import re

from core.values import Locale

_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa\uff66-\uff9d]")
_HAN = re.compile(r"[\u4e00-\u9fff\u3005]")
_LATIN_WORD = re.compile(r"[A-Za-z][a-z']+|\bI\b")
_NOISE = re.compile(r"https?://\S+|```.*?```|`[^`]*`|<[^>]*>|:\w+:", re.DOTALL)


def detect_locale(text: str) -> Locale | None:
    """Return the language of a message, or None where it has no words to tell by (emoji, numbers, links)."""
    words = _NOISE.sub(" ", text)
    if _KANA.search(words) or _HAN.search(words):
        return Locale.JA
    return Locale.EN if _LATIN_WORD.search(words) else None
