"""The people, the bot and the place that most tests start with."""

import discord

from tests.discord_server.actors import Person
from tests.discord_server.bots import Bot
from tests.discord_server.model import Channel, Guild
from tests.discord_server.server import DiscordServer
from tests.integration.discord_server.client import Client


class Scene:
    """A server with a bot, a person and a channel."""

    def __init__(self, server: DiscordServer) -> None:
        self.bot: Bot = server.add_bot("Hinata")
        self.alice: Person = server.add_user("alice")
        self.guild: Guild = server.add_guild("Garden", self.bot, self.alice)
        self.channel: Channel = self.guild.add_text_channel("general")


def text_channel(client: Client, channel: Channel) -> discord.TextChannel:
    """Return the client's own view of a channel."""
    found = client.get_channel(channel.id)
    assert isinstance(found, discord.TextChannel)
    return found
