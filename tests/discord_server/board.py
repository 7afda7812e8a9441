"""Messages: posting, editing, deleting, reacting."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from tests.discord_server import message_payloads, payloads
from tests.discord_server.drafts import Draft
from tests.discord_server.errors import invalid_form, unknown
from tests.discord_server.flags import MessageFlag, MessageKind, Permission
from tests.discord_server.message import Attachment, Message, Upload
from tests.discord_server.model import Channel, Json, User
from tests.discord_server.world import Event, World

NONCE_WINDOW = timedelta(minutes=5)
USER_MENTION = re.compile(r"<@!?(\d+)>")
ROLE_MENTION = re.compile(r"<@&(\d+)>")


class Board:
    """Puts messages into the world and takes them out; every change is told."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._nonces: dict[tuple[int, str], tuple[datetime, Message]] = {}

    def post(self, channel: Channel, author: User, draft: Draft, **fields: Any) -> Message:
        """Store and tell a message; with an enforced nonce seen lately, return the first one instead."""
        draft.check()
        now = self._world.clock.now()
        earlier = self._same_nonce(author, draft, now)
        if earlier is not None:
            return earlier
        message = self.build(channel, author, draft, **fields)
        channel.messages[message.id] = message
        self._world.posted.append(message)
        if draft.nonce is not None:
            self._nonces[author.id, draft.nonce] = (now, message)
        self.tell("MESSAGE_CREATE", message)
        return message

    def build(self, channel: Channel, author: User, draft: Draft, **fields: Any) -> Message:
        """Make a message without putting it into the channel (ephemeral ones stay like that)."""
        original = self._original(channel, draft)
        message = Message(
            id=self._world.new_id(),
            channel=channel,
            author=author,
            sent_at=self._world.clock.now(),
            content=draft.content,
            embeds=list(draft.embeds),
            components=list(draft.components),
            attachments=[self._store(channel, upload) for upload in draft.uploads],
            reference_id=draft.reference_id if original else None,
            flags=draft.flags,
            nonce=draft.nonce,
            allowed_mentions=draft.allowed_mentions,
        )
        if original is not None:
            message.kind = MessageKind.REPLY
        for name, value in fields.items():
            setattr(message, name, value)
        self._mention(message, original)
        message.record(message.sent_at)
        return message

    def start_thread(
        self, parent: Channel, name: str, *, owner: User, on: Message | None = None, private: bool = False
    ) -> Channel:
        """Start a thread with the system message that Discord posts: in it, or of it in the parent channel."""
        thread = self._world.add_thread(parent, name, owner=owner, private=private, thread_id=on.id if on else None)
        if on is not None:
            on.flags |= MessageFlag.HAS_THREAD
            self._announce(thread, owner, kind=MessageKind.THREAD_STARTER_MESSAGE, reference_id=on.id)
        elif not private:
            self._announce(parent, owner, kind=MessageKind.THREAD_CREATED, content=name, thread_id=thread.id)
        return thread

    def open_post(self, forum: Channel, title: str, *, author: User, draft: Draft) -> Message:
        """Open a forum's thread with its first message, which has the thread's id."""
        draft.check()
        thread = self._world.add_thread(forum, title, owner=author)
        return self.post(thread, author, draft, id=thread.id)

    def _announce(self, channel: Channel, author: User, **fields: Any) -> None:
        message = self.build(channel, author, Draft(), **fields)
        channel.messages[message.id] = message
        self.tell("MESSAGE_CREATE", message)

    def edit(self, message: Message, body: Json, uploads: tuple[Upload, ...] = ()) -> Message:
        """Change what the body names, keep the rest, record the revision and tell it."""
        draft = Draft.from_body(body, uploads)
        after = replace(
            draft,
            content=draft.content if "content" in body else message.content,
            embeds=draft.embeds if "embeds" in body else message.embeds,
            components=draft.components if "components" in body else message.components,
        )
        kept = self._kept(message, body)
        if not (kept and not after.content):
            after.check()
        message.content, message.embeds, message.components = after.content, after.embeds, after.components
        message.attachments = kept + [self._store(message.channel, upload) for upload in draft.uploads]
        message.allowed_mentions = body.get("allowed_mentions", message.allowed_mentions)
        message.flags &= ~MessageFlag.LOADING
        message.edited_at = self._world.clock.now()
        self._mention(message, message.channel.messages.get(message.reference_id or 0))
        message.record(message.edited_at)
        self.tell("MESSAGE_UPDATE", message)
        return message

    def delete(self, message: Message) -> None:
        """Take a message out of its channel."""
        message.deleted = True
        message.channel.messages.pop(message.id, None)
        told = _place(message) | {"id": str(message.id)}
        self._emit("MESSAGE_DELETE", message, told)

    def find(self, channel: Channel, message_id: str | int) -> Message:
        """Return a message of the channel or raise 10008."""
        try:
            return channel.messages[int(message_id)]
        except (KeyError, ValueError):
            raise unknown("Message") from None

    def react(self, message: Message, user: User, emoji: str) -> None:
        """Add a user's reaction; a second time changes nothing."""
        who = message.reactions.setdefault(emoji, [])
        if user not in who:
            who.append(user)
            self._emit("MESSAGE_REACTION_ADD", message, self._reaction(message, user, emoji))

    def unreact(self, message: Message, user: User, emoji: str) -> None:
        """Take a user's reaction back."""
        who = message.reactions.get(emoji, [])
        if user in who:
            who.remove(user)
            if not who:
                del message.reactions[emoji]
            self._emit("MESSAGE_REACTION_REMOVE", message, self._reaction(message, user, emoji))

    def type(self, channel: Channel, user: User) -> None:
        """Show that somebody is typing."""
        self._world.typing.append((channel, user))
        told: Json = {
            "channel_id": str(channel.id),
            "user_id": str(user.id),
            "timestamp": int(self._world.clock.now().timestamp()),
        }
        if channel.guild is not None:
            told |= {"guild_id": str(channel.guild.id), "member": payloads.member(channel.guild.members[user.id])}
        self._world.emit(Event(name="TYPING_START", payload=lambda _: told, guild=channel.guild, channel=channel))

    def tell(self, name: str, message: Message) -> None:
        """Tell about a message, to each bot as much as it may read; nobody is told about ephemeral ones."""
        if message.is_ephemeral:
            self._world.signal.notify()
            return
        self._world.emit(
            Event(
                name=name,
                payload=lambda viewer: message_payloads.message_event(message, viewer),
                guild=message.channel.guild,
                channel=message.channel,
            )
        )

    def _emit(self, name: str, message: Message, told: Json) -> None:
        where = message.channel
        self._world.emit(Event(name=name, payload=lambda _: told, guild=where.guild, channel=where))

    def _same_nonce(self, author: User, draft: Draft, now: datetime) -> Message | None:
        if draft.nonce is None or not draft.enforce_nonce:
            return None
        at, message = self._nonces.get((author.id, draft.nonce), (now, None))
        return message if now - at < NONCE_WINDOW else None

    def _original(self, channel: Channel, draft: Draft) -> Message | None:
        if draft.reference_id is None:
            return None
        original = channel.messages.get(draft.reference_id)
        if original is None and draft.fail_if_not_exists:
            raise invalid_form("message_reference", "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return original

    def _mention(self, message: Message, original: Message | None) -> None:
        allowed = message.allowed_mentions
        parse = {"users", "roles", "everyone"} if allowed is None else set(allowed.get("parse") or ())
        ids = [int(one) for one in USER_MENTION.findall(message.content)]
        named = [self._world.users[one] for one in ids if one in self._world.users]
        listed = {int(one) for one in (allowed or {}).get("users") or ()}
        pinged = [user for user in named if "users" in parse or user.id in listed]
        replied = True if allowed is None else bool(allowed.get("replied_user"))
        if original is not None and replied and original.author is not message.author:
            pinged.append(original.author)
        message.mentions = list(dict.fromkeys(pinged))
        message.mention_roles = [int(one) for one in ROLE_MENTION.findall(message.content)] if "roles" in parse else []
        may = bool(message.channel.permissions_of(message.author) & Permission.MENTION_EVERYONE)
        message.mentions_everyone = may and "everyone" in parse and "@everyone" in message.content

    def _store(self, channel: Channel, upload: Upload) -> Attachment:
        file_id = self._world.new_id()
        return Attachment(
            id=file_id,
            filename=upload.filename,
            content_type=upload.content_type,
            data=upload.data,
            url=f"{self._world.base_url}/attachments/{channel.id}/{file_id}/{upload.filename}",
            description=upload.description,
        )

    def _kept(self, message: Message, body: Json) -> list[Attachment]:
        if "attachments" not in body:
            return message.attachments
        ids = {str(entry["id"]) for entry in body["attachments"] or []}
        return [one for one in message.attachments if str(one.id) in ids]

    def _reaction(self, message: Message, user: User, emoji: str) -> Json:
        told = _place(message) | {
            "user_id": str(user.id),
            "message_id": str(message.id),
            "emoji": message_payloads.emoji(emoji),
            "message_author_id": str(message.author.id),
            "burst": False,
            "type": 0,
        }
        guild = message.channel.guild
        if guild is not None:
            told["member"] = payloads.member(guild.members[user.id])
        return told


def _place(message: Message) -> Json:
    place: Json = {"channel_id": str(message.channel.id)}
    if message.channel.guild is not None:
        place["guild_id"] = str(message.channel.guild.id)
    return place
