"""Faults to order: what goes wrong, on which route, how often.

discord.faults.next(SEND_MESSAGE, times=2).server_error(stored=True)
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.discord_server.errors import ApiError, cannot_dm, missing_permissions
from tests.discord_server.journal import Request

Matcher = Callable[[Request], bool]


class Gate:
    """Holds requests back until it is opened; `arrived` counts those that reached it."""

    def __init__(self) -> None:
        self._open = asyncio.Event()
        self._reached = asyncio.Event()
        self.arrived = 0

    def release(self) -> None:
        """Let everything through, now and later."""
        self._open.set()

    async def reached(self, *, within: float = 10.0) -> None:
        """Return once a request is being held."""
        async with asyncio.timeout(within):
            await self._reached.wait()

    async def passed(self) -> None:
        """Wait, as a request does."""
        self.arrived += 1
        self._reached.set()
        await self._open.wait()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What happens to a request. `stored`: the request takes effect first, and only its answer goes wrong."""

    stored: bool = False
    reset: bool = False
    gate: Gate | None = None
    status: int | None = None
    body: dict[str, Any] | str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    via: bool = True

    @property
    def answers(self) -> bool:
        """Whether it replaces the answer (a gate only delays it)."""
        return self.reset or self.status is not None


@dataclass(slots=True, kw_only=True)
class Order:
    """A fault with the route it waits for and how often it still strikes (None: always)."""

    route: str
    where: Matcher
    left: int | None
    fault: Fault


@dataclass(frozen=True, slots=True)
class Next:
    """The second half of an order: what is to go wrong."""

    faults: "Faults"
    route: str
    times: int | None
    where: Matcher

    def rate_limited(self, *, retry_after: float = 0.05, is_global: bool = False) -> None:
        """429 as Discord itself gives it, with a `Via` header and `retry_after` in seconds."""
        scope = "global" if is_global else "user"
        body = {"message": "You are being rate limited.", "retry_after": retry_after, "global": is_global}
        headers = {"Retry-After": str(retry_after), "X-RateLimit-Scope": scope}
        self._place(Fault(status=429, body=body, headers=headers))

    def edge_banned(self) -> None:
        """429 from the edge: no `Via` header, no JSON."""
        self._place(Fault(status=429, body="error code: 1015", headers={"Retry-After": "600"}, via=False))

    def server_error(self, status: int = 500, *, stored: bool = False) -> None:
        """A 5xx, before or after the request took effect."""
        self._place(Fault(status=status, body={"message": f"{status}: Server Error", "code": 0}, stored=stored))

    def reset(self, *, stored: bool = False) -> None:
        """Break the connection with a TCP reset, before or after the request took effect."""
        self._place(Fault(reset=True, stored=stored))

    def held(self, *, stored: bool = False) -> Gate:
        """Hold the request (or, with `stored`, only its answer) until the returned gate is released."""
        gate = Gate()
        self._place(Fault(gate=gate, stored=stored))
        return gate

    def refused(self, error: ApiError) -> None:
        """Answer with an error of Discord's."""
        self._place(Fault(status=error.status, body=error.body()))

    def cannot_dm(self) -> None:
        """403/50007: the user takes no direct messages."""
        self.refused(cannot_dm())

    def missing_permissions(self) -> None:
        """403/50013."""
        self.refused(missing_permissions())

    def opening_dms_too_fast(self) -> None:
        """403/40003: direct messages are opened too fast."""
        self.refused(ApiError(403, 40003, "You are opening direct messages too fast"))

    def _place(self, fault: Fault) -> None:
        self.faults.orders.append(Order(route=self.route, where=self.where, left=self.times, fault=fault))


class Faults:
    """The orders that are still open."""

    def __init__(self) -> None:
        self.orders: list[Order] = []

    def next(self, route: str, *, times: int | None = 1, where: Matcher = lambda _: True) -> Next:
        """Order a fault for the next `times` requests of a route (None: for all) that `where` accepts."""
        return Next(self, route, times, where)

    def take(self, request: Request) -> Fault:
        """Return the fault for a request; one that does nothing where none is ordered."""
        for order in self.orders:
            if order.route == request.route and order.left != 0 and order.where(request):
                if order.left is not None:
                    order.left -= 1
                return order.fault
        return Fault()

    def clear(self) -> None:
        """Drop all orders and open all gates."""
        for order in self.orders:
            if order.fault.gate is not None:
                order.fault.gate.release()
        self.orders.clear()
