"""The six steps in a row, for every surface the same."""

import asyncio
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from core.errors import CoreError, DeliveryError
from core.memory.asking import LONGEST_FACT
from core.memory.offer import KeepOffer
from core.memory.offers import KeepOffers
from core.ports import ReplySink
from core.turn.assembly import Assembly
from core.turn.background import Summarising
from core.turn.delivery import Delivery, Progress
from core.turn.enrichment import Enrichment
from core.turn.first_words import FirstWords
from core.turn.history import said_between
from core.turn.intake import Intake
from core.turn.mailbox import Burst
from core.turn.pickup import Pickup
from core.turn.post_turn import PostTurn
from core.turn.quota import BudgetSpentError, Limit
from core.turn.reply import Reply, ReplyKind
from core.turn.responding import Answer, Responder, kind_of_makeshift
from core.turn.trace import LIFELINE, TraceStep, TurnOutcome
from core.turn.types import AssembledTurn, EnrichedTurn, Turn
from prompts.messages import Messages

_IN_ITS_OWN_WORDS = frozenset({TurnOutcome.ANSWERED, TurnOutcome.REPAIRED})
_SAYS_WHAT_WAS_FOUND = frozenset({TurnOutcome.ANSWERED, TurnOutcome.REPAIRED, TurnOutcome.FALLBACK})

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """Runs one turn from its burst to its books."""

    intake: Intake
    enrichment: Enrichment
    assembly: Assembly
    responder: Responder
    delivery: Delivery
    post_turn: PostTurn
    first_words: FirstWords
    offers: KeepOffers
    summarising: Summarising
    messages: Messages

    async def run(self, burst: Burst) -> Turn | None:
        """Answer a burst; return the turn if an answer went out. Only cancellation by a shutdown gets out of here."""
        turn = None
        try:
            turn = await self.intake.take(burst)
            await self._note_begun(turn)
            return await self._answer(turn, burst, burst.replies.open(turn.id))
        except CoreError as error:
            _log.error("turn.failed", message_id=burst.messages[-1].id, error=type(error).__name__, reason=str(error))
            await self._say_failed(burst, turn, error.hint)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not meet the user as silence
            _log.error("turn.failed", message_id=burst.messages[-1].id, error=type(error).__name__, at=_where(error))
            await self._say_failed(burst, turn, CoreError.hint)
        finally:
            if turn is not None:
                await self.responder.writer.counted(turn)
        return None

    async def _note_begun(self, turn: Turn) -> None:
        """Leave a trace of a first direct message at once: Discord doesn't tell after a restart who wrote one."""
        if turn.surface.is_private and turn.snapshot.session is None:
            await self.post_turn.trace(turn, TurnOutcome.BEGUN, turn.trace)

    async def _answer(self, turn: Turn, burst: Burst, sink: ReplySink) -> Turn | None:
        progress: Progress | None = None
        try:
            async with sink.typing():
                enriched = await self.enrichment.enrich(turn)
                await self.first_words.hold_back(turn, enriched.stance)
                assembled = self.assembly.assemble(enriched)
                progress = Progress(sink=sink, verification=self.responder.verification, turn=assembled)
                answer = await self._respond(assembled, progress)
                offer, declined = await self._keeping(enriched, answer)
        except asyncio.CancelledError:
            await asyncio.shield(self._drop(turn, burst, sink, progress))
            if burst.dropped is None:
                raise
            return None
        places = self.delivery.places(enriched) if answer.outcome in _SAYS_WHAT_WAS_FOUND else None
        below = "\n".join(part for part in (places, declined) if part) or None
        answer = replace(answer, stance=enriched.stance, below=below, offer=offer)
        answered = await self._send(turn, burst, sink, answer)
        if answered is not None:
            self.summarising.begin(enriched)
        return answered

    async def _respond(self, assembled: AssembledTurn, progress: Progress) -> Answer:
        """Return what to send: an answer, or that a budget has no room for the call it takes."""
        try:
            return await self.responder.respond(assembled, progress.offer)
        except BudgetSpentError as error:
            return self._refusal(assembled.enriched, error.limit)

    async def _keeping(self, enriched: EnrichedTurn, answer: Answer) -> tuple[KeepOffer | None, str | None]:
        """Return what to ask below the answer (whether to keep something), or why that isn't asked: it is too long."""
        turn, stance = enriched.turn, enriched.stance
        if answer.outcome not in _IN_ITS_OWN_WORDS or (stance is not None and stance.is_sensitive):
            return None, None
        said = said_between(turn.newest.author.id, [ingredient.utterance for ingredient in enriched.history])
        offer = await self.offers.of(turn.messages, said)
        if offer is None and await self.offers.is_too_long(turn.messages, said):
            return None, self.messages.text("memory.offer_too_long", turn.locale, most=LONGEST_FACT)
        return offer, None

    async def _send(self, turn: Turn, burst: Burst, sink: ReplySink, answer: Answer) -> Turn | None:
        """Send what there is to send and keep the books; from here on the turn can't be dropped any more."""
        burst.committed = True
        reply_ids: Sequence[int] = ()
        outcome = answer.outcome
        if answer.text is None:
            await sink.withdraw()
        else:
            try:
                reply_ids = await self.delivery.deliver(
                    turn, sink, answer.text, answer.kind, below=answer.below, offer=answer.offer
                )
            except DeliveryError as error:
                _log.warning("turn.undelivered", turn_id=turn.id, reason=str(error))
                outcome = TurnOutcome.UNDELIVERED
        if answer.text is not None and reply_ids and answer.kind is ReplyKind.ANSWER:
            asked = burst.standing
            await self.post_turn.answered(
                turn, asked, answer.text, reply_ids, stance=answer.stance, broken=answer.broken
            )
            await self.post_turn.follow(turn, asked, burst.standing)
        await self.post_turn.trace(turn, outcome, answer.trace, model=answer.model, reply_ids=reply_ids)
        return turn if reply_ids else None

    async def _drop(self, turn: Turn, burst: Burst, sink: ReplySink, progress: Progress | None) -> None:
        """Take back a draft that was overtaken; keep what was shown of one that was stopped."""
        outcome = burst.dropped
        if outcome is TurnOutcome.STOPPED and progress is not None and progress.shown:
            answer = Answer(
                text=progress.shown,
                kind=ReplyKind.ANSWER,
                outcome=outcome,
                model=None,
                trace=turn.trace,
                stance=progress.turn.enriched.stance,
            )
            await self._send(turn, burst, sink, answer)
            return
        await sink.withdraw()
        if outcome is not None:
            await self.post_turn.trace(turn, outcome, turn.trace)

    async def _say_failed(self, burst: Burst, turn: Turn | None, hint: str) -> None:
        """Never leave somebody who spoke to the character without any answer."""
        if burst.decision.pickup is Pickup.AMBIENT:
            return
        locale = turn.locale if turn is not None else self.intake.language_of(burst)
        identity = turn.id if turn is not None else self.intake.identity(burst)
        notice = Reply(text=self.messages.text(hint, locale), kind=ReplyKind.NOTICE)
        burst.committed = True
        try:
            await burst.replies.open(identity).finish(notice)
        except DeliveryError as error:
            _log.warning("turn.undelivered", message_id=burst.messages[-1].id, reason=str(error))

    def _refusal(self, enriched: EnrichedTurn, limit: Limit) -> Answer:
        """Return why there is no answer; somebody in acute danger gets more than that, though no model is asked."""
        turn = enriched.turn
        trace = (*enriched.trace, TraceStep("quota", "exhausted", (limit,)))
        if turn.pickup.pickup is Pickup.AMBIENT:
            return Answer(text=None, kind=ReplyKind.NOTICE, outcome=TurnOutcome.REFUSED, model=None, trace=trace)
        if (text := self.delivery.lifeline(enriched)) is not None:
            return Answer(
                text=text,
                kind=kind_of_makeshift(turn),
                outcome=TurnOutcome.FALLBACK,
                model=None,
                trace=(*trace, LIFELINE),
                stance=enriched.stance,
            )
        text = self.messages.text(limit, turn.locale)
        return Answer(text=text, kind=ReplyKind.NOTICE, outcome=TurnOutcome.REFUSED, model=None, trace=trace)


def _where(error: BaseException) -> str:
    """Return the lines an unexpected error came through; its text and its variables may hold what people wrote."""
    return " > ".join(f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__))
