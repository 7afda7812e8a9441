"""What turns did."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime

from core.ports import AlikeTurns, TurnKind
from core.sharding.shards import EVERYTHING, Shards
from core.turn.trace import TraceRecord, TraceStep, TurnOutcome
from core.values import ConversationKey
from data.columns import dump_ids, from_millis, load_ids, optional_moment, to_millis
from data.connection import Database, Row
from data.proactive.rows import shard_columns
from data.sql import NamedQueries, Value
from data.terms import new_term_key

_STEP = tuple(field.name for field in fields(TraceStep))
_PORTION = 2_000
_NO_TIME = '"milliseconds": 0.0'
_TIME = re.compile(r'"milliseconds": [0-9.e+-]+')


class SqlTraceStore:
    """`TraceStore` on either database."""

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
                steps=dump_steps(record.steps),
            )

    async def get(self, turn_id: str) -> TraceRecord | None:
        """Return one turn's trace."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "trace", turn_id=turn_id)
        return None if row is None else _record(row)

    async def recent(self, *, limit: int, conversation: ConversationKey | None = None) -> list[TraceRecord]:
        """Return the newest traces, newest first."""
        async with self._database.reading() as connection:
            if conversation is None:
                rows = await self._queries.rows(connection, "recent_traces", limit=max(0, limit))
            else:
                rows = await self._queries.rows(
                    connection,
                    "recent_traces_of_conversation",
                    character=conversation.character,
                    channel_id=conversation.channel_id,
                    limit=max(0, limit),
                )
        return [_record(row) for row in rows]

    async def alike(self, *, limit: int) -> AlikeTurns:
        """Return what the newest turns did, those that did the same counted together, portion by portion."""
        found: Counter[tuple[str, str]] = Counter()
        since = None
        async with self._database.snapshot() as connection:
            for offset in range(0, limit, _PORTION):
                portion = min(_PORTION, limit - offset)
                rows = await self._queries.rows(connection, "steps_of_newest_turns", limit=portion, offset=offset)
                found += await asyncio.to_thread(_counted, rows)
                since = rows[-1]["at"] if rows else since
                if len(rows) < portion:
                    break
        kinds = tuple(TurnKind(character, _load_steps(steps), turns) for (character, steps), turns in found.items())
        return AlikeTurns(kinds, optional_moment(since))

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


def _counted(rows: Sequence[Row]) -> Counter[tuple[str, str]]:
    """Count turns by their steps as they are stored, without reading them: but for their times, most are the same."""
    return Counter((row["character"], _TIME.sub(_NO_TIME, row["steps"])) for row in rows)


def dump_steps(steps: Sequence[TraceStep]) -> str:
    """Return steps as they are stored."""
    # `asdict` copies what lies in a field, too, and takes as long as all the writing.
    return json.dumps([{name: getattr(step, name) for name in _STEP} for step in steps], ensure_ascii=False)


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
