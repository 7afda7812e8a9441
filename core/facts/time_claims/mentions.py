"""Words for parts of the day and for seasons, wherever they stand: what the second opinion may take for a claim."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

from core.facts.time_claims.types import ClaimKind

_WORDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "ja": {
            "15:30/04:30": "今夜|今晩|今宵",
            "late_night": "深夜|真夜中|夜更け|夜ふけ|夜半|夜中|よなか",
            "early_morning": "早朝|明け方|夜明け|未明|朝まだき|暁|朝ぼらけ|東雲",
            "afternoon": "午後|昼下がり|お?昼過ぎ|お?昼すぎ|昼さがり",
            "evening": "夕方|夕暮れ|夕刻|夕べ|日暮れ|暮れ方|黄昏|たそがれ|夕(?!ごはん|ご飯|飯|食|刊|顔)|宵|ゆうがた",
            "morning": "朝(?!ごはん|ご飯|飯|食|刊|顔)|午前|モーニング",
            "noon": "正午|お?昼(?!ごはん|ご飯|飯|食|寝)",
            "night": "(?<![徹毎])(?:夜(?!ごはん|ご飯|飯|食)|晩(?!ごはん|ご飯|飯))",
            "spring": "(?<![一-龥])春",
            "summer": "(?<![一-龥])夏",
            "autumn": "(?<![一-龥])秋",
            "winter": "(?<![一-龥])冬",
        },
        "en": {
            "15:30/04:30": "tonight",
            "late_night": "(?:wee|small|ungodly) (?:small )?hours|late[ -]night|(?:dead|middle) of (?:the )?night",
            "midnight": "midnight",
            "early_morning": "dawn|daybreak|first light|sunrise|sunup|early[ -]morning",
            "morning": "mornings?|forenoon",
            "noon": "noon|midday|noontime",
            "afternoon": "afternoons?|arvo",
            "evening": "evenings?|dusk|twilight|sundown|sunset|nightfall|eventide|gloaming",
            "night": "(?<!good )night(?:time|s)?",
            "spring": "spring(?:time)?",
            "summer": "summer(?:time)?",
            "autumn": "autumn|fall",
            "winter": "winter(?:time)?",
        },
    }
)
_SEASONS = frozenset({"spring", "summer", "autumn", "winter"})
_EDGES: Mapping[str, str] = MappingProxyType({"ja": "", "en": r"\b"})


def mentions(text: str, locale: str) -> Iterator[tuple[ClaimKind, str, int, int]]:
    """Give the kind, value, start and end of every word for a part of the day or a season."""
    pattern, meanings = _table(locale)
    for match in pattern.finditer(text):
        kind, value = meanings[(match.lastindex or 1) - 1]
        yield kind, value, match.start(), match.end()


def mention_pattern(locale: str) -> re.Pattern[str]:
    """Return what matches every such word of a language."""
    return _table(locale)[0]


@cache
def _table(locale: str) -> tuple[re.Pattern[str], tuple[tuple[ClaimKind, str], ...]]:
    words, edge = _WORDS[locale], _EDGES[locale]
    pattern = re.compile(f"{edge}(?:{'|'.join(f'({one})' for one in words.values())}){edge}")
    return pattern, tuple((_kind_of(value), value) for value in words)


def _kind_of(value: str) -> ClaimKind:
    if value in _SEASONS:
        return ClaimKind.DATE
    return ClaimKind.TIME if "/" in value else ClaimKind.PART_OF_DAY
