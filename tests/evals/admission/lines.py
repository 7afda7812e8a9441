"""The labelled lines the second opinion is fitted on: what it is, whether it may be said first, who wrote it when."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.proactive.opinion.layer import CLASSES

_TESTS = Path(__file__).parents[2]
_OWN = Path(__file__).parent / "lines"
_HINATA = _TESTS.parent / "data/characters/hinata"
_QUARTERS = 4
_CLOCK = 0.3
"""How much a line counts that only names the clock or the date: there are many, and the rules know them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A text of a kind and its class; `admissible` is about its kind. Lines of one group are never split."""

    text: str
    language: str
    kind: str
    claims: str
    admissible: bool
    group: str
    source: str
    weight: float = 1.0


def load_lines() -> list[Line]:
    """Read everything that weights are fitted on."""
    return [*_cases(), *_voices("voices"), *_times(), *_hinata()]


def load_last() -> list[Line]:
    """Read the lines that nothing was fitted on or tuned by."""
    return list(_voices("last"))


def _cases() -> Iterator[Line]:
    for file in sorted((_TESTS / "unit/proactive/cases").glob("*.jsonl")):
        for row in _rows(file):
            yield _line(row, group=file.stem, source="cases")


def _voices(name: str) -> Iterator[Line]:
    for row in _rows(_OWN / f"{name}.jsonl"):
        yield _line(row, group=f"{name}-{row['locale']}-{row['voice']}", source=name)


def _times() -> Iterator[Line]:
    """Yield the cases of the time guard that claim something, and those that were found to be good openings."""
    openings = set(json.loads((_OWN / "openers.json").read_text("utf-8")))
    files = [_TESTS / "corpus/time_claims.jsonl", *sorted((_TESTS / "unit/facts/cases").glob("*time_claims_*.jsonl"))]
    for row in {row["text"]: row for file in reversed(files) for row in reversed(list(_rows(file)))}.values():
        doing, clock = row["implicit_activity_claim"], bool(row["explicit_claims"])
        if row.get("side") != "test" and (doing or clock or row["id"] in openings):
            yield Line(
                text=row["text"],
                language=row["lang"],
                kind="neutral",
                claims="doing" if doing else "moment" if clock else "none",
                admissible=not (doing or clock),
                group=f"times-{row['id'].split('-')[0]}",
                source="times",
                weight=_CLOCK if clock and not doing else 1.0,
            )


def _hinata() -> Iterator[Line]:
    for language in ("ja", "en"):
        tables = tomllib.loads((_HINATA / f"candidates.{language}.toml").read_text("utf-8"))
        for kind, name in (("neutral", "neutral"), ("schedule", "scheduled")):
            for number, table in enumerate(tables[name]):
                row = {"text": table["text"], "locale": language, "kind": kind, "admissible": True}
                yield _line(row, group=f"hinata-{number % _QUARTERS}", source="hinata")


def _line(row: dict[str, Any], *, group: str, source: str) -> Line:
    claims = _class_of(row["claim"]) if "claim" in row else "doing" if row["kind"] == "schedule" else "none"
    return Line(
        text=row["text"],
        language=row["locale"],
        kind=row["kind"],
        claims=claims,
        admissible=row["admissible"],
        group=group,
        source=source,
    )


def _class_of(claim: str) -> str:
    if claim.startswith("user"):
        return "reader"
    claims = "doing" if claim in {"activity", "other_activity", "today"} else "moment"
    return CLASSES[CLASSES.index(claims)]


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    yield from map(json.loads, file.read_text("utf-8").splitlines())
