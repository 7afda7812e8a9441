"""The gate: every rule over a reply, and one verdict."""

from collections.abc import Iterable

from core.stance.gate.commissioned import is_commissioned
from core.stance.gate.decision import at_stake, decide
from core.stance.gate.evidence import Encode, LearnedEvidence
from core.stance.gate.lexicon import Lexicon
from core.stance.gate.registry import RULES
from core.stance.gate.rules.base import Exchange, Rule
from core.stance.gate.types import GateAction, GateVerdict, StanceFinding
from core.stance.gate.view import View, look_at, names_in
from core.stance.types import ReflectiveSupportSignal
from core.values import Locale


class StanceGate:
    """Looks at a reply before it is sent. Deterministic, holds no state, safe to use from several threads."""

    def __init__(self, lexicons: dict[Locale, Lexicon], evidence: LearnedEvidence | None = None) -> None:
        self._rules: tuple[Rule, ...] = tuple(rule(lexicons) for rule in RULES)
        self._evidence = evidence

    @classmethod
    def load(cls, encode: Encode | None = None) -> "StanceGate":
        """Read the lexicons that come with the program; with an encoder, also the weights of the learned evidence.

        Raises:
            LexiconError: one of the files can't be used.
        """
        lexicons = {locale: Lexicon.load(locale) for locale in Locale}
        return cls(lexicons, LearnedEvidence.load(lexicons, encode) if encode else None)

    def verify(
        self,
        *,
        user: str,
        reply: str,
        signal: ReflectiveSupportSignal,
        allowed: Iterable[str] = (),
        complete: bool = True,
    ) -> GateVerdict:
        """Return what breaks the stance in `reply`, given the user's turn and its signal.

        `complete` is false while the reply is still being written: only its words are looked at then (under 1 ms).
        `allowed` holds words of an operator's allow-list: a finding whose text contains one of them counts for nothing.
        """
        if is_commissioned(user) and not at_stake(signal):
            return GateVerdict(action=GateAction.PASS)
        exchange = Exchange(reply=look_at(reply, names=names_in(user)), user=look_at(user), signal=signal)
        found = [finding for rule in self._rules for finding in rule.findings(exchange)]
        if complete and not found and self._evidence:
            found += self._evidence.findings(exchange, user=user, reply=reply)
        found.sort(key=lambda finding: (finding.start, finding.end))
        words = tuple(filter(None, (look_at(word).folded.text for word in allowed)))
        suppressed = tuple(finding for finding in found if _is_allowed(exchange.reply, reply, finding, words))
        findings = tuple(finding for finding in found if finding not in suppressed)
        return GateVerdict(action=decide(findings, signal), findings=findings, suppressed=suppressed)


def _is_allowed(view: View, reply: str, finding: StanceFinding, words: tuple[str, ...]) -> bool:
    if not words:
        return False
    text = look_at(reply[finding.start : finding.end]).folded.text
    return any(word in text for word in words)
