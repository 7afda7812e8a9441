"""Listens to a model and counts what it uses, against one budget for the whole comparison."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

from core.clock import Clock
from core.errors import ModelError
from core.language_model.tokens import estimate_tokens
from core.language_model.types import (
    ChatEvent,
    ChatMessage,
    ChatRequest,
    Completion,
    Delta,
    Finished,
    Restarted,
    TokenUsage,
)
from core.ports import ChatModel
from core.sandbox.draft import Budget
from core.sandbox.errors import BudgetSpentError, Limit

_MICROS = 1_000_000


@dataclass(frozen=True, slots=True)
class Spent:
    """What a comparison used. `money` in the operator's currency."""

    answers: int
    tokens: int
    seconds: float
    money: float


class Meter:
    """Counts for all variants together."""

    def __init__(self, budget: Budget, clock: Clock) -> None:
        self._budget = budget
        self._clock = clock
        self._began = clock.monotonic()
        self._answers = 0
        self._tokens = 0
        self._cost_micros = 0

    @property
    def spent(self) -> Spent:
        """What was used so far."""
        seconds = round(self._clock.monotonic() - self._began, 3)
        return Spent(self._answers, self._tokens, seconds, self._cost_micros / _MICROS)

    @property
    def seconds_left(self) -> float:
        """How long the comparison may still take."""
        return max(0.0, self._budget.seconds - (self._clock.monotonic() - self._began))

    def admit(self, request: ChatRequest) -> None:
        """Let a request pass; its answer counts from here on.

        Raises:
            BudgetSpentError: a bound is reached, or would be by reading the prompt.
        """
        reading = sum(estimate_tokens(message.text) for message in request.messages)
        budget = self._budget
        if self._answers >= budget.answers:
            raise BudgetSpentError(Limit.ANSWERS)
        if self._tokens + reading > budget.tokens:
            raise BudgetSpentError(Limit.TOKENS)
        if self.seconds_left <= 0:
            raise BudgetSpentError(Limit.SECONDS)
        if self._cost_micros and self._cost_micros >= budget.money * _MICROS:
            raise BudgetSpentError(Limit.MONEY)
        self._answers += 1

    def count(self, usage: TokenUsage, cost_micros: int) -> None:
        """Count what a call used."""
        self._tokens += usage.input_tokens + usage.output_tokens
        self._cost_micros += cost_micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request and what came of it. `failure` says why there is no `text`. `writes`: an answer, not a search."""

    prompt: tuple[ChatMessage, ...]
    writes: bool
    model: str = ""
    text: str = ""
    failure: str | None = None
    usage: TokenUsage = TokenUsage(0, 0)  # noqa: RUF009 - frozen
    cost_micros: int = 0
    milliseconds: float = 0.0


class MeteredModel:
    """A `ChatModel` that keeps the calls of another one. `temperature` replaces what is asked for."""

    def __init__(self, model: ChatModel, meter: Meter, clock: Clock, *, temperature: float | None) -> None:
        self.calls: list[Call] = []
        self._model = model
        self._meter = meter
        self._clock = clock
        self._temperature = temperature

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
        request = self._admitted(request, writes=True)
        began, text, finished = self._clock.monotonic(), "", None
        try:
            async for event in self._model.stream(request):
                if isinstance(event, Finished):
                    finished = event
                text = text + event.text if isinstance(event, Delta) else "" if isinstance(event, Restarted) else text
                yield event
        except ModelError as error:
            self._failed(request, text, error, began, writes=True)
            raise
        if finished is not None:
            completion = Completion(text, finished.model, finished.usage, finished.cost_micros)
            self._keep(request, completion, began, writes=True)

    async def complete(self, request: ChatRequest) -> Completion:
        """Pass on what the other model answers."""
        request = self._admitted(request, writes=False)
        began = self._clock.monotonic()
        try:
            completion = await self._model.complete(request)
        except ModelError as error:
            self._failed(request, "", error, began, writes=False)
            raise
        self._keep(request, completion, began, writes=False)
        return completion

    def _admitted(self, request: ChatRequest, *, writes: bool) -> ChatRequest:
        self._meter.admit(request)
        if self._temperature is None or not writes:
            return request
        return replace(request, temperature=self._temperature)

    def _keep(self, request: ChatRequest, completion: Completion, began: float, *, writes: bool) -> None:
        self._meter.count(completion.usage, completion.cost_micros)
        self.calls.append(
            Call(
                prompt=request.messages,
                writes=writes,
                model=completion.model,
                text=completion.text.strip(),
                usage=completion.usage,
                cost_micros=completion.cost_micros,
                milliseconds=self._since(began),
            )
        )

    def _failed(self, request: ChatRequest, written: str, error: ModelError, began: float, *, writes: bool) -> None:
        usage = TokenUsage(0, estimate_tokens(written), estimated=True)
        self._meter.count(usage, self._model.cost_micros(usage))
        failure = str(error) or type(error).__name__
        took = self._since(began)
        self.calls.append(
            Call(
                prompt=request.messages,
                writes=writes,
                model=self.name,
                failure=failure,
                usage=usage,
                milliseconds=took,
            )
        )

    def _since(self, began: float) -> float:
        return round((self._clock.monotonic() - began) * 1000, 1)
