"""A text laid out for the rules: one sentence a line, what is quoted blotted out, questions known."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from core.stance.gate.folding import Folded, fold
from core.stance.gate.spans import Span
from core.values import Locale

QUOTED = "\ue001"
NAMED = "\ue000"
_QUOTES = re.compile(r"```.*?(?:```|\Z)|「[^「」]*」|『[^『』]*』|\"[^\"\n]*\"|^ ?>[^\n]*", re.DOTALL | re.MULTILINE)
_END = re.compile(r"[。!?！？\n♪☆★]|\.(?=[ \n\")]|\Z)|\.\.+|[\u2600-\u27bf\U0001f000-\U0001faff]")
_ASKING = re.compile(r"(?:か|かな|かしら|かい)[ね]?[ 。]*\Z")
_KANA_OR_HAN = re.compile(r"[\u3041-\u30fa\u4e00-\u9fff]")
_LATIN = re.compile(r"[a-z]{2}")
_NAME = re.compile(r"(?<![.!?\n] )(?<!\A)\b[A-Z][a-z]{2,}\b")


@dataclass(frozen=True, slots=True)
class View:
    """A folded text in which every sentence ends with a line break. All positions are of the folded text."""

    folded: Folded
    text: str
    starts: tuple[int, ...]
    questions: frozenset[int]
    locales: tuple[Locale, ...]

    def sentence_at(self, position: int) -> int:
        """Return the number of the sentence a position lies in."""
        return bisect_right(self.starts, position) - 1

    def bounds(self, number: int) -> Span:
        """Return where a sentence begins and ends."""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
        return Span(self.starts[number], end)


def look_at(text: str, *, names: frozenset[str] = frozenset()) -> View:
    """Lay out a text; words of `names` (lower case) are marked as people."""
    folded = fold(text)
    masked = _QUOTES.sub(_blot, folded.text)
    for name in names:
        masked = re.sub(rf"\b{re.escape(name)}\b", NAMED * len(name), masked)
    parted, starts, questions = _part(masked)
    locales = _locales(masked)
    return View(folded, parted, starts, questions, locales)


def names_in(text: str) -> frozenset[str]:
    """Return the words that look like names: capitalised, and not because a sentence begins with them."""
    return frozenset(match.group().lower() for match in _NAME.finditer(text))


def _blot(match: re.Match[str]) -> str:
    return "".join("\n" if char == "\n" else QUOTED for char in match.group())


def _part(text: str) -> tuple[str, tuple[int, ...], frozenset[int]]:
    """Put line breaks for sentence ends; return the text, where sentences begin and which of them ask."""
    starts, questions, parts, position = [0], set(), [], 0
    for match in _END.finditer(text):
        body = text[position : match.start()]
        if "?" in match.group() or "？" in match.group() or _ASKING.search(body):
            questions.add(len(starts) - 1)
        parts += [body, "\n" * len(match.group())]
        position = match.end()
        starts.append(position)
    parts.append(text[position:])
    if _ASKING.search(text[position:]):
        questions.add(len(starts) - 1)
    return "".join(parts), tuple(starts), frozenset(questions)


def _locales(text: str) -> tuple[Locale, ...]:
    found = [Locale.JA] if _KANA_OR_HAN.search(text) else []
    return tuple([*found, Locale.EN] if _LATIN.search(text) else found)
