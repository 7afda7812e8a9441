"""The labelled turns of the project and how they are split: dev (rules and weights) and test (only measured)."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).parents[2] / "corpus"
SPLIT = CORPUS / "turns_split.json"
SOURCES = {
    "turns": ("corpus", ("ja", "en")),
    "turns_own": ("own", ("ja", "en")),
    "turns_own_later": ("own_later", ("ja", "en")),
    "turns_second": ("second", ("ja", "en")),
    "turns_third": ("third", ("en",)),
    "turns_fourth": ("fourth", ("ja", "en")),
    "turns_fifth": ("fifth", ("ja", "en")),
    "turns_sixth": ("sixth", ("ja", "en")),
    "turns_border": ("border", ("ja", "en")),
    "turns_wide": ("wide", ("ja", "en")),
    "turns_own_wide": ("own_wide", ("ja", "en")),
    "turns_own_news": ("own_news", ("ja", "en")),
    "turns_own_memory": ("own_memory", ("ja", "en")),
    "turns_own_pressing": ("own_pressing", ("ja", "en")),
    "turns_dry": ("dry", ("ja", "en")),
    "turns_everyday": ("everyday", ("ja", "en")),
    "turns_everyday_unread": ("everyday_unread", ("ja", "en")),
}
"""The beginning of a file's name, what its lines are called, and in which languages there are any."""
FILES = {
    f"{name}_{language}.jsonl": (source, language)
    for name, (source, languages) in SOURCES.items()
    for language in languages
}
OTHER_HANDS = frozenset(
    {"second", "third", "fourth", "fifth", "sixth", "border", "wide", "dry", "everyday", "everyday_unread"}
)
"""Lines that were not written together with rules and lexicons; only these are measured by."""
TALKS = {"sessions.jsonl": "sessions", "sessions_second.jsonl": "sessions_second"}
"""Conversations, and what their turns are called. Of the second only one side is read here: the other only measures."""
IN_TALK = frozenset({"own_pressing", *TALKS.values()})
"""Turns that answer what the character said: whether they press shows in them, and what they are about often doesn't.
Only pushback is fitted on them."""
UNFITTED = frozenset({"dry", "everyday_unread"})
"""Lines that no weights are fitted on: those that had seen the dry ones told less of everybody else's, and the others
only measure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A labelled turn. `group` is shared by lines that tell of the same situation, in either language."""

    id: str
    text: str
    language: str
    source: str
    group: str
    side: str
    labels: dict[str, str]

    @property
    def own_crisis(self) -> bool:
        """Whether the speaker is in acute danger."""
        return self.labels["crisis"] == "own"


def hand_of(line: Line) -> str:
    """Return who wrote a line; the own ones of this project share a hand."""
    return "own" if line.source.startswith("own") else line.source


def load_lines() -> list[Line]:
    """Read every labelled turn with its side and group, those within talks last."""
    return [*_turns(), *_said_in_talks()]


def _said_in_talks() -> Iterator[Line]:
    """Yield what people say in conversations after the character has spoken, while they seek support."""
    for name, source in TALKS.items():
        for row in (CORPUS / name).read_text(encoding="utf-8").splitlines():
            talk = json.loads(row)
            if talk.get("side") == "test":
                continue
            for number, turn in enumerate(talk["turns"][1:], 2):
                if turn["role"] == "user" and turn["mode"] == "reflective_support":
                    yield Line(
                        id=f"{talk['id']}/{number}",
                        text=turn["text"],
                        language=talk["lang"],
                        source=source,
                        group=talk["id"],
                        side="dev",
                        labels={name: value for name, value in turn.items() if name not in {"role", "text"}},
                    )


def _turns() -> list[Line]:
    split: dict[str, list[str]] = json.loads(SPLIT.read_text(encoding="utf-8"))
    lines: list[Line] = []
    for name, (source, language) in FILES.items():
        for row in (CORPUS / name).read_text(encoding="utf-8").splitlines():
            fields = json.loads(row)
            side, group = split[fields["id"]]
            labels = {key: value for key, value in fields.items() if key not in {"id", "text", "note"}}
            lines.append(
                Line(
                    id=fields["id"],
                    text=fields["text"],
                    language=language,
                    source=source,
                    group=group,
                    side=side,
                    labels=labels,
                )
            )
    return lines
