"""Logging: structlog to stderr, an event name and ids; secrets masked; libraries held to warnings.

What an exception says may quote what people wrote, so of errors only their kinds and the way they took are logged.
"""

import logging
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from bot.masking import Mask
from core.clock import Clock, SystemClock

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


class MaskSecrets:
    """A processor that replaces known secrets in whatever is logged, however deep they sit."""

    def __init__(self, mask: Mask) -> None:
        self._mask = mask

    def __call__(self, _logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        """Return the event with every secret masked."""
        return {self._mask(key): self._clean(value) for key, value in event.items()}

    def _clean(self, value: Any) -> Any:  # noqa: ANN401
        match value:
            case str():
                return self._mask(value)
            case Mapping():
                return {self._clean(key): self._clean(inner) for key, inner in value.items()}
            case list() | tuple() | set() | frozenset():
                return [self._clean(inner) for inner in value]
            case None | bool() | int() | float():
                return value
            case _:
                return self._mask(repr(value) if isinstance(value, BaseException | bytes) else str(value))


class _Handler(logging.StreamHandler[TextIO]):
    """Writes lines, masked once more as a whole: nothing that was put together on the way gets past."""

    def __init__(self, stream: TextIO, mask: Mask) -> None:
        super().__init__(stream)
        self._mask = mask

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return self._mask(super().format(record))

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        """Say that a line is missing; what was to stand in it, which the library would show, may be anybody's words."""
        with suppress(OSError, ValueError):
            self.stream.write(f"a line of {self._mask(record.name)} could not be logged\n")


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
    shared, mask = _shared_processors(), Mask(secrets)
    final: list[Processor] = [_tell_where, _cut_short, MaskSecrets(mask), _renderer(form)]
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = _Handler(out, mask)
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
