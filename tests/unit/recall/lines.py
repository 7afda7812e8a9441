"""The labelled lines on recall, with their archives."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from core.analysis.japanese import JapaneseAnalyser
from core.ports import ArchiveEntry
from core.values import ConversationKey, Surface, SurfaceKind

CORPUS = Path(__file__).parents[2] / "corpus"
DM = Surface(kind=SurfaceKind.DM, channel_id=100)
HERE = ConversationKey("mio", 100)
BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
ANALYSER = JapaneseAnalyser()


@cache
def index_terms(text: str) -> list[str]:
    """The terms of a text, worked out once: a store in memory asks for those of every message at every search."""
    return ANALYSER.index_terms(text)


@dataclass(frozen=True)
class Said:
    mid: str
    by_user: bool
    text: str


@dataclass(frozen=True)
class RecallLine:
    """`kind`: literal, spelling, paraphrase or absent."""

    id: str
    kind: str
    question: str
    archive: tuple[Said, ...]
    expected: frozenset[str]


@cache
def recall_lines() -> tuple[RecallLine, ...]:
    return (*_shared(), *_own())


def _shared() -> Iterator[RecallLine]:
    for line in _read("recall.jsonl"):
        kind = "literal" if line["literal_hit"] else "paraphrase" if line["expected_mids"] else "absent"
        yield _line(line, kind, line["archive"])


def _own() -> Iterator[RecallLine]:
    archives: dict[str, Any] = {}
    for line in _read("recall_own.jsonl"):
        if "archive_of" in line:
            archives[line["archive_of"]] = line["archive"]
        else:
            yield _line(line, line["kind"], archives[line["lang"]])


def second_hand(side: str) -> Iterator[RecallLine]:
    """Lines by somebody who knew nothing of the program; `dev` ones may be fitted on, `test` ones only measure."""
    archives = {line["id"]: line for line in _read("recall_second_archives.jsonl")}
    for line in _read("recall_second_questions.jsonl"):
        archive = archives[line["archive_id"]]
        if archive["side"] == side:
            yield _line(line, line["kind"], archive["archive"])


def _line(line: dict[str, Any], kind: str, archive: list[dict[str, str]]) -> RecallLine:
    said = tuple(Said(m["mid"], m["author"] == "user", m["text"]) for m in archive)
    return RecallLine(line["id"], kind, line["question"], said, frozenset(line["expected_mids"]))


def _read(name: str) -> Iterator[dict[str, Any]]:
    for line in (CORPUS / name).read_text("utf-8").splitlines():
        yield json.loads(line)


def recall_pairs() -> Iterator[tuple[str, dict[str, str]]]:
    """Messages and paraphrases of what they answer, with the hand that wrote them."""
    for hand in ("own", "third", "fourth"):
        for line in _read(f"recall_pairs_{hand}.jsonl"):
            yield hand, line


def question_lines() -> list[dict[str, Any]]:
    """Texts that ask for what was said before, and texts that don't."""
    return list(_read("recall_questions_own.jsonl"))


def entry(message_id: int, text: str, *, by_user: bool = True, surface: Surface = DM, author: int = 1) -> ArchiveEntry:
    return ArchiveEntry(
        conversation=ConversationKey("mio", surface.channel_id),
        surface=surface,
        message_id=message_id,
        author_id=author if by_user else 0,
        author_name="Aki" if by_user else "Mio",
        is_self=not by_user,
        text=text,
        sent_at=BEGINNING + timedelta(minutes=message_id),
    )


def entries_of(archive: tuple[Said, ...]) -> list[ArchiveEntry]:
    """The messages in order; the n-th has the id n, from 1."""
    return [entry(number, said.text, by_user=said.by_user) for number, said in enumerate(archive, 1)]
