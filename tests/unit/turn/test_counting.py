"""Calls are paid for before they are made, and counted however they end."""

import asyncio
from datetime import UTC, datetime

import pytest
from structlog.testing import capture_logs

from core.clock import SimulatedClock
from core.errors import ModelUnavailableError, StorageError
from core.language_model.types import ChatMessage, ChatRequest, Completion, Image, Role, TokenUsage
from core.ports import CapWarning, Overseer, UsageRecord
from core.turn.counting import RESERVED, CallBook, Payer, prompt_tokens
from core.turn.policy import Budget, TurnPolicy
from core.turn.quota import BudgetSpentError, Limit, Quota
from core.turn.trace import TraceRecord
from tests.fakes.models import ScriptedModel
from tests.fakes.stores import InMemoryStores

NOON = datetime(2026, 3, 30, 12, 0, tzinfo=UTC)
REQUEST = ChatRequest(messages=(ChatMessage(Role.USER, "abcd" * 10),), max_output_tokens=20)
ANSWER = Completion("yes", "scripted", TokenUsage(8, 2), 3)
ALICE = Payer(character="mio", user_id=1, guild_id=70)


class Told(Overseer):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.warnings: list[CapWarning] = []
        self.calls: list[UsageRecord] = []

    def cap_nears(self, warning: CapWarning) -> None:
        self.warnings.append(warning)

    def call_ended(self, record: UsageRecord) -> None:
        self.calls.append(record)

    def turn_ended(self, record: TraceRecord) -> None:
        raise NotImplementedError


class Desk:
    """A book on fakes."""

    def __init__(self, **budgets: Budget) -> None:
        self.stores, self.clock, self.told = InMemoryStores(), SimulatedClock(NOON), Told()
        self.policy = TurnPolicy(**budgets)  # type: ignore[arg-type]
        self.model = ScriptedModel(cost_micros=10)
        self.book = self.reopened()

    def reopened(self) -> CallBook:
        """The book of a program that was started again."""
        quota = Quota(self.policy)
        return CallBook(usage=self.stores.usage, quota=quota, clock=self.clock, overseer=self.told)

    async def call(self, payer: Payer = ALICE, *, book: CallBook | None = None) -> None:
        async with (book or self.book).call(payer, "chat", model=self.model, request=REQUEST) as call:
            call.answered(ANSWER)


async def test_while_a_call_is_under_way_the_most_it_may_use_is_counted() -> None:
    desk = Desk()
    async with desk.book.call(ALICE, "chat", model=desk.model, request=REQUEST) as call:
        (record,) = desk.stores.usage.records
        assert (record.input_tokens, record.output_tokens, record.cost_micros) == (10, 20, 10)
        assert (record.outcome, record.estimated) == (RESERVED, True)
        call.answered(ANSWER)
    (record,) = desk.stores.usage.records
    assert (record.input_tokens, record.output_tokens, record.cost_micros) == (8, 2, 3)
    assert (record.outcome, record.estimated, record.user_id, record.guild_id) == ("complete", False, 1, 70)
    assert desk.told.calls == [record]


@pytest.mark.parametrize(
    ("error", "written", "outcome", "tokens"),
    [
        (ModelUnavailableError("x"), "", "failed:ModelUnavailableError", 0),
        (ModelUnavailableError("x"), "four", "failed:ModelUnavailableError", 11),
        (TimeoutError(), "", "failed:TimeoutError", 10),
        (asyncio.CancelledError(), "", "dropped", 10),
    ],
)
async def test_a_call_that_broke_off_is_counted_as_an_estimate(
    error: BaseException, written: str, outcome: str, tokens: int
) -> None:
    desk = Desk()

    async def break_off() -> None:
        async with desk.book.call(ALICE, "chat", model=desk.model, request=REQUEST) as call:
            call.written = written
            raise error

    with pytest.raises(type(error)):
        await break_off()
    (record,) = desk.stores.usage.records
    assert (record.outcome, record.input_tokens + record.output_tokens, record.estimated) == (outcome, tokens, True)


