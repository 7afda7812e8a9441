"""Consents, decided slots and drafts: what speaking first relies on."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest

from core.characters.pack import TimeRange
from core.proactive.types import (
    Claim,
    Grounding,
    Observation,
    Past,
    Reason,
    Recipient,
    RecipientKind,
    Slot,
    SlotRecord,
    SlotState,
    Subscription,
    Wishes,
)
from core.values import GuildSettings, Locale
from tests.contract.bundle import AKI, BEN, GUILD, NOON, AnyStores, after

AKI_FIRST = Recipient("hinata", RecipientKind.USER, AKI)
BEN_FIRST = Recipient("hinata", RecipientKind.USER, BEN)
PLAZA = Recipient("hinata", RecipientKind.CHANNEL, 10)
MORNING = TimeRange(start=time(8, 30), end=time(11))
NIGHT = TimeRange(start=time(22), end=time(8))
WISHES = Wishes(timezone="Asia/Tokyo", windows=(MORNING,), quiet_hours=NIGHT, per_day=2, minimum_gap_minutes=90)
DAY = timedelta(days=1)

Meanwhile = Callable[[AnyStores], Awaitable[None]]


def wanted(recipient: Recipient = AKI_FIRST, *, due_at: datetime | None = NOON) -> Subscription:
    guild = GUILD if recipient.kind is RecipientKind.CHANNEL else None
    return Subscription(
        recipient=recipient,
        enabled=True,
        wishes=WISHES,
        locale=Locale.JA,
        guild_id=guild,
        chosen_by=BEN if guild else None,
        due_at=due_at,
    )


def slot(recipient: Recipient = AKI_FIRST, *, day: int = 1, window: TimeRange = MORNING) -> Slot:
    opens = NOON + (day - 1) * DAY
    return Slot(
        recipient=recipient,
        day=date(2026, 3, day),
        window=window,
        opens=opens,
        closes=opens + timedelta(hours=3),
        due_at=opens + timedelta(minutes=5),
    )


def claim(
    name: str,
    of: Slot | None = None,
    *,
    at: datetime = NOON,
    spoke_at: datetime | None = None,
    revision: int = 1,
    candidate: str = "moss",
    worker: str = "w1",
) -> Claim:
    return Claim(
        id=name,
        slot=of or slot(),
        observation=Observation(
            observed_at=at, monotonic=1.0, fingerprint="f" * 64, revision=revision, spoke_at=spoke_at
        ),
        candidate_id=candidate,
        locale=Locale.JA,
        grounding=Grounding.SCHEDULE,
        selector="seed:7",
        worker=worker,
        claimed_at=at,
        offered=("moss", "bread"),
        checks=("stance", "time"),
    )


async def win(
    stores: AnyStores, wanted_claim: Claim, *, most: int = 9, gap: int = 0, day_began: datetime = NOON - DAY
) -> Reason | None:
    return await stores.slots.claim(wanted_claim, most_per_day=most, minimum_gap_seconds=gap, local_day_began=day_began)


async def test_a_subscription_comes_back_as_it_was_put(stores: AnyStores) -> None:
    assert await stores.subscriptions.get(AKI_FIRST) is None

    stored = await stores.subscriptions.put(wanted())

    assert stored == replace(wanted(), revision=1)
    assert await stores.subscriptions.get(AKI_FIRST) == stored


async def test_choosing_anew_raises_the_revision_and_keeps_what_code_knows(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await stores.subscriptions.spoke("hinata", user_id=AKI, channel_id=30, now=after(5))
    await stores.subscriptions.suspend(AKI, until=after(60))

    stored = await stores.subscriptions.put(replace(wanted(), wishes=Wishes(timezone="Europe/Paris"), due_at=None))

    assert stored == replace(
        wanted(due_at=None),
        wishes=Wishes(timezone="Europe/Paris"),
        spoke_at=after(5),
        suspended_until=after(60),
        revision=2,
    )


async def test_a_change_of_what_was_changed_meanwhile_is_not_stored(stores: AnyStores) -> None:
    first = await stores.subscriptions.change(wanted())
    assert first == replace(wanted(), revision=1)
    assert await stores.subscriptions.change(wanted()) is None

    second = await stores.subscriptions.change(replace(first, wishes=replace(WISHES, per_day=1)))
    assert second is not None
    assert second.revision == 2
    assert await stores.subscriptions.change(replace(first, enabled=False)) is None
    assert await stores.subscriptions.get(AKI_FIRST) == second


async def test_a_change_does_not_bring_back_what_was_deleted_meanwhile(stores: AnyStores) -> None:
    known = await stores.subscriptions.put(wanted())
    await stores.subscriptions.delete(AKI_FIRST)

    assert await stores.subscriptions.change(replace(known, enabled=True)) is None
    assert await stores.subscriptions.get(AKI_FIRST) is None


async def test_of_changes_made_at_once_none_undoes_another(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())

    async def change(**wishes: Any) -> None:
        stored = None
        while stored is None:
            known = await stores.subscriptions.get(AKI_FIRST)
            assert known is not None
            stored = await stores.subscriptions.change(replace(known, wishes=replace(known.wishes, **wishes)))

    await asyncio.gather(change(per_day=1), change(quiet_hours=None), change(minimum_gap_minutes=300))

    known = await stores.subscriptions.get(AKI_FIRST)
    assert known is not None
    assert known.wishes == replace(WISHES, per_day=1, quiet_hours=None, minimum_gap_minutes=300)


async def test_who_is_due_comes_longest_due_first(stores: AnyStores) -> None:
    cleo = Recipient("hinata", RecipientKind.USER, 3)
    elsewhere = Recipient("mio", RecipientKind.USER, AKI)
    await stores.subscriptions.put(wanted(AKI_FIRST, due_at=after(2)))
    await stores.subscriptions.put(wanted(BEN_FIRST, due_at=after(1)))
    await stores.subscriptions.put(wanted(PLAZA, due_at=after(4)))
    await stores.subscriptions.put(replace(wanted(cleo, due_at=after(1)), enabled=False))
    await stores.subscriptions.put(wanted(elsewhere, due_at=after(1)))

    due = await stores.subscriptions.due("hinata", now=after(3), limit=9)

    assert [subscription.recipient for subscription in due] == [BEN_FIRST, AKI_FIRST]
    assert len(await stores.subscriptions.due("hinata", now=after(9), limit=2)) == 2


async def test_who_would_be_due_later_than_anybody_can_be_is_found_last(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted(AKI_FIRST, due_at=NOON + 300 * DAY))
    await stores.subscriptions.put(wanted(BEN_FIRST, due_at=after(1)))
    await stores.subscriptions.put(wanted(PLAZA, due_at=NOON + 2 * DAY))

    due = await stores.subscriptions.due("hinata", now=after(3), limit=9)

    assert [subscription.recipient for subscription in due] == [BEN_FIRST, AKI_FIRST]


async def test_scheduling_changes_when_it_is_due_and_nothing_else(stores: AnyStores) -> None:
    stored = await stores.subscriptions.put(wanted())

    assert await stores.subscriptions.schedule(stored, after(100))

    assert await stores.subscriptions.get(AKI_FIRST) == replace(stored, due_at=after(100))


async def test_scheduling_from_an_older_reading_is_refused(stores: AnyStores) -> None:
    old = await stores.subscriptions.put(wanted())
    changed = await stores.subscriptions.put(wanted())
    assert not await stores.subscriptions.schedule(old, None)

    await stores.subscriptions.spoke("hinata", user_id=AKI, channel_id=30, now=after(5))
    assert not await stores.subscriptions.schedule(changed, None)


async def test_speaking_answers_everything_and_wakes_what_had_stopped(stores: AnyStores) -> None:
    await stores.subscriptions.put(replace(wanted(due_at=None), unanswered=4))
    await stores.subscriptions.put(replace(wanted(PLAZA, due_at=after(50)), unanswered=1))

    await stores.subscriptions.spoke("hinata", user_id=AKI, channel_id=10, now=after(5))

    mine, plaza = await stores.subscriptions.get(AKI_FIRST), await stores.subscriptions.get(PLAZA)
    assert mine is not None
    assert plaza is not None
    assert (mine.unanswered, mine.spoke_at, mine.due_at) == (0, after(5), after(5))
    assert (plaza.unanswered, plaza.spoke_at, plaza.due_at) == (0, after(5), after(50))


async def test_speaking_is_noted_though_the_clock_was_set_back(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await stores.subscriptions.spoke("hinata", user_id=AKI, channel_id=30, now=after(5))
    before = await stores.subscriptions.get(AKI_FIRST)

    await stores.subscriptions.spoke("hinata", user_id=AKI, channel_id=30, now=after(-60))

    mine = await stores.subscriptions.get(AKI_FIRST)
    assert before is not None
    assert before.spoke_at is not None
    assert mine is not None
    assert mine.spoke_at is not None
    assert mine.spoke_at > before.spoke_at
    assert await win(stores, claim("c1", spoke_at=before.spoke_at)) is Reason.SPOKE


async def test_speaking_does_not_make_due_what_was_switched_off(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted(due_at=None))
    await stores.subscriptions.put(wanted(Recipient("mio", RecipientKind.USER, AKI)))

    await stores.subscriptions.spoke("hinata", user_id=AKI, channel_id=30, now=after(5))
    await stores.subscriptions.spoke("hinata", user_id=BEN, channel_id=30, now=after(6))

    mine = await stores.subscriptions.get(AKI_FIRST)
    assert mine is not None
    assert (mine.spoke_at, mine.due_at) == (after(5), None)
    other = await stores.subscriptions.get(Recipient("mio", RecipientKind.USER, AKI))
    assert other is not None
    assert other.spoke_at is None


async def test_who_cannot_be_reached_is_switched_off_unless_they_chose_anew(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    assert not await stores.subscriptions.disable(AKI_FIRST, revision=0)
    assert await stores.subscriptions.disable(AKI_FIRST, revision=1)

    mine = await stores.subscriptions.get(AKI_FIRST)
    assert mine == replace(wanted(due_at=None), enabled=False, revision=2)


async def test_a_suspension_meets_every_character_and_never_gets_shorter(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await stores.subscriptions.put(wanted(Recipient("mio", RecipientKind.USER, AKI)))
    await stores.subscriptions.put(wanted(BEN_FIRST))

    assert await stores.subscriptions.suspend(AKI, until=after(60)) == 2
    assert await stores.subscriptions.suspend(AKI, until=after(10)) == 2

    mine, bens = await stores.subscriptions.get(AKI_FIRST), await stores.subscriptions.get(BEN_FIRST)
    assert mine is not None
    assert bens is not None
    assert (mine.suspended_until, bens.suspended_until) == (after(60), None)


async def test_a_character_can_be_paused_for_everybody(stores: AnyStores) -> None:
    assert await stores.subscriptions.all_paused_until("hinata") is None
    await stores.subscriptions.pause_all(character="hinata", until=after(60))
    await stores.subscriptions.pause_all(character="hinata", until=after(90))
    assert await stores.subscriptions.all_paused_until("hinata") == after(90)
    assert await stores.subscriptions.all_paused_until("mio") is None

    await stores.subscriptions.pause_all(character="hinata", until=None)
    assert await stores.subscriptions.all_paused_until("hinata") is None


async def test_counts_tell_how_consent_stands(stores: AnyStores) -> None:
    some = wanted()
    for number, made in enumerate(
        (
            some,
            replace(some, paused_until=after(60)),
            replace(some, paused_until=NOON),
            replace(some, suspended_until=after(60)),
            replace(some, due_at=None, unanswered=4),
            replace(some, enabled=False, paused_until=after(60)),
        )
    ):
        await stores.subscriptions.put(replace(made, recipient=Recipient("hinata", RecipientKind.USER, number)))

    counts = await stores.subscriptions.counts("hinata", now=after(1))

    assert counts == {"enabled": 5, "paused": 1, "suspended": 1, "stopped": 1}
    assert await stores.subscriptions.counts("mio", now=NOON) == dict.fromkeys(counts, 0)


async def test_a_slot_is_won_once(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())

    results = await asyncio.gather(*(win(stores, claim(f"claim-{number}")) for number in range(8)))

    assert results.count(None) == 1
    assert results.count(Reason.CANCELLED) == 7


async def test_a_won_slot_tells_everything_it_was_decided_on(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await stores.subscriptions.spoke("hinata", user_id=AKI, channel_id=30, now=after(-60))

    assert await win(stores, claim("c1", spoke_at=after(-60))) is None

    assert await stores.slots.find("c1") == SlotRecord(
        id="c1",
        recipient=AKI_FIRST,
        slot_key="2026-03-01/0830-1100",
        due_at=slot().due_at,
        state=SlotState.CLAIMED,
        offered=("moss", "bread"),
        candidate_id="moss",
        locale=Locale.JA,
        grounding=Grounding.SCHEDULE,
        fingerprint="f" * 64,
        selector="seed:7",
        checks=("stance", "time"),
        revision=1,
        spoke_at=after(-60),
        observed_at=NOON,
        claimed_at=NOON,
        worker="w1",
    )


async def _opts_out(stores: AnyStores) -> None:
    await stores.users.set_opted_out(AKI, True)


async def _switches_off(stores: AnyStores) -> None:
    await stores.subscriptions.disable(AKI_FIRST, revision=1)


async def _chooses_anew(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())


async def _forgets(stores: AnyStores) -> None:
    await stores.privacy.forget(AKI)


async def _is_frozen(stores: AnyStores) -> None:
    await stores.characters.set_frozen("hinata", True)


async def _pauses_all(stores: AnyStores) -> None:
    await stores.subscriptions.pause_all(character="hinata", until=after(1))


async def _is_suspended(stores: AnyStores) -> None:
    await stores.subscriptions.suspend(AKI, until=after(1))


async def _speaks(stores: AnyStores) -> None:
    await stores.subscriptions.spoke("hinata", user_id=AKI, channel_id=30, now=after(-1))


async def _is_decided(stores: AnyStores) -> None:
    record = SlotRecord(
        id="d1", recipient=AKI_FIRST, slot_key=slot().key, due_at=NOON, state=SlotState.SKIPPED, reason=Reason.MISSED
    )
    assert await stores.slots.decide(record)


async def _was_spoken_to_twice(stores: AnyStores) -> None:
    for number in (2, 1):
        early = after(-600 * number)
        window = TimeRange(start=time(number), end=time(number + 1))
        assert await win(stores, claim(f"early-{number}", slot(window=window), at=early)) is None


async def _was_spoken_to_just_now(stores: AnyStores) -> None:
    window = TimeRange(start=time(1), end=time(2))
    assert await win(stores, claim("early", slot(window=window), at=after(-299))) is None


@pytest.mark.parametrize(
    ("meanwhile", "reason"),
    [
        (_opts_out, Reason.OPTED_OUT),
        (_switches_off, Reason.NOT_ENABLED),
        (_forgets, Reason.NOT_ENABLED),
        (_chooses_anew, Reason.CHANGED),
        (_is_frozen, Reason.FROZEN),
        (_pauses_all, Reason.PAUSED),
        (_is_suspended, Reason.SUSPENDED),
        (_speaks, Reason.SPOKE),
        (_is_decided, Reason.CANCELLED),
        (_was_spoken_to_twice, Reason.DAILY_CAP),
        (_was_spoken_to_just_now, Reason.GAP),
    ],
)
async def test_the_last_look_sees_what_happened_meanwhile(
    stores: AnyStores, meanwhile: Meanwhile, reason: Reason
) -> None:
    await stores.subscriptions.put(wanted())
    await meanwhile(stores)

    assert await win(stores, claim("c1"), most=2, gap=300) is reason
    assert await stores.slots.find("c1") is None


async def test_a_pause_of_the_recipient_is_seen_by_the_last_look(stores: AnyStores) -> None:
    await stores.subscriptions.put(replace(wanted(), paused_until=after(1)))

    assert await win(stores, claim("c1")) is Reason.PAUSED
    assert await win(stores, claim("c2", at=after(1))) is None


async def test_caps_are_of_the_recipients_own_day_and_gap(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await stores.subscriptions.put(wanted(BEN_FIRST))
    assert await win(stores, claim("c1", slot(day=1), at=NOON)) is None

    later = NOON + timedelta(hours=3)
    assert await win(stores, claim("c2", slot(day=2), at=later), most=1) is Reason.DAILY_CAP
    assert await win(stores, claim("c3", slot(day=2), at=later), most=1, day_began=after(1)) is None
    assert await win(stores, claim("c4", slot(BEN_FIRST), at=later), most=1) is None
    assert await win(stores, claim("c5", slot(day=3), at=later + timedelta(minutes=5)), gap=300) is None


async def test_a_declined_slot_is_decided_for_good(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    record = SlotRecord(
        id="d1",
        recipient=AKI_FIRST,
        slot_key=slot().key,
        due_at=slot().due_at,
        state=SlotState.DECLINED,
        reason=Reason.MODEL_CHOSE_NONE,
        offered=("moss",),
        selector="model:stub",
        observed_at=NOON,
        worker="w1",
    )

    assert await stores.slots.decide(record)
    assert not await stores.slots.decide(replace(record, id="d2"))

    assert await stores.slots.recent(AKI_FIRST, limit=9) == [record]
    assert await stores.slots.past(AKI_FIRST, record.slot_key, since=NOON - DAY) == Past(decided=True)


async def test_nothing_is_recorded_for_who_is_forgotten(stores: AnyStores) -> None:
    record = SlotRecord(
        id="d1", recipient=AKI_FIRST, slot_key="k", due_at=NOON, state=SlotState.SKIPPED, reason=Reason.MISSED
    )

    assert not await stores.slots.decide(record)
    assert await stores.slots.find("d1") is None


async def test_a_sent_message_counts_as_unanswered_once(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await win(stores, claim("c1"))

    assert await stores.slots.sending("c1", worker="w1")
    assert await stores.slots.close("c1", SlotState.SENT, now=after(2), message_id=77)
    assert not await stores.slots.close("c1", SlotState.SENT, now=after(3), message_id=78)
    assert not await stores.slots.sending("c1", worker="w1")

    record, mine = await stores.slots.find("c1"), await stores.subscriptions.get(AKI_FIRST)
    assert record is not None
    assert mine is not None
    assert (record.state, record.sent_at, record.message_id) == (SlotState.SENT, after(2), 77)
    assert (mine.unanswered, mine.revision) == (1, 1)


async def test_what_was_answered_before_it_was_recorded_is_not_unanswered(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await win(stores, claim("c1"))
    await stores.subscriptions.spoke("hinata", user_id=AKI, channel_id=30, now=after(3))

    await stores.slots.close("c1", SlotState.SENT, now=after(2), message_id=77)

    mine = await stores.subscriptions.get(AKI_FIRST)
    assert mine is not None
    assert mine.unanswered == 0


async def test_a_message_is_unanswered_though_the_clock_was_set_back_since_they_spoke(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await stores.subscriptions.spoke("hinata", user_id=AKI, channel_id=30, now=after(60))
    await win(stores, claim("c1", spoke_at=after(60)))

    await stores.slots.close("c1", SlotState.SENT, now=after(2), message_id=77)

    mine = await stores.subscriptions.get(AKI_FIRST)
    assert mine is not None
    assert mine.unanswered == 1


async def test_a_failed_message_is_not_unanswered(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await win(stores, claim("c1"))

    assert await stores.slots.close("c1", SlotState.FAILED, now=after(2), reason=Reason.UNREACHABLE)

    record, mine = await stores.slots.find("c1"), await stores.subscriptions.get(AKI_FIRST)
    assert record is not None
    assert mine is not None
    assert (record.outcome, record.sent_at, mine.unanswered) == ("failed:unreachable", None, 0)


@pytest.mark.parametrize(
    ("state", "reason"), [(SlotState.UNKNOWN, Reason.CRASHED), (SlotState.FAILED, Reason.DELIVERY)]
)
async def test_a_message_that_may_be_out_is_unanswered(stores: AnyStores, state: SlotState, reason: Reason) -> None:
    await stores.subscriptions.put(wanted())
    await win(stores, claim("c1"))

    assert await stores.slots.close("c1", state, now=after(2), reason=reason)

    mine = await stores.subscriptions.get(AKI_FIRST)
    assert mine is not None
    assert mine.unanswered == 1


async def test_a_message_that_may_be_out_is_answered_by_who_has_spoken_since(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await win(stores, claim("c1"))
    await stores.subscriptions.spoke("hinata", user_id=AKI, channel_id=30, now=after(3))

    await stores.slots.close("c1", SlotState.UNKNOWN, now=after(4), reason=Reason.CRASHED)

    mine = await stores.subscriptions.get(AKI_FIRST)
    assert mine is not None
    assert mine.unanswered == 0


async def test_an_unfinished_claim_is_taken_over_by_exactly_one(stores: AnyStores) -> None:
    for number, recipient in enumerate((AKI_FIRST, BEN_FIRST, PLAZA)):
        await stores.subscriptions.put(wanted(recipient))
        await win(stores, claim(f"c{number}", slot(recipient), at=after(number)))
    await stores.slots.sending("c1", worker="w1")
    await stores.slots.close("c0", SlotState.SENT, now=after(2), message_id=77)

    unfinished = await stores.slots.unfinished("hinata", claimed_before=after(2), limit=9)
    assert [(record.id, record.state, record.worker) for record in unfinished] == [("c1", SlotState.SENDING, "w1")]

    taken = await asyncio.gather(
        *(stores.slots.take_over("c1", worker=worker, from_worker="w1", now=after(5)) for worker in ("w2", "w3"))
    )
    assert sorted(taken) == [False, True]
    assert not await stores.slots.sending("c1", worker="w1")
    # Whoever has it now is given as much time as the first.
    left = await stores.slots.unfinished("hinata", claimed_before=after(5), limit=9)
    assert [record.id for record in left] == ["c2"]


async def test_what_was_said_is_known_by_candidate(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    for day, candidate in enumerate(("moss", "bread", "moss"), start=1):
        await win(stores, claim(f"c{day}", slot(day=day), at=NOON + day * DAY, candidate=candidate))

    said = await stores.slots.last_said(AKI_FIRST, since=NOON)

    assert said == {"moss": NOON + 3 * DAY, "bread": NOON + 2 * DAY}
    assert await stores.slots.last_said(AKI_FIRST, since=NOON + 3 * DAY) == {"moss": NOON + 3 * DAY}
    past = await stores.slots.past(AKI_FIRST, "2026-03-09/0830-1100", since=NOON + 2 * DAY)
    assert past == Past(decided=False, claimed=(NOON + 2 * DAY, NOON + 3 * DAY))
    assert [record.id for record in await stores.slots.recent(AKI_FIRST, limit=2)] == ["c3", "c2"]


async def test_the_newest_slots_are_those_of_everybody(stores: AnyStores) -> None:
    for number, recipient in enumerate((AKI_FIRST, replace(AKI_FIRST, id=BEN), replace(AKI_FIRST, character="mio"))):
        one = slot(recipient, day=3 - number)
        record = SlotRecord(
            id=f"s{number}", recipient=recipient, slot_key=one.key, due_at=one.due_at, state=SlotState.SKIPPED
        )
        await stores.subscriptions.put(wanted(recipient))
        await stores.slots.decide(record)

    assert [record.id for record in await stores.slots.newest(limit=2)] == ["s0", "s1"]
    assert len(await stores.slots.newest(limit=9)) == 3


async def test_outcomes_are_counted_with_their_reasons(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await win(stores, claim("c1", slot(day=1)))
    await stores.slots.close("c1", SlotState.SENT, now=after(2), message_id=77)
    for day in (2, 3):
        record = SlotRecord(
            id=f"d{day}",
            recipient=AKI_FIRST,
            slot_key=slot(day=day).key,
            due_at=slot(day=day).due_at,
            state=SlotState.SKIPPED,
            reason=Reason.LEASE,
        )
        await stores.slots.decide(record)

    assert await stores.slots.outcomes("hinata", since=NOON) == {"sent": 1, "skipped:lease": 2}
    assert await stores.slots.outcomes("hinata", since=NOON + DAY) == {"skipped:lease": 2}
    assert await stores.slots.outcomes("mio", since=NOON) == {}


async def test_old_slots_go_but_no_claim_that_is_under_way(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await win(stores, claim("c1", slot(day=1)))
    await stores.slots.close("c1", SlotState.SENT, now=after(2), message_id=77)
    await win(stores, claim("c2", slot(day=2)))

    assert await stores.slots.delete_older_than(NOON + 5 * DAY) == 1
    assert [record.id for record in await stores.slots.recent(AKI_FIRST, limit=9)] == ["c2"]


async def test_a_channel_and_a_server_that_are_gone_take_everything_along(stores: AnyStores) -> None:
    garden = Recipient("hinata", RecipientKind.CHANNEL, 12)
    mios = Recipient("mio", RecipientKind.CHANNEL, 12)
    for recipient in (PLAZA, garden, mios, AKI_FIRST):
        await stores.subscriptions.put(wanted(recipient))
        await win(stores, claim(f"of-{recipient.character}-{recipient.id}", slot(recipient)))
    assert [one.recipient for one in await stores.subscriptions.of_guild(GUILD, character="hinata")] == [PLAZA, garden]

    await stores.subscriptions.delete_channel(PLAZA.id)
    assert await stores.subscriptions.get(PLAZA) is None
    assert await stores.slots.find("of-hinata-10") is None
    assert await stores.slots.find("of-hinata-12") is not None

    await stores.subscriptions.delete_guild(GUILD, character="hinata")
    assert await stores.subscriptions.of_guild(GUILD, character="hinata") == []
    assert await stores.slots.find("of-hinata-12") is None
    assert await stores.slots.find("of-mio-12") is not None
    assert await stores.slots.find("of-hinata-1") is not None


async def test_what_was_decided_outlives_switching_off(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await win(stores, claim("c1"))

    assert await stores.subscriptions.delete(AKI_FIRST)
    assert not await stores.subscriptions.delete(AKI_FIRST)
    await stores.subscriptions.put(wanted())

    assert await win(stores, claim("c2")) is Reason.CANCELLED


async def test_drafts_wait_until_somebody_decides(stores: AnyStores) -> None:
    one, two, three = await stores.drafts.add("hinata", Locale.JA, ["苔", "パン", "靴下"], now=NOON)
    await stores.drafts.add("mio", Locale.EN, ["moss"], now=NOON)

    assert await stores.drafts.approve("hinata", two, now=after(1))
    assert not await stores.drafts.approve("hinata", two, now=after(1))
    assert not await stores.drafts.approve("mio", one, now=after(1))
    assert await stores.drafts.reject("hinata", three)
    assert not await stores.drafts.reject("hinata", three)

    assert await stores.drafts.waiting("hinata") == [(one, Locale.JA, "苔")]
    assert await stores.drafts.approved("hinata") == [(two, Locale.JA, "パン")]


async def test_the_number_of_a_draft_is_never_given_again(stores: AnyStores) -> None:
    (one,) = await stores.drafts.add("hinata", Locale.JA, ["苔"], now=NOON)
    await stores.drafts.reject("hinata", one)

    assert await stores.drafts.add("hinata", Locale.JA, ["パン"], now=NOON) != [one]


@pytest.mark.parametrize("character", ["hinata", "asahi"])
async def test_whoever_moves_takes_every_character_along_to_the_new_clock(stores: AnyStores, character: str) -> None:
    recipient = replace(AKI_FIRST, character=character)
    before = await stores.subscriptions.put(wanted(recipient))
    await stores.subscriptions.put(wanted(BEN_FIRST))

    await stores.users.set_timezone(AKI, "Europe/Berlin")

    moved = await stores.subscriptions.get(recipient)
    assert moved is not None
    assert moved.wishes == replace(WISHES, timezone="Europe/Berlin")
    assert moved.revision > before.revision
    assert moved in await stores.subscriptions.due(character, now=NOON - DAY, limit=9)
    assert (await stores.subscriptions.get(BEN_FIRST)) == replace(wanted(BEN_FIRST), revision=1)


async def test_a_zone_that_stays_or_is_forgotten_makes_nothing_due(stores: AnyStores) -> None:
    before = await stores.subscriptions.put(wanted())

    await stores.users.set_timezone(AKI, "Asia/Tokyo")
    assert await stores.subscriptions.get(AKI_FIRST) == before

    await stores.users.set_timezone(AKI, None)
    forgotten = await stores.subscriptions.get(AKI_FIRST)
    assert forgotten is not None
    assert (forgotten.enabled, forgotten.due_at, forgotten.wishes.timezone) == (True, None, None)


async def test_channels_go_by_their_servers_new_clock_unless_they_have_one_of_their_own(stores: AnyStores) -> None:
    await stores.guilds.put(GuildSettings(guild_id=GUILD, timezone="Asia/Tokyo"))
    elsewhere = replace(PLAZA, id=11)
    await stores.subscriptions.put(wanted(PLAZA))
    await stores.subscriptions.put(replace(wanted(elsewhere), wishes=replace(WISHES, timezone="Asia/Seoul")))

    await stores.guilds.put(GuildSettings(guild_id=GUILD, timezone="Europe/Berlin"))

    zones = {
        one.recipient: one.wishes.timezone for one in await stores.subscriptions.of_guild(GUILD, character="hinata")
    }
    assert zones == {PLAZA: "Europe/Berlin", elsewhere: "Asia/Seoul"}


async def test_whoever_opts_out_takes_back_that_they_are_spoken_to_first(stores: AnyStores) -> None:
    await stores.subscriptions.put(wanted())
    await stores.subscriptions.put(wanted(BEN_FIRST))

    await stores.users.set_opted_out(AKI, True)
    await stores.users.set_opted_out(AKI, False)

    assert await stores.subscriptions.get(AKI_FIRST) is None
    assert await stores.subscriptions.get(BEN_FIRST) is not None
