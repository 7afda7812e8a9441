"""Step 5, reply delivery: finished sentences while they are written, then the whole; or nothing at all."""

import random
from dataclasses import dataclass, field

from core.memory.offer import KeepOffer
from core.ports import ReplySink
from core.recall.rendering import places, quotation
from core.stance.policy import StancePolicy
from core.turn.reply import Reply, ReplyKind
from core.turn.sentences import finished_length
from core.turn.types import AssembledTurn, EnrichedTurn, Turn
from core.turn.verification import Verification
from prompts.messages import Messages


@dataclass(slots=True, kw_only=True)
class Progress:
    """Shows the beginning of a draft, sentence by sentence, as long as every sentence passes the checks."""

    sink: ReplySink
    verification: Verification
    turn: AssembledTurn
    shown: str = field(default="", init=False)
    _held: bool = field(default=False, init=False)

    async def offer(self, written: str) -> None:
        """Show the finished sentences of what is written so far, unless one is at fault."""
        beginning = written[: finished_length(written)].rstrip()
        if not written.startswith(self.shown):
            self.shown, self._held = "", False
        if self._held or len(beginning) <= len(self.shown):
            return
        if not await self.verification.may_show(self.turn, beginning):
            self._held = True
            return
        self.shown = beginning
        await self.sink.show(beginning)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Hands the finished reply to the transport."""

    messages: Messages
    stance: StancePolicy
    retention_days: int

    async def deliver(
        self,
        turn: Turn,
        sink: ReplySink,
        text: str,
        kind: ReplyKind,
        *,
        below: str | None = None,
        offer: KeepOffer | None = None,
    ) -> tuple[int, ...]:
        """Send the reply with small print (`below`) and a question; return the ids it got. Raises `DeliveryError`."""
        small_print = "\n".join(part for part in (below, self._footnote(turn)) if part)
        return await sink.finish(Reply(text=text, kind=kind, footnote=small_print or None, offer=offer))

    def places(self, enriched: EnrichedTurn) -> str | None:
        """Return where what was recalled was said, if that was asked."""
        turn = enriched.turn
        return places(enriched.recollection, self.messages, turn.locale, timezone=turn.snapshot.timezone)

    def fallback(self, enriched: EnrichedTurn, rules: tuple[str, ...]) -> str:
        """Return a written reply for the gravest rule that was broken, in the turn's language."""
        turn = enriched.turn
        if (text := self._of_stance(enriched, rules)) is not None:
            return text
        known = self.messages.keys()
        keys = [f"fallback.{rule}" for rule in rules]
        key = next((key for key in keys if key in known), "fallback.generic")
        recalled = quotation(enriched.recollection, turn.locale, now=turn.snapshot.observed_at)
        return self.messages.choose(key, turn.locale, random.Random(turn.id), **recalled)

    def lifeline(self, enriched: EnrichedTurn) -> str | None:
        """Return what somebody in acute danger is told where no model may be asked; None for everybody else."""
        turn = enriched.turn
        rng = random.Random(turn.id)
        return self.stance.lifeline(enriched.stance, locale=turn.locale, zone=_home(turn), rng=rng)

    def apology(self, enriched: EnrichedTurn) -> str:
        """Return what the character says when no model answered; somebody in danger gets more than an apology."""
        turn = enriched.turn
        if (text := self._of_stance(enriched, ())) is not None:
            return text
        return self.messages.choose("apology.model", turn.locale, random.Random(turn.id))

    def _of_stance(self, enriched: EnrichedTurn, rules: tuple[str, ...]) -> str | None:
        turn = enriched.turn
        rng = random.Random(turn.id)
        return self.stance.fallback(rules, enriched.stance, locale=turn.locale, zone=_home(turn), rng=rng)

    def _footnote(self, turn: Turn) -> str | None:
        """Tell everybody once that this is an AI and what is kept."""
        if turn.snapshot.user.notice_shown or turn.newest.author.is_bot:
            return None
        return self.messages.text("notice.first_contact", turn.locale, days=self.retention_days)


def _home(turn: Turn) -> str | None:
    """Return the zone that tells where the readers live, if anybody said so: the user in private, else the server."""
    if turn.surface.is_private:
        return turn.snapshot.user.timezone
    return turn.snapshot.guild.timezone if turn.snapshot.guild is not None else None
