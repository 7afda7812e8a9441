"""The labelled turns of the project and how they are split: dev (rules and weights) and test (only measured)."""

import json
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).parents[2] / "corpus"
SPLIT = CORPUS / "turns_split.json"
SOURCES = {"turns": "corpus", "turns_own": "own", "turns_own_later": "own_later", "turns_second": "second"}
"""The beginning of a file's name, and what its lines are called; "second" lines are by another hand."""
FILES = {
    f"{name}_{language}.jsonl": (source, language) for name, source in SOURCES.items() for language in ("ja", "en")
}


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


def load_lines() -> list[Line]:
    """Read every labelled turn with its side and group."""
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
