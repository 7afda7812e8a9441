"""Steps 3 and 4: a model writes, the checks look, and one repair or a written reply may follow.

Nothing is sent or stored here, so that whoever wants to see what would be answered runs the same code.
"""

from dataclasses import dataclass

import structlog

from core.errors import ModelError
from core.memory.offer import KeepOffer
from core.stance.policy import StanceReading
from core.turn.assembly import Assembly
from core.turn.delivery import Delivery
from core.turn.pickup import Pickup
from core.turn.quota import BudgetSpentError
from core.turn.reply import ReplyKind
from core.turn.trace import TraceStep, TurnOutcome
from core.turn.types import AssembledTurn, Draft, Turn
from core.turn.verification import Action, Verification
from core.turn.writing import ShowBeginning, Writer

SILENCE = "[silent]"

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is to be sent (`text` None: nothing), how it came about, and what the steps noted.

    `stance` is what the turn was read as; `broken` holds the rules that drafts broke on the way; `below` is small
    print, and `offer` what the person is asked there.
    """

    text: str | None
    kind: ReplyKind
    outcome: TurnOutcome
    model: str | None
    trace: tuple[TraceStep, ...]
    stance: StanceReading | None = None
    broken: tuple[str, ...] = ()
    offer: KeepOffer | None = None
    below: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Responder:
    """Answers an assembled turn."""

    assembly: Assembly
    writer: Writer
    verification: Verification
    delivery: Delivery

    async def respond(self, assembled: AssembledTurn, show: ShowBeginning | None) -> Answer:
        """Return what to send; `show` is given the text so far while it is being written.

        Raises:
            BudgetSpentError: No model may be asked.
        """
        turn = assembled.turn
        ambient = turn.pickup.pickup is Pickup.AMBIENT
        try:
            draft = await self.writer.write(
                turn,
                assembled.prompt,
                feature="ambient" if ambient else "chat",
                warmer=bool(turn.replaces),
                show=show if assembled.enriched.stream else None,
            )
            if ambient and SILENCE in draft.text.casefold():
                return self._silence(assembled, draft.model)
            return await self._verified(assembled, draft)
        except ModelError as error:
            _log.warning("turn.model_failed", turn_id=turn.id, reason=str(error))
            step = TraceStep("model", "failed", (type(error).__name__,))
            trace = (*assembled.enriched.trace, step)
            text = None if ambient else self.delivery.apology(assembled.enriched)
            outcome = TurnOutcome.SILENT if ambient else TurnOutcome.APOLOGISED
            return Answer(text=text, kind=kind_of_makeshift(turn), outcome=outcome, model=None, trace=trace)

    async def _verified(self, assembled: AssembledTurn, draft: Draft) -> Answer:
        """Return the draft if it passes, else one repair if that passes, else a written reply."""
        verdict = await self.verification.verify(assembled, draft.text)
        trace = (*assembled.enriched.trace, *verdict.trace)
        if verdict.action is Action.PASS:
            return _answer(draft, TurnOutcome.ANSWERED, trace)
        broken = verdict.rules
        if verdict.action is Action.REPAIR:
            again = self.assembly.for_repair(assembled, draft.text, verdict)
            repaired = await self._repaired(again)
            if repaired is not None:
                second = await self.verification.verify(again, repaired.text)
                trace = (*trace, TraceStep("repair", "written", verdict.rules), *second.trace)
                if second.action is Action.PASS:
                    return _answer(repaired, TurnOutcome.REPAIRED, trace, broken)
                verdict, broken = second, (*second.rules, *broken)
        if assembled.turn.pickup.pickup is Pickup.AMBIENT:
            return self._silence(assembled, draft.model)
        return Answer(
            text=self.delivery.fallback(assembled.enriched, verdict.rules),
            kind=kind_of_makeshift(assembled.turn),
            outcome=TurnOutcome.FALLBACK,
            model=draft.model,
            trace=(*trace, TraceStep("fallback", "used", verdict.rules)),
            broken=broken,
        )

    async def _repaired(self, again: AssembledTurn) -> Draft | None:
        try:
            return await self.writer.write(again.turn, again.prompt, feature="repair", warmer=False, show=None)
        except (ModelError, BudgetSpentError) as error:
            _log.warning("turn.repair_failed", turn_id=again.turn.id, reason=str(error))
            return None

    def _silence(self, assembled: AssembledTurn, model: str) -> Answer:
        return Answer(
            text=None,
            kind=ReplyKind.ANSWER,
            outcome=TurnOutcome.SILENT,
            model=model,
            trace=(*assembled.enriched.trace, TraceStep("ambient", "silent")),
        )


def kind_of_makeshift(turn: Turn) -> ReplyKind:
    """Return the kind of an apology or a fallback: one that comes of writing again must not replace the good answer."""
    return ReplyKind.NOTICE if turn.replaces else ReplyKind.ANSWER


def _answer(draft: Draft, outcome: TurnOutcome, trace: tuple[TraceStep, ...], broken: tuple[str, ...] = ()) -> Answer:
    return Answer(
        text=draft.text, kind=ReplyKind.ANSWER, outcome=outcome, model=draft.model, trace=trace, broken=broken
    )
