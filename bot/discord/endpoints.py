"""What is set once for all of discord.py: where Discord is, and that nobody needs voice."""

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


def without_voice() -> None:
    """Keep discord.py from warning that libraries for voice are missing: nobody speaks aloud here."""
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False


def use_endpoints(*, api_base: str | None, gateway: str | None) -> None:
    """Point discord.py at other addresses. It keeps them per process, so this is called once, before connecting."""
    if api_base is not None:
        Route.BASE = api_base.rstrip("/")
    if gateway is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
