"""Step 2, turn enrichment: what was said before, and what the turn is about, as far as it may be known here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.clock import Clock
from core.ports import AllowListStore, SessionStore, UserStore
from core.stance.policy import StancePolicy, StanceReading
from core.turn.checks.pending import SWITCHED_OFF
from core.turn.earlier import Earlier
from core.turn.exposure import may_enter
from core.turn.history import ConversationHistory, Histories, said_between
from core.turn.pickup import Pickup
from core.turn.policy import TurnPolicy
from core.turn.recalling import Recalling
from core.turn.trace import TraceStep
from core.turn.types import EnrichedTurn, Ingredient, Turn
from core.values import Utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrichment:
    """Gathers a turn's history and quotations, and reads what kind of turn it is."""

    histories: Histories
    users: UserStore
    sessions: SessionStore
    allow_lists: AllowListStore
    stance: StancePolicy
    recalling: Recalling
    earlier: Earlier
    policy: TurnPolicy
    clock: Clock

    async def enrich(self, turn: Turn) -> EnrichedTurn:
        """Return the turn with what may be shown to its readers."""
        history = self.histories.of(turn.conversation, turn.surface)
        await self._read_earlier(turn, history)
        window = history.window(
            before=turn.newest.id,
            without={*turn.message_ids, *turn.replaces},
            tokens=self.policy.history_tokens,
        )
        in_history = {utterance.id for utterance in window} | set(turn.message_ids)
        quoted = [u for message in turn.messages for u in message.reply_chain if u.id not in in_history]
        shown = self._allowed(turn, await self._without_opted_out(window, known=turn.newest.author.id))
        quotable = self._allowed(turn, await self._without_opted_out(quoted))
        reading, step = await self._read(turn, window)
        recollection, recall_step = await self.recalling.look_up(
            turn,
            in_view=[ingredient.utterance for ingredient in (*shown, *quotable)],
            sensitive=reading is not None and reading.is_sensitive,
        )
        return EnrichedTurn(
            turn=turn,
            history=shown,
            quoted=quotable,
            stream=turn.pickup.pickup is not Pickup.AMBIENT and not (reading is not None and reading.holds_back),
            stance=reading,
            recollection=recollection,
            earlier=await self.earlier.of(turn, shown),
            trace=(
                *turn.trace,
                TraceStep("history", "read", detail=f"messages={len(shown)}"),
                step,
                recall_step,
            ),
        )

    async def _read(self, turn: Turn, window: Sequence[Utterance]) -> tuple[StanceReading | None, TraceStep]:
        """Read what the user said, in the light of what the two of them said before."""
        if not self.stance.reads:
            return None, TraceStep("stance.signal", "not_checked", detail=SWITCHED_OFF)
        began = self.clock.monotonic()
        now, user_id = turn.snapshot.observed_at, turn.newest.author.id
        inertia = await self.sessions.inertia(turn.conversation, user_id, now=now)
        text = "\n".join(message.text for message in turn.messages)
        # An answer that is written anew was counted when it was written first.
        reading = await self.stance.read(
            text,
            said_between(user_id, window),
            inertia,
            counts=not turn.replaces,
            allowed=await self._allow_list(turn),
        )
        took = round((self.clock.monotonic() - began) * 1000, 3)
        if reading is None:
            return None, TraceStep("stance.signal", "not_checked", milliseconds=took)
        return reading, signal_step(reading, milliseconds=took)

    async def _allow_list(self, turn: Turn) -> Sequence[str]:
        guild_id = turn.surface.guild_id
        return await self.allow_lists.of(guild_id) if guild_id is not None and self.stance.has_gate else ()

    async def _read_earlier(self, turn: Turn, history: ConversationHistory) -> None:
        earlier = await self.histories.read_earlier(history, before=turn.messages[0].id)
        history.add(*await self._without_opted_out(earlier))

    async def _without_opted_out(self, utterances: Iterable[Utterance], *, known: int = 0) -> list[Utterance]:
        """Leave out what people wrote who don't want to be read, by now: `known` is somebody who takes part."""
        utterances = list(utterances)
        authors = {u.author.id for u in utterances if not u.is_self} - {known}
        out = {author for author in authors if (await self.users.get(author)).opted_out}
        return [u for u in utterances if u.is_self or u.author.id not in out]

    @staticmethod
    def _allowed(turn: Turn, utterances: Iterable[Utterance]) -> tuple[Ingredient, ...]:
        # Both a conversation's history and a reply chain come from the place the turn is in.
        ingredients = (Ingredient(turn.surface, utterance) for utterance in utterances)
        return tuple(i for i in ingredients if may_enter(i.origin, turn.surface))


def signal_step(reading: StanceReading, *, milliseconds: float = 0.0) -> TraceStep:
    """Return what stands in the trace of how a turn was read."""
    return TraceStep("stance.signal", "read", reading.rules, milliseconds, reading.summary)
