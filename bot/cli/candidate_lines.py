"""The lines of `yorisoi inspect candidate`."""

from typing import Any, Literal

from bot.cli.jsonl import Line, LineError
from core.proactive.admission import examine
from core.proactive.opinion.opinion import SecondOpinion
from core.proactive.types import Grounding


class CandidateLine(Line):
    """A text that might be said first. Texts may mix languages: `locale` changes nothing about what is found."""

    kind: Literal["neutral", "schedule"]
    text: str
    locale: Literal["ja", "en"]


def inspect_line(line: CandidateLine, *, opinion: SecondOpinion) -> dict[str, Any]:
    """Return what the text claims that one of its kind may not. Offsets are characters of the text.

    Raises:
        LineError: There is nothing to say.
    """
    if not line.text.strip():
        raise LineError("'text': is empty")
    findings = examine(line.text, Grounding(line.kind), opinion=opinion)
    return {
        "id": line.id,
        "admissible": not findings,
        "findings": [
            {"claim": finding.claim.value, "start": finding.start, "end": finding.end} for finding in findings
        ],
    }
