"""Messages on their way in: a `discord.Message` becomes an `InboundMessage`. Discord's types stop here."""

from dataclasses import dataclass

import discord

from bot.discord.address import address_of
from bot.discord.attachments import read_attachments
from bot.discord.chains import Chains
from bot.discord.downloads import Downloads
from bot.discord.locales import guild_hint
from bot.discord.partners import Partners
from bot.discord.places import Place
from bot.discord.reading import Reading, speaker
from core.values import Address, Character, InboundMessage, Surface, SurfaceKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbound:
    """Turns messages into what a character takes in.

    Attachments and far ends of reply chains are fetched only for messages that speak to the character or come from
    somebody who lately did: nothing is asked of Discord for talk that is none of its business.
    """

    character: Character
    reading: Reading
    chains: Chains
    partners: Partners
    downloads: Downloads
    accepts_images: bool
    message_content: bool

    async def message(self, message: discord.Message) -> InboundMessage:
        """Return the message with all that belongs to it."""
        surface = surface_of(message.channel)
        text = self.reading.text(message)
        address = self._address(message, surface, text)
        in_thread = self._takes_part(message.channel)
        if address is not Address.NONE:
            self.partners.spoke(surface.channel_id, message.author.id)
        in_full = (
            address is not Address.NONE or in_thread or self.partners.talking(surface.channel_id, message.author.id)
        )
        return InboundMessage(
            id=message.id,
            author=speaker(message),
            surface=surface,
            text=text,
            sent_at=message.created_at,
            address=address,
            reply_chain=await self.chains.of(message, fetch=in_full),
            attachments=await read_attachments(
                message.attachments,
                downloads=self.downloads,
                images=in_full and self.accepts_images,
                texts=in_full,
            ),
            content_hidden=self.is_hidden(message),
            to_others=address is Address.NONE and self._is_to_others(message),
            in_characters_thread=in_thread,
            locale_hint=guild_hint(message.guild),
        )

    def speaks_to_character(self, message: discord.Message) -> bool:
        """Return whether a message speaks to the character directly; nothing is fetched."""
        surface = surface_of(message.channel)
        return self._address(message, surface, self.reading.text(message)) is not Address.NONE

    def _address(self, message: discord.Message, surface: Surface, text: str) -> Address:
        own = self.reading.own_ids(message.guild)
        return address_of(
            private=surface.is_private,
            mentioned=not own.isdisjoint({*message.raw_mentions, *message.raw_role_mentions}),
            answers_character=self._answers(message, own),
            text=text,
            names=(*self.character.call_names, *self.character.display_name.values()),
        )

    def _answers(self, message: discord.Message, own: frozenset[int]) -> bool:
        if message.type is not discord.MessageType.reply:
            return False
        parent = message.reference.resolved if message.reference is not None else None
        if isinstance(parent, discord.Message):
            return parent.author.id in own
        return any(user.id in own for user in message.mentions)

    def is_hidden(self, message: discord.Message) -> bool:
        """Return whether Discord withheld the text: no DM, no mention of the bot, and the intent is off."""
        if self.message_content or message.guild is None or message.content:
            return False
        return all(user.id != self.reading.own_id for user in message.mentions)

    def _is_to_others(self, message: discord.Message) -> bool:
        parent = message.reference.resolved if message.reference is not None else None
        if isinstance(parent, discord.Message) and message.type is discord.MessageType.reply:
            return parent.author.id != message.author.id
        return bool(message.mentions or message.role_mentions or message.mention_everyone)

    def _takes_part(self, channel: Place) -> bool:
        """Return whether this is a thread that the character is in."""
        if not isinstance(channel, discord.Thread):
            return False
        return channel.me is not None or self.partners.takes_part(channel.id)


def surface_of(channel: Place) -> Surface:
    """Return the surface that a channel is."""
    if isinstance(channel, discord.Thread):
        return Surface(
            kind=SurfaceKind.THREAD, channel_id=channel.id, guild_id=channel.guild.id, parent_id=channel.parent_id
        )
    if isinstance(channel, discord.DMChannel | discord.GroupChannel):
        return Surface(kind=SurfaceKind.DM, channel_id=channel.id)
    guild_id = channel.guild_id if isinstance(channel, discord.PartialMessageable) else channel.guild.id
    kind = SurfaceKind.DM if guild_id is None else SurfaceKind.CHANNEL
    return Surface(kind=kind, channel_id=channel.id, guild_id=guild_id)
