"""Which language a post is in, as far as its script tells: enough to weigh posts by it."""

import re

from core.locale import detect_locale

_SCRIPTS = (
    ("ko", re.compile(r"[\uac00-\ud7a3]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
)
_KANA = re.compile(r"[\u3041-\u30fa\uff66-\uff9d]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_ENOUGH_HAN = 8


def language_of(text: str) -> str | None:
    """Return a language tag such as `ja`; None for a text without words. Any Latin script counts as English."""
    counts = {tag: len(pattern.findall(text)) for tag, pattern in _SCRIPTS}
    tag = max(counts, key=lambda name: counts[name])
    locale = detect_locale(text)
    if counts[tag] and (locale is None or counts[tag] * 2 > len(text.split()) * 2):
        return tag
    if not _KANA.search(text) and len(_HAN.findall(text)) >= _ENOUGH_HAN:
        return "zh"
    return None if locale is None else locale.value


def main_language(tag: str | None) -> str | None:
    """Return the language of a tag without its region: `ja-JP` and `ja_JP` are `ja`."""
    return None if tag is None else re.split(r"[-_]", tag, maxsplit=1)[0].lower()
