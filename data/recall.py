"""The archive as recall sees it: searched by keyed terms, and read with what messages mean."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.ports import ArchiveEntry, Candidate, CandidatePool, TermHit, TermSearch, Unembedded
from core.values import LARGEST_ID, ConversationKey, Surface, SurfaceKind
from data.columns import from_millis, optional_moment
from data.connection import Connection, Database, Row
from data.sql import NamedQueries, Value
from data.terms import keyed

_DIMENSIONS = 512
_MOST_ROWS = 500  # of one term; a term in more messages than that says little anyway
_MOST_TOGETHER = 100  # of two terms
_MOST_COUNTED = 10_000  # a search asks for no more in a longer conversation
_JOINED = 3  # so many of the rarest terms are searched for together, when all of them are common


_AT_ONCE = 1_000  # of the messages a selection is made from
_NO_VECTOR = bytes(_DIMENSIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """Some messages of a pool, oldest first; see `CandidatePool`."""

    message_ids: NDArray[np.int64]
    texts: list[str]
    by_self: NDArray[np.bool_]
    vectors: NDArray[np.int8]


class SqlRecallStore:
    """`RecallStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def search(self, conversation: ConversationKey, terms: Sequence[str], *, limit: int) -> TermSearch:
        """Return messages of this conversation that hold any of the terms: of many, those with most and rarest."""
        async with self._database.reading() as connection:
            place = await self._queries.row(
                connection,
                "searched_conversation",
                character=conversation.character,
                channel_id=conversation.channel_id,
                most=_MOST_COUNTED,
            )
            if place is None:
                return TermSearch(frequencies={}, size=0)
            forms = keyed(terms, place["term_key"])
            found = await self._rows_with(connection, forms.values())
            wanted = json.dumps(_most_promising(found, limit))
            rows = await self._queries.rows(connection, "readable_rows", conversation_id=place["id"], ids=wanted)
        return TermSearch(
            hits=tuple(TermHit(_candidate(row), _held(row["terms"], forms)) for row in rows),
            frequencies=dict(zip(forms, map(len, found.each), strict=True)),
            size=place["size"],
        )

    async def newest(self, conversation: ConversationKey, *, limit: int) -> list[ArchiveEntry]:
        """Return the newest readable messages, oldest first."""
        async with self._database.reading() as connection:
            place = await self._place(connection, conversation)
            if place is None:
                return []
            rows = await self._queries.rows(
                connection, "newest_readable", conversation_id=place["id"], limit=max(0, limit)
            )
        return [_entry(row) for row in reversed(rows)]

    async def pool(self, conversation: ConversationKey, *, model: str, limit: int) -> CandidatePool:
        """Return the newest readable messages with their vectors of that model."""
        async with self._database.reading() as connection:
            place = await self._place(connection, conversation)
        read = await self._newest_pieces(place["id"], model, limit + 1) if place is not None else []
        return await asyncio.to_thread(_pool, read[::-1], limit)

    async def _newest_pieces(self, conversation_id: int, model: str, limit: int) -> list[_Piece]:
        """Read the newest messages, newest pieces first; in between others get their turn to read."""
        pieces: list[_Piece] = []
        before = LARGEST_ID
        while limit > 0:
            wanted = min(limit, _AT_ONCE)
            async with self._database.reading() as connection:
                rows = await self._queries.rows(
                    connection,
                    "newest_with_vectors",
                    conversation_id=conversation_id,
                    model=model,
                    before=before,
                    limit=wanted,
                )
            if rows:
                pieces.append(await asyncio.to_thread(_piece, rows[::-1]))
                before = rows[-1]["id"]
            limit = limit - len(rows) if len(rows) == wanted else 0
        return pieces

    async def entries(self, conversation: ConversationKey, message_ids: Sequence[int]) -> list[ArchiveEntry]:
        """Return those of the messages that are readable now, oldest first."""
        async with self._database.reading() as connection:
            place = await self._place(connection, conversation)
            if place is None:
                return []
            rows = await self._queries.rows(
                connection,
                "readable_messages",
                conversation_id=place["id"],
                message_ids=json.dumps(list(dict.fromkeys(message_ids))),
            )
        return [_entry(row) for row in rows]

    async def beside(self, conversation: ConversationKey, message_id: int) -> list[ArchiveEntry]:
        """Return the message directly before and the one directly after, as far as they are readable."""
        async with self._database.reading() as connection:
            place = await self._place(connection, conversation)
            if place is None:
                return []
            row_id = await self._queries.number(
                connection, "place_of_message", conversation_id=place["id"], message_id=message_id
            )
            rows = await self._queries.rows(connection, "beside_message", conversation_id=place["id"], id=row_id)
        return [_entry(row) for row in rows] if row_id else []

    async def unembedded(
        self, conversation: ConversationKey, *, model: str, beyond: int, limit: int
    ) -> list[Unembedded]:
        """Return readable messages without a vector of that model, newest first; [] for a short conversation."""
        async with self._database.reading() as connection:
            place = await self._place(connection, conversation)
            if place is None:
                return []
            size = await self._queries.number(
                connection, "count_messages_upto", conversation_id=place["id"], most=beyond + 1
            )
            if size <= beyond:
                return []
            rows = await self._queries.rows(
                connection, "messages_without_vector", conversation_id=place["id"], model=model, limit=limit
            )
        return [Unembedded(row["id"], row["text"]) for row in rows]

    async def keep_vectors(self, model: str, vectors: Sequence[tuple[Unembedded, bytes]]) -> None:
        """Store vectors, each only if the message still has that text."""
        rows: list[dict[str, Value]] = [
            {"id": of.key, "text": of.text, "model": model, "vector": vector} for of, vector in vectors
        ]
        async with self._database.transaction() as connection:
            await self._queries.run_many(connection, "keep_vector", rows)

    async def _place(self, connection: Connection, conversation: ConversationKey) -> Row | None:
        return await self._queries.row(
            connection,
            "conversation_key",
            character=conversation.character,
            channel_id=conversation.channel_id,
        )

    async def _rows_with(self, connection: Connection, forms: Iterable[str]) -> "_Found":
        """Return the newest rows that hold some forms; one statement for all of them."""
        rows = await self._queries.rows(
            connection,
            "rows_with_terms",
            forms=json.dumps(list(forms)),
            limit=_MOST_ROWS,
            joined=_JOINED,
            together=_MOST_TOGETHER,
        )
        each = {row["place"]: _numbers(row["ids"]) for row in rows if row["place"] is not None}
        together = [_numbers(row["ids"]) for row in rows if row["place"] is None]
        return _Found([each[place] for place in sorted(each)], together)


@dataclass(frozen=True, slots=True)
class _Found:
    """The ids of the newest rows for each form, in the order of the forms, and those for two of them together."""

    each: Sequence[NDArray[np.int64]]
    together: Sequence[NDArray[np.int64]]


def _numbers(listed: str) -> NDArray[np.int64]:
    """Return the numbers of a list in JSON, several times faster than by way of Python's."""
    within = listed.strip("[]")
    return np.fromstring(within, np.int64, sep=",") if within else np.empty(0, np.int64)


def _most_promising(found: _Found, limit: int) -> list[int]:
    """Return the rows that hold the most and the rarest terms, the newest of equals."""
    shares = [*(1.0 / (1.0 + len(rows)) for rows in found.each), *(1.0 for _ in found.together)]
    lists = [*found.each, *found.together]
    if not lists:
        return []
    rows, places = np.unique(np.concatenate(lists), return_inverse=True)
    worth = np.bincount(places, np.repeat(shares, [len(rows) for rows in lists]), len(rows))
    best: list[int] = rows[np.lexsort((rows, worth))[::-1][:limit]].tolist()
    return best


def _held(terms: str, forms: Mapping[str, str]) -> frozenset[str]:
    """Return which terms a row was indexed under; keyed, all are of one length, so none is a part of another."""
    return frozenset([term for term, form in forms.items() if form in terms])


def _piece(rows: Sequence[Row]) -> _Piece:
    vectors = b"".join([_NO_VECTOR if row["vector"] is None else row["vector"] for row in rows])
    return _Piece(
        message_ids=np.array([row["message_id"] for row in rows], np.int64),
        texts=[row["text"] for row in rows],
        by_self=np.array([row["is_self"] for row in rows], np.bool_),
        vectors=np.frombuffer(vectors, np.int8).reshape(len(rows), _DIMENSIONS),
    )


def _pool(pieces: Sequence[_Piece], limit: int) -> CandidatePool:
    """Return the newest of what was read in pieces, oldest first."""
    message_ids = np.concatenate([np.zeros(0, np.int64), *(piece.message_ids for piece in pieces)])
    first = max(0, len(message_ids) - limit)
    return CandidatePool(
        message_ids=message_ids[first:],
        texts=[text for piece in pieces for text in piece.texts][first:],
        by_self=np.concatenate([np.zeros(0, np.bool_), *(piece.by_self for piece in pieces)])[first:],
        vectors=np.concatenate([np.zeros((0, _DIMENSIONS), np.int8), *(piece.vectors for piece in pieces)])[first:],
        whole=first == 0,
    )


def _candidate(row: Row) -> Candidate:
    return Candidate(message_id=row["message_id"], text=row["text"], is_self=bool(row["is_self"]))


def _entry(row: Row) -> ArchiveEntry:
    return ArchiveEntry(
        conversation=ConversationKey(row["character"], row["channel_id"]),
        surface=Surface(
            kind=SurfaceKind(row["kind"]),
            channel_id=row["channel_id"],
            guild_id=row["guild_id"],
            parent_id=row["parent_id"],
        ),
        message_id=row["message_id"],
        author_id=row["author_id"],
        author_name=row["author_name"],
        is_self=bool(row["is_self"]),
        text=row["text"],
        sent_at=from_millis(row["sent_at"]),
        sensitive=bool(row["sensitive"]),
        edited_at=optional_moment(row["edited_at"]),
    )
