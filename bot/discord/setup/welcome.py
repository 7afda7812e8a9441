"""A short welcome on a new server, once, to whoever invited the character."""

from datetime import timedelta

import discord
import structlog

from bot.discord.courier import Courier
from bot.discord.locales import guild_hint
from bot.discord.places import may_write
from bot.discord.setup.items import setup_button, view_of
from core.clock import Clock
from core.errors import DeliveryError
from core.ports import Stores
from core.values import Character, Locale
from prompts.messages import Messages

_RECENTLY = timedelta(days=1)
_LOOKED_THROUGH = 20
_SILENT = discord.AllowedMentions.none()

_log = structlog.get_logger(__name__)


class Welcome:
    """Greets new servers of one character."""

    def __init__(
        self,
        *,
        client: discord.Client,
        character: Character,
        stores: Stores,
        messages: Messages,
        courier: Courier,
        clock: Clock,
    ) -> None:
        self._client = client
        self._character = character
        self._stores = stores
        self._messages = messages
        self._courier = courier
        self._clock = clock

    async def greet_new(self) -> None:
        """Greet the servers that the character was invited to while it was away."""
        since = self._clock.now() - _RECENTLY
        for guild in list(self._client.guilds):
            own: discord.Member | None = guild.me
            if own is not None and own.joined_at is not None and own.joined_at >= since:
                await self.greet(guild)

    async def greet(self, guild: discord.Guild) -> None:
        """Greet a server, unless that was done: whoever invited the character, else all who read a channel.

        Where neither can be reached, its owner is written to.
        """
        if not await self._stores.guilds.claim_welcome(guild.id, self._character.name):
            return
        inviter = await self._inviter(guild)
        locale = await self._locale(guild, inviter)
        ways = [(self._direct, inviter), (self._in_channel, None), (self._direct, guild.owner_id)]
        for way, person in ways:
            if await way(guild, person, locale):
                _log.info("welcome.told", character=self._character.name, guild_id=guild.id, way=way.__name__[1:])
                return
        _log.info("welcome.nobody", character=self._character.name, guild_id=guild.id)

    async def _inviter(self, guild: discord.Guild) -> int | None:
        """Return who invited the character, where it may look that up."""
        own: discord.Member | None = guild.me
        if own is None or not own.guild_permissions.view_audit_log:
            return None
        try:
            async for entry in guild.audit_logs(limit=_LOOKED_THROUGH, action=discord.AuditLogAction.bot_add):
                if entry.target is not None and getattr(entry.target, "id", None) == own.id:
                    return entry.user_id
        except discord.HTTPException:
            return None
        return None

    async def _locale(self, guild: discord.Guild, inviter: int | None) -> Locale:
        profile = None if inviter is None else await self._stores.users.get(inviter)
        known = None if profile is None else profile.locale or profile.seen_locale
        chosen = (await self._stores.guilds.get(guild.id)).locale  # another character may have been there before
        return known or chosen or guild_hint(guild) or self._character.locale

    async def _direct(self, guild: discord.Guild, user_id: int | None, locale: Locale) -> bool:
        """Write to a person; those who opted out are left alone."""
        if user_id is None or (await self._stores.users.get(user_id)).opted_out:
            return False
        text = self._text("welcome.direct", guild, locale)
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            await self._courier.call(
                channel.id, lambda: channel.send(text, allowed_mentions=_SILENT, nonce=_nonce(guild))
            )
        except (DeliveryError, discord.HTTPException):
            return False
        return True

    async def _in_channel(self, guild: discord.Guild, _user_id: int | None, locale: Locale) -> bool:
        """Write where it may: in the channel for such messages, else in the first one."""
        places = [guild.system_channel, *sorted(guild.text_channels, key=lambda one: (one.position, one.id))]
        place = next((one for one in places if one is not None and may_write(one)), None)
        if place is None:
            return False
        text = self._text("welcome.channel", guild, locale)
        button = setup_button(
            "open", self._messages.text("welcome.open", locale), emoji="🛠️", style=discord.ButtonStyle.primary
        )
        try:
            await self._courier.call(
                place.id,
                lambda: place.send(text, view=view_of(button), allowed_mentions=_SILENT, nonce=_nonce(guild)),
            )
        except DeliveryError:
            return False
        return True

    def _text(self, key: str, guild: discord.Guild, locale: Locale) -> str:
        name = self._character.display_name.get(locale, self._character.name)
        return self._messages.text(key, locale, name=name, server=discord.utils.escape_markdown(guild.name))


def _nonce(guild: discord.Guild) -> str:
    """Return what makes a repeated request the same message."""
    return f"hello{guild.id}"
