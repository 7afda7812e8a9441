"""A bot of three lines, to be run as a process of its own: `python -m … API_BASE GATEWAY TOKEN`."""

import sys

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


def main(api_base: str, gateway: str, token: str) -> None:
    """Repeat what people say."""
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = api_base, yarl.URL(gateway)
    client = discord.AutoShardedClient(intents=discord.Intents.default())

    async def on_message(message: discord.Message) -> None:
        if not message.author.bot:
            await message.channel.send(message.content)

    client.event(on_message)
    client.run(token, log_handler=None)


if __name__ == "__main__":
    main(*sys.argv[1:])
