"""The labelled lines that the second opinion of the time guard is fitted on and measured with."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import cycle, product
from pathlib import Path
from typing import Any

_TESTS = Path(__file__).parents[2]
_CLOCK = frozenset({"time", "weekday", "date", "part_of_day", "season"})
_CASES = _TESTS / "unit/facts/cases"
_HINATA = _TESTS.parent / "data/characters/hinata"
_REPLIES = 0.4
_SHIPPED = 3.0
_OPENINGS = 0.7
_TURNS, _TIMES = 0.5, 3
_SLOT = re.compile(r"\{([A-Z])\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A text, what it claims and by whom it was written.

    `moments`: the kinds of what it claims of the present, any kind for `*`, None where nobody told. `doing` likewise.
    `record` is the line as it was labelled, where it has a moment and a verdict.
    """

    text: str
    language: str
    moments: frozenset[str] | None
    values: frozenset[str] = frozenset()
    doing: bool | None
    hand: str
    weight: float = 1.0
    record: dict[str, Any] | None = None


def load_lines() -> list[Line]:
    """Read everything that may be fitted on."""
    return [
        *(line for line in (*load_fourth(), *load_sixth()) if line.record and line.record["side"] == "dev"),
        *_times("first", [_TESTS / "corpus/time_claims.jsonl"]),
        *_times("own", [path for path in sorted(_CASES.glob("*time_claims_*.jsonl")) if "nineteenth" not in path.name]),
        *_times("nineteenth", sorted(_CASES.glob("nineteenth_*.jsonl"))),
        *_own(),
        *_turns(),
        *_openings(),
        *_replies(),
        *_hinata(),
    ]


def load_fourth() -> list[Line]:
    """Read the lines of another hand; what has the side `test` only measures."""
    return list(_times("fourth", sorted((_TESTS / "corpus").glob("time_claims_fourth_*.jsonl")), weight=1.5))


def load_sixth() -> list[Line]:
    """Read the lines of a later hand; as of `load_fourth`."""
    return list(_times("sixth", sorted((_TESTS / "corpus").glob("time_claims_sixth_*.jsonl")), weight=1.5))


def _times(hand: str, paths: list[Path], weight: float = 1.0) -> Iterator[Line]:
    for row in (row for path in paths for row in _rows(path)):
        yield Line(
            text=row["text"],
            language=row["lang"],
            moments=frozenset(claim["kind"] for claim in row["explicit_claims"]),
            values=frozenset(claim["value"] for claim in row["explicit_claims"] if claim["kind"] == "time"),
            doing=row["implicit_activity_claim"],
            hand=hand,
            weight=weight,
            record=row,
        )


def _own() -> Iterator[Line]:
    for row in _rows(Path(__file__).parent / "lines.jsonl"):
        yield Line(
            text=row["text"],
            language=row["lang"],
            moments=frozenset({"*"} if row["claims"] == "moment" else ()),
            doing=row["claims"] == "doing",
            hand="kinds",
        )


def _turns() -> Iterator[Line]:
    """Yield turns of phrase, each with a few words in its place: every word in turn, so that all are met alike."""
    tables = tomllib.loads((Path(__file__).parent / "turns.toml").read_text("utf-8"))
    for language, table in tables.items():
        met = {letter: cycle(words) for letter, words in table["words"].items()}
        for claims, moments in (("moment", frozenset({"*"})), ("none", frozenset[str]())):
            for turn, _ in product(table[claims], range(_TIMES)):
                text = _SLOT.sub(partial(_next_word, met), turn)
                yield Line(text=text, language=language, moments=moments, doing=None, hand="turns", weight=_TURNS)


def _next_word(met: Mapping[str, Iterator[str]], slot: re.Match[str]) -> str:
    return next(met[slot[1]])


def _openings() -> Iterator[Line]:
    """Yield what was written to be said first, as far as its label says something about the present or a doing."""
    paths = [*(_TESTS / "unit/proactive/cases").glob("*.jsonl"), *(_TESTS / "evals/admission/lines").glob("*.jsonl")]
    for row in (row for path in sorted(paths) for row in _rows(path)):
        claim = row.get("claim")
        if row["admissible"] and row["kind"] == "neutral":
            told: tuple[frozenset[str] | None, bool | None] = frozenset(), False
        elif claim in _CLOCK:
            told = frozenset({claim}), None
        elif claim == "activity":
            told = None, True
        else:
            continue
        yield Line(
            text=row["text"],
            language=row["locale"],
            moments=told[0],
            doing=told[1],
            hand="openings",
            weight=1.0 if told[1] else _OPENINGS,
        )


def _replies() -> Iterator[Line]:
    """Yield replies that were written for the stance gate: they claim neither, as far as the rules can tell."""
    for path in sorted((_TESTS / "corpus").glob("replies*.jsonl")):
        for row in _rows(path)[::3]:
            yield Line(
                text=row["reply"],
                language="ja" if "ja" in path.stem else "en",
                moments=frozenset(),
                doing=False,
                hand="replies",
                weight=_REPLIES,
            )


def _hinata() -> Iterator[Line]:
    """Yield what the shipped character says first, and the notes of its schedule: none names the present moment."""
    for language in ("ja", "en"):
        tables = tomllib.loads((_HINATA / f"candidates.{language}.toml").read_text("utf-8"))
        texts = [(table["text"], kind) for kind in ("neutral", "scheduled") for table in tables[kind]]
        schedule = tomllib.loads((_HINATA / "schedule.toml").read_text("utf-8"))
        texts += [(table["text"][language], "note") for table in schedule["activity"].values()]
        for text, kind in texts:
            doing = False if kind == "neutral" else None
            yield Line(text=text, language=language, moments=frozenset(), doing=doing, hand="shipped", weight=_SHIPPED)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
