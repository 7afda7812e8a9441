"""What operators are told of turns: from traces as turns leave them, without a word of what was said."""

from datetime import UTC, datetime

import pytest

from core.stance.account import GateOutcome, TurnAccount, account_of, tally
from core.stance.policy import StanceFlags, StancePolicy
from core.turn.policy import TurnPolicy
from core.turn.trace import LIFELINE, TraceRecord, TraceStep, TurnOutcome
from core.values import ConversationKey
from data.places import places_file
from prompts.loader import PromptLibrary
from tests.fakes.models import ScriptedModel
from tests.fakes.surface import GENERAL, Room

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
HURT = "Does my girlfriend hate me? She hasn't replied since Friday."
GOOD = "Waiting like that is exhausting. I can't know what she thinks, but I'm listening."


def record(*steps: TraceStep, outcome: TurnOutcome = TurnOutcome.ANSWERED) -> TraceRecord:
    return TraceRecord(
        turn_id="t",
        at=NOON,
        conversation=ConversationKey("mio", 200),
        user_id=1,
        message_ids=(1,),
        reply_ids=(2,),
        outcome=outcome,
        model=None,
        steps=steps,
    )


@pytest.fixture(scope="module")
def stance() -> StancePolicy:
    flags = StanceFlags(enable_stance_integrity_gate=True)
    return StancePolicy.load(flags, resources=places_file(), prompts=PromptLibrary.load())


async def accounts(
    stance: StancePolicy, *drafts: str, text: str = HURT, policy: TurnPolicy | None = None
) -> list[TurnAccount]:
    room = Room(ScriptedModel(list(drafts)), stance=stance, policy=policy)
    await room.stores.allow_lists.add(20, "genius", most=9)
    await room.say(text, at=GENERAL)
    return [account_of(record) for record in room.stores.traces.records]


async def test_a_reply_that_passed(stance: StancePolicy) -> None:
    (account,) = await accounts(stance, GOOD)
    assert (account.mode, account.crisis) == ("reflective_support", False)
    assert account.stakes in {"low", "medium"}
    assert (account.gate, account.rules, account.let_pass) == (GateOutcome.PASS, (), ())


async def test_a_reply_that_was_written_again(stance: StancePolicy) -> None:
    (account,) = await accounts(stance, "She hates you.", GOOD)
    assert (account.gate, account.rules) == (GateOutcome.REPAIR, ("third_party_certainty",))


async def test_a_reply_that_was_replaced(stance: StancePolicy) -> None:
    (account,) = await accounts(stance, "She hates you.", "You're 100% right. She hates you.")
    assert account.gate is GateOutcome.FALLBACK
    assert set(account.rules) == {"third_party_certainty", "sycophantic_validation"}


async def test_what_the_allow_list_let_pass_is_told_each_time(stance: StancePolicy) -> None:
    (account,) = await accounts(stance, "You're a genius. You're a genius!", text="Noodles by the river today.")
    assert (account.gate, account.rules) == (GateOutcome.PASS, ())
    assert account.let_pass == ("inflated_praise", "inflated_praise")


async def test_acute_danger_is_marked(stance: StancePolicy) -> None:
    (account,) = await accounts(stance, "ok", text="I want to kill myself tonight, I have the pills ready")
    assert account.crisis


@pytest.mark.parametrize(
    ("steps", "gate"),
    [
        ((), GateOutcome.NOT_CHECKED),
        ((TraceStep("check.stance", "not_checked", detail="switched off"),), GateOutcome.NOT_CHECKED),
        ((TraceStep("pickup", "refused", ("frozen",)),), GateOutcome.NOT_CHECKED),
        ((TraceStep("pickup", "refused", ("frozen",)), LIFELINE), GateOutcome.FALLBACK),
        ((TraceStep("check.stance", "passed"), TraceStep("fallback", "used", ("time.claim",))), GateOutcome.PASS),
    ],
)
def test_what_the_gate_did_is_told_apart_from_what_others_did(steps: tuple[TraceStep, ...], gate: GateOutcome) -> None:
    account = account_of(record(*steps))
    assert (account.gate, account.mode, account.stakes, account.crisis) == (gate, None, None, False)


def test_a_rule_counts_once_a_turn_and_the_allow_list_each_time() -> None:
    broken = TraceStep("check.stance", "found", ("stance.a", "allowed:stance.b", "allowed:stance.b"))
    counted = tally([account_of(record(broken, broken)), account_of(record(broken)), account_of(record())])
    assert (counted.turns, counted.crises) == (3, 0)
    assert counted.by_gate == {GateOutcome.REPAIR: 2, GateOutcome.NOT_CHECKED: 1}
    assert counted.broken == {"a": 2}
    assert counted.let_pass == {"b": 6}


async def test_an_account_holds_nothing_of_what_was_said(stance: StancePolicy) -> None:
    told = repr(await accounts(stance, "She hates you.", GOOD))
    assert all(word not in told for word in ("girlfriend", "Friday", "hates", "exhausting", "Alice", "genius"))
