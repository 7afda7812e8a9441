"""The state of the loopback Discord, and the telling of every change to whoever subscribed."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count

from core.clock import Clock
from tests.discord_server import payloads
from tests.discord_server.errors import unknown
from tests.discord_server.flags import MEMBER_PERMISSIONS, ChannelKind, Intent, Permission
from tests.discord_server.message import Attachment, Message
from tests.discord_server.message_payloads import Viewer
from tests.discord_server.model import App, Channel, Guild, Json, Member, Overwrite, Role, User
from tests.discord_server.signal import Signal

EPOCH = datetime(2015, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something the gateway tells. It reaches bots in `guild` that see `channel`, or only `app` where that is set."""

    name: str
    payload: Callable[[Viewer], Json]
    guild: Guild | None = None
    channel: Channel | None = None
    app: App | None = None


def guild_payload(guild: Guild) -> Callable[[Viewer], Json]:
    """Return what makes GUILD_CREATE's data for a viewer."""
    return lambda viewer: payloads.guild_create(
        guild, viewer.app.user, all_members=bool(viewer.intents & Intent.GUILD_MEMBERS)
    )


class World:
    """Everything there is, by id."""

    def __init__(self, *, clock: Clock, signal: Signal) -> None:
        self.clock = clock
        self.signal = signal
        self.base_url = ""
        self.apps: dict[str, App] = {}
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.posted: list[Message] = []
        self.typing: list[tuple[Channel, User]] = []
        self.loose_files: dict[int, Attachment] = {}
        self._subscribers: list[Callable[[Event], None]] = []
        self._last_id = 0
        self._positions = count()

    def subscribe(self, listener: Callable[[Event], None]) -> None:
        """Have every event told to `listener`."""
        self._subscribers.append(listener)

    def emit(self, event: Event) -> None:
        """Tell the subscribers, then wake those who wait for a condition."""
        for listener in self._subscribers:
            listener(event)
        self.signal.notify()

    def new_id(self, shard: tuple[int, int] = (0, 1)) -> int:
        """Return a snowflake, greater than all before; one that belongs to a shard (its number, and of how many)."""
        index, total = shard
        milliseconds = max(int((self.clock.now() - EPOCH).total_seconds() * 1000), self._last_id >> 22)
        milliseconds += (index - milliseconds) % total
        self._last_id = max(self._last_id + 1, milliseconds << 22)
        return self._last_id

    def add_user(self, name: str, *, is_bot: bool = False, locale: str = "en-US") -> User:
        """Open an account."""
        account = User(id=self.new_id(), name=name.lower(), display_name=name, is_bot=is_bot, locale=locale)
        if is_bot:
            account.name = name
        self.users[account.id] = account
        return account

    def add_app(self, name: str, *, token: str, intents_allowed: Intent) -> App:
        """Register an application with a bot."""
        owner = self.add_user(f"owner-of-{name}")
        app = App(token=token, user=self.add_user(name, is_bot=True), owner=owner, intents_allowed=intents_allowed)
        self.apps[token] = app
        return app

    def add_guild(self, name: str, *, owner: User, locale: str = "en-US", shard: tuple[int, int] = (0, 1)) -> Guild:
        """Found a server with the owner in it."""
        guild = Guild(world=self, id=self.new_id(shard), name=name, owner=owner, locale=locale)
        guild.roles[guild.id] = Role(id=guild.id, name="@everyone", permissions=MEMBER_PERMISSIONS, position=0)
        self.guilds[guild.id] = guild
        self.join(guild, owner)
        return guild

    def join(self, guild: Guild, user: User, *, roles: list[Role] | None = None, nick: str | None = None) -> Member:
        """Let a user into a server; a bot is told about the server, the others about the member."""
        member = Member(user=user, joined_at=self.clock.now(), roles=roles or [], nick=nick)
        guild.members[user.id] = member
        app = self.app_of(user)
        if app is not None:
            self.emit(Event(name="GUILD_CREATE", payload=guild_payload(guild), guild=guild, app=app))
        self.emit(
            Event(
                name="GUILD_MEMBER_ADD",
                payload=lambda _: payloads.member(member) | {"guild_id": str(guild.id)},
                guild=guild,
            )
        )
        return member

    def leave(self, guild: Guild, user: User) -> None:
        """Remove a user from a server."""
        app = self.app_of(user)
        if app is not None:
            self.emit(Event(name="GUILD_DELETE", payload=lambda _: {"id": str(guild.id)}, guild=guild, app=app))
        guild.members.pop(user.id, None)
        gone: Json = {"guild_id": str(guild.id), "user": payloads.user(user)}
        self.emit(Event(name="GUILD_MEMBER_REMOVE", payload=lambda _: gone, guild=guild))

    def add_role(self, guild: Guild, name: str, permissions: Permission) -> Role:
        """Create a role."""
        role = Role(id=self.new_id(), name=name, permissions=permissions, position=len(guild.roles))
        guild.roles[role.id] = role
        told: Json = {"guild_id": str(guild.id), "role": payloads.role(role)}
        self.emit(Event(name="GUILD_ROLE_CREATE", payload=lambda _: told, guild=guild))
        return role

    def add_channel(
        self,
        guild: Guild,
        name: str,
        *,
        kind: ChannelKind = ChannelKind.TEXT,
        overwrites: list[Overwrite] | None = None,
    ) -> Channel:
        """Create a text channel or a forum."""
        channel = Channel(
            world=self,
            id=self.new_id(),
            kind=kind,
            name=name,
            guild=guild,
            position=next(self._positions),
            overwrites=overwrites or [],
        )
        self._keep(channel)
        self.emit_channel("CHANNEL_CREATE", channel)
        return channel

    def add_thread(
        self, parent: Channel, name: str, *, owner: User, private: bool = False, thread_id: int | None = None
    ) -> Channel:
        """Start a thread; one that grows from a message has the message's id."""
        thread = Channel(
            world=self,
            id=thread_id or self.new_id(),
            kind=ChannelKind.PRIVATE_THREAD if private else ChannelKind.PUBLIC_THREAD,
            name=name,
            guild=parent.guild,
            parent=parent,
            owner=owner,
            created_at=self.clock.now(),
            thread_members={owner.id},
        )
        self._keep(thread)
        self.emit_channel("THREAD_CREATE", thread, newly_created=True)
        return thread

    def emit_channel(self, name: str, channel: Channel, **extra: object) -> None:
        """Tell about a channel or thread."""
        self.emit(
            Event(
                name=name,
                payload=lambda viewer: payloads.channel(channel, viewer.app.user) | extra,
                guild=channel.guild,
                # Bots are told of all channels of a server, also of those they can't look into; not so of threads.
                channel=channel if channel.is_thread else None,
            )
        )

    def delete_channel(self, channel: Channel) -> None:
        """Remove a channel or thread and what was said in it."""
        self.emit_channel("THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", channel)
        self.channels.pop(channel.id, None)
        if channel.guild is not None:
            channel.guild.channels.pop(channel.id, None)

    def dm_between(self, one: User, other: User) -> Channel:
        """Return the direct-message channel of two users, opening it when there is none."""
        for channel in self.channels.values():
            if channel.is_dm and set(channel.recipients) == {one, other}:
                return channel
        channel = Channel(world=self, id=self.new_id(), kind=ChannelKind.DM, recipients=(one, other))
        self._keep(channel)
        return channel

    def share_guild(self, one: User, other: User) -> bool:
        """Return whether two users are in a server together."""
        return any(one.id in guild.members and other.id in guild.members for guild in self.guilds.values())

    def app_of(self, user: User) -> App | None:
        """Return the application whose bot this is."""
        return next((app for app in self.apps.values() if app.user is user), None)

    def guild(self, guild_id: str | int) -> Guild:
        """Return a server or raise 10004."""
        try:
            return self.guilds[int(guild_id)]
        except (KeyError, ValueError):
            raise unknown("Guild") from None

    def channel(self, channel_id: str | int) -> Channel:
        """Return a channel or raise 10003."""
        try:
            return self.channels[int(channel_id)]
        except (KeyError, ValueError):
            raise unknown("Channel") from None

    def file(self, file_id: int) -> Attachment | None:
        """Return a stored file: of a message that still exists, or given to a command."""
        for channel in self.channels.values():
            for message in channel.messages.values():
                for attachment in message.attachments:
                    if attachment.id == file_id:
                        return attachment
        return self.loose_files.get(file_id)

    def _keep(self, channel: Channel) -> None:
        self.channels[channel.id] = channel
        if channel.guild is not None:
            channel.guild.channels[channel.id] = channel
