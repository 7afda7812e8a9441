"""Review: the checks of replies over the final text, failing closed: what can't be checked is not said."""

from dataclasses import dataclass, replace

import structlog

from core.proactive.admission import examine
from core.proactive.attempt import Attempt
from core.proactive.opinion.opinion import BY_WORDS
from core.proactive.types import Grounding, Reason, RecipientKind
from core.stance.policy import StancePolicy
from core.turn.pickup import Pickup, PickupDecision
from core.turn.types import AssembledTurn, EnrichedTurn, Turn, TurnSnapshot
from core.turn.verification import Action, Verification
from core.values import (
    Address,
    Character,
    ConversationKey,
    InboundMessage,
    Speaker,
    Surface,
    SurfaceKind,
    UserProfile,
)

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Looks at a text as if it were a reply to somebody who said nothing."""

    character: Character
    verification: Verification
    stance: StancePolicy

    async def review(self, attempt: Attempt) -> Attempt:
        """Return the attempt with what was checked; ended where a check found something or could not be made."""
        offer = attempt.offer
        if offer.grounding is Grounding.NEUTRAL and examine(offer.candidate.text, offer.grounding, opinion=BY_WORDS):
            # Admitted by older rules than today's; judged as when a pack is read, since the encoder may not be loaded.
            return replace(attempt, checks=("admission:found",)).skipped(Reason.REVIEW)
        try:
            turn = await self._as_turn(attempt)
            verdict = await self.verification.verify(turn, offer.text)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a check, what it did not pass is not said
            _log.error("proactive.review_failed", slot=attempt.slot.id, error=type(error).__name__)
            return replace(attempt, checks=("failed",)).skipped(Reason.REVIEW)
        checked = replace(attempt, checks=tuple(_told(step.name, step.status, step.rules) for step in verdict.trace))
        return checked if verdict.action is Action.PASS else checked.skipped(Reason.REVIEW)

    async def _as_turn(self, attempt: Attempt) -> AssembledTurn:
        seen = attempt.observed
        turn = Turn(
            id=attempt.slot.id,
            character=self.character,
            conversation=ConversationKey(self.character.name, attempt.slot.recipient.id),
            messages=(_nothing_said(attempt),),
            pickup=PickupDecision(Pickup.AMBIENT, "proactive"),
            snapshot=TurnSnapshot(
                observed_at=seen.observation.observed_at,
                timezone=seen.timezone,
                locale=seen.locale,
                seen_locale=None,
                user=seen.user or UserProfile(id=0),
                guild=seen.guild,
                session=None,
                capsule=seen.capsule,
            ),
            trace=(),
        )
        reading = await self.stance.read("")
        enriched = EnrichedTurn(turn=turn, history=(), quoted=(), trace=(), stance=reading)
        return AssembledTurn(enriched=enriched, prompt=(), confidential=())


def _nothing_said(attempt: Attempt) -> InboundMessage:
    who = attempt.slot.recipient
    kind = SurfaceKind.DM if who.kind is RecipientKind.USER else SurfaceKind.CHANNEL
    return InboundMessage(
        id=0,
        author=Speaker(id=0, name=""),
        surface=Surface(kind=kind, channel_id=who.id, guild_id=attempt.subscription.guild_id),
        text="",
        sent_at=attempt.observed.observation.observed_at,
        address=Address.NONE,
    )


def _told(name: str, status: str, rules: tuple[str, ...]) -> str:
    """Return a check as it is recorded: `check.time:passed`, `check.stance:found:stance.praise`."""
    return ":".join((name, status, ",".join(rules)) if rules else (name, status))
