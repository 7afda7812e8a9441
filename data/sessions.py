"""Sessions: stretches of talk in one conversation."""

from datetime import datetime

from core.errors import StorageError
from core.stance.types import StanceInertia
from core.values import ConversationKey, Session
from data.columns import from_millis, to_millis
from data.connection import Database, Row
from data.sql import NamedQueries, Value
from data.terms import new_term_key


class SqlSessionStore:
    """`SessionStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def current(self, conversation: ConversationKey, *, now: datetime) -> Session | None:
        """Return the session that is still open at `now`, or None."""
        async with self._database.reading() as connection:
            row = await self._queries.row(
                connection,
                "current_session",
                character=conversation.character,
                channel_id=conversation.channel_id,
                now=to_millis(now),
            )
        return None if row is None else as_session(row)

    async def touch(self, conversation: ConversationKey, *, now: datetime, expires_at: datetime) -> Session:
        """Count a turn in the open session, or begin one; return it."""
        key = _key(conversation)
        async with self._database.transaction() as connection:
            await self._queries.post(connection, "note_conversation", **key, guild_id=None, term_key=new_term_key())
            row = await self._queries.last_row(
                connection, "touch_session", **key, now=to_millis(now), expires_at=to_millis(expires_at)
            )
        if row is None:
            raise StorageError(f"{self._database.name}: a session that was just stored is not there")
        return as_session(row)

    async def inertia(self, conversation: ConversationKey, user_id: int, *, now: datetime) -> StanceInertia:
        """Return what is remembered at `now` of the stance towards a person in a conversation."""
        async with self._database.reading() as connection:
            row = await self._queries.row(
                connection, "stance_inertia", **_key(conversation), user_id=user_id, now=to_millis(now)
            )
        return StanceInertia() if row is None else _inertia(row)

    async def set_inertia(
        self, conversation: ConversationKey, user_id: int, inertia: StanceInertia, *, now: datetime
    ) -> None:
        """Remember it for as long as the session that is open at `now` lasts; nothing where none is open."""
        key = {**_key(conversation), "user_id": user_id}
        async with self._database.exclusive() as connection:
            if inertia == StanceInertia():
                await self._queries.run(connection, "drop_inertia", **key)
                return
            await self._queries.run(
                connection,
                "keep_inertia",
                **key,
                now=to_millis(now),
                active_pushback_count=inertia.active_pushback_count,
                reflective_support_turn_count=inertia.reflective_support_turn_count,
                high_stakes_turn_count=inertia.high_stakes_turn_count,
                recent_overreliance_marker=int(inertia.recent_overreliance_marker),
                last_stance_gate_reason=inertia.last_stance_gate_reason,
            )

    async def delete_expired(self, now: datetime) -> int:
        """Delete sessions that expired before `now`; return how many."""
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "delete_expired_inertia", now=to_millis(now))
            return await self._queries.run(connection, "delete_expired_sessions", now=to_millis(now))


def _key(conversation: ConversationKey) -> dict[str, Value]:
    return {"character": conversation.character, "channel_id": conversation.channel_id}


def as_session(row: Row) -> Session:
    """Return the session that a row tells of."""
    return Session(
        started_at=from_millis(row["started_at"]),
        last_active_at=from_millis(row["last_active_at"]),
        turns=row["turns"],
    )


def _inertia(row: Row) -> StanceInertia:
    return StanceInertia(
        active_pushback_count=row["active_pushback_count"],
        reflective_support_turn_count=row["reflective_support_turn_count"],
        high_stakes_turn_count=row["high_stakes_turn_count"],
        recent_overreliance_marker=bool(row["recent_overreliance_marker"]),
        last_stance_gate_reason=row["last_stance_gate_reason"],
    )
