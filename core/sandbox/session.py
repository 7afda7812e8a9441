"""One variant, once: a session that begins as the snapshot says, and is gone with the run."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import NoReturn

from core.clock import Clock
from core.sandbox.frozen import Course
from core.sandbox.metering import Call, MeteredModel
from core.sandbox.records import Attempt, TurnResult
from core.sandbox.snapshot import Snapshot
from core.sandbox.tools import Ledger
from core.stance.policy import StancePolicy
from core.turn.history import Histories
from core.turn.mailbox import Burst
from core.turn.pickup import Pickup, PickupDecision
from core.turn.responding import Answer
from core.turn.steps import TurnSteps
from core.turn.trace import TurnOutcome
from core.turn.types import AssembledTurn
from core.turn.verification import Verdict, Verification
from core.values import Address, InboundMessage, Speaker, Utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class HeardVerification(Verification):
    """The checks of production; what they said is kept."""

    verdicts: list[tuple[str, Verdict]] = field(default_factory=list)

    async def verify(self, turn: AssembledTurn, text: str) -> Verdict:
        """Look at a complete reply."""
        verdict = await Verification.verify(self, turn, text)
        self.verdicts.append((text, verdict))
        return verdict


@dataclass(slots=True, kw_only=True)
class Run:
    """One variant, once: a session that begins as the snapshot says."""

    snapshot: Snapshot
    steps: TurnSteps
    heard: HeardVerification
    model: MeteredModel
    histories: Histories
    stance: StancePolicy
    course: Course
    ledger: Ledger
    next_id: int

    async def turn(self, text: str) -> TurnResult:
        """Say something and return what would be answered."""
        calls, verdicts = len(self.model.calls), len(self.heard.verdicts)
        message = self._message(text)
        burst = Burst(messages=[message], replies=_Nowhere(), decision=PickupDecision(Pickup.DIRECT, "sandbox"))
        turn = await self.steps.intake.take(burst)
        self.histories.of(turn.conversation, turn.surface).add(message.as_utterance())
        enriched = await self.steps.enrichment.enrich(turn)
        answer = await self.steps.responder.respond(self.steps.assembly.assemble(enriched), None)
        delivered = answer.text if answer.outcome is not TurnOutcome.APOLOGISED else None
        if answer.text is not None:
            self._go_on(answer)
        if enriched.stance is not None:
            self.course.inertia = self.stance.after(enriched.stance, answer.broken) or self.course.inertia
        return TurnResult(
            user=text,
            attempts=tuple(_attempts(self.model.calls[calls:], self.heard.verdicts[verdicts:])),
            outcome=answer.outcome,
            delivered=delivered,
            trace=answer.trace,
        )

    def _message(self, text: str) -> InboundMessage:
        context = self.snapshot.context
        address = Address.DM if context.surface.is_private else Address.MENTION
        return InboundMessage(
            id=self._new_id(),
            author=context.speaker,
            surface=context.surface,
            text=text,
            sent_at=self.snapshot.at,
            address=address,
        )

    def _go_on(self, answer: Answer) -> None:
        """Take the answer into the session, as the books of production would."""
        name = next(iter(self.snapshot.character.display_name.values()))
        said = Utterance(
            id=self._new_id(),
            author=Speaker(id=0, name=name, is_bot=True),
            text=answer.text or "",
            sent_at=self.snapshot.at,
            is_self=True,
        )
        self.histories.of(self.snapshot.key, self.snapshot.context.surface).add(said)
        self.course.last_seen = self.snapshot.at

    def _new_id(self) -> int:
        self.next_id += 1
        return self.next_id - 1


def _attempts(calls: list[Call], verdicts: list[tuple[str, Verdict]]) -> list[Attempt]:
    """Return the answers with what the checks said of them: those that were finished, in the same order."""
    judged = iter(verdicts)
    attempts = []
    for call in calls:
        if not call.writes:
            continue
        text, verdict = ("", None) if call.failure is not None else next(judged, (call.text, None))
        attempts.append(
            Attempt(
                prompt=call.prompt,
                model=call.model,
                text=text,
                failure=call.failure,
                findings=verdict.findings if verdict is not None else (),
                input_tokens=call.usage.input_tokens,
                output_tokens=call.usage.output_tokens,
                estimated=call.usage.estimated,
                cost_micros=call.cost_micros,
                milliseconds=call.milliseconds,
            )
        )
    return attempts


@dataclass(frozen=True, slots=True)
class FrozenClock:
    """`Clock`: it is always the same moment, and yet time passes."""

    at: datetime
    running: Clock

    def now(self) -> datetime:
        """Return the moment of the snapshot."""
        return self.at

    def monotonic(self) -> float:
        """Return the seconds of the running clock."""
        return self.running.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait on the running clock."""
        await self.running.sleep(seconds)


class _Nowhere:
    """`ReplyChannel`: a comparison sends nothing, so asking for a way out is a fault."""

    def open(self, turn_id: str) -> NoReturn:
        raise AssertionError(f"the sandbox was about to send something in turn {turn_id}")
