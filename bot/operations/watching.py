"""Everything that looks after a running program, opened and closed together."""

import logging
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial

import structlog

from bot.operations.disk import database_bytes
from bot.operations.metrics import Metrics
from bot.operations.notices import ErrorsToNotices, Notices, of_cap
from bot.operations.status_file import kept
from bot.operations.vitals import Vitals
from bot.operations.web import serve
from bot.settings import Settings
from core.clock import Clock
from core.ports import CapWarning

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What is known of the running program, and what its operator is to be told; None where they named no channel."""

    vitals: Vitals
    notices: Notices | None


@asynccontextmanager
async def watching(settings: Settings, clock: Clock) -> AsyncIterator[Watch]:
    """Write down how the program is, serve it over HTTP where that is wanted, and make notices of errors.

    Raises:
        StartError: The address for HTTP can't be used.
    """
    notices = Notices(clock) if settings.operator_channel is not None else None

    def warn(warning: CapWarning) -> None:
        if notices is not None:
            notices.put(of_cap(warning))

    vitals = Vitals(clock=clock, pid=os.getpid(), metrics=Metrics(), warn=warn)
    vitals.metrics.watch(vitals.status, partial(database_bytes, settings.database))
    async with AsyncExitStack() as stack:
        if settings.http_port:
            port = await stack.enter_async_context(serve(vitals, host=settings.http_host, port=settings.http_port))
            _log.info("http.listening", host=settings.http_host, port=port)
        if notices is not None:
            handler = ErrorsToNotices(notices)
            logging.getLogger().addHandler(handler)
            stack.callback(logging.getLogger().removeHandler, handler)
        await stack.enter_async_context(kept(settings.status_path, vitals.status, clock))
        yield Watch(vitals=vitals, notices=notices)
