"""Which language a text is in, as far as its script tells; the language before holds until there is real reason."""

import re

from core.values import Locale

_HIRAGANA = re.compile(r"[\u3041-\u3096]")
_KATAKANA = re.compile(r"[\u30a1-\u30fa\uff66-\uff9d]")
_HAN = re.compile(r"[\u4e00-\u9fff\u3005]")
_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*[A-Za-z]|\bI\b")
_NOISE = re.compile(r"https?://\S+|```.*?```|`[^`]*`|<[^<>]*>|:\w+:|@\S+|#\S+", re.DOTALL)

# Hiragana is grammar and so tells most; katakana and Chinese characters stand in names and menus of any language.
_WEIGHTS = ((_HIRAGANA, 1.0), (_KATAKANA, 0.5), (_HAN, 0.8))
# What it takes to leave the language talked in so far: "ok thanks" or a dish's name is no change of language.
_ENOUGH_TO_CHANGE = {Locale.JA: 1.5, Locale.EN: 3.0}


def detect_locale(text: str, *, before: Locale | None = None) -> Locale | None:
    """Return the language of a message, or `before` where it tells nothing, or too little to change for."""
    words = _NOISE.sub(" ", text)
    japanese = sum(weight * len(pattern.findall(words)) for pattern, weight in _WEIGHTS)
    english = float(len(_LATIN_WORD.findall(words)))
    if not japanese and not english:
        return before
    seen, evidence = (Locale.JA, japanese) if japanese >= english else (Locale.EN, english)
    if before is None or seen is before or evidence >= _ENOUGH_TO_CHANGE[seen]:
        return seen
    return before
