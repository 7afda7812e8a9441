"""What goes on beside the conversations once a reply is out: summaries, one at a time for each conversation."""

import asyncio

import structlog

from core.errors import CoreError
from core.turn.policy import TurnPolicy
from core.turn.summarising import Progress, SummaryMaker
from core.turn.types import EnrichedTurn
from core.values import ConversationKey

_log = structlog.get_logger(__name__)


class Summarising:
    """Makes summaries beside the conversations, one at a time for each of them."""

    def __init__(self, *, maker: SummaryMaker, policy: TurnPolicy) -> None:
        self._maker = maker
        self._policy = policy
        self._progress: dict[ConversationKey, Progress] = {}
        self._under_way: dict[ConversationKey, tuple[int, asyncio.Task[None]]] = {}

    def begin(self, enriched: EnrichedTurn) -> None:
        """Look in the background whether a turn's conversation has to be summarised, unless that is under way."""
        turn = enriched.turn
        if not (self._policy.summaries and self._policy.archive) or turn.conversation in self._under_way:
            return
        task = asyncio.create_task(self._make(enriched))
        self._under_way[turn.conversation] = (turn.newest.author.id, task)
        task.add_done_callback(lambda _: self._under_way.pop(turn.conversation, None))

    async def idle(self) -> None:
        """Wait until nothing is being summarised."""
        while self._under_way:
            await asyncio.wait({task for _, task in self._under_way.values()})

    async def drop(self, user_id: int | None = None) -> None:
        """Give up what was begun by a turn of a user, or everything; when this returns, its calls are counted."""
        doomed = [task for author, task in self._under_way.values() if user_id in {None, author}]
        for task in doomed:
            task.cancel()
        await asyncio.gather(*doomed, return_exceptions=True)

    async def _make(self, enriched: EnrichedTurn) -> None:
        key = enriched.turn.conversation
        if len(self._progress) > self._policy.conversations_in_memory:
            self._progress.clear()
        try:
            self._progress[key] = await self._maker.make(enriched, self._progress.get(key, Progress()))
        except CoreError as error:
            _log.warning("summary.failed", turn_id=enriched.turn.id, error=type(error).__name__, reason=str(error))
