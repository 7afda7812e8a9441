"""A small simulation on the real code: no rule is broken; and where a fault is planted, the check finds it."""

import json
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from bot import simulations
from bot.simulation.checking import KINDS
from bot.simulation.outside import FakeDiscord
from bot.simulation.people import Kind, channel, life
from bot.simulation.report import Outcome, Plan
from core.characters.pack import ProactivePolicy, TimeRange
from core.ports import Delivered
from core.proactive import eligibility, limits, lookout, scheduling, sending
from core.proactive.attempt import Attempt
from core.proactive.grounds import Grounds
from core.proactive.limits import Limits, limits_of
from core.proactive.types import Claim, Observation, Reason, Recipient, RecipientKind, SlotState, Wishes
from data.proactive.slots import SqlSlotStore
from data.proactive.subscriptions import SqlSubscriptionStore

SMALL = Plan(days=3, users=40, seed=7, restarts=3, jumps=3)
CALM = Plan(days=4, users=40, seed=7, restarts=0, jumps=0, disturbed=0.0)
RESTLESS = Plan(days=3, users=60, seed=7, restarts=0, jumps=0, disturbed=0.2)

Plant = Callable[[pytest.MonkeyPatch], None]


def run(plan: Plan) -> Outcome:
    return simulations.simulate(plan, progress=lambda _: None)


def test_a_small_world_breaks_no_rule_loses_no_record_and_is_the_same_again() -> None:
    outcome = run(SMALL)

    report = outcome.as_json()
    assert list(report) == ["sent", "declined", "skipped", "failed", "unknown", "violations", "days", "users", "seed"]
    assert report["violations"] == dict.fromkeys(KINDS, 0)
    assert outcome.groups[0].lost() == []
    assert {one.recipient.kind for one in outcome.records if one.state is SlotState.SENT} == set(RecipientKind)
    assert json.dumps(run(SMALL).as_json()) == json.dumps(report)
    assert json.dumps(run(Plan(days=3, users=40, seed=8, restarts=3, jumps=3)).as_json()) != json.dumps(report)


def test_a_restless_world_breaks_no_rule_either() -> None:
    outcome = run(RESTLESS)

    assert outcome.violations == dict.fromkeys(KINDS, 0)
    assert {"lease", "spoke", "fingerprint"} <= outcome.skipped().keys()


def test_channels_of_a_server_have_its_clock_and_share_its_fate() -> None:
    plaza, garden, elsewhere = (channel(number, 7) for number in (0, 1, 2))

    assert (plaza.server, plaza.zone) == (garden.server, garden.zone)
    assert plaza.server != elsewhere.server
    done = {act.kind for number in range(40) for _, act in life(channel(number, 7), 7, 30)}
    assert {Kind.MOVE, Kind.SILENCE, Kind.LIFT, Kind.REMOVE, Kind.CLOSE_DMS} <= done
    assert not {Kind.OPT_OUT, Kind.FORGET, Kind.LEAN} & done


def quiet_hours_are_ignored(patch: pytest.MonkeyPatch) -> None:
    def whole_day(policy: ProactivePolicy, wishes: Wishes, quiet: object) -> tuple[TimeRange, ...]:
        del wishes, quiet
        return policy.windows

    patch.setattr(limits, "_open", whole_day)
    without(patch, Reason.QUIET_HOURS)


def silence_is_ignored(patch: pytest.MonkeyPatch) -> None:
    def as_if_answered(policy: ProactivePolicy, wishes: Wishes, unanswered: int) -> Limits | None:
        del unanswered
        return limits_of(policy, wishes, 0)

    for module in (scheduling, lookout):
        patch.setattr(module, "limits_of", as_if_answered)


def gaps_are_ignored(patch: pytest.MonkeyPatch) -> None:
    claim = SqlSlotStore.claim

    async def generous(self: SqlSlotStore, wanted: Claim, **bounds: Any) -> Reason | None:
        return await claim(self, wanted, **(bounds | {"minimum_gap_seconds": 0}))

    patch.setattr(SqlSlotStore, "claim", generous)
    without(patch, Reason.GAP)


def nothing_is_looked_at_again(patch: pytest.MonkeyPatch) -> None:
    async def trusting(self: Grounds, attempt: Attempt) -> Attempt:
        del self
        return attempt

    patch.setattr(Grounds, "reground", trusting)


def leases_last_for_ever(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Observation, "is_leased", lambda *_: True)
    patch.setattr(sending, "LEASE_SECONDS", 10_000)


def words_of_people_are_not_heard(patch: pytest.MonkeyPatch) -> None:
    async def deaf(self: SqlSubscriptionStore, character: str, **said: object) -> None:
        del self, character, said

    patch.setattr(SqlSubscriptionStore, "spoke", deaf)


def claims_are_won_twice_under_two_numbers(patch: pytest.MonkeyPatch) -> None:
    claim, send, number = SqlSlotStore.claim, FakeDiscord.send, count()

    async def won(self: SqlSlotStore, wanted: Claim, **bounds: Any) -> None:
        await claim(self, wanted, **bounds)

    async def still_mine(self: SqlSlotStore, claim_id: str, *, worker: str) -> bool:
        del self, claim_id, worker
        return True

    async def renumbered(
        self: FakeDiscord, recipient: Recipient, text: str, *, nonce: str, give_up_at: float
    ) -> Delivered:
        return await send(self, recipient, text, nonce=f"{nonce}-{next(number)}", give_up_at=give_up_at)

    patch.setattr(SqlSlotStore, "claim", won)
    patch.setattr(SqlSlotStore, "sending", still_mine)
    patch.setattr(FakeDiscord, "send", renumbered)


def without(patch: pytest.MonkeyPatch, *reasons: Reason) -> None:
    """Take rows out of the table that decides who may be spoken to."""
    kept = tuple(row for row in eligibility._TABLE if row[0] not in reasons)
    patch.setattr(eligibility, "_TABLE", kept)


@pytest.mark.parametrize(
    ("plant", "plan", "kinds"),
    [
        (quiet_hours_are_ignored, CALM, {"quiet_hours", "window"}),
        (silence_is_ignored, CALM, {"caps", "gap"}),
        (gaps_are_ignored, CALM, {"gap"}),
        (nothing_is_looked_at_again, RESTLESS, {"fingerprint"}),
        (leases_last_for_ever, RESTLESS, {"lease"}),
        (words_of_people_are_not_heard, RESTLESS, {"consent"}),
        (claims_are_won_twice_under_two_numbers, RESTLESS, {"double_send"}),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_planted_fault_is_found(plant: Plant, plan: Plan, kinds: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    limits_of.cache_clear()
    plant(monkeypatch)

    found = run(plan).violations

    monkeypatch.undo()
    limits_of.cache_clear()
    assert {kind for kind in kinds if found[kind]} == kinds
