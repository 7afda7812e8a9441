"""A message's text as the character reads it: markup resolved, forwarded messages quoted, stickers and embeds named."""

from dataclasses import dataclass

import discord

from bot.discord.attachments import kind_of
from bot.discord.content import Names, readable
from bot.discord.locales import guild_hint
from core.locale import detect_locale
from core.values import AttachmentKind, Locale, Speaker, Utterance
from prompts.data_text import one_line, tidy
from prompts.messages import Messages

_LONGEST_TITLE = 100
_SPOKEN = frozenset({discord.MessageType.default, discord.MessageType.reply})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Reads messages for one character. `own_id` is its user id."""

    own_id: int
    fallback_locale: Locale
    messages: Messages

    def is_speech(self, message: discord.Message) -> bool:
        """Return whether somebody said something, rather than Discord itself or the answer to a command."""
        return message.type in _SPOKEN

    def is_own(self, message: discord.Message) -> bool:
        """Return whether the character wrote it."""
        return message.author.id == self.own_id

    def own_ids(self, guild: discord.Guild | None) -> frozenset[int]:
        """Return the ids that mean the character: its user and, in a server, the role that Discord gave to it."""
        role = guild.self_role if guild is not None else None
        return frozenset({self.own_id} if role is None else {self.own_id, role.id})

    def text(self, message: discord.Message) -> str:
        """Return what a message says, without its attachments."""
        names = self._names(message)
        text = readable(tidy(message.content), names)
        if self.is_own(message):
            text = without_small_print(text)
        locale = detect_locale(text) or guild_hint(message.guild) or self.fallback_locale
        parts = [text, *self._forwarded(message, names, locale), *self._extras(message, locale)]
        return "\n".join(part for part in parts if part)

    def utterance(self, message: discord.Message) -> Utterance:
        """Return a message as it stands in a history, its attachments named."""
        text = self.text(message)
        locale = detect_locale(text) or guild_hint(message.guild) or self.fallback_locale
        named = [self._attachment(attachment, locale) for attachment in message.attachments]
        return Utterance(
            id=message.id,
            author=speaker(message),
            text="\n".join(part for part in (text, *named) if part),
            sent_at=message.created_at,
            is_self=self.is_own(message),
        )

    def _names(self, message: discord.Message) -> Names:
        guild = message.guild
        mentioned = {user.id: user.display_name for user in message.mentions}

        def user(user_id: int) -> str | None:
            member = guild.get_member(user_id) if guild is not None else None
            return _plain(mentioned.get(user_id) or (member.display_name if member is not None else None))

        def role(role_id: int) -> str | None:
            found = guild.get_role(role_id) if guild is not None else None
            return _plain(found.name if found is not None else None)

        def channel(channel_id: int) -> str | None:
            found = guild.get_channel_or_thread(channel_id) if guild is not None else None
            return _plain(found.name if found is not None else None)

        return Names(own=self.own_ids(guild), user=user, role=role, channel=channel)

    def _forwarded(self, message: discord.Message, names: Names, locale: Locale) -> list[str]:
        quotes = []
        for snapshot in message.message_snapshots:
            said = readable(tidy(snapshot.content), names)
            named = [self._attachment(attachment, locale) for attachment in snapshot.attachments]
            lines = "\n".join(part for part in (said, *named) if part).split("\n")
            quotes.append(
                "\n".join([self.messages.text("reading.forwarded", locale), *(f"> {line}" for line in lines)])
            )
        return quotes

    def _extras(self, message: discord.Message, locale: Locale) -> list[str]:
        stickers = [
            self.messages.text("reading.sticker", locale, name=one_line(sticker.name)) for sticker in message.stickers
        ]
        titles = (one_line(embed.title or embed.description or embed.author.name or "") for embed in message.embeds)
        embeds = [
            self.messages.text("reading.embed", locale, title=title[:_LONGEST_TITLE]) for title in titles if title
        ]
        return [*stickers, *embeds]

    def _attachment(self, attachment: discord.Attachment, locale: Locale) -> str:
        kinds = {AttachmentKind.IMAGE: "image", AttachmentKind.TEXT: "text", AttachmentKind.OTHER: "other"}
        kind = kinds[kind_of(attachment.filename, attachment.content_type)]
        return f"[{self.messages.text(f'attachment.{kind}', locale, name=one_line(attachment.filename))}]"


def _plain(name: str | None) -> str | None:
    """Return a name on one line, without what can't be seen in it; None for one that is nothing else."""
    return " ".join(tidy(name).split()) or None if name is not None else None


def speaker(message: discord.Message) -> Speaker:
    """Return who wrote a message; webhooks count as bots."""
    author = message.author
    return Speaker(
        id=author.id,
        name=_plain(author.display_name) or author.name,
        is_bot=author.bot or message.webhook_id is not None,
    )


def without_last_small_print(text: str) -> str:
    """Return a reply without the last of the notes below it; one that is nothing else stays as it is."""
    before, _, last = text.rpartition("\n")
    return before if before and last.startswith("-# ") else text


def without_small_print(text: str) -> str:
    """Return a reply without the notes below it, which are not the character's words."""
    lines = text.split("\n")
    while lines and lines[-1].startswith("-# "):
        lines.pop()
    return "\n".join(lines).strip()
