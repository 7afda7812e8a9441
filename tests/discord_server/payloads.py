"""Users, applications, servers and channels as Discord's JSON."""

from tests.discord_server.flags import ApplicationFlag, ChannelKind, Intent
from tests.discord_server.model import App, Channel, Guild, Json, Member, Role, User


def user(account: User) -> Json:
    """A user object."""
    return {
        "id": str(account.id),
        "username": account.name,
        "global_name": None if account.is_bot else account.display_name,
        "discriminator": "0001" if account.is_bot else "0",
        "avatar": None,
        "bot": account.is_bot,
        "public_flags": 0,
    }


def application(app: App) -> Json:
    """An application object, with the owner."""
    flags = ApplicationFlag(0)
    for intent, flag in (
        (Intent.GUILD_MEMBERS, ApplicationFlag.GUILD_MEMBERS),
        (Intent.GUILD_PRESENCES, ApplicationFlag.GUILD_PRESENCES),
        (Intent.MESSAGE_CONTENT, ApplicationFlag.MESSAGE_CONTENT),
    ):
        if app.intents_allowed & intent:
            flags |= flag
    return {
        "id": str(app.id),
        "name": app.user.display_name,
        "icon": None,
        "summary": "",
        "description": "",
        "verify_key": "0" * 64,
        "flags": int(flags),
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": user(app.owner),
        "team": None,
    }


def member(of: Member, *, with_user: bool = True) -> Json:
    """A member object."""
    body: Json = {
        "nick": of.nick,
        "avatar": None,
        "roles": [str(role.id) for role in of.roles],
        "joined_at": of.joined_at.isoformat(),
        "deaf": False,
        "mute": False,
        "flags": 0,
    }
    if with_user:
        body["user"] = user(of.user)
    return body


def role(of: Role) -> Json:
    """A role object."""
    return {
        "id": str(of.id),
        "name": of.name,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": of.position,
        "permissions": str(int(of.permissions)),
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }


def channel(of: Channel, viewer: User | None = None) -> Json:
    """A channel, thread or direct-message channel; the latter lists the users other than `viewer`."""
    body: Json = {"id": str(of.id), "type": int(of.kind), "last_message_id": None, "flags": 0}
    if of.messages:
        body["last_message_id"] = str(max(of.messages))
    if of.kind is ChannelKind.DM:
        return body | {"recipients": [user(one) for one in of.recipients if one is not viewer]}
    assert of.guild is not None
    body |= {"guild_id": str(of.guild.id), "name": of.name, "nsfw": False, "rate_limit_per_user": 0}
    body["parent_id"] = str(of.parent.id) if of.parent else None
    if of.is_thread:
        return body | _thread(of, viewer)
    overwrites = [
        {"id": str(o.target_id), "type": int(o.is_member), "allow": str(int(o.allow)), "deny": str(int(o.deny))}
        for o in of.overwrites
    ]
    if of.is_forum:
        body |= {"available_tags": [], "default_reaction_emoji": None, "default_forum_layout": 0}
    return body | {"topic": of.topic, "position": of.position, "permission_overwrites": overwrites}


def _thread(of: Channel, viewer: User | None) -> Json:
    assert of.owner is not None
    assert of.created_at is not None
    created = of.created_at.isoformat()
    body: Json = {
        "owner_id": str(of.owner.id),
        "message_count": len(of.messages),
        "total_message_sent": len(of.messages),
        "member_count": len(of.thread_members),
        "thread_metadata": {
            "archived": of.archived,
            "locked": of.locked,
            "auto_archive_duration": 1440,
            "archive_timestamp": created,
            "create_timestamp": created,
        },
    }
    if viewer is not None and viewer.id in of.thread_members:
        body["member"] = {"id": str(of.id), "user_id": str(viewer.id), "join_timestamp": created, "flags": 0}
    return body


def guild(of: Guild, viewer: User) -> Json:
    """A server as the REST API shows it."""
    return {
        "id": str(of.id),
        "name": of.name,
        "icon": None,
        "owner_id": str(of.owner.id),
        "roles": [role(one) for one in of.roles.values()],
        "emojis": [],
        "stickers": [],
        "features": [],
        "preferred_locale": of.locale,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "afk_timeout": 300,
        "system_channel_id": str(of.system_channel.id) if of.system_channel else None,
        "system_channel_flags": 0,
        "permissions": str(int(of.permissions_of(viewer))),
    }


def guild_create(of: Guild, viewer: User, *, all_members: bool) -> Json:
    """A server as GUILD_CREATE shows it: with channels, threads and members (only the bot without the intent)."""
    members = [one for one in of.members.values() if all_members or one.user is viewer]
    visible = [one for one in of.channels.values() if one.visible_to(viewer)]
    return guild(of, viewer) | {
        "joined_at": of.members[viewer.id].joined_at.isoformat(),
        "large": False,
        "member_count": len(of.members),
        "members": [member(one) for one in members],
        "channels": [channel(one, viewer) for one in of.channels.values() if not one.is_thread],
        "threads": [channel(one, viewer) for one in visible if one.is_thread and not one.archived],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }
