"""Stand-ins for Discord: a channel that fails on order, and messages built from payloads as the gateway sends them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from typing import Any, cast

import aiohttp
import discord

# discord.py takes only ids of at least 15 digits for ids in a text.
SELF_ID = 900_000_000_000_000_000
OWN_ROLE = 900_000_000_000_000_001
MODS = 900_000_000_000_000_002
ALICE = 100_000_000_000_000_001
BOB = 100_000_000_000_000_002
GUILD = 700_000_000_000_000_000
CHANNEL = 700_000_000_000_000_001
THREAD = 700_000_000_000_000_002


@dataclass
class FakeResponse:
    """What discord.py's errors look at."""

    status: int
    reason: str = "because"
    headers: dict[str, str] = field(default_factory=dict)


def http_error(status: int, code: int = 0) -> discord.HTTPException:
    """Return the error discord.py raises for a status."""
    kinds = {403: discord.Forbidden, 404: discord.NotFound, 503: discord.DiscordServerError}
    kind = kinds.get(status, discord.HTTPException)
    response = cast("aiohttp.ClientResponse", FakeResponse(status))
    return kind(response, {"code": code, "message": "refused"})


@dataclass
class FakeMessage:
    """A message that was sent."""

    channel: "FakeChannel"
    id: int
    content: str
    options: dict[str, Any]
    deleted: bool = False
    contents: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.contents.append(self.content)

    @property
    def view(self) -> discord.ui.View | None:
        """The buttons it has now."""
        found: discord.ui.View | None = self.options.get("view")
        return found

    async def edit(self, **options: Any) -> "FakeMessage":
        self.channel.happen("edit")
        self.options |= options
        self.content = options["content"]
        self.contents.append(self.content)
        return self

    async def delete(self) -> None:
        self.channel.happen("delete")
        self.deleted = True


@dataclass
class FakeChannel:
    """A channel. `faults` holds, by kind of request, what goes wrong with the next ones; None: nothing.

    A fault with `stored` takes effect first. Nonces are enforced, as Discord does.
    """

    id: int = CHANNEL
    sent: list[FakeMessage] = field(default_factory=list)
    faults: dict[str, list[Exception | None]] = field(default_factory=dict)
    stored: bool = False
    requests: list[str] = field(default_factory=list)
    _by_nonce: dict[str, FakeMessage] = field(default_factory=dict)
    _ids: Iterator[int] = field(default_factory=lambda: count(1000))

    @property
    def standing(self) -> list[str]:
        """The texts of the messages that were not deleted."""
        return [message.content for message in self.sent if not message.deleted]

    def happen(self, kind: str) -> None:
        """Count a request, and fail where that is ordered."""
        self.requests.append(kind)
        waiting = self.faults.get(kind)
        fault = waiting.pop(0) if waiting else None
        if fault is not None:
            raise fault

    async def send(self, content: str, **options: Any) -> FakeMessage:
        if self.stored:
            message = self._store(content, options)
            self.happen("send")
            return message
        self.happen("send")
        return self._store(content, options)

    async def typing(self) -> None:
        self.happen("typing")

    def _store(self, content: str, options: dict[str, Any]) -> FakeMessage:
        known = self._by_nonce.get(options["nonce"])
        if known is not None:
            return known
        message = FakeMessage(self, next(self._ids), content, options)
        self._by_nonce[options["nonce"]] = message
        self.sent.append(message)
        return message


