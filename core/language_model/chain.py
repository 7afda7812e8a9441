"""The models of a tier, tried in order until one answers."""

import random
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from itertools import count

import structlog

from core.clock import Clock
from core.errors import AllModelsFailedError, ModelError, ModelRejectedError, ModelUnavailableError
from core.language_model.streams import reading
from core.language_model.types import ChatEvent, ChatRequest, Completion, Delta, Restarted, TokenUsage
from core.ports import ChatModel
from core.values import Tier

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """When a model is asked again, in seconds.

    Only what failed within `quick` is tried again: who waited a minute for nothing should not wait another.
    A server that asks to be left alone for longer than `longest_wait` is. A model that failed for good is
    tried last for the time of `cool_down`.
    """

    attempts: int = 3
    first_wait: float = 0.5
    longest_wait: float = 8.0
    quick: float = 15.0
    cool_down: float = 30.0

    def wait(self, attempt: int, error: ModelError, rng: random.Random) -> float | None:
        """Return how long to wait after failed attempt number `attempt` (from 1), None for no further attempt."""
        if attempt >= self.attempts or isinstance(error, ModelRejectedError):
            return None
        asked = error.retry_after if isinstance(error, ModelUnavailableError) else None
        if asked is not None and asked > self.longest_wait:
            return None
        backoff = min(self.longest_wait, self.first_wait * 2.0 ** (attempt - 1))
        return max(asked or 0.0, backoff * rng.uniform(0.5, 1.0))


class ModelChain:
    """Several models as one (`core.ports.ChatModel`): bounded retries, then the next model."""

    def __init__(
        self,
        *,
        tier: Tier,
        models: Sequence[ChatModel],
        clock: Clock,
        rng: random.Random,
        policy: RetryPolicy | None = None,
    ) -> None:
        if not models:
            raise ValueError("a chain needs at least one model")
        self._tier = tier
        self._models = tuple(models)
        self._clock = clock
        self._rng = rng
        self._policy = policy or RetryPolicy()
        self._cooling: dict[int, float] = {}

    @property
    def name(self) -> str:
        """The name of the model that is asked first."""
        return self._models[0].name

    @property
    def accepts_images(self) -> bool:
        """Whether the model that is asked first takes images; later ones are told that there was one."""
        return self._models[0].accepts_images

    @property
    def can_look_up(self) -> bool:
        """Whether the model that is asked first can."""
        return self._models[0].can_look_up

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return what a call costs at most, whichever of the models is asked in the end."""
        return max(model.cost_micros(usage) for model in self._models)

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        """Yield text, `Restarted` where text is to be forgotten, then one `Finished`."""
        causes: list[ModelError] = []
        has_written = False
        async with aclosing(self._attempts(causes)) as attempts:
            async for model in attempts:
                if has_written:
                    yield Restarted(model.name)
                    has_written = False
                try:
                    async with reading(model.stream(request)) as events:
                        async for event in events:
                            has_written = has_written or isinstance(event, Delta)
                            yield event
                    return
                except ModelError as error:
                    causes.append(error)
        raise AllModelsFailedError(self._tier, tuple(causes))

    async def complete(self, request: ChatRequest) -> Completion:
        """Return the whole answer of the first model that gives one."""
        causes: list[ModelError] = []
        async with aclosing(self._attempts(causes)) as attempts:
            async for model in attempts:
                try:
                    return await model.complete(request)
                except ModelError as error:
                    causes.append(error)
        raise AllModelsFailedError(self._tier, tuple(causes))

    async def _attempts(self, causes: list[ModelError]) -> AsyncGenerator[ChatModel, None]:
        """Yield the model to ask next, waiting first where that is due; the caller adds each failure to `causes`."""
        for index in self._order():
            for attempt in count(1):
                began_at = self._clock.monotonic()
                yield self._models[index]
                wait = self._policy.wait(attempt, causes[-1], self._rng)
                self._note_failure(index, attempt, causes[-1])
                if wait is None or self._clock.monotonic() - began_at > self._policy.quick:
                    break
                await self._clock.sleep(wait)
            if isinstance(causes[-1], ModelUnavailableError):
                self._cooling[index] = self._clock.monotonic() + self._policy.cool_down

    def _order(self) -> list[int]:
        """Return the models in their order, those that failed a moment ago last."""
        now = self._clock.monotonic()
        return sorted(range(len(self._models)), key=lambda index: self._cooling.get(index, 0.0) > now)

    def _note_failure(self, index: int, attempt: int, error: ModelError) -> None:
        _log.warning(
            "model_call_failed",
            tier=self._tier.value,
            model=self._models[index].name,
            attempt=attempt,
            kind=type(error).__name__,
            reason=str(error),
        )
