"""Channels, direct-message channels and threads."""

from tests.discord_server import message_payloads, payloads
from tests.discord_server.drafts import Draft
from tests.discord_server.errors import missing_permissions, unknown
from tests.discord_server.flags import Permission
from tests.discord_server.model import Channel, Json
from tests.discord_server.rest.call import Call, Context, Created


def get(context: Context, call: Call) -> Json:
    """One channel or thread."""
    return payloads.channel(call.channel(context), call.app.user)


def open_dm(context: Context, call: Call) -> Json:
    """Open the direct-message channel with a user; whether they take messages shows only on sending."""
    other = context.world.users.get(int(call.body["recipient_id"]))
    if other is None or other is call.app.user:
        raise unknown("User")
    return payloads.channel(context.world.dm_between(call.app.user, other), call.app.user)


def modify(context: Context, call: Call) -> Json:
    """Rename, archive or lock a channel or thread."""
    channel = call.channel(context)
    if channel.owner is not call.app.user:
        call.channel(context, Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS)
    channel.name = call.body.get("name", channel.name)
    channel.topic = call.body.get("topic", channel.topic)
    channel.archived = call.body.get("archived", channel.archived)
    channel.locked = call.body.get("locked", channel.locked)
    context.world.emit_channel("THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE", channel)
    return payloads.channel(channel, call.app.user)


def delete(context: Context, call: Call) -> Json:
    """Delete a channel or thread."""
    channel = call.channel(context)
    if channel.is_dm:
        return payloads.channel(channel, call.app.user)
    call.channel(context, Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS)
    body = payloads.channel(channel, call.app.user)
    context.world.delete_channel(channel)
    return body


def start_thread(context: Context, call: Call) -> Created:
    """Start a thread on its own (type 11 public, 12 private), or in a forum with its first message."""
    if call.channel(context).is_forum:
        return _open_post(context, call)
    private = call.body.get("type", 12) == 12
    need = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    parent = call.channel(context, need)
    thread = context.board.start_thread(parent, call.body["name"], owner=call.app.user, private=private)
    return Created(payloads.channel(thread, call.app.user))


def _open_post(context: Context, call: Call) -> Created:
    forum = call.channel(context, Permission.SEND_MESSAGES)
    draft = Draft.from_body(call.body["message"], call.uploads)
    message = context.board.open_post(forum, call.body["name"], author=call.app.user, draft=draft)
    told = {"message": message_payloads.message(message, call.viewer)}
    return Created(payloads.channel(message.channel, call.app.user) | told)


def start_thread_from_message(context: Context, call: Call) -> Created:
    """Start a public thread from a message, whose id it takes."""
    parent = call.channel(context, Permission.CREATE_PUBLIC_THREADS)
    message = context.board.find(parent, call.params["message_id"])
    thread = context.board.start_thread(parent, call.body["name"], owner=call.app.user, on=message)
    return Created(payloads.channel(thread, call.app.user))


def join_thread(context: Context, call: Call) -> None:
    """Put a user (by default the bot) into a thread."""
    thread = _thread(context, call)
    thread.thread_members.add(_target(call))


def leave_thread(context: Context, call: Call) -> None:
    """Take a user (by default the bot) out of a thread."""
    thread = _thread(context, call)
    target = _target(call)
    if target != call.app.user.id and not thread.permissions_of(call.app.user) & Permission.MANAGE_THREADS:
        raise missing_permissions()
    thread.thread_members.discard(target)


def thread_members(context: Context, call: Call) -> list[Json]:
    """Who is in a thread."""
    thread = _thread(context, call)
    joined = thread.created_at.isoformat() if thread.created_at else ""
    return [
        {"id": str(thread.id), "user_id": str(one), "join_timestamp": joined, "flags": 0}
        for one in sorted(thread.thread_members)
    ]


def active_threads(context: Context, call: Call) -> Json:
    """A server's threads that are not archived."""
    guild = context.world.guild(call.params["guild_id"])
    return _listing(call, [one for one in guild.channels.values() if one.is_thread and not one.archived])


def archived_threads(context: Context, call: Call) -> Json:
    """A channel's archived threads."""
    parent = call.channel(context)
    return _listing(call, [one for one in context.world.channels.values() if one.parent is parent and one.archived])


def _listing(call: Call, threads: list[Channel]) -> Json:
    visible = [one for one in threads if one.visible_to(call.app.user)]
    return {"threads": [payloads.channel(one, call.app.user) for one in visible], "members": [], "has_more": False}


def _thread(context: Context, call: Call) -> Channel:
    thread = call.channel(context)
    if not thread.is_thread:
        raise unknown("Channel")
    return thread


def _target(call: Call) -> int:
    return int(call.params.get("user_id", call.app.user.id))
