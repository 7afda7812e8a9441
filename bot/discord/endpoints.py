"""Where Discord is. The official addresses, unless the operator names others (a proxy, or a loopback server)."""

import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


def use_endpoints(*, api_base: str | None, gateway: str | None) -> None:
    """Point discord.py at other addresses. It keeps them per process, so this is called once, before connecting."""
    if api_base is not None:
        Route.BASE = api_base.rstrip("/")
    if gateway is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
