"""Holds one talk: the companion as the program puts it together, with a model that is listened to."""

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count

from bot.application import App
from bot.evaluation.recording import GivenHistory, HeardModel, KeptReplies
from bot.evaluation.subjects import Subject
from bot.policy import at_the_terminal, policy_of
from bot.settings import Settings
from core.characters.pack import CharacterPack
from core.clock import Clock, SimulatedClock
from core.facts.schedule.timetable import Timetable
from core.ports import Stores
from core.proactive.attempt import NobodyWatches
from core.stance.evaluation.fixtures import Fixture
from core.stance.evaluation.judging import judge
from core.stance.evaluation.records import Attempt, LiveTurn, TalkRecord
from core.stance.evaluation.variants import Variant
from core.stance.evaluation.workbench import Workbench
from core.turn.companion import Companion
from core.turn.policy import Budget, TurnPolicy
from core.turn.trace import TraceRecord, TraceStep, TurnOutcome
from core.values import Address, ConversationKey, InboundMessage, Speaker, Surface, SurfaceKind, Utterance
from prompts.loader import PromptLibrary
from prompts.messages import Messages

_SESSION = timedelta(hours=6)
_ANSWERED = {TurnOutcome.ANSWERED, TurnOutcome.REPAIRED, TurnOutcome.FALLBACK}
# Ids differ from talk to talk and are the same in every run and variant: the written replies are chosen by them.
_ID_BITS, _STEP = 40, 1 << 16


NIGHT = datetime(2026, 11, 30, 14, 30, tzinfo=UTC)
"""When all talks take place: half past eleven at night in Tokyo, when people say such things."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What all talks of a run share."""

    settings: Settings
    pack: CharacterPack
    stores: Mapping[Variant, Stores]
    prompts: PromptLibrary
    messages: Messages
    workbench: Workbench
    timetable: Timetable | None
    clock: Clock = field(default_factory=lambda: SimulatedClock(NIGHT))

    async def hold(self, fixture: Fixture, subject: Subject, variant: Variant) -> TalkRecord:
        """Hold a talk to its end, or until no model answers; return what was said and how it did."""
        talk = _Talk.of(f"{subject.name}\0{fixture.id}", self.pack.character.name, fixture, self.clock)
        model, label = subject.for_talk(fixture)
        heard = HeardModel(model)
        companion = self._companion(heard, talk, variant)
        stores = self.stores[variant]
        await self._prepare(talk, fixture, stores)
        try:
            turns = await self._turns(companion, heard, talk, fixture, stores)
        finally:
            await companion.close()
        delivered = [turn.delivered for turn in turns if turn.delivered is not None]
        complete = len(delivered) == len(fixture.say)
        return TalkRecord(
            fixture=fixture,
            model=subject.name,
            variant=variant,
            turns=tuple(turns),
            marks=judge(fixture, delivered, label) if complete else (),
        )

    def _companion(self, heard: HeardModel, talk: "_Talk", variant: Variant) -> Companion:
        app = App(
            settings=self.settings,
            clock=self.clock,
            rng=random.Random(1),
            messages=self.messages,
            prompts=self.prompts,
            stores=self.stores[variant],
            models={self.pack.character.tier: heard},
            stance=self.workbench.policy(variant),
            worker="evaluation",
            witness=NobodyWatches(),
            recall=None,
        )
        return app.companion(
            self.pack,
            GivenHistory(talk.earlier),
            at_the_terminal(_under_evaluation(policy_of(self.settings))),
            timetable=self.timetable,
        )

    async def _prepare(self, talk: "_Talk", fixture: Fixture, stores: Stores) -> None:
        """Open the session as the talk before left it."""
        now = self.clock.now()
        await stores.users.set_locale(talk.user.id, fixture.locale)
        if fixture.before:
            await stores.sessions.touch(talk.key, now=now, expires_at=now + _SESSION)
            await stores.sessions.set_inertia(talk.key, talk.user.id, fixture.inertia, now=now)

    async def _turns(
        self, companion: Companion, heard: HeardModel, talk: "_Talk", fixture: Fixture, stores: Stores
    ) -> Sequence[LiveTurn]:
        turns: list[LiveTurn] = []
        replies = KeptReplies()
        before = [(said.by_user, said.text) for said in fixture.before]
        for text in fixture.say:
            written = len(heard.written)
            message = talk.message(text, self.clock)
            replies.expect(next(talk.ids))
            await companion.receive(message, replies)
            await companion.idle()
            trace = await stores.traces.get(replies.turn_id)
            delivered = _delivered(replies, trace)
            gate_says = await self.workbench.gate_says(text, before, delivered) if delivered is not None else ()
            turns.append(_live_turn(text, heard.written[written:], trace, delivered, gate_says))
            if delivered is None:
                break
            before += [(True, text), (False, delivered)]
        return turns


