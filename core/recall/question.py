"""Whether a message asks for something that was said before.

Two kinds: one that says so ("do you remember ...", 「なんだっけ」), and one that merely asks for particulars nobody
else could know ("when's bin day?"). A general question is neither. Rules decide, by `patterns/question.toml`; what
none of them knows may still be told by its pieces (`likely.py`).
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from core.analysis.text import fold
from core.recall.likely import likely_asks, weights

_MOST = 400
_SHORT = 8
_CLAUSE_END = re.compile(r"(?<=[。！？!?\n])\s*|(?<=[.…])\s+")
_KANA_OR_KANJI = re.compile(r"[぀-ヿ㐀-鿿]")
_ASKING_JA = re.compile(
    r"[？?]|(?:教えて|確認したい|相手(?:は)?(?:だれ|誰)|たの(?:は)?(?:どれ|だれ|誰)|たのどこだろ|かな私|覚えある)[。….〜ー\s]*$|(?:の|か|かな|っけ|ん|何|なに|誰|どこ|いつ|は|色|だ|や|曜日|って|かしら|か[ねのい]な?|じゃ|べ)[。….〜ー\s]*$"
    r"|(?:どっち|どちら|どれ|どこ|いつ|誰|だれ|いくら|いくつ).{0,8}たかな[あぁ][。….〜ー\s]*$"
    r"|(?:何|(?<!み)なん|(?<!ん)なに|どこ(?!ろ)|いつ|誰|だれ|どれ|どっち|どちら|どの|どう|どげん|どない|いくら|いくつ|なんぼ)(?![かも]|でも|[度回人年日]も).{0,12}た[。….〜ー\s]*$"
)


class Asking(StrEnum):
    """How a message asks for what was said before."""

    NOT = "not"
    POINTED = "pointed"
    OUTRIGHT = "outright"


@dataclass(frozen=True, slots=True)
class RecallQuestion:
    """What a message asks. `clause` is the part of it that asks; `wants_place`: where it was said is asked for."""

    asking: Asking
    clause: str = ""
    wants_place: bool = False

    @property
    def is_asked(self) -> bool:
        """Whether anything is to be looked up."""
        return self.asking is not Asking.NOT


NO_QUESTION = RecallQuestion(Asking.NOT)

_WORD = re.compile(r"[a-z]+")

_FLAGS = {"ja": re.IGNORECASE, "en": re.NOFLAG}

_Patterns = Mapping[str, Mapping[str, tuple[re.Pattern[str], ...]]]


def prepare() -> None:
    """Get ready for the first question: compile patterns, read weights; in a thread, since it takes a while."""
    _patterns()
    weights()


def read_question(text: str) -> RecallQuestion:
    """Return what a message asks; of several clauses the last one that asks outright, else the last pointed one."""
    clauses = _clauses(text)
    found = [_read_clause(clause) for clause in clauses]
    for asking in (Asking.OUTRIGHT, Asking.POINTED):
        for place in reversed(range(len(found))):
            if found[place].asking is asking:
                return replace(found[place], clause=_with_its_matter(clauses, place))
    return _likely_question(clauses)


def _likely_question(clauses: Sequence[str]) -> RecallQuestion:
    """Return what a message says as a pointed question if it likely asks: one clause, besides "hey" and the like."""
    said = [clause for clause in clauses if len(clause) > _SHORT]
    if len(said) != 1 or len(said[0]) > _MOST or not likely_asks(said[0].lower(), language_of(said[0])):
        return NO_QUESTION
    return RecallQuestion(Asking.POINTED, said[0])


def _with_its_matter(clauses: Sequence[str], place: int) -> str:
    """Return a clause that asks, together with the one before it (or after the first) where it says not what for."""
    clause = clauses[place]
    language = language_of(clause)
    if len(clauses) == 1 or not _matches("bare", language, _as_read(clause, language)):
        return clause
    return " ".join(one[-_MOST:] for one in clauses[max(0, place - 1) : max(0, place - 1) + 2])


def _clauses(text: str) -> list[str]:
    return [clause.strip() for clause in _CLAUSE_END.split(fold(text)) if clause.strip()][-_CLAUSES:]


_CLAUSES = 12


def _read_clause(clause: str) -> RecallQuestion:
    if len(clause) > _MOST:
        return NO_QUESTION
    language = language_of(clause)
    read = _as_read(clause, language)
    if language == "en":
        read = _WORD.sub(_in_full, read)
    place = _matches("place", language, read)
    if (place or _matches("outright", language, read)) and not _matches("never", language, read):
        return RecallQuestion(Asking.OUTRIGHT, clause, wants_place=place)
    if _is_pointed(read, language):
        return RecallQuestion(Asking.POINTED, clause)
    return NO_QUESTION


def _is_pointed(clause: str, language: str) -> bool:
    if language == "ja" and _ASKING_JA.search(clause) is None:
        return False
    if _matches("certain", language, clause):
        return True
    if not _matches("pointed", language, clause):
        return False
    return not (_matches("general", language, clause) or _matches("never", language, clause))


def language_of(clause: str) -> str:
    """Return in which language a text is read: Japanese if it holds any kana or kanji."""
    return "ja" if _KANA_OR_KANJI.search(clause) else "en"


def _as_read(clause: str, language: str) -> str:
    """Return a clause as the patterns want it: those of English have small letters alone, which is twice as fast."""
    return clause.lower() if language == "en" else clause


def _in_full(word: re.Match[str]) -> str:
    return _spelled().get(word[0], word[0])


def _matches(what: str, language: str, clause: str) -> bool:
    return any(pattern.search(clause) for pattern in _patterns()[what][language])


@cache
def _spelled() -> Mapping[str, str]:
    return dict(_table()["spelled"]["en"])


@cache
def _patterns() -> _Patterns:
    return {
        what: {
            language: tuple(re.compile(pattern, _FLAGS[language]) for pattern in patterns)
            for language, patterns in languages.items()
        }
        for what, languages in _table().items()
        if what != "spelled"
    }


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads((files("core.recall.patterns") / "question.toml").read_text("utf-8"))
