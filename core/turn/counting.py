"""Every model call is paid for before it is made and counted however it ends.

What a call may use at most is reserved first, so that calls made at the same time can't go over a budget together;
when it is over, what it did use takes that place. A crash leaves the reservation: the call may have been made.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import structlog
from pydantic import BaseModel

from core.clock import Clock
from core.errors import ModelError, StorageError
from core.language_model.deadline import within
from core.language_model.structured import ask_for, structured
from core.language_model.tokens import estimate_tokens
from core.language_model.types import ChatRequest, Completion, Finished, TokenUsage
from core.ports import Cap, CapWarning, ChatModel, Overseer, Reserved, Unseen, UsageRecord, UsageStore
from core.turn.quota import BudgetSpentError, Limit, Quota
from core.turn.types import Turn

T = TypeVar("T", bound=BaseModel)

RESERVED = "reserved"
"""The outcome of a call that is under way, or was when the program was killed."""

_IMAGE_TOKENS = 1200  # more than a large picture takes at the common servers
_NEAR = 0.8
_OPERATORS_CAPS = frozenset({Limit.GLOBAL, Limit.GLOBAL_MONTH, Limit.GUILD, Limit.GUILD_MONTH})
_MONTHLY = frozenset({Limit.GLOBAL_MONTH, Limit.GUILD_MONTH})

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer:
    """Whose budgets a call counts for. No user: it is made for nobody alone."""

    character: str
    user_id: int | None = None
    guild_id: int | None = None

    @classmethod
    def of(cls, turn: Turn) -> "Payer":
        """Return who pays for a turn."""
        return cls(character=turn.character.name, user_id=turn.newest.author.id, guild_id=turn.surface.guild_id)


class Call:
    """A call under way. Whoever makes it says how it ended, or lets the exception through that ended it."""

    def __init__(self, model: ChatModel, request: ChatRequest) -> None:
        self.written = ""
        self._model = model
        self._request = request
        self._ended: tuple[str, TokenUsage, int, str] | None = None

    def answered(self, answer: Finished | Completion) -> None:
        """Note that the call came to its end."""
        outcome = "cut_off" if answer.cut_off and isinstance(answer, Finished) else "complete"
        self._ended = (answer.model, answer.usage, answer.cost_micros, outcome)

    def broke_off(self, error: BaseException | None) -> None:
        """Note that it did not; one that failed and wrote nothing is not known to have read anything."""
        if self._ended is not None:
            return
        dropped = error is None or isinstance(error, asyncio.CancelledError)
        outcome = "dropped" if dropped else f"failed:{type(error).__name__}"
        has_read = bool(self.written) or not isinstance(error, ModelError)
        usage = TokenUsage(prompt_tokens(self._request) if has_read else 0, estimate_tokens(self.written), True)
        self._ended = (self._model.name, usage, self._model.cost_micros(usage), outcome)

    def on(self, record: UsageRecord) -> UsageRecord:
        """Return the record of the call with what it used."""
        if self._ended is None:
            raise RuntimeError("the call has not ended")
        model, usage, cost_micros, outcome = self._ended
        return replace(
            record,
            model=model,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            estimated=usage.estimated,
            cost_micros=cost_micros,
            outcome=outcome,
        )


class CallBook:
    """Where calls are paid for and counted."""

    def __init__(self, *, usage: UsageStore, quota: Quota, clock: Clock, overseer: Overseer | None = None) -> None:
        self.quota = quota
        self._usage = usage
        self._clock = clock
        self._overseer = overseer or Unseen()
        self._warned: set[tuple[str, int, str]] = set()
        self._settling: dict[asyncio.Task[None], int | None] = {}

    @asynccontextmanager
    async def call(
        self, payer: Payer, feature: str, *, model: ChatModel, request: ChatRequest, at_once: bool = True
    ) -> AsyncIterator[Call]:
        """Make a call inside: what it may use at most is reserved before, and what it used is counted after.

        Unless that is wanted `at_once`, nobody waits for the count of a call that came to its end: its reservation
        stands until then, and `settled` tells when that is.

        Raises:
            BudgetSpentError: It would go over a budget; nothing may be asked.
            StorageError: It can't be counted, so it may not be made.
        """
        await self.settled(payer)
        record = self._at_most(payer, feature, model, request)
        number = await self._reserve(payer, record)
        call = Call(model, request)
        try:
            yield call
        except BaseException as error:
            call.broke_off(error)
            await asyncio.shield(self._settle(number, call.on(record)))
            raise
        call.broke_off(None)
        if at_once:
            await asyncio.shield(self._settle(number, call.on(record)))
        else:
            self._settle_later(number, call.on(record), payer)

    async def settled(self, payer: Payer) -> None:
        """Wait until all calls of a payer that are over are counted."""
        if under_way := [task for task, user_id in self._settling.items() if user_id == payer.user_id]:
            await asyncio.wait(under_way)

    async def ask(
        self,
        shape: type[T],
        payer: Payer,
        feature: str,
        *,
        model: ChatModel,
        request: ChatRequest,
        patience: float | None = None,
    ) -> T:
        """Ask a model for a value of `shape`, for so many seconds at most.

        Raises:
            ModelError: It gave none; TimeoutError where it took too long. And what `call` raises.
        """
        async with self.call(payer, feature, model=model, request=structured(request, shape)) as call:

            async def count(completion: Completion) -> None:
                call.answered(completion)

            asking = ask_for(shape, model, request, count=count)
            return await (asking if patience is None else within(self._clock, patience, asking))

    def _at_most(self, payer: Payer, feature: str, model: ChatModel, request: ChatRequest) -> UsageRecord:
        now = self._clock.now()
        usage = TokenUsage(prompt_tokens(request), request.max_output_tokens, estimated=True)
        return UsageRecord(
            at=now,
            day=self.quota.day(now),
            character=payer.character,
            user_id=payer.user_id or 0,
            guild_id=payer.guild_id,
            feature=feature,
            model=model.name,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            estimated=True,
            cost_micros=model.cost_micros(usage),
            outcome=RESERVED,
        )

    async def _reserve(self, payer: Payer, record: UsageRecord) -> int:
        caps = self.quota.caps(user_id=payer.user_id, guild_id=payer.guild_id, now=record.at)
        reserved = await self._usage.reserve(record, tuple(caps))
        if isinstance(reserved, Cap):
            await self._warn(reserved, caps[reserved], 100)
            raise BudgetSpentError(caps[reserved])
        await self._warn_of_near_ones(caps, reserved)
        return reserved.number

    async def _settle(self, number: int, record: UsageRecord) -> None:
        await self._usage.settle(number, record)
        self._overseer.call_ended(record)

    def _settle_later(self, number: int, record: UsageRecord, payer: Payer) -> None:
        settling = asyncio.create_task(self._settle_if_possible(number, record))
        self._settling[settling] = payer.user_id
        settling.add_done_callback(self._settling.pop)

    async def _settle_if_possible(self, number: int, record: UsageRecord) -> None:
        try:
            await self._settle(number, record)
        except StorageError as error:  # what was reserved stands
            _log.error("usage.not_settled", feature=record.feature, reason=str(error))
        except Exception as error:  # noqa: BLE001 - a fault of ours must not end in a task that nobody looks at
            _log.error("usage.not_settled", feature=record.feature, reason=type(error).__name__)

    async def _warn_of_near_ones(self, caps: dict[Cap, Limit], reserved: Reserved) -> None:
        for (cap, limit), used in zip(caps.items(), reserved.used, strict=True):
            if cap.share(used) >= _NEAR:
                await self._warn(cap, limit, 80)

    async def _warn(self, cap: Cap, limit: Limit, percent: int) -> None:
        """Tell the operator, once in the cap's period, also across restarts. What a person uses is their own affair."""
        if limit not in _OPERATORS_CAPS:
            return
        period: Literal["day", "month"] = "month" if limit in _MONTHLY else "day"
        name = f"{'all' if cap.guild_id is None else f'guild:{cap.guild_id}'}/{period}"
        known = (name, percent, cap.first.isoformat())
        if known in self._warned:
            return
        self._warned.add(known)
        if await self._usage.claim_warning(name, cap.first, percent):
            self._overseer.cap_nears(CapWarning(guild_id=cap.guild_id, period=period, percent=percent))


def prompt_tokens(request: ChatRequest) -> int:
    """Return about how many tokens a request's prompt has, its pictures and its schema included."""
    pictures = sum(len(message.images) for message in request.messages)
    schema = estimate_tokens(str(request.schema)) if request.schema is not None else 0
    return sum(estimate_tokens(message.text) for message in request.messages) + pictures * _IMAGE_TOKENS + schema
