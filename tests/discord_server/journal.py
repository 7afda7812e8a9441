"""What was asked of the REST API: every request with its answer's status."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.discord_server.model import App, Json

UNKNOWN_ROUTE = "?"


@dataclass(slots=True, eq=False, kw_only=True)
class Request:
    """One request. `route` is the template (`POST /channels/{channel_id}/messages`), `status` None until answered.

    `status` is 0 when the connection was broken instead of answered.
    """

    method: str
    path: str
    route: str
    params: dict[str, str]
    query: dict[str, str]
    body: Any
    files: tuple[str, ...]
    app: App | None
    at: datetime
    status: int | None = None
    answer: Json | list[Any] | None = field(default=None, repr=False)


class Journal:
    """All requests, in order of arrival, and the errors of the server's own code."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.crashes: list[Exception] = []

    def of(self, route: str, *, app: App | None = None) -> list[Request]:
        """Return the requests for a route, of one bot where given."""
        return [one for one in self.requests if one.route == route and app in {None, one.app}]

    def unserved(self) -> list[str]:
        """Return the requests to routes that this server does not have."""
        return [f"{one.method} {one.path}" for one in self.requests if one.route == UNKNOWN_ROUTE]

    def invalid(self) -> int:
        """Return how many requests Discord counts towards its ban of an address (401, 403, 429)."""
        return sum(1 for one in self.requests if one.status in {401, 403, 429})
