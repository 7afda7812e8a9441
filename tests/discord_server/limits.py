"""Rate-limit buckets: per route and major parameter, told in `X-RateLimit-*` headers."""

import hashlib
import math
from dataclasses import dataclass

from core.clock import Clock

MAJOR_PARAMETERS = ("channel_id", "guild_id", "webhook_id", "application_id")


@dataclass(frozen=True, slots=True)
class Allowance:
    """So many requests within so many seconds."""

    limit: int
    window: float


# Wide enough that no test waits for it unless it sets a narrower one.
UNHURRIED = Allowance(1000, 1.0)


@dataclass(slots=True)
class Bucket:
    """The requests counted in the present window."""

    started: float
    used: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the bucket says to one request."""

    headers: dict[str, str]
    retry_after: float | None


class Limits:
    """Counts requests; `set` narrows a route."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._allowances: dict[str, Allowance] = {}
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def set(self, route: str, *, limit: int, window: float) -> None:
        """Allow `limit` requests in `window` seconds for a route and each of its channels, servers, webhooks."""
        self._allowances[route] = Allowance(limit, window)

    def count(self, route: str, params: dict[str, str]) -> Verdict:
        """Count a request and say whether it is one too many."""
        allowance = self._allowances.get(route, UNHURRIED)
        now = self._clock.monotonic()
        major = "+".join(params[name] for name in MAJOR_PARAMETERS if name in params)
        bucket = self._buckets.setdefault((route, major), Bucket(now))
        if now - bucket.started >= allowance.window:
            bucket.started, bucket.used = now, 0
        left = bucket.started + allowance.window - now
        exceeded = bucket.used >= allowance.limit
        if not exceeded:
            bucket.used += 1
        headers = {
            "X-RateLimit-Limit": str(allowance.limit),
            "X-RateLimit-Remaining": str(allowance.limit - bucket.used),
            "X-RateLimit-Reset": f"{self._clock.now().timestamp() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": hashlib.md5(route.encode(), usedforsecurity=False).hexdigest(),
        }
        return Verdict(headers=headers, retry_after=math.ceil(left * 1000) / 1000 if exceeded else None)
