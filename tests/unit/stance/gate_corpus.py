"""The labelled replies of `tests/corpus`."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.embedding.encoder import SentenceEncoder

FOLDER = Path(__file__).parents[2] / "corpus"
HANDS = (
    "replies",
    "replies_own",
    "replies_other",
    "replies_third",
    "replies_fourth",
    "replies_fifth",
    "replies_sixth",
    "replies_eighth",
    "replies_tenth",
    "replies_eleventh",
)
MEASURES = frozenset({"replies_tenth", "replies_eleventh"})
"""The hands whose test side is kept out of every fit."""
FILES = tuple(f"{hand}_{locale}" for hand in HANDS for locale in ("ja", "en"))


@dataclass(frozen=True, slots=True)
class LabelledReply:
    id: str
    user: str
    reply: str
    violations: frozenset[str]
    severity: str
    side: str
    file: str

    @property
    def locale(self) -> str:
        return self.file[-2:]

    @property
    def hand(self) -> str:
        """Who wrote the line: one writer a kind of file."""
        return self.file[:-3]


def labelled(side: str | None = None, files: Sequence[str] = FILES) -> list[LabelledReply]:
    texts = {file: (FOLDER / f"{file}.jsonl").read_text("utf-8") for file in files}
    rows = [(file, json.loads(line)) for file, text in texts.items() for line in text.splitlines()]
    return [
        LabelledReply(
            row["id"], row["user"], row["reply"], frozenset(row["violations"]), row["severity"], row["side"], file
        )
        for file, row in rows
        if side in {None, row["side"]}
    ]


def encode(texts: Sequence[str]) -> list[list[float] | None]:
    return asyncio.run(_ENCODER.embed(texts))


_ENCODER = SentenceEncoder()
