"""What turns did."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from core.sharding.shards import EVERYTHING, Shards
from core.turn.trace import TraceRecord, TraceStep, TurnOutcome
from core.values import ConversationKey
from data.columns import dump_ids, from_millis, load_ids, to_millis
from data.connection import Database, Row
from data.proactive.rows import shard_columns
from data.sql import NamedQueries, Value
from data.terms import new_term_key


class SqliteTraceStore:
    """`TraceStore` on SQLite."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def add(self, record: TraceRecord) -> None:
        """Store one turn's trace; told again, the later account stands."""
        key: dict[str, Value] = {
            "character": record.conversation.character,
            "channel_id": record.conversation.channel_id,
        }
        async with self._database.transaction() as connection:
            await self._queries.post(
                connection, "note_conversation", **key, guild_id=record.guild_id, term_key=new_term_key()
            )
            await self._queries.post(
                connection,
                "add_trace",
                **key,
                turn_id=record.turn_id,
                at=to_millis(record.at),
                user_id=record.user_id,
                message_ids=dump_ids(record.message_ids),
                reply_ids=dump_ids(record.reply_ids),
                outcome=record.outcome.value,
                model=record.model,
                steps=_dump_steps(record.steps),
            )

    async def get(self, turn_id: str) -> TraceRecord | None:
        """Return one turn's trace."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "trace", turn_id=turn_id)
        return None if row is None else _record(row)

    async def recent(
        self, *, limit: int, conversation: ConversationKey | None = None, offset: int = 0
    ) -> list[TraceRecord]:
        """Return the newest traces after so many still newer ones, newest first."""
        portion: dict[str, Value] = {"limit": max(0, limit), "offset": max(0, offset)}
        async with self._database.reading() as connection:
            if conversation is None:
                rows = await self._queries.rows(connection, "recent_traces", **portion)
            else:
                rows = await self._queries.rows(
                    connection,
                    "recent_traces_of_conversation",
                    character=conversation.character,
                    channel_id=conversation.channel_id,
                    **portion,
                )
        return [_record(row) for row in rows]

    async def of_guild(self, guild_id: int, *, character: str, since: datetime, limit: int) -> list[TraceRecord]:
        """Return the newest traces of a character's turns in a server since then, newest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(
                connection,
                "traces_of_guild",
                character=character,
                guild_id=guild_id,
                since=to_millis(since),
                limit=max(0, limit),
            )
        return [_record(row) for row in rows]

    async def of_conversation(self, conversation: ConversationKey, *, since: datetime, limit: int) -> list[TraceRecord]:
        """Return the newest traces of a conversation since then, newest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(
                connection,
                "traces_of_conversation",
                character=conversation.character,
                channel_id=conversation.channel_id,
                since=to_millis(since),
                limit=max(0, limit),
            )
        return [_record(row) for row in rows]

    async def answered_since(self, conversation: ConversationKey, moment: datetime) -> set[int]:
        """Return the ids of messages whose turn ended since `moment`; `TurnOutcome.leaves_unanswered` doesn't count."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(
                connection,
                "answered_messages",
                character=conversation.character,
                channel_id=conversation.channel_id,
                since=to_millis(moment),
                begun=TurnOutcome.BEGUN.value,
                superseded=TurnOutcome.SUPERSEDED.value,
                undelivered=TurnOutcome.UNDELIVERED.value,
            )
        return {message_id for row in rows for message_id in load_ids(row["message_ids"])}

    async def recent_conversations(
        self, character: str, *, since: datetime, limit: int, shards: Shards = EVERYTHING
    ) -> list[ConversationKey]:
        """Return the conversations on some shards a character had a turn in since then, that with the newest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(
                connection,
                "recent_conversations",
                character=character,
                since=to_millis(since),
                limit=max(0, limit),
                **shard_columns(shards),
            )
        return [ConversationKey(character, row["channel_id"]) for row in rows]

    async def delete_older_than(self, moment: datetime) -> int:
        """Delete traces of turns that began before `moment`; return how many."""
        async with self._database.transaction() as connection:
            return await self._queries.run(connection, "delete_old_traces", before=to_millis(moment))


def _dump_steps(steps: Sequence[TraceStep]) -> str:
    return json.dumps([asdict(step) for step in steps], ensure_ascii=False)


def _load_steps(stored: str) -> tuple[TraceStep, ...]:
    return tuple(TraceStep(**{**step, "rules": tuple(step["rules"])}) for step in json.loads(stored))


def _record(row: Row) -> TraceRecord:
    return TraceRecord(
        turn_id=row["turn_id"],
        at=from_millis(row["at"]),
        conversation=ConversationKey(row["character"], row["channel_id"]),
        guild_id=row["guild_id"],
        user_id=row["user_id"],
        message_ids=load_ids(row["message_ids"]),
        reply_ids=load_ids(row["reply_ids"]),
        outcome=TurnOutcome(row["outcome"]),
        model=row["model"],
        steps=_load_steps(row["steps"]),
    )
