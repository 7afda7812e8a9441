import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from core.clock import SimulatedClock
from core.ports import ReplySink
from core.turn.mailbox import Burst, Mailbox
from core.turn.pickup import Pickup, PickupDecision
from core.turn.trace import TurnOutcome
from core.values import Address, InboundMessage, Speaker, Surface, SurfaceKind

AT = datetime(2026, 11, 30, tzinfo=UTC)


class Nowhere:
    def open(self, turn_id: str) -> ReplySink:
        raise AssertionError("the mailbox opens nothing")


def burst(message_id: int, user: int = 1) -> Burst:
    message = InboundMessage(
        id=message_id,
        author=Speaker(id=user, name="u"),
        surface=Surface(kind=SurfaceKind.CHANNEL, channel_id=1, guild_id=1),
        text="t",
        sent_at=AT,
        address=Address.MENTION,
    )
    return Burst(messages=[message], replies=Nowhere(), decision=PickupDecision(Pickup.DIRECT, "addressed"))


class Desk:
    """Answers bursts when told to and notes what became of each."""

    def __init__(self) -> None:
        self.clock = SimulatedClock(AT)
        self.answered: list[list[int]] = []
        self.dropped: list[tuple[list[int], TurnOutcome | None]] = []
        self.may_finish = asyncio.Event()
        self.may_finish.set()
        self.started = asyncio.Event()
        self.committing = False
        self.mailbox = Mailbox(answer=self.answer, clock=self.clock, debounce=1.0, longest_debounce=3.0)

    async def answer(self, item: Burst) -> None:
        ids = [message.id for message in item.messages]
        self.started.set()
        item.committed = self.committing
        try:
            await self.may_finish.wait()
        except asyncio.CancelledError:
            self.dropped.append((ids, item.dropped))
            return
        self.answered.append(ids)

    async def until(self, condition: Callable[[], bool], step: float = 0.5) -> None:
        for _ in range(100):
            if condition():
                return
            await self.clock.advance(step)
        raise AssertionError("never came true")


async def test_a_burst_of_one_user_is_answered_once() -> None:
    desk = Desk()
    desk.mailbox.put(burst(1))
    await desk.clock.advance(0.5)
    desk.mailbox.put(burst(2))
    await desk.clock.advance(0.9)
    assert desk.answered == []
    await desk.clock.advance(0.2)
    assert desk.answered == [[1, 2]]


async def test_somebody_who_never_stops_typing_is_answered_all_the_same() -> None:
    desk = Desk()
    for number in range(1, 9):
        desk.mailbox.put(burst(number))
        await desk.clock.advance(0.6)
    assert desk.answered
    assert desk.answered[0] == [1, 2, 3, 4, 5]


async def test_turns_of_one_conversation_run_one_at_a_time_in_order() -> None:
    desk = Desk()
    desk.may_finish.clear()
    desk.mailbox.put(burst(1, user=1))
    desk.mailbox.put(burst(2, user=2))
    await desk.until(desk.started.is_set)
    await desk.clock.advance(10)
    assert desk.answered == []
    desk.may_finish.set()
    await desk.until(lambda: len(desk.answered) == 2)
    assert desk.answered == [[1], [2]]


async def test_a_newer_message_drops_the_older_draft_and_both_are_answered_together() -> None:
    desk = Desk()
    desk.may_finish.clear()
    desk.mailbox.put(burst(1))
    await desk.until(desk.started.is_set)
    desk.mailbox.put(burst(2))
    desk.may_finish.set()
    await desk.until(lambda: bool(desk.answered))
    assert desk.dropped == [([1], TurnOutcome.SUPERSEDED)]
    assert desk.answered == [[1, 2]]


async def test_another_users_message_drops_nothing() -> None:
    desk = Desk()
    desk.may_finish.clear()
    desk.mailbox.put(burst(1, user=1))
    await desk.until(desk.started.is_set)
    desk.mailbox.put(burst(2, user=2))
    desk.may_finish.set()
    await desk.until(lambda: len(desk.answered) == 2)
    assert desk.dropped == []


async def test_what_is_on_its_way_out_is_not_dropped_any_more() -> None:
    desk = Desk()
    desk.committing = True
    desk.may_finish.clear()
    desk.mailbox.put(burst(1))
    await desk.until(desk.started.is_set)
    desk.mailbox.put(burst(2))
    assert not desk.mailbox.stop(99)
    desk.may_finish.set()
    await desk.until(lambda: len(desk.answered) == 2)
    assert desk.answered == [[1], [2]]
    assert desk.dropped == []


async def test_stop_drops_the_draft_and_what_waits() -> None:
    desk = Desk()
    desk.may_finish.clear()
    desk.mailbox.put(burst(1))
    await desk.until(desk.started.is_set)
    assert desk.mailbox.stop(1)
    await desk.mailbox.idle()
    assert desk.dropped == [([1], TurnOutcome.STOPPED)]
    assert not desk.mailbox.stop(1)


async def test_a_deleted_message_is_not_answered_but_the_rest_of_its_burst_is() -> None:
    desk = Desk()
    desk.mailbox.put(burst(1))
    desk.mailbox.put(burst(2))
    desk.mailbox.withdraw_messages({1})
    await desk.clock.advance(2)
    assert desk.answered == [[2]]


async def test_deleting_all_of_a_burst_leaves_nothing_to_answer() -> None:
    desk = Desk()
    desk.mailbox.put(burst(1))
    desk.mailbox.withdraw_messages({1})
    await desk.clock.advance(2)
    assert desk.answered == []


async def test_deleting_the_message_being_answered_drops_the_draft() -> None:
    desk = Desk()
    desk.may_finish.clear()
    desk.mailbox.put(burst(1))
    await desk.until(desk.started.is_set)
    desk.mailbox.withdraw_messages({1})
    await desk.mailbox.idle()
    assert desk.dropped == [([1], TurnOutcome.SUPERSEDED)]
    assert desk.answered == []


async def test_closing_drops_drafts_without_calling_them_superseded() -> None:
    desk = Desk()
    desk.may_finish.clear()
    desk.mailbox.put(burst(1))
    await desk.until(desk.started.is_set)
    desk.mailbox.put(burst(2, user=2))
    await desk.mailbox.close()
    assert desk.dropped == [([1], None)]
    assert desk.answered == []
