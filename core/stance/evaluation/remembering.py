"""A gate for runs in which the same replies come up again and again."""

from core.stance.allow import AllowList
from core.stance.gate.evidence import LearnedEvidence
from core.stance.gate.gate import StanceGate
from core.stance.gate.lexicon import Lexicon
from core.stance.gate.types import GateVerdict
from core.stance.types import ReflectiveSupportSignal
from core.values import Locale

_NOTHING_ALLOWED = AllowList()


class RememberingGate(StanceGate):
    """Judges each reply to a turn once."""

    def __init__(self, lexicons: dict[Locale, Lexicon], evidence: LearnedEvidence | None = None) -> None:
        super().__init__(lexicons, evidence)
        self._known: dict[tuple[str, str, ReflectiveSupportSignal, AllowList, bool], GateVerdict] = {}

    def verify(
        self,
        *,
        user: str,
        reply: str,
        signal: ReflectiveSupportSignal,
        allowed: AllowList = _NOTHING_ALLOWED,
        complete: bool = True,
    ) -> GateVerdict:
        """Return what `StanceGate.verify` returns; asked again, from memory."""
        key = (user, reply, signal, allowed, complete)
        if key not in self._known:
            self._known[key] = super().verify(user=user, reply=reply, signal=signal, allowed=allowed, complete=complete)
        return self._known[key]