class World:
    """A client that never connects, with a server, a thread, a channel of direct messages and two people."""

    def __init__(self, *, features: tuple[str, ...] = (), preferred_locale: str = "en-US") -> None:
        self.client = discord.Client(intents=discord.Intents.default())
        self.state = self.client._connection
        self.state.user = discord.ClientUser(state=self.state, data=_user(SELF_ID, "Hinata", bot=True))  # type: ignore[arg-type]
        self.guild = discord.Guild(state=self.state, data=_guild(features, preferred_locale))  # type: ignore[arg-type]
        self.state._add_guild(self.guild)
        self.dm = discord.DMChannel(
            me=self.state.user,
            state=self.state,
            data=cast("Any", {"id": "80", "type": 1, "recipients": [_user(ALICE, "Alice")]}),
        )
        self._ids = count(discord.utils.time_snowflake(datetime.fromisoformat(NOW)))

    @property
    def channel(self) -> discord.TextChannel:
        """The server's channel."""
        found = self.guild.get_channel(CHANNEL)
        assert isinstance(found, discord.TextChannel)
        return found

    def thread(self, *, joined: bool) -> discord.Thread:
        """Return a thread of the channel."""
        member = {"member": {"id": str(THREAD), "user_id": str(SELF_ID), "join_timestamp": NOW, "flags": 0}}
        data = {
            "id": str(THREAD),
            "guild_id": str(GUILD),
            "parent_id": str(CHANNEL),
            "owner_id": str(ALICE),
            "name": "plans",
            "type": 11,
            "message_count": 0,
            "member_count": 1,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 60,
                "archive_timestamp": NOW,
                "locked": False,
            },
            **(member if joined else {}),
        }
        return discord.Thread(guild=self.guild, state=self.state, data=data)  # type: ignore[arg-type]

    def message(self, content: str = "", *, where: Any = None, author: int = ALICE, **extra: Any) -> discord.Message:
        """Return a message as the gateway told it; `extra` are further fields of its payload."""
        channel = where or self.channel
        names = {ALICE: "Alice", BOB: "Bob", SELF_ID: "Hinata"}
        data = {
            "id": str(next(self._ids)),
            "channel_id": str(channel.id),
            "author": _user(author, names[author], bot=author == SELF_ID),
            "content": content,
            "timestamp": NOW,
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": [],
            "pinned": False,
            "type": 0,
            **extra,
        }
        if channel is not self.dm:
            data["guild_id"] = str(GUILD)
        return self.state.create_message(channel=channel, data=data)  # type: ignore[arg-type]

    def reply(self, to: discord.Message, content: str = "", **extra: Any) -> discord.Message:
        """Return a reply to a message that Discord resolved."""
        reference = {"message_id": str(to.id), "channel_id": str(to.channel.id), "guild_id": str(GUILD)}
        message = self.message(content, type=19, message_reference=reference, **extra)
        assert message.reference is not None
        message.reference.resolved = to
        return message


NOW = "2026-03-01T12:00:00+00:00"


def mention(user_id: int, name: str) -> dict[str, Any]:
    """Return an entry of a message's `mentions`."""
    return _user(user_id, name)


def attachment(name: str, media_type: str | None, size: int = 10) -> dict[str, Any]:
    """Return an entry of a message's `attachments`."""
    return {
        "id": "5",
        "filename": name,
        "content_type": media_type,
        "size": size,
        "url": f"https://cdn.discordapp.com/attachments/1/5/{name}",
        "proxy_url": f"https://media.discordapp.net/attachments/1/5/{name}",
    }


def has_stop_button(message: FakeMessage) -> bool:
    """Return whether a sent message says that it is not finished."""
    return message.view is not None and any(
        str(getattr(item, "custom_id", "")).startswith("stop:") for item in message.view.children
    )


def _user(user_id: int, name: str, *, bot: bool = False) -> dict[str, Any]:
    return {
        "id": str(user_id),
        "username": name.lower(),
        "global_name": name,
        "discriminator": "0",
        "avatar": None,
        "bot": bot,
    }


def _guild(features: tuple[str, ...], preferred_locale: str) -> dict[str, Any]:
    everyone = {
        "id": str(GUILD),
        "name": "@everyone",
        "permissions": str(discord.Permissions.all().value),
        "position": 0,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
    own = {**everyone, "id": str(OWN_ROLE), "name": "Hinata", "managed": True, "tags": {"bot_id": str(SELF_ID)}}
    mods = {**everyone, "id": str(MODS), "name": "mods"}
    channel = {
        "id": str(CHANNEL),
        "type": 0,
        "name": "general",
        "position": 0,
        "permission_overwrites": [],
        "parent_id": None,
        "nsfw": False,
    }
    return {
        "id": str(GUILD),
        "name": "Garden",
        "owner_id": str(ALICE),
        "roles": [everyone, own, mods],
        "channels": [channel],
        "members": [],
        "emojis": [],
        "stickers": [],
        "features": list(features),
        "preferred_locale": preferred_locale,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_progress_bar_enabled": False,
        "system_channel_flags": 0,
        "afk_timeout": 0,
    }
