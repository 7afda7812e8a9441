"""Messages, typing and reactions in channels and direct messages."""

from tests.discord_server import message_payloads, payloads
from tests.discord_server.drafts import Draft
from tests.discord_server.errors import ApiError, cannot_dm, missing_permissions, no_mutual_guild
from tests.discord_server.flags import Permission
from tests.discord_server.message import Message
from tests.discord_server.model import Channel, Json
from tests.discord_server.rest.call import Call, Context


def history(context: Context, call: Call) -> list[Json]:
    """A page of the history, newest first: `before`, `after` or `around` an id, at most `limit`."""
    channel = call.channel(context)
    if not channel.permissions_of(call.app.user) & Permission.READ_MESSAGE_HISTORY:
        return []
    limit = int(call.query.get("limit", 50))
    if not 1 <= limit <= 100:
        raise ApiError(400, 50035, "Invalid Form Body")
    ids = sorted(channel.messages)
    if "before" in call.query:
        page = [one for one in ids if one < int(call.query["before"])][-limit:]
    elif "after" in call.query:
        page = [one for one in ids if one > int(call.query["after"])][:limit]
    elif "around" in call.query:
        page = _around(ids, int(call.query["around"]), limit)
    else:
        page = ids[-limit:]
    return [message_payloads.message(channel.messages[one], call.viewer) for one in reversed(page)]


def _around(ids: list[int], middle: int, limit: int) -> list[int]:
    older = [one for one in ids if one < middle]
    newer = [one for one in ids if one >= middle]
    half = limit // 2
    return (older[-half:] if half else []) + newer[: limit - half]


def get(context: Context, call: Call) -> Json:
    """One message."""
    message = context.board.find(call.channel(context, Permission.READ_MESSAGE_HISTORY), call.params["message_id"])
    return message_payloads.message(message, call.viewer)


def send(context: Context, call: Call) -> Json:
    """Post a message."""
    channel = _writable(context, call)
    draft = Draft.from_body(call.body, call.uploads)
    granted = channel.permissions_of(call.app.user)
    if draft.uploads and not granted & Permission.ATTACH_FILES:
        raise missing_permissions()
    if draft.reference_id is not None and not granted & Permission.READ_MESSAGE_HISTORY:
        raise ApiError(403, 160002, "Cannot reply without permission to read message history")
    return message_payloads.message(context.board.post(channel, call.app.user, draft), call.viewer)


def edit(context: Context, call: Call) -> Json:
    """Edit the bot's own message."""
    message = context.board.find(call.channel(context), call.params["message_id"])
    if message.author is not call.app.user:
        raise ApiError(403, 50005, "Cannot edit a message authored by another user")
    return message_payloads.message(context.board.edit(message, call.body, call.uploads), call.viewer)


def delete(context: Context, call: Call) -> None:
    """Delete the bot's own message, or anybody's with the permission to."""
    channel = call.channel(context)
    message = context.board.find(channel, call.params["message_id"])
    if message.author is not call.app.user:
        if channel.is_dm:
            raise ApiError(403, 50003, "Cannot execute action on a DM channel")
        call.channel(context, Permission.MANAGE_MESSAGES)
    context.board.delete(message)


def delete_many(context: Context, call: Call) -> None:
    """Delete several messages at once; unknown ones are passed over."""
    channel = call.channel(context, Permission.MANAGE_MESSAGES)
    for message_id in call.body["messages"]:
        message = channel.messages.get(int(message_id))
        if message is not None:
            context.board.delete(message)


def typing(context: Context, call: Call) -> None:
    """Show that the bot is typing."""
    context.board.type(_writable(context, call), call.app.user)


def react(context: Context, call: Call) -> None:
    """React to a message."""
    message = _reacted(context, call)
    needs = () if call.params["emoji"] in message.reactions else (Permission.ADD_REACTIONS,)
    call.channel(context, *needs)
    context.board.react(message, call.app.user, call.params["emoji"])


def unreact(context: Context, call: Call) -> None:
    """Take back the bot's reaction, or remove another's with the permission to."""
    message = _reacted(context, call)
    user = call.app.user
    if "user_id" in call.params:
        call.channel(context, Permission.MANAGE_MESSAGES)
        user = context.world.users[int(call.params["user_id"])]
    context.board.unreact(message, user, call.params["emoji"])


def reactors(context: Context, call: Call) -> list[Json]:
    """Who reacted with an emoji."""
    who = _reacted(context, call).reactions.get(call.params["emoji"], [])
    return [payloads.user(one) for one in who]


def _reacted(context: Context, call: Call) -> Message:
    return context.board.find(call.channel(context, Permission.READ_MESSAGE_HISTORY), call.params["message_id"])


def _writable(context: Context, call: Call) -> Channel:
    channel = call.channel(context)
    if channel.is_dm:
        _check_dm(context, call, channel)
        return channel
    need = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
    if channel.locked or channel.archived:
        raise ApiError(400, 50083, "Thread is archived")
    return call.channel(context, need)


def _check_dm(context: Context, call: Call, channel: Channel) -> None:
    (other,) = (one for one in channel.recipients if one is not call.app.user)
    if other.is_bot or not other.dms_open:
        raise cannot_dm()
    if not context.world.share_guild(call.app.user, other) and not _wrote_first(channel, other.id):
        raise no_mutual_guild()


def _wrote_first(channel: Channel, user_id: int) -> bool:
    return any(message.author.id == user_id for message in channel.messages.values())
