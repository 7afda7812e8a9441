"""What kind of answer a question wants, and whether a message can hold one.

"What is the ferry's name?" isn't answered by every message with a ferry in it: a name has to stand there, too.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from core.analysis.text import fold

_ASKED_BY = re.compile(
    r"\b(?:what|which|who|whom|whose|where|when|why|how)\b|何|なに|なん|どこ|いつ|誰|だれ|どなた|どれ|どの|どっち|どちら|どう|どんな|どげん|どない"
    r"|なぜ|いくら|いくつ|なんぼ|は[？?]\W*\Z"
)
_COUNTED_EN = re.compile(r"\bhow (?:many|much) ([a-z]{3,})|\bhow (long|far|old|often|tall|heavy|big)\b")
_UNITS_EN = {
    "long": r"(?:second|sec|minute|min|hour|hr|day|night|week|fortnight|month|year|term|century|decade)s?\b",
    "far": r"(?:mile|metre|meter|km|k|kilomet|yard|minute|min|hour|stop|step|block)",
    "old": r"(?:year|month|week|day|yr)?s?\b",
    "often": r"(?:time|day|night|week|month|year|hour|minute|a |twice|once)",
    "tall": r"(?:foot|feet|ft|metre|meter|cm|inch|m\b)",
    "heavy": r"(?:kilo|kg|pound|lb|stone|gram|ounce|oz|ton)",
    "big": r"(?:foot|feet|ft|metre|meter|cm|inch|acre|litre|size|square)",
}
_NUMBER_EN = (
    r"(?:[0-9]|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty"
    r"|sixty|seventy|eighty|ninety|hundred|thousand|half|couple|few|dozen|every|each|once|twice)\b)"
)
_COUNTED = re.compile(
    "何(年|月|日|時|分|週|回|度|個|人|枚|本|冊|匹|頭|羽|箱|泊|番|階|杯|台|点|位|巻|円|級|号|歳|才|キロ|メートル|センチ|グラム)"
)


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a kind of answer is asked for, and how it looks.

    `given_in_ascii`: how it can look in a text in ASCII; `as_written`: what is told by its capitals.
    `surely`: how it looks where there is no doubt, if that is less. `doubtful`: it may look otherwise, too.
    """

    asked: re.Pattern[str]
    given: re.Pattern[str]
    given_in_ascii: re.Pattern[str]
    as_written: re.Pattern[str] | None
    surely: re.Pattern[str] | None
    doubtful: bool

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "_Kind":
        # Written as one group, words are only tried where one begins.
        words = [rf"\b(?:{table['words']})"] if "words" in table else []
        in_ascii = "|".join([*words, table["signs"]])
        return cls(
            asked=re.compile(table["asked"], re.IGNORECASE),
            given=re.compile(f"{in_ascii}|{table['japanese']}"),
            given_in_ascii=re.compile(in_ascii),
            as_written=re.compile(table["as_written"]) if "as_written" in table else None,
            surely=re.compile(table["surely"]) if "surely" in table else None,
            doubtful=bool(table.get("doubtful")),
        )

    def is_in(self, plain: str) -> bool:
        pattern = self.given_in_ascii if plain.isascii() else self.given
        if pattern.search(plain.lower()):
            return True
        return self.as_written is not None and self.as_written.search(plain) is not None

    def is_surely_in(self, plain: str) -> bool:
        return self.is_in(plain) if self.surely is None else self.surely.search(plain.lower()) is not None


def wanted_kinds(question: str) -> tuple[str, ...]:
    """Return the kinds of answer a question asks for (money, when, name ...); () where it may be anything."""
    return _asked(question, doubtful=False)


def doubtful_kinds(question: str) -> tuple[str, ...]:
    """Return the kinds wanted that can't be told for certain: a message without any may still hold the answer."""
    return _asked(question, doubtful=True)


def can_answer(text: str, kinds: Sequence[str]) -> bool:
    """Return whether a text holds anything of one of these kinds."""
    plain = unicodedata.normalize("NFKC", text)
    return any(_kinds()[kind].is_in(plain) for kind in kinds)


def surely_answers(text: str, kinds: Sequence[str]) -> bool:
    """Return whether a text holds something that can only be of one of these kinds."""
    plain = unicodedata.normalize("NFKC", text)
    return any(_kinds()[kind].is_surely_in(plain) for kind in kinds)


def is_open(question: str) -> bool:
    """Return whether a question wants a particular that no pattern can tell in a message (where, why, what)."""
    return _ASKED_BY.search(fold(question).casefold()) is not None and not wanted_kinds(question)


def unit_wanted(question: str) -> str:
    """Return what a question counts by (何年, how many eggs, how long), "" for nothing: other numbers don't answer."""
    folded = fold(question).casefold()
    if found := _COUNTED.search(folded):
        return found[1]
    counted = _COUNTED_EN.search(folded)
    return "" if counted is None else counted[1] or counted[2]


def holds_unit(text: str, unit: str) -> bool:
    """Return whether a number of that unit stands in a text."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    if not unit.isascii():
        return re.search(rf"[0-9一二三四五六七八九十百千半数] ?{unit}", plain) is not None
    noun = _UNITS_EN.get(unit) or re.escape(unit[: max(3, len(unit) - 2)])
    return re.search(rf"{_NUMBER_EN}[ -]?(?:[a-z]+ )?{noun}", plain) is not None


def _asked(question: str, *, doubtful: bool) -> tuple[str, ...]:
    folded = fold(question)
    return tuple(n for n, kind in _kinds().items() if kind.doubtful is doubtful and kind.asked.search(folded))


@cache
def _kinds() -> dict[str, _Kind]:
    table = tomllib.loads((files("core.recall.patterns") / "answers.toml").read_text("utf-8"))
    return {name: _Kind.of(patterns) for name, patterns in table.items()}
