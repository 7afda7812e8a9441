"""Logging: structlog to stderr, an event name and ids; secrets masked; libraries held to warnings.

What an exception says may quote what people wrote, so of errors only their kinds and the way they took are logged.
"""

import logging
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from core.clock import Clock, SystemClock

MASK = "***"
_LIBRARIES = (
    "discord",
    "openai",
    "httpx",
    "httpx2",
    "httpcore",
    "httpcore2",
    "aiohttp",
    "aiosqlite",
    "apscheduler",
    "markdown_it",
)
# The driver of PostgreSQL notes every use of a connection, and quotes values in its warnings; what goes wrong reaches
# the program as an error in any case.
_SILENT = ("psycopg",)
# A shorter value would mask innocent words; no real token or key is that short.
_SHORTEST_SECRET = 6


class MaskSecrets:
    """A processor that replaces known secrets in whatever is logged, however deep they sit."""

    def __init__(self, secrets: Iterable[str]) -> None:
        # Longest first, or a secret that begins with another one would leave its end behind.
        self._secrets = sorted((secret for secret in secrets if len(secret) >= _SHORTEST_SECRET), key=len, reverse=True)

    def __call__(self, _logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        """Return the event with every secret masked."""
        return {key: self._clean(value) for key, value in event.items()}

    def mask(self, text: str) -> str:
        """Return the text with every secret masked."""
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return text

    def _clean(self, value: Any) -> Any:  # noqa: ANN401
        match value:
            case str():
                return self.mask(value)
            case Mapping():
                return {key: self._clean(inner) for key, inner in value.items()}
            case list() | tuple():
                return type(value)(self._clean(inner) for inner in value)
            case Exception():
                return self.mask(repr(value))
            case _:
                return value


class Timestamps:
    """A processor that says when something was logged, in UTC."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def __call__(self, _logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        """Return the event with its time."""
        return {**event, "timestamp": self._clock.now().isoformat().replace("+00:00", "Z")}


def configure(
    *,
    level: str = "info",
    form: Literal["text", "json"] = "text",
    secrets: Iterable[str] = (),
    stream: TextIO | None = None,
) -> None:
    """Set up structlog and the standard library's logging; may be called again."""
    out = stream if stream is not None else sys.stderr
    shared = _shared_processors()
    final: list[Processor] = [_tell_where, _cut_short, MaskSecrets(secrets), _renderer(form)]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *final],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in (*_LIBRARIES, *_SILENT):
        library = logging.getLogger(name)
        library.setLevel(logging.CRITICAL if name in _SILENT else logging.WARNING)
        library.handlers.clear()
        library.propagate = True


def _shared_processors() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.PositionalArgumentsFormatter(),
        Timestamps(SystemClock()),
    ]


def _tell_where(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Put the kinds of an exception and its causes, and the lines it came through, in the place of `exc_info`."""
    if (error := _exception(event.pop("exc_info", None))) is not None:
        event["exception"] = "\n".join(_described(error))
    return event


def _exception(exc_info: object) -> BaseException | None:
    match exc_info:
        case BaseException() as error:
            return error
        case (_, BaseException() as error, _):
            return error
        case _:
            return sys.exc_info()[1] if exc_info else None


def _described(error: BaseException) -> Iterator[str]:
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from _described(cause)
        yield "which led to"
    yield "".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__


def _cut_short(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Leave out what asyncio adds below its first line: the task at fault with the text of its exception."""
    if event.get("logger") == "asyncio":
        event["event"] = str(event["event"]).partition("\n")[0]
    return event


def _renderer(form: Literal["text", "json"]) -> Processor:
    if form == "json":
        return structlog.processors.JSONRenderer(ensure_ascii=False, default=str)
    return structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"], drop_missing=True)
