"""One conversation's order: bursts are answered once, one turn at a time, and newer messages drop older drafts."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field, replace

from core.clock import Clock
from core.ports import ReplyChannel
from core.turn.pickup import PickupDecision
from core.turn.trace import TurnOutcome
from core.values import InboundMessage


@dataclass(slots=True, kw_only=True)
class Burst:
    """Messages of one user that are answered together, and where the answer goes.

    `attempt` counts regenerations and `replaces` holds the messages that the new answer takes the place of. `deleted`
    are messages that were deleted when the answer to them could not be dropped any more.
    """

    messages: list[InboundMessage]
    replies: ReplyChannel
    decision: PickupDecision
    attempt: int = 0
    replaces: tuple[int, ...] = ()
    began: float = 0.0
    ready: float = 0.0
    committed: bool = False
    dropped: TurnOutcome | None = None
    deleted: set[int] = field(default_factory=set)
    done: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def user_id(self) -> int:
        """Who wrote the burst."""
        return self.messages[-1].author.id

    @property
    def standing(self) -> list[InboundMessage]:
        """The messages as they are by now: edited ones with their new text, without deleted ones."""
        return [message for message in self.messages if message.id not in self.deleted]

    def revise(self, message_id: int, text: str) -> None:
        """Give a message the text it was edited to."""
        self.messages = [replace(m, text=text) if m.id == message_id else m for m in self.messages]

    def take_in(self, earlier: Collection[InboundMessage]) -> None:
        """Add messages, in the order they were written in."""
        by_id = {message.id: message for message in (*self.messages, *earlier)}
        self.messages = [by_id[key] for key in sorted(by_id)]


class Mailbox:
    """The bursts of one conversation. `answer` runs a turn; it handles its own errors and cancellation."""

    def __init__(
        self,
        *,
        answer: Callable[[Burst], Awaitable[None]],
        clock: Clock,
        debounce: float,
        longest_debounce: float,
    ) -> None:
        self._answer = answer
        self._clock = clock
        self._debounce = debounce
        self._longest = longest_debounce
        self._waiting: dict[int, Burst] = {}
        self._current: tuple[Burst, asyncio.Task[None]] | None = None
        self._worker: asyncio.Task[None] | None = None

    @property
    def is_idle(self) -> bool:
        """True when nothing waits and nothing is being answered."""
        return self._worker is None or self._worker.done()

    def put(self, burst: Burst) -> None:
        """Queue a burst; it joins what waits from the same user and drops the draft that it overtakes."""
        now = self._clock.monotonic()
        burst.began = now
        overtaken = self._drop_current(burst.user_id, TurnOutcome.SUPERSEDED)
        waiting = self._waiting.get(burst.user_id)
        for earlier in (overtaken, waiting):
            if earlier is not None:
                burst.take_in(earlier.messages)
                burst.began = min(burst.began, earlier.began) if earlier is waiting else burst.began
        if waiting is not None:
            waiting.done.set()
        burst.ready = min(now + self._debounce, burst.began + self._longest)
        self._waiting[burst.user_id] = burst
        self._wake()

    def put_at_once(self, burst: Burst) -> None:
        """Queue a burst that needs no debounce (a regeneration): it joins nothing and overtakes nothing."""
        self._waiting[-burst.messages[-1].id] = burst
        self._wake()

    def stop(self, user_id: int) -> bool:
        """Drop what is being written to a user and what waits from them; False if there was nothing."""
        waiting = self._waiting.pop(user_id, None)
        if waiting is not None:
            waiting.done.set()
        return self._drop_current(user_id, TurnOutcome.STOPPED) is not None or waiting is not None

    async def drop(self, user_id: int) -> None:
        """Drop what waits from a user and what is being written to them; wait for what is on its way out already."""
        for key, burst in list(self._waiting.items()):
            if burst.user_id == user_id:
                del self._waiting[key]
                burst.done.set()
        self._drop_current(user_id, TurnOutcome.SUPERSEDED)
        if self._current is not None and self._current[0].user_id == user_id:
            await self._current[0].done.wait()

    def revise(self, message_id: int, text: str) -> None:
        """Take in that a message was edited; a draft that is being written still answers the text it was begun with."""
        for burst in (*self._waiting.values(), *((self._current[0],) if self._current is not None else ())):
            burst.revise(message_id, text)

    def withdraw_messages(self, message_ids: Collection[int]) -> None:
        """Forget messages that were deleted; a draft that answers one of them is dropped, the rest asked again."""
        for key, burst in list(self._waiting.items()):
            burst.messages = [message for message in burst.messages if message.id not in message_ids] or burst.messages
            if all(message.id in message_ids for message in burst.messages):
                del self._waiting[key]
                burst.done.set()
        if self._current is None or not any(m.id in message_ids for m in self._current[0].messages):
            return
        self._current[0].deleted.update(message_ids)
        dropped = self._drop_current(self._current[0].user_id, TurnOutcome.SUPERSEDED)
        if dropped is not None and (rest := [m for m in dropped.messages if m.id not in message_ids]):
            self.put(Burst(messages=rest, replies=dropped.replies, decision=dropped.decision))

    async def idle(self) -> None:
        """Wait until nothing waits and nothing is being answered."""
        while self._worker is not None and not self._worker.done():
            await asyncio.wait({self._worker})

    async def close(self) -> None:
        """Drop what waits and what is being written; wait for what is already on its way out."""
        for burst in self._waiting.values():
            burst.done.set()
        self._waiting.clear()
        if self._current is not None and not self._current[0].committed:
            self._current[1].cancel()
        await self.idle()

    def _drop_current(self, user_id: int, why: TurnOutcome) -> Burst | None:
        if self._current is None:
            return None
        burst, task = self._current
        if burst.user_id != user_id or burst.committed or burst.dropped is not None:
            return None
        burst.dropped = why
        task.cancel()
        return burst

    def _wake(self) -> None:
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())

    async def _work(self) -> None:
        while self._waiting:
            key, burst = next(iter(self._waiting.items()))
            wait = burst.ready - self._clock.monotonic()
            if wait > 0:
                await self._clock.sleep(wait)
                continue
            del self._waiting[key]
            task = asyncio.ensure_future(self._answer(burst))
            self._current = (burst, task)
            await asyncio.wait({task})
            self._current = None
            burst.done.set()
