"""The archive of messages, with its full-text index."""

import asyncio
import json
from collections.abc import Sequence
from datetime import datetime

from core.ports import ArchiveEntry, IndexTerms
from core.values import LARGEST_ID, ConversationKey, Speaker, Utterance
from data.columns import from_millis, optional_millis, storable, to_millis
from data.connection import Connection, Database, Row
from data.erasure import Eraser
from data.ledger import Gone, Ledger
from data.sql import NamedQueries, Value
from data.terms import keyed_terms, new_term_key

_COUNTER_BITS = 20
_AT_ONCE = 600  # characters whose terms are found on the event loop: a thread would let nobody else run meanwhile
_SLICE = 2000  # rows deleted in one transaction when their time is over


class SqlMessageArchive:
    """`MessageArchive` on either database. `index_terms` says under which terms a text is found."""

    def __init__(
        self, *, database: Database, queries: NamedQueries, eraser: Eraser, index_terms: IndexTerms, ledger: Ledger
    ) -> None:
        self._database = database
        self._queries = queries
        self._eraser = eraser
        self._ledger = ledger
        self._index_terms = index_terms
        self._dictionary_is_there = False

    async def add(self, entries: Sequence[ArchiveEntry]) -> None:
        """Store messages; one that is already there is left as it is."""
        if not entries:
            return
        kept = [None if entry.text is None or entry.sensitive else storable(entry.text) for entry in entries]
        words = await self._words(kept)
        async with self._database.transaction() as connection:
            moments = json.dumps(sorted({to_millis(entry.sent_at) for entry in entries}))
            await self._queries.hold(connection, "hold_moments", moments=moments)
            places = await self._place(connection, entries)
            rows = [
                _row(entry, text, found, *places[entry.conversation])
                for entry, text, found in zip(entries, kept, words, strict=True)
            ]
            await self._queries.post_many(connection, "add_message", rows)

    async def edit(self, message_id: int, text: str | None, edited_at: datetime) -> bool:
        """Replace the text everywhere the message is stored; False if it is nowhere. A sensitive one stays empty.

        `text` None: the message has become sensitive, and is kept without its text from now on.
        """
        await self._ledger.note(Gone.MESSAGE, (message_id,))
        kept = None if text is None else storable(text)
        (words,) = await self._words([kept])
        async with self._database.transaction() as connection:
            await self._queries.hold(connection, "hold_messages", messages=json.dumps([message_id]))
            copies = await self._queries.rows(connection, "copies_of_message", message_id=message_id)
            changes = [
                {
                    "id": copy["id"],
                    "text": kept,
                    "terms": None if kept is None else keyed_terms(words, copy["term_key"]),
                    "edited_at": to_millis(edited_at),
                }
                for copy in copies
            ]
            await self._queries.run_many(connection, "edit_message", changes)
            if kept is None:
                await self._queries.run(connection, "delete_facts_told_in", message_id=message_id)
                await self._queries.run(connection, "delete_post", id=message_id)
            else:
                await self._queries.run(connection, "edit_post", id=message_id, text=kept)
        if copies:
            await (self._eraser.erase() if kept is None else self._eraser.erase_log())
        return bool(copies)

    async def delete(self, message_ids: Sequence[int]) -> int:
        """Delete messages with their index entries, summaries of them and the facts told in them."""
        await self._ledger.note(Gone.MESSAGE, *((message_id,) for message_id in message_ids))
        async with self._database.transaction() as connection:
            doomed = [{"message_id": message_id} for message_id in message_ids]
            gone = await self._queries.run_many(connection, "delete_message", doomed)
            facts = await self._queries.run_many(connection, "delete_facts_told_in", doomed)
            posts = await self._queries.run_many(
                connection, "delete_post", [{"id": message_id} for message_id in message_ids]
            )
        if gone or facts or posts:
            await self._eraser.erase_log()
        return gone

    async def delete_channel(self, channel_id: int) -> int:
        """Delete everything of a channel and its threads; return how many messages went."""
        await self._ledger.note(Gone.CHANNEL, (channel_id,))
        async with self._database.transaction() as connection:
            gone = await self._queries.run(connection, "delete_channel_messages", channel_id=channel_id)
            await self._queries.run(connection, "delete_channel_conversations", channel_id=channel_id)
            await self._queries.run(connection, "delete_facts_told_in_channel", channel_id=channel_id)
            await self._queries.run(connection, "delete_posts_of_channel", channel_id=channel_id)
        await self._eraser.erase_log()
        return gone

    async def delete_guild(self, guild_id: int, *, character: str) -> int:
        """Delete everything of a server the character was removed from; return how many messages went."""
        await self._ledger.note(Gone.GUILD, (guild_id, character))
        async with self._database.transaction() as connection:
            gone = await self._queries.run(connection, "delete_guild_messages", guild_id=guild_id, character=character)
            await self._queries.run(connection, "delete_guild_conversations", guild_id=guild_id, character=character)
            await self._queries.run(connection, "delete_impressions_in_guild", guild_id=guild_id, character=character)
        await self._eraser.erase_log()
        return gone

    async def recent(
        self, conversation: ConversationKey, *, limit: int, after: int = -1, before: int = LARGEST_ID
    ) -> list[Utterance]:
        """Return those of the newest messages with text whose ids lie between two others, oldest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(
                connection,
                "recent_messages",
                character=conversation.character,
                channel_id=conversation.channel_id,
                limit=max(0, limit),
                after_id=after,
                before_id=before,
            )
        return [_utterance(row) for row in reversed(rows)]

    async def delete_older_than(self, moment: datetime) -> int:
        """Delete what was sent before `moment`; return how many rows went.

        Also does the daily part of erasing, so this is to be called now and then even when nothing is old.
        """
        before_id = to_millis(moment) << _COUNTER_BITS
        gone = 0
        while deleted := await self._delete_slice(before_id):
            gone += deleted
        while await self._delete_slice_of_posts(to_millis(moment)):
            pass
        async with self._database.transaction() as connection:
            empty = await self._queries.rows(connection, "empty_conversations")
            await self._queries.run_many(connection, "delete_empty_conversation", [{"id": row["id"]} for row in empty])
        await self._eraser.erase_daily(moment.date())
        return gone

    async def _delete_slice(self, before_id: int) -> int:
        async with self._database.transaction() as connection:
            return await self._queries.run(connection, "delete_oldest_messages", before_id=before_id, limit=_SLICE)

    async def _delete_slice_of_posts(self, before: int) -> int:
        async with self._database.transaction() as connection:
            return await self._queries.run(connection, "delete_oldest_posts", before=before, limit=_SLICE)

    async def _place(
        self, connection: Connection, entries: Sequence[ArchiveEntry]
    ) -> dict[ConversationKey, tuple[int, bytes]]:
        """Record each conversation; return its id and term key. A private one is owned by who speaks in it."""
        owners: dict[ConversationKey, int | None] = {}
        for entry in entries:
            author = None if entry.is_self else entry.author_id
            owner = (author or entry.owner_id) if entry.surface.is_private else None
            owners[entry.conversation] = owners.get(entry.conversation) or owner
        places = {}
        for conversation, surface in {entry.conversation: entry.surface for entry in entries}.items():
            row = await self._queries.row(
                connection,
                "place_conversation",
                character=conversation.character,
                channel_id=conversation.channel_id,
                kind=surface.kind.value,
                guild_id=surface.guild_id,
                parent_id=surface.parent_id,
                owner_id=owners[conversation],
                term_key=new_term_key(),
            )
            if row is not None:
                places[conversation] = (row["id"], row["term_key"])
        return places

    async def _words(self, texts: Sequence[str | None]) -> list[list[str]]:
        """Return the terms of texts, found beside the event loop where they are long, or first load a dictionary."""

        def analyse() -> list[list[str]]:
            return [[] if text is None else self._index_terms(text) for text in texts]

        joined = "".join(text or "" for text in texts)
        if len(joined) <= _AT_ONCE and (self._dictionary_is_there or joined.isascii()):
            return analyse()
        found = await asyncio.to_thread(analyse)
        self._dictionary_is_there = self._dictionary_is_there or not joined.isascii()
        return found


def _row(
    entry: ArchiveEntry, text: str | None, words: list[str], conversation_id: int, term_key: bytes
) -> dict[str, Value]:
    first_id = to_millis(entry.sent_at) << _COUNTER_BITS
    return {
        "first_id": first_id,
        "last_id": first_id + (1 << _COUNTER_BITS) - 1,
        "conversation_id": conversation_id,
        "message_id": entry.message_id,
        "author_id": entry.author_id,
        "author_name": storable(entry.author_name),
        "is_self": int(entry.is_self),
        "text": text,
        "terms": None if text is None else keyed_terms(words, term_key),
        "sensitive": int(entry.sensitive),
        "sent_at": to_millis(entry.sent_at),
        "edited_at": optional_millis(entry.edited_at),
    }


def _utterance(row: Row) -> Utterance:
    is_self = bool(row["is_self"])
    return Utterance(
        id=row["message_id"],
        author=Speaker(id=row["author_id"], name=row["author_name"], is_bot=is_self),
        text=row["text"],
        sent_at=from_millis(row["sent_at"]),
        is_self=is_self,
    )
