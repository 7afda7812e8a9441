"""Which embedding model the vectors are of, and those that are of another."""

from collections.abc import Sequence

from core.ports import Outdated
from core.social.embedding_text import digest_text
from data.connection import Database
from data.social.rows import load
from data.sql import NamedQueries

_RENEW = {"digest": "renew_digest", "interest": "renew_interest", "message": "renew_message"}


class SqlEmbeddingStore:
    """`EmbeddingStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def model(self) -> str | None:
        """Return the model's name; None in a database without vectors."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "embedding_model")
        return None if row is None else str(row["name"])

    async def settle(self, model: str) -> str:
        """Record the model where none is; return the one that is recorded."""
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "settle_embedding_model", model=model)
        return await self.model() or model

    async def outdated(self, model: str, *, limit: int) -> list[Outdated]:
        """Return what has a vector of another model."""
        async with self._database.reading() as connection:
            digests = await self._queries.rows(connection, "outdated_digests", model=model, limit=limit)
            interests = await self._queries.rows(connection, "outdated_interests", model=model, limit=limit)
            messages = await self._queries.rows(connection, "outdated_messages", model=model, limit=limit)
        found = [
            *(Outdated("digest", row["key"], digest_text(row["summary"], load(row["tags"]))) for row in digests),
            *(Outdated("interest", row["key"], row["source"]) for row in interests),
            *(Outdated("message", row["key"], row["text"] or "") for row in messages),
        ]
        return found[:limit]

    async def count_outdated(self, model: str) -> int:
        """Return how much of that there is."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "count_outdated", model=model)
        return 0 if row is None else sum(row)

    async def renew(self, model: str, vectors: Sequence[tuple[Outdated, bytes]]) -> None:
        """Replace vectors, each only if what it was made of still stands; in one transaction."""
        async with self._database.transaction() as connection:
            for of, vector in vectors:
                await self._queries.run(connection, _RENEW[of.kind], key=of.key, model=model, vector=vector)

    async def switch(self, model: str) -> bool:
        """Make it the system's model; False as long as something is outdated."""
        async with self._database.transaction() as connection:
            row = await self._queries.row(connection, "count_outdated", model=model)
            if row is not None and sum(row):
                return False
            await self._queries.run(connection, "set_embedding_model", model=model)
        return True
