"""The gate: every rule over a reply, and one verdict."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Self

from core.stance.allow import AllowList, covers, may_be_silenced
from core.stance.gate.commissioned import is_commissioned
from core.stance.gate.decision import at_stake, decide
from core.stance.gate.evidence import Encode, LearnedEvidence
from core.stance.gate.lexicon import Lexicon
from core.stance.gate.registry import RULES
from core.stance.gate.rules.base import Exchange, Rule
from core.stance.gate.spans import Span
from core.stance.gate.types import GateAction, GateSeverity, GateVerdict, StanceFinding
from core.stance.gate.view import look_at, names_in
from core.stance.types import ReflectiveSupportSignal
from core.values import Locale

_NOTHING_ALLOWED = AllowList()


class StanceGate:
    """Looks at a reply before it is sent. Deterministic, holds no state, safe to use from several threads."""

    def __init__(self, lexicons: dict[Locale, Lexicon], evidence: LearnedEvidence | None = None) -> None:
        self._lexicons = lexicons
        self._rules: tuple[Rule, ...] = tuple(rule(lexicons) for rule in RULES)
        self._evidence = evidence

    @classmethod
    def load(cls, encode: Encode | None = None) -> Self:
        """Read the lexicons that come with the program; with an encoder, also the weights of the learned evidence.

        Raises:
            LexiconError: one of the files can't be used.
        """
        lexicons = {locale: Lexicon.load(locale) for locale in Locale}
        return cls(lexicons, LearnedEvidence.load(lexicons, encode) if encode else None)

    def compile(self) -> None:
        """Compile the patterns of all lexicons; see `Lexicon.compile`."""
        for lexicon in self._lexicons.values():
            lexicon.compile()

    def verify(
        self,
        *,
        user: str,
        reply: str,
        signal: ReflectiveSupportSignal,
        allowed: AllowList = _NOTHING_ALLOWED,
        complete: bool = True,
    ) -> GateVerdict:
        """Return what breaks the stance in `reply`, given the user's turn and its signal.

        `complete` is false while the reply is still being written: only its words are looked at then (under 1 ms).
        `allowed` is an operator's allow-list: a finding that one of its phrases makes counts for nothing, unless it is
        one that is never silenced.
        """
        if is_commissioned(user) and not at_stake(signal):
            return GateVerdict(action=GateAction.PASS)
        exchange = self._exchange(user, reply, signal)
        places = allowed.places_in(exchange.reply.folded)
        found = [finding for rule in self._rules for finding in rule.findings(exchange)]
        silent = [finding for finding in found if may_be_silenced(finding, signal) and covers(places, finding)]
        found = [finding for finding in found if finding not in silent]
        if complete and self._evidence and not any(known.severity is GateSeverity.FALLBACK for known in found):
            # What the phrase's words break, the learned evidence mostly sees as well: that is the same false alarm.
            learned = [finding for finding in self._evidence.findings(exchange) if _adds(finding, [*found, *silent])]
            gone = self._made_by_phrases(exchange, reply, learned, places)
            found += [finding for finding in learned if finding not in gone]
            silent += gone
        findings = tuple(sorted(found, key=lambda finding: (finding.start, finding.end)))
        return GateVerdict(action=decide(findings, signal), findings=findings, suppressed=tuple(silent))

    def _exchange(self, user: str, reply: str, signal: ReflectiveSupportSignal) -> Exchange:
        view = look_at(reply, names=names_in(user))
        worth = {locale: self._lexicons[locale].worth_trying(view) for locale in view.locales}
        return Exchange(reply=view, user=look_at(user), asked=user, signal=signal, worth=worth)

    def _made_by_phrases(
        self, exchange: Exchange, reply: str, found: Sequence[StanceFinding], places: Sequence[Span]
    ) -> list[StanceFinding]:
        """Return the learned findings that go away with the allowed phrases: they cover a reply as a whole."""
        if not places or not found or not self._evidence:
            return []
        rest = self._evidence.findings(replace(exchange, reply=look_at(_without(reply, places))))
        left = {finding.rule for finding in rest}
        return [f for f in found if may_be_silenced(f, exchange.signal) and f.rule not in left]


def _adds(finding: StanceFinding, found: Sequence[StanceFinding]) -> bool:
    """Return whether a learned finding tells more than the words have found."""
    return finding.severity is GateSeverity.FALLBACK or finding.rule not in {known.rule for known in found}


def _without(reply: str, places: Sequence[Span]) -> str:
    taken = {position for place in places for position in range(place.start, place.end)}
    return "".join(char for position, char in enumerate(reply) if position not in taken)