async def test_what_nobody_waits_for_is_counted_before_the_same_person_may_call_again() -> None:
    desk = Desk(user_budget=Budget(tokens=40))
    for _ in range(2):  # the second finds no room while the most that the first may use is counted
        async with desk.book.call(ALICE, "chat", model=desk.model, request=REQUEST, at_once=False) as call:
            call.answered(ANSWER)
        assert desk.stores.usage.records[-1].outcome == RESERVED
    await desk.book.settled(ALICE)
    assert [record.outcome for record in desk.stores.usage.records] == ["complete"] * 2


async def test_what_cannot_be_counted_later_stays_reserved_and_is_told() -> None:
    desk = Desk()

    async def full(number: int, record: UsageRecord) -> None:
        raise StorageError("database or disk is full")

    desk.stores.usage.settle = full  # type: ignore[method-assign]
    with capture_logs() as logs:
        async with desk.book.call(ALICE, "chat", model=desk.model, request=REQUEST, at_once=False) as call:
            call.answered(ANSWER)
        await desk.book.settled(ALICE)
    assert [(log["event"], log["reason"]) for log in logs] == [("usage.not_settled", "database or disk is full")]
    assert [record.outcome for record in desk.stores.usage.records] == [RESERVED]


async def test_pictures_and_schemas_count_for_what_a_call_may_use() -> None:
    plain = prompt_tokens(REQUEST)
    shown = ChatRequest(
        messages=(ChatMessage(Role.USER, "abcd" * 10, (Image("image/png", b""),)),), max_output_tokens=20
    )
    shaped = ChatRequest(messages=REQUEST.messages, max_output_tokens=20, schema={"type": "object"})
    assert prompt_tokens(shown) > plain + 1000
    assert prompt_tokens(shaped) > plain


async def test_what_goes_over_a_budget_is_refused_before_anything_is_asked() -> None:
    desk = Desk(guild_budget=Budget(tokens=29))
    with pytest.raises(BudgetSpentError) as refused:
        await desk.call()
    assert refused.value.limit is Limit.GUILD
    assert desk.stores.usage.records == []
    await desk.call(Payer(character="mio", user_id=1))


async def test_the_operator_is_told_once_a_period_when_a_cap_is_nearly_used_up_and_when_it_is() -> None:
    desk = Desk(global_budget=Budget(tokens=60))
    near, spent = (CapWarning(guild_id=None, period="day", percent=percent) for percent in (80, 100))
    for calls, told in ((2, []), (1, [near]), (1, [near]), (0, [near])):
        for _ in range(calls):
            await desk.call()
        assert desk.told.warnings == told
    for book in (desk.book, desk.reopened()):
        with pytest.raises(BudgetSpentError):
            await desk.call(book=book)
    assert desk.told.warnings == [near, spent]
    await desk.clock.advance(86400)
    for _ in range(3):
        await desk.call()
    assert desk.told.warnings == [near, spent, near]


async def test_a_months_cap_of_a_server_names_the_server_and_its_period() -> None:
    desk = Desk(guild_month_budget=Budget(cost_micros=12))
    await desk.call()
    assert desk.told.warnings == [CapWarning(guild_id=70, period="month", percent=80)]


async def test_what_a_person_uses_up_is_not_told_to_the_operator() -> None:
    desk = Desk(user_budget=Budget(tokens=31))
    await desk.call()
    with pytest.raises(BudgetSpentError):
        await desk.call()
    assert desk.told.warnings == []
    assert desk.stores.state.cap_warnings == set()


async def test_an_estimate_of_the_server_side_stays_marked() -> None:
    desk = Desk()
    async with desk.book.call(ALICE, "chat", model=desk.model, request=REQUEST) as call:
        call.answered(Completion("yes", "scripted", TokenUsage(8, 2, estimated=True)))
    assert desk.stores.usage.records[0].estimated
