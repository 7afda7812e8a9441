"""Messages as Discord's JSON. A `Viewer` decides what of their content is shown."""

from dataclasses import dataclass

from tests.discord_server import payloads
from tests.discord_server.flags import Intent, MessageKind
from tests.discord_server.message import Attachment, Message
from tests.discord_server.model import App, Channel, Guild, Json, User

PNG_MAGIC = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """The bot that is told, and its intents (of its session; over REST, those its developer was granted)."""

    app: App
    intents: Intent

    def may_read(self, message: Message) -> bool:
        """Discord's rule: direct messages, mentions of the bot and its own messages are always readable."""
        return (
            bool(self.intents & Intent.MESSAGE_CONTENT)
            or message.channel.is_dm
            or message.author is self.app.user
            or self.app.user in message.mentions
        )


def attachment(of: Attachment) -> Json:
    """An attachment object; PNG images carry their size."""
    body: Json = {
        "id": str(of.id),
        "filename": of.filename,
        "size": len(of.data),
        "url": of.url,
        "proxy_url": of.url,
    }
    if of.content_type:
        body["content_type"] = of.content_type
    if of.description:
        body["description"] = of.description
    if of.data.startswith(PNG_MAGIC) and len(of.data) >= 24:
        body["width"] = int.from_bytes(of.data[16:20])
        body["height"] = int.from_bytes(of.data[20:24])
    return body


def emoji(text: str) -> Json:
    """A partial emoji from its reaction form (a character, or `name:id`)."""
    name, _, number = text.partition(":")
    return {"id": number or None, "name": name}


def message(of: Message, viewer: Viewer, *, with_reference: bool = True) -> Json:
    """A message object; text, files, embeds and components are withheld where the viewer may not read them."""
    readable = viewer.may_read(of)
    body: Json = {
        "id": str(of.id),
        "channel_id": str(of.channel.id),
        "type": int(of.kind),
        "author": payloads.user(of.author),
        "content": of.content if readable else "",
        "embeds": list(of.embeds) if readable else [],
        "components": list(of.components) if readable else [],
        "attachments": [attachment(one) for one in of.attachments] if readable else [],
        "timestamp": of.sent_at.isoformat(),
        "edited_timestamp": of.edited_at.isoformat() if of.edited_at else None,
        "tts": False,
        "pinned": False,
        "mention_everyone": of.mentions_everyone,
        "mentions": [_mentioned(one, of.channel.guild) for one in of.mentions],
        "mention_roles": [str(one) for one in of.mention_roles],
        "flags": int(of.flags),
    }
    if of.reactions:
        body["reactions"] = [_reaction(text, who, viewer.app.user) for text, who in of.reactions.items()]
    if of.nonce is not None and of.author is viewer.app.user:
        body["nonce"] = of.nonce
    if of.application_id is not None:
        body |= {"application_id": str(of.application_id), "webhook_id": str(of.application_id)}
    if of.interaction is not None:
        body["interaction_metadata"] = of.interaction
    if of.thread_id is not None:
        body["message_reference"] = _place(of.channel) | {"type": 0, "channel_id": str(of.thread_id)}
    if of.reference_id is not None:
        body |= _reference(of, viewer, with_reference)
    return body


def message_event(of: Message, viewer: Viewer) -> Json:
    """A message as MESSAGE_CREATE and MESSAGE_UPDATE carry it: with the server and the author's membership."""
    body = message(of, viewer)
    where = of.channel.guild
    if where is not None:
        body["guild_id"] = str(where.id)
        if of.author.id in where.members:
            body["member"] = payloads.member(where.members[of.author.id], with_user=False)
    return body


def _mentioned(account: User, where: Guild | None) -> Json:
    body = payloads.user(account)
    if where is not None and account.id in where.members:
        body["member"] = payloads.member(where.members[account.id], with_user=False)
    return body


def _reaction(text: str, who: list[User], viewer: User) -> Json:
    return {
        "emoji": emoji(text),
        "count": len(who),
        "count_details": {"burst": 0, "normal": len(who)},
        "burst_colors": [],
        "me": viewer in who,
        "me_burst": False,
    }


def _reference(of: Message, viewer: Viewer, with_reference: bool) -> Json:
    assert of.reference_id is not None
    # The first message of a thread that grew from a message refers to that one, in the parent channel.
    starter = of.kind is MessageKind.THREAD_STARTER_MESSAGE
    where = (of.channel.parent or of.channel) if starter else of.channel
    body: Json = {"message_reference": _place(where) | {"type": 0, "message_id": str(of.reference_id)}}
    if with_reference:
        original = where.messages.get(of.reference_id)
        body["referenced_message"] = message(original, viewer, with_reference=False) if original else None
    return body


def _place(channel: Channel) -> Json:
    place: Json = {"channel_id": str(channel.id)}
    return place | ({"guild_id": str(channel.guild.id)} if channel.guild else {})
