"""Who and where in the loopback Discord: users, applications, servers, channels. State only, no I/O."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from tests.discord_server.flags import (
    ALL_PERMISSIONS,
    MEMBER_PERMISSIONS,
    NO_PERMISSIONS,
    ChannelKind,
    Intent,
    Permission,
)

if TYPE_CHECKING:
    from tests.discord_server.message import Message
    from tests.discord_server.world import World

Json = dict[str, Any]


class HasUser(Protocol):
    """A person or bot as tests hold it."""

    @property
    def user(self) -> User:
        """The account."""


@dataclass(slots=True, eq=False, kw_only=True)
class User:
    """An account, of a person or of a bot. `dms_open` false: refuses direct messages (50007)."""

    id: int
    name: str
    display_name: str
    is_bot: bool = False
    locale: str = "en-US"
    dms_open: bool = True

    @property
    def mention(self) -> str:
        """The text that mentions the user."""
        return f"<@{self.id}>"


@dataclass(slots=True, eq=False, kw_only=True)
class App:
    """A bot's application. `commands` by server id, None for the global ones."""

    token: str
    user: User
    owner: User
    intents_allowed: Intent
    commands: dict[int | None, list[Json]] = field(default_factory=dict)
    presence: Json | None = None

    @property
    def id(self) -> int:
        """The application's id, which is its bot's user id."""
        return self.user.id


@dataclass(slots=True, eq=False, kw_only=True)
class Role:
    """A role of a server."""

    id: int
    name: str
    permissions: Permission = NO_PERMISSIONS
    position: int = 1


@dataclass(slots=True, eq=False, kw_only=True)
class Member:
    """A user in a server."""

    user: User
    joined_at: datetime
    nick: str | None = None
    roles: list[Role] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Overwrite:
    """A channel's exception for a role (`is_member` false) or a member."""

    target_id: int
    is_member: bool
    allow: Permission = NO_PERMISSIONS
    deny: Permission = NO_PERMISSIONS


@dataclass(slots=True, eq=False, kw_only=True)
class Guild:
    """A server. Changes go through its methods, so that connected bots are told."""

    world: World = field(repr=False)
    id: int
    name: str
    owner: User
    locale: str = "en-US"
    roles: dict[int, Role] = field(default_factory=dict, repr=False)
    members: dict[int, Member] = field(default_factory=dict, repr=False)
    channels: dict[int, Channel] = field(default_factory=dict, repr=False)
    system_channel: Channel | None = field(default=None, repr=False)
    invitations: list[tuple[int, User, User]] = field(default_factory=list, repr=False)

    @property
    def everyone(self) -> Role:
        """The role every member has; its id is the server's."""
        return self.roles[self.id]

    def permissions_of(self, user: User) -> Permission:
        """Return the user's permissions in the server, before any channel's exceptions."""
        if user is self.owner:
            return ALL_PERMISSIONS
        member = self.members.get(user.id)
        if member is None:
            return NO_PERMISSIONS
        total = self.everyone.permissions
        for role in member.roles:
            total |= role.permissions
        return ALL_PERMISSIONS if total & Permission.ADMINISTRATOR else total

    def add_text_channel(self, name: str = "general") -> Channel:
        """Create a text channel."""
        return self.world.add_channel(self, name)

    def add_forum(self, name: str = "forum") -> Channel:
        """Create a forum."""
        return self.world.add_channel(self, name, kind=ChannelKind.FORUM)

    def add_role(self, name: str, permissions: Permission = NO_PERMISSIONS) -> Role:
        """Create a role."""
        return self.world.add_role(self, name, permissions)

    def join(self, who: HasUser, *roles: Role, nick: str | None = None, invited_by: HasUser | None = None) -> Member:
        """Let somebody in; who invited a bot stands in the audit log."""
        if invited_by is not None:
            self.invitations.append((self.world.new_id(), invited_by.user, who.user))
        return self.world.join(self, who.user, roles=list(roles), nick=nick)

    def leave(self, who: HasUser) -> None:
        """Remove somebody."""
        self.world.leave(self, who.user)


@dataclass(slots=True, eq=False, kw_only=True)
class Channel:
    """A text channel, thread or direct-message channel; `messages` holds those that are not deleted."""

    world: World = field(repr=False)
    id: int
    kind: ChannelKind
    name: str = ""
    guild: Guild | None = None
    parent: Channel | None = None
    recipients: tuple[User, ...] = ()
    overwrites: list[Overwrite] = field(default_factory=list)
    topic: str | None = None
    position: int = 0
    owner: User | None = None
    created_at: datetime | None = None
    archived: bool = False
    locked: bool = False
    thread_members: set[int] = field(default_factory=set)
    messages: dict[int, Message] = field(default_factory=dict, repr=False)

    @property
    def is_dm(self) -> bool:
        """True for a channel between two users."""
        return self.kind is ChannelKind.DM

    @property
    def is_forum(self) -> bool:
        """True for a forum, in which only threads stand."""
        return self.kind is ChannelKind.FORUM

    @property
    def is_thread(self) -> bool:
        """True for a thread."""
        return self.kind in {ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD}

    def permissions_of(self, user: User) -> Permission:
        """Return the user's permissions here: role permissions, then exceptions for everyone, roles and the member."""
        if self.guild is None:
            return MEMBER_PERMISSIONS if user in self.recipients else NO_PERMISSIONS
        base = self.guild.permissions_of(user)
        if base & Permission.ADMINISTRATOR or user.id not in self.guild.members:
            return base
        own_roles = {role.id for role in self.guild.members[user.id].roles}
        overwrites = (self.parent or self).overwrites
        for stage in (
            [o for o in overwrites if o.target_id == self.guild.id],
            [o for o in overwrites if not o.is_member and o.target_id in own_roles],
            [o for o in overwrites if o.is_member and o.target_id == user.id],
        ):
            for overwrite in stage:
                base &= ~overwrite.deny
            for overwrite in stage:
                base |= overwrite.allow
        return base

    def visible_to(self, user: User) -> bool:
        """Return whether the user can see the channel (a private thread: is a member of it)."""
        if self.kind is ChannelKind.PRIVATE_THREAD and user.id not in self.thread_members:
            return False
        return bool(self.permissions_of(user) & Permission.VIEW_CHANNEL)

    def allow(self, target: HasUser | Role, permissions: Permission) -> None:
        """Make an exception that grants."""
        self._except(target, allow=permissions)

    def deny(self, target: HasUser | Role, permissions: Permission) -> None:
        """Make an exception that forbids."""
        self._except(target, deny=permissions)

    def _except(self, target: HasUser | Role, **permissions: Permission) -> None:
        is_member = not isinstance(target, Role)
        target_id = target.id if isinstance(target, Role) else target.user.id
        self.overwrites.append(Overwrite(target_id=target_id, is_member=is_member, **permissions))
        self.world.emit_channel("CHANNEL_UPDATE", self)
