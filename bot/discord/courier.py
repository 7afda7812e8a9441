"""Requests to Discord that outlast the faults discord.py leaves to its caller, and stop where they are unwelcome."""

import random
from collections.abc import Awaitable, Callable
from itertools import count
from typing import TypeVar

import aiohttp
import discord
import structlog

from core.clock import Clock
from core.errors import DeliveryError

CANNOT_DM = 50007
_DMS_TOO_FAST = 40003
# Seconds that discord.py itself waits at most when Discord says to; in slow mode that can be hours.
LONGEST_RATE_LIMIT = 60.0

_T = TypeVar("_T")
_log = structlog.get_logger(__name__)


class ClosedChannels:
    """Channels that answered 403 lately. Asking again would count towards Discord's ban of the address."""

    def __init__(self, *, clock: Clock, seconds: float = 300.0) -> None:
        self._clock = clock
        self._seconds = seconds
        self._until: dict[int, float] = {}

    def close(self, channel_id: int) -> None:
        """Remember a refusal."""
        now = self._clock.monotonic()
        self._until = {key: until for key, until in self._until.items() if until > now}
        self._until[channel_id] = now + self._seconds

    def reopen(self, channel_id: int) -> None:
        """Forget a refusal: permissions changed, or the user wrote."""
        self._until.pop(channel_id, None)

    def __contains__(self, channel_id: int) -> bool:
        """Return whether the channel refused within the last minutes."""
        return self._until.get(channel_id, 0.0) > self._clock.monotonic()


class Courier:
    """Makes requests. Whoever sends a message gives it a nonce, so that a repeated request is the same message."""

    def __init__(self, *, clock: Clock, rng: random.Random, closed: ClosedChannels, attempts: int = 5) -> None:
        self._clock = clock
        self._rng = rng
        self._closed = closed
        self._attempts = attempts

    @property
    def closed(self) -> ClosedChannels:
        """The channels that are not asked for now."""
        return self._closed

    async def call(
        self,
        channel_id: int,
        request: Callable[[], Awaitable[_T]],
        *,
        attempts: int | None = None,
        give_up_at: float | None = None,
    ) -> _T:
        """Make a request about a channel, repeating it where that can help.

        discord.py itself repeats 500, 502, 504, 524 and a 429 that comes from Discord; here it is 503, broken
        connections, time-outs, a 429 from the edge and direct messages that are opened too fast. With `give_up_at`
        (monotonic) that moment is the bound, not a number of attempts; no attempt begins after it.

        Raises:
            DeliveryError: it can't be done; a permission is missing, the target is gone, or no attempt got through.
        """
        if channel_id in self._closed:
            raise DeliveryError(f"channel {channel_id} refused a moment ago")
        most = attempts or self._attempts
        for attempt in count(1):
            try:
                return await request()
            except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError) as error:
                self._note_refusal(channel_id, error)
                wait = self._wait(error, attempt)
                is_last = attempt >= most if give_up_at is None else self._clock.monotonic() + wait >= give_up_at
                if is_last or not _may_pass(error, patient=give_up_at is not None):
                    raise DeliveryError(_said(error)) from error
                _log.info("discord.retry", channel_id=channel_id, attempt=attempt, fault=_said(error), seconds=wait)
            except RuntimeError as error:
                if not is_over(error):
                    raise
                raise DeliveryError("the connection was closed") from error
            await self._clock.sleep(wait)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _note_refusal(self, channel_id: int, error: Exception) -> None:
        """Don't ask a channel that refused again soon."""
        if isinstance(error, discord.Forbidden) and error.code != _DMS_TOO_FAST:
            self._closed.close(channel_id)
            name = "discord.user_unreachable" if error.code == CANNOT_DM else "discord.forbidden"
            _log.info(name, channel_id=channel_id, fault=_said(error))

    def _wait(self, error: Exception, attempt: int) -> float:
        """Return the seconds to wait: doubling, spread out, longer when the edge says so."""
        wait = min(2.0 ** (attempt - 1), 16.0) * self._rng.uniform(0.5, 1.0)
        if isinstance(error, discord.HTTPException) and error.status == 429:
            return max(wait, 2.0 * attempt)
        return wait


def _may_pass(error: Exception, *, patient: bool) -> bool:
    match error:
        case discord.HTTPException():
            # discord.py has made five attempts at the other 5xx by the time they get here: enough, but for the patient.
            passing = error.status in {429, 503} or (patient and error.status >= 500)
            return passing or error.code == _DMS_TOO_FAST
        case discord.DiscordException():
            # Most likely a wait (slow mode) longer than `LONGEST_RATE_LIMIT`.
            return False
        case _:
            return True


def is_over(error: RuntimeError) -> bool:
    """Return whether an error says that the client was closed meanwhile, which aiohttp has no type for."""
    return str(error) == "Session is closed"


def _said(error: Exception) -> str:
    """Return what went wrong without quoting anything that was to be sent."""
    if isinstance(error, discord.HTTPException):
        return f"HTTP {error.status}, code {error.code}"
    return type(error).__name__


async def quietly(request: Awaitable[object]) -> None:
    """Await something nobody misses when it fails."""
    try:
        await request
    except (discord.DiscordException, aiohttp.ClientError, DeliveryError, OSError, TimeoutError):
        _log.debug("discord.ignored_failure")
    except RuntimeError as error:
        if not is_over(error):
            raise
