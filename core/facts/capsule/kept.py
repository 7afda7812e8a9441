"""Which of a user's kept facts may stand in a capsule: few, short, and without a clock of their own."""

import re
from collections.abc import Iterable

_MOST = 5
_LONGEST = 80
_CLOCK = re.compile(
    r"\d\s*[:：]\s*\d\d|\d\s*[ap]\.?m\b|o['’]?clock|\bnoon\b|\bmidnight\b|\b(?:half|quarter) (?:past|to)\b"
    r"|[\d〇零一二三四五六七八九十]\s*時(?![間的期停帰休])|正午|零時|深夜零",
    re.IGNORECASE,
)


def for_capsule(kept: Iterable[str]) -> tuple[str, ...]:
    """Return the newest few facts (`kept` has the oldest first) on one line each, cut where they are long.

    A fact that names a time on the clock ("I get up at six o'clock") is left out: a second clock beside the one of
    the world is what makes models tell the wrong time.
    """
    lines = (" ".join(fact.split()) for fact in kept)
    told = [line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…" for line in lines if line]
    return tuple(line for line in told if not names_a_clock(line))[-_MOST:]


def names_a_clock(text: str) -> bool:
    """Return whether a text names a time on the clock."""
    return _CLOCK.search(text) is not None
