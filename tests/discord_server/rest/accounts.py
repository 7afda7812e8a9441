"""Who the bot is, where the gateway is, and what servers there are."""

from tests.discord_server import payloads
from tests.discord_server.errors import missing_access, missing_permissions, unknown
from tests.discord_server.flags import Permission
from tests.discord_server.model import Guild, Json
from tests.discord_server.rest.call import Call, Context

BOT_ADD = 28
UNRECORDED = (
    "integrations",
    "webhooks",
    "threads",
    "application_commands",
    "auto_moderation_rules",
    "guild_scheduled_events",
)


def me(_: Context, call: Call) -> Json:
    """The bot's own user."""
    return payloads.user(call.app.user) | {"verified": True, "mfa_enabled": False, "email": None, "flags": 0}


def application(_: Context, call: Call) -> Json:
    """The bot's application."""
    return payloads.application(call.app)


def user(context: Context, call: Call) -> Json:
    """Anybody's user."""
    assert call.app
    found = context.world.users.get(int(call.params["user_id"]))
    if found is None:
        raise unknown("User")
    return payloads.user(found)


def gateway(context: Context, _: Call) -> Json:
    """The gateway's address."""
    return {"url": context.gateway_url}


def gateway_bot(context: Context, call: Call) -> Json:
    """The gateway's address, the number of shards and the identifies left today."""
    assert call.app
    limit = {
        "total": 1000,
        "remaining": max(0, context.identifies_left),
        "reset_after": 86_400_000,
        "max_concurrency": context.max_concurrency,
    }
    return {"url": context.gateway_url, "shards": 1, "session_start_limit": limit}


def my_guilds(context: Context, call: Call) -> list[Json]:
    """The servers the bot is in."""
    mine = [one for one in context.world.guilds.values() if call.app.user.id in one.members]
    return [payloads.guild(one, call.app.user) | {"owner": False} for one in mine]


def leave_guild(context: Context, call: Call) -> None:
    """Leave a server."""
    context.world.leave(_guild(context, call), call.app.user)


def guild(context: Context, call: Call) -> Json:
    """One server."""
    return payloads.guild(_guild(context, call), call.app.user)


def audit_log(context: Context, call: Call) -> Json:
    """Who invited which bots, newest first; nothing else is recorded."""
    of = _guild(context, call)
    if Permission.VIEW_AUDIT_LOG not in of.permissions_of(call.app.user):
        raise missing_permissions()
    invitations = list(reversed(of.invitations))
    entries = [
        {"id": str(number), "action_type": BOT_ADD, "user_id": str(by.id), "target_id": str(who.id)}
        for number, by, who in invitations
    ]
    people = {one.id: one for _, by, who in invitations for one in (by, who)}
    return {
        "audit_log_entries": entries,
        "users": [payloads.user(one) for one in people.values()],
        **{name: [] for name in UNRECORDED},
    }


def guild_channels(context: Context, call: Call) -> list[Json]:
    """A server's channels, without threads."""
    channels = _guild(context, call).channels.values()
    return [payloads.channel(one, call.app.user) for one in channels if not one.is_thread]


def guild_roles(context: Context, call: Call) -> list[Json]:
    """A server's roles."""
    return [payloads.role(one) for one in _guild(context, call).roles.values()]


def guild_member(context: Context, call: Call) -> Json:
    """One member of a server."""
    found = _guild(context, call).members.get(int(call.params["user_id"]))
    if found is None:
        raise unknown("Member")
    return payloads.member(found)


def guild_members(context: Context, call: Call) -> list[Json]:
    """The members of a server, after an id."""
    after, limit = int(call.query.get("after", 0)), int(call.query.get("limit", 1))
    members = sorted(_guild(context, call).members.values(), key=lambda one: one.user.id)
    return [payloads.member(one) for one in members if one.user.id > after][:limit]


def _guild(context: Context, call: Call) -> Guild:
    found = context.world.guild(call.params["guild_id"])
    if call.app.user.id not in found.members:
        raise missing_access()
    return found
