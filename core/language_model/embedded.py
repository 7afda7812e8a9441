"""The embedded chat model: started when first needed, restarted when it crashed, one request at a time."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import structlog

from core.clock import Clock
from core.errors import ModelError, ModelUnavailableError
from core.language_model.client import OpenAIChatModel
from core.language_model.deadline import within
from core.language_model.endpoint import Endpoint, Timeouts
from core.language_model.sidecar import Sidecar, SidecarOptions, launch
from core.language_model.streams import collect, reading
from core.language_model.types import ChatEvent, ChatRequest, Completion, TokenUsage

_SECONDS_TO_NOTICE_A_DEATH = 2.0
_FIRST_BACKOFF, _LONGEST_BACKOFF = 1.0, 60.0
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Running:
    sidecar: Sidecar
    model: OpenAIChatModel


class EmbeddedModel:
    """A GGUF file served by a process of its own (`core.ports.ChatModel`); a crash there never reaches the bot."""

    def __init__(
        self, *, options: SidecarOptions, clock: Clock, timeouts: Timeouts | None = None, can_look_up: bool = False
    ) -> None:
        """Take how it is run; `can_look_up` of weights that are somebody's own choice."""
        self._options = options
        self._can_look_up = can_look_up
        self._clock = clock
        self._timeouts = timeouts or Timeouts()
        self._place = asyncio.Lock()
        self._running: _Running | None = None
        self._launching: asyncio.Task[None] | None = None
        self._failures = 0
        self._rests_until = 0.0
        self._closed = False

    @property
    def name(self) -> str:
        """The name of the file, without its ending."""
        return self._options.gguf.stem

    @property
    def accepts_images(self) -> bool:
        """It takes text only."""
        return False

    @property
    def can_look_up(self) -> bool:
        """Not with the weights that come with the program: they point at a message where none answers, too."""
        return self._can_look_up

    @property
    def context_tokens(self) -> int:
        """How many tokens prompt and answer may have together."""
        return self._options.context_tokens

    @property
    def pid(self) -> int | None:
        """The id of the process, None while there is none."""
        return self._running.sidecar.process.pid if self._running else None

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return 0: it costs nothing but the machine's time."""
        del usage
        return 0

    async def warm_up(self, request: ChatRequest | None = None) -> None:
        """Start the process ahead of the first request; with a request, also read its prompt into the cache.

        A failure is logged and left to the first real request to report.
        """
        try:
            if request is not None:
                await self.complete(request)
                return
            async with self._place:
                await (await self._model()).prepare()
        except ModelError as error:
            _log.warning("embedded_model_not_warm", kind=type(error).__name__, reason=str(error))

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        """Yield text as it is written, then exactly one `Finished`."""
        async with self._place:
            has_written = False
            while True:
                model = await self._model()
                try:
                    async with reading(model.stream(request)) as events:
                        async for event in events:
                            has_written = True
                            yield event
                    self._failures = 0
                    return
                except ModelUnavailableError:
                    if not await self._has_died() or has_written:
                        raise

    async def complete(self, request: ChatRequest) -> Completion:
        """Return the whole answer at once."""
        return await collect(self.stream(request))

    async def aclose(self) -> None:
        """End the process; requests under way fail, later ones are refused."""
        self._closed = True
        if self._launching is not None:
            self._launching.cancel()
            await asyncio.gather(self._launching, return_exceptions=True)
        await self._stop()

    async def _model(self) -> OpenAIChatModel:
        """Return a client of the running process, which is started if there is none."""
        if self._running is not None and not self._running.sidecar.is_alive:
            await self._bury()
        while self._running is None:
            if self._closed:
                raise ModelUnavailableError("the embedded model was shut down")
            await self._launched()
        return self._running.model

    async def _launched(self) -> None:
        """Wait for the start. Who stops waiting does not stop it: the next request will want the model too."""
        if self._launching is None:
            self._launching = asyncio.create_task(self._start())
        launching = self._launching
        await asyncio.wait({launching})
        self._launching = None
        if not launching.cancelled():
            launching.result()

    async def _start(self) -> None:
        pause = self._rests_until - self._clock.monotonic()
        if pause > 0:
            raise ModelUnavailableError(f"the embedded model failed; next try in {pause:.0f} s", retry_after=pause)
        began_at = self._clock.monotonic()
        try:
            sidecar = await launch(self._options, self._clock)
        except ModelError:
            self._back_off()
            raise
        seconds = round(self._clock.monotonic() - began_at, 2)
        _log.info("embedded_model_started", model=self.name, pid=sidecar.process.pid, seconds=seconds)
        endpoint = Endpoint(base_url=sidecar.url, model=self.name, api_key=sidecar.key, timeouts=self._timeouts)
        self._running = _Running(sidecar, OpenAIChatModel(endpoint, clock=self._clock))

    async def _has_died(self) -> bool:
        """Return whether the process is gone; a death shows in its sockets a little before the loop hears of it."""
        running = self._running
        if running is None:
            return True
        try:
            await within(self._clock, _SECONDS_TO_NOTICE_A_DEATH, running.sidecar.process.wait())
        except TimeoutError:
            return False
        await self._bury()
        return True

    async def _bury(self) -> None:
        """Let go of a process that ended on its own."""
        if self._running is not None and not self._closed:
            code = self._running.sidecar.process.returncode
            _log.warning("embedded_model_crashed", model=self.name, exit_code=code, failures=self._failures)
        self._back_off()
        await self._stop()

    def _back_off(self) -> None:
        """After the first failure the next start is at once, after further ones later and later."""
        if self._failures:
            pause = min(_LONGEST_BACKOFF, _FIRST_BACKOFF * 2.0 ** (self._failures - 1))
            self._rests_until = self._clock.monotonic() + pause
        self._failures += 1

    async def _stop(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            await running.model.aclose()
            await running.sidecar.stop(self._options, self._clock)
