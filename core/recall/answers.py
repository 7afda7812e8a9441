"""What kind of answer a question wants, and whether a message can hold one.

"What is the ferry's name?" isn't answered by every message with a ferry in it: a name has to stand there, too.
"""

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from core.analysis.text import fold


def wanted_kinds(question: str) -> tuple[str, ...]:
    """Return the kinds of answer a question asks for (money, when, name ...); () where it may be anything."""
    folded = fold(question)
    return tuple(kind for kind, (asked, _) in _kinds().items() if asked.search(folded))


def can_answer(text: str, kinds: Sequence[str]) -> bool:
    """Return whether a text holds anything of one of these kinds."""
    plain = unicodedata.normalize("NFKC", text)  # folding all of it takes too long for thousands of messages
    return any(_kinds()[kind][1].search(plain) for kind in kinds)


@cache
def _kinds() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    table = tomllib.loads((files("core.recall.patterns") / "answers.toml").read_text("utf-8"))
    return {
        kind: (re.compile(pair["asked"], re.IGNORECASE), re.compile(pair["given"], re.IGNORECASE))
        for kind, pair in table.items()
    }
