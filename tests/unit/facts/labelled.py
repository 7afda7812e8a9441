"""Labelled lines and how predicates fare on them."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

_TESTS = Path(__file__).parents[2]
_CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True, slots=True)
class Score:
    """How often a predicate was right: shares between 0 and 1."""

    recall: float
    false_alarms: float
    wrong: tuple[str, ...]


def corpus() -> list[dict[str, Any]]:
    return _read(_TESTS / "corpus" / "time_claims.jsonl")


def fourth_hand() -> list[dict[str, Any]]:
    """Return the half of another hand's lines that nothing was tuned on."""
    paths = sorted((_TESTS / "corpus").glob("time_claims_fourth_*.jsonl"))
    return [line for path in paths for line in _read(path) if line["side"] == "test"]


def sixth_hand() -> list[dict[str, Any]]:
    """Return that half of a later hand's lines; the other is tuned on."""
    paths = sorted((_TESTS / "corpus").glob("time_claims_sixth_*.jsonl"))
    return [line for path in paths for line in _read(path) if line["side"] == "test"]


def seventh_hand() -> list[dict[str, Any]]:
    """Return the lines of a hand after that; nothing at all was tuned on them."""
    paths = sorted((_TESTS / "corpus").glob("time_claims_seventh_*.jsonl"))
    return [line for path in paths for line in _read(path)]


def own_cases() -> list[dict[str, Any]]:
    """Return the lines that rules may be tuned on."""
    lines = (line for path in sorted(_CASES.glob("*time_claims_*.jsonl")) for line in _read(path))
    return [line for line in lines if line.get("side") != "test"]


def moment(line: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(line["now"])


def score(
    lines: Iterable[dict[str, Any]], label: Callable[[dict[str, Any]], bool], found: Callable[[dict[str, Any]], bool]
) -> Score:
    judged = [(line["id"], label(line), found(line)) for line in lines]
    true = [is_found for _, wanted, is_found in judged if wanted]
    false = [is_found for _, wanted, is_found in judged if not wanted]
    wrong = tuple(name for name, wanted, is_found in judged if wanted != is_found)
    return Score(sum(true) / len(true), sum(false) / len(false), wrong)


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
