"""What the signal gets right in labelled conversations: `python -m tests.evals.signal.talks`."""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from core.embedding.encoder import SentenceEncoder
from core.stance.signal.session import SaidTurn, SessionReading
from core.stance.signal.signal import SignalReader
from core.stance.types import Firmness, PushbackLevel, SupportMode
from tests.evals.signal.lines import CORPUS, TALKS

PRESSING = {PushbackLevel.ACTIVE.value, PushbackLevel.REPEATED.value}
_TOPICS = {SupportMode.CASUAL, SupportMode.TASK_ADVICE}

Talk = Mapping[str, Any]


def talks(name: str, side: str | None = None) -> list[Talk]:
    """Return the conversations of a file, all or those of one side."""
    rows = (CORPUS / name).read_text(encoding="utf-8").splitlines()
    return [talk for talk in map(json.loads, rows) if side is None or talk["side"] == side]


async def measure(reader: SignalReader, chosen: Iterable[Talk]) -> Counter[str]:
    """Count what of the conversations is read as it is labelled; `turns` and `talks` tell of how many."""
    found: Counter[str] = Counter()
    for talk in chosen:
        said = [SaidTurn(by_user=turn["role"] == "user", text=turn["text"]) for turn in talk["turns"]]
        found += _compared(talk, await reader.read_session(said))
    return found


def _compared(talk: Talk, read: SessionReading) -> Counter[str]:
    found = Counter(talks=1)
    labelled = [turn for turn in talk["turns"] if turn["role"] == "user"]
    for turn, signal in zip(labelled, read.signals, strict=True):
        presses, told = turn["pushback"] in PRESSING, signal.pushback.value in PRESSING
        found["turns"] += 1
        found["mode"] += signal.mode.value == turn["effective_mode"]
        found["pushback"] += signal.pushback.value == turn["pushback"]
        found["pushes"] += presses
        found["pushes_found"] += presses and told
        found["pushes_false"] += told and not presses
    firm, last = read.firmness[-1] is not Firmness.BASE, read.signals[-1].mode
    found["hardens"] += firm == talk["expect"]["stance_hardens"]
    found["returns"] += (last in _TOPICS) == talk["expect"]["returns_to_casual"]
    return found


async def main() -> None:
    """Print the counts of each file and side."""
    reader = SignalReader.load(encoder=SentenceEncoder())
    for name in TALKS:
        for side in sorted({talk["side"] for talk in talks(name) if "side" in talk}) or [None]:
            counts = await measure(reader, talks(name, side))
            told = ", ".join(f"{what} {count}" for what, count in counts.items())
            sys.stdout.write(f"{name} {side or ''}: {told}\n")


if __name__ == "__main__":
    asyncio.run(main())
