"""What is put around a companion to see what happens: a model that is listened to, replies that are kept."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field

from core.language_model.types import ChatEvent, ChatRequest, Completion, Delta, Restarted, TokenUsage
from core.ports import ChatModel
from core.turn.reply import Reply
from core.values import Surface, Utterance


class HeardModel:
    """A `ChatModel` that keeps every text another one finished."""

    def __init__(self, model: ChatModel) -> None:
        self.written: list[str] = []
        self._model = model

    @property
    def name(self) -> str:
        """The other model's name."""
        return self._model.name

    @property
    def accepts_images(self) -> bool:
        """Whether the other model takes images."""
        return self._model.accepts_images

    @property
    def can_look_up(self) -> bool:
        """Whether the other model can."""
        return self._model.can_look_up

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return what the other model costs."""
        return self._model.cost_micros(usage)

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        """Pass on what the other model writes."""
        text = ""
        async for event in self._model.stream(request):
            text = text + event.text if isinstance(event, Delta) else "" if isinstance(event, Restarted) else text
            yield event
        self.written.append(text.strip())

    async def complete(self, request: ChatRequest) -> Completion:
        """Pass on what the other model answers."""
        completion = await self._model.complete(request)
        self.written.append(completion.text.strip())
        return completion


@dataclass(slots=True)
class KeptReplies:
    """A channel and its sinks in one; `reply` is what went out last, `turn_id` the turn it belongs to."""

    reply_id: int = 0
    turn_id: str = ""
    reply: Reply | None = None

    def expect(self, reply_id: int) -> None:
        """Get ready for the next reply, which will have this id."""
        self.reply_id, self.reply, self.turn_id = reply_id, None, ""

    def open(self, turn_id: str) -> "KeptReplies":
        """Return itself as the sink of a turn."""
        self.turn_id = turn_id
        return self

    def typing(self) -> AbstractAsyncContextManager[None]:
        """Do nothing."""
        return _nothing()

    async def show(self, text: str) -> None:
        """Do nothing: only what was finished counts."""
        del text

    async def finish(self, reply: Reply) -> tuple[int, ...]:
        """Keep the reply."""
        self.reply = reply
        return (self.reply_id,)

    async def withdraw(self) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class GivenHistory:
    """`HistorySource`: what was said before the talk is taken up."""

    said: Sequence[Utterance] = field(default=())

    async def history(self, surface: Surface, *, before: int | None, limit: int) -> list[Utterance]:
        """Return the newest of it before an id."""
        del surface
        return [utterance for utterance in self.said if before is None or utterance.id < before][-limit:]


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield
