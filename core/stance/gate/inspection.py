"""`inspect verify`: one line in, one line out."""

from collections.abc import Callable, Mapping

from core.stance.gate.gate import StanceGate
from core.stance.types import ReflectiveSupportSignal


class BadLineError(ValueError):
    """The line lacks something or has it in another shape; the text says what."""


def verify_line(
    line: Mapping[str, object], *, gate: StanceGate, signal_of: Callable[[str], ReflectiveSupportSignal]
) -> dict[str, object]:
    """Return `{"id", "action", "findings": [{"rule", "severity", "start", "end"}]}` for `{"id", "user", "reply"}`.

    `start` and `end` count characters of the reply.

    Raises:
        BadLineError: `user` or `reply` is missing or no text.
    """
    user, reply = _text(line, "user"), _text(line, "reply")
    verdict = gate.verify(user=user, reply=reply, signal=signal_of(user))
    findings = [
        {"rule": found.rule, "severity": found.severity.value, "start": found.start, "end": found.end}
        for found in verdict.findings
    ]
    return {"id": line.get("id"), "action": verdict.action.value, "findings": findings}


def _text(line: Mapping[str, object], key: str) -> str:
    value = line.get(key)
    if not isinstance(value, str):
        raise BadLineError(f'"{key}" must be a text')
    return value