@dataclass(frozen=True, slots=True, kw_only=True)
class _Talk:
    """The ids of one talk, and what was said in it before."""

    key: ConversationKey
    user: Speaker
    ids: "count[int]"
    earlier: tuple[Utterance, ...]

    @classmethod
    def of(cls, name: str, character: str, fixture: Fixture, clock: Clock) -> "_Talk":
        digest = int.from_bytes(hashlib.sha256(name.encode()).digest())
        base = (digest % (1 << _ID_BITS) + 1) * _STEP
        ids = count(base + 1)
        user = Speaker(id=base, name="User")
        said = tuple(
            Utterance(
                id=next(ids),
                author=user if turn.by_user else Speaker(id=0, name=character, is_bot=True),
                text=turn.text,
                sent_at=clock.now(),
                is_self=not turn.by_user,
            )
            for turn in fixture.before
        )
        return cls(key=ConversationKey(character, base), user=user, ids=ids, earlier=said)

    def message(self, text: str, clock: Clock) -> InboundMessage:
        return InboundMessage(
            id=next(self.ids),
            author=self.user,
            surface=Surface(kind=SurfaceKind.TERMINAL, channel_id=self.key.channel_id),
            text=text,
            sent_at=clock.now(),
            address=Address.DM,
        )


def _under_evaluation(policy: TurnPolicy) -> TurnPolicy:
    """Return the policy with no daily bounds (what a run may cost is said by --limit) and nothing said stored."""
    return replace(policy, user_budget=Budget(), guild_budget=Budget(), global_budget=Budget(), archive=False)


def _delivered(replies: KeptReplies, trace: TraceRecord | None) -> str | None:
    """Return what the user read; None for an apology or a refusal, which is no answer of the model's."""
    if replies.reply is None or trace is None or trace.outcome not in _ANSWERED:
        return None
    return replies.reply.text


def _live_turn(
    text: str, written: Sequence[str], trace: TraceRecord | None, delivered: str | None, gate_says: tuple[str, ...]
) -> LiveTurn:
    steps = trace.steps if trace is not None else ()
    found = _found(steps)
    return LiveTurn(
        user=text,
        reading=next((step.detail for step in steps if step.name == "stance.signal" and step.status == "read"), ""),
        attempts=tuple(Attempt(draft, found[n] if n < len(found) else ()) for n, draft in enumerate(written)),
        outcome=trace.outcome if trace is not None else TurnOutcome.UNDELIVERED,
        delivered=delivered,
        gate_says=gate_says,
    )


def _found(steps: Iterable[TraceStep]) -> list[tuple[str, ...]]:
    """Return the rules that each attempt broke, as the trace tells: the checks of the first, then of the second."""
    found: list[tuple[str, ...]] = [()]
    for step in steps:
        if step.name == "repair":
            found.append(())
        elif step.name.startswith("check."):
            found[-1] = (*found[-1], *step.rules)
    return found
