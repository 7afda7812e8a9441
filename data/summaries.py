"""What was said in conversations before their windows."""

from collections.abc import Sequence

from core.values import ConversationKey, ConversationSummary, Utterance
from data.columns import from_millis, storable, to_millis
from data.connection import Connection, Database
from data.sql import NamedQueries


class SqlSummaryStore:
    """`SummaryStore` on either database. Triggers see to it that a summary goes with its messages."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def get(self, conversation: ConversationKey) -> ConversationSummary | None:
        """Return a conversation's summary."""
        async with self._database.reading() as connection:
            return await self._get(connection, conversation)

    async def put(
        self,
        conversation: ConversationKey,
        summary: ConversationSummary,
        *,
        read: Sequence[Utterance],
        replaces: ConversationSummary | None,
    ) -> bool:
        """Store a summary made of the messages `read` and the one it `replaces`; False if any of that changed since."""
        async with self._database.transaction() as connection:
            conversation_id = await self._id(connection, conversation)
            if conversation_id is not None:
                await self._queries.hold(connection, "hold_summary", conversation_id=conversation_id)
            if conversation_id is None or await self._get(connection, conversation) != replaces:
                return False
            for utterance in read:
                if not await self._stands(connection, conversation_id, utterance):
                    return False
            await self._queries.run(
                connection,
                "add_summary" if replaces is None else "renew_summary",
                conversation_id=conversation_id,
                text=storable(summary.text),
                model=summary.model,
                until=to_millis(summary.until),
                made_at=to_millis(summary.made_at),
            )
            sources = [{"conversation_id": conversation_id, "message_id": one.id} for one in read]
            await self._queries.run_many(connection, "add_summary_source", sources)
        return True

    async def _id(self, connection: Connection, conversation: ConversationKey) -> int | None:
        row = await self._queries.row(
            connection, "conversation_key", character=conversation.character, channel_id=conversation.channel_id
        )
        return None if row is None else row["id"]

    async def _get(self, connection: Connection, conversation: ConversationKey) -> ConversationSummary | None:
        row = await self._queries.row(
            connection, "summary", character=conversation.character, channel_id=conversation.channel_id
        )
        if row is None:
            return None
        return ConversationSummary(
            text=row["text"],
            first=row["first_id"],
            last=row["last_id"],
            until=from_millis(row["until"]),
            model=row["model"],
            made_at=from_millis(row["made_at"]),
        )

    async def _stands(self, connection: Connection, conversation_id: int, read: Utterance) -> bool:
        row = await self._queries.row(
            connection, "summarised_message", conversation_id=conversation_id, message_id=read.id
        )
        return row is not None and row["text"] == read.text and not row["opted_out"]
