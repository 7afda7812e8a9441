"""`yorisoi inspect signal` and `inspect session`: one JSON object in, one out (see the table of commands)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.errors import CoreError
from core.stance.signal.session import SaidTurn
from core.stance.signal.signal import SignalReader
from core.stance.types import ReflectiveSupportSignal

_ROLES = {"user": True, "assistant": False}


class InspectionError(CoreError):
    """An input line can't be inspected. The text says what is wrong with it."""

    hint = "error.internal"


async def inspect_signal(line: Mapping[str, Any], reader: SignalReader) -> dict[str, Any]:
    """Return the signal of `{"id", "text", "history"?: [{"role": "user|assistant", "text"}]}`.

    Raises:
        InspectionError: a field is missing or of the wrong kind.
    """
    text = _text(line, "text")
    history = _turns(line.get("history") or [], "history")
    return {"id": _id(line), **signal_fields(await reader.read(text, history))}


async def inspect_session(line: Mapping[str, Any], reader: SignalReader) -> dict[str, Any]:
    """Return signals, inertia and firmness of `{"id", "turns": [{"role", "text"}]}`, one for each user turn.

    Raises:
        InspectionError: a field is missing or of the wrong kind.
    """
    if "turns" not in line:
        raise InspectionError("'turns' is missing")
    read = await reader.read_session(_turns(line["turns"], "turns"))
    return {
        "id": _id(line),
        "signals": [signal_fields(signal) for signal in read.signals],
        "inertia": asdict(read.inertia),
        "firmness": [firmness.value for firmness in read.firmness],
    }


def signal_fields(signal: ReflectiveSupportSignal) -> dict[str, Any]:
    """Return a signal as plain JSON values."""
    return {
        "mode": signal.mode.value,
        "domain": signal.domain.value,
        "stakes": signal.stakes.value,
        "evidence_balance": signal.evidence_balance.value,
        "pushback": signal.pushback.value,
        "sycophancy_risk": signal.sycophancy_risk.value,
        "overreliance_risk": signal.overreliance_risk.value,
        "crisis": signal.crisis,
        "matched": list(signal.matched),
    }


def _id(line: Mapping[str, Any]) -> str | int:
    name = line.get("id")
    if not isinstance(name, str | int) or isinstance(name, bool):
        raise InspectionError("'id' is missing or neither text nor number")
    return name


def _text(fields: Mapping[str, Any], key: str) -> str:
    text = fields.get(key)
    if not isinstance(text, str):
        raise InspectionError(f"'{key}' is missing or no text")
    return text


def _turns(rows: object, key: str) -> Sequence[SaidTurn]:
    if not isinstance(rows, list):
        raise InspectionError(f"'{key}' has to be a list of turns")
    turns: list[SaidTurn] = []
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping) or row.get("role") not in _ROLES:
            raise InspectionError(f"turn {number} of '{key}' needs a role, 'user' or 'assistant'")
        turns.append(SaidTurn(by_user=_ROLES[row["role"]], text=_text(row, "text")))
    return turns
