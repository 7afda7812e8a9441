"""Leases on shards, and turns to begin sessions; both by the database's own clock.

A lease is on the disk before it counts: a server that crashes must not come back with less than a process goes by.
"""

from core.ports.leases import Held
from core.sharding.shards import Shards
from data.connection import Database
from data.proactive.rows import shard_columns
from data.sql import NamedQueries, Value


class SqlLeaseStore:
    """`LeaseStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def take(self, name: str, shards: Shards, *, token: str, holder: str, seconds: float) -> Held | None:
        """Take a range for so long; None if that was done, else who has it, a part of it, or another division."""
        where = _columns(name, shards)
        async with self._database.durable_transaction() as connection:
            await self._queries.hold(connection, "hold_leases", character=name)
            now = await self._queries.number(connection, "database_now")
            row = await self._queries.row(connection, "lease_in_the_way", **where, now=now)
            if row is not None and row["token"] != token:
                held = Shards(row["first_shard"], row["last_shard"], row["shard_count"])
                return Held(shards=held, holder=row["holder"], seconds=(row["expires_at"] - now) / 1000)
            await self._queries.post(connection, "clear_leases", **where)
            ends = now + round(seconds * 1000)
            await self._queries.post(connection, "add_lease", **where, token=token, holder=holder, expires_at=ends)
        return None

    async def renew(self, name: str, shards: Shards, *, token: str, seconds: float) -> bool:
        """Hold a lease for so long from now; False if it is over, or somebody else's."""
        async with self._database.durable_transaction() as connection:
            now = await self._queries.number(connection, "database_now")
            ends = now + round(seconds * 1000)
            where = _columns(name, shards)
            return bool(
                await self._queries.run(connection, "renew_lease", **where, token=token, now=now, expires_at=ends)
            )

    async def release(self, name: str, shards: Shards, *, token: str) -> None:
        """Give a lease up; nothing if it is somebody else's."""
        async with self._database.durable() as connection:
            await self._queries.run(connection, "end_lease", **_columns(name, shards), token=token)

    async def may_identify(self, name: str, bucket: int, *, seconds: float) -> float:
        """Take the next turn to begin a session: 0 if it was taken, else for how many seconds to wait."""
        async with self._database.transaction() as connection:
            await self._queries.hold(connection, "hold_leases", character=name)
            now = await self._queries.number(connection, "database_now")
            row = await self._queries.row(connection, "identify_free_at", character=name, bucket=bucket)
            left = 0 if row is None else row["free_at"] - now
            if left > 0:
                # Not longer than a turn: the clock may have been wrong when the last one was taken.
                return min(seconds, left / 1000)
            free_at = now + round(seconds * 1000)
            await self._queries.post(connection, "take_identify_turn", character=name, bucket=bucket, free_at=free_at)
        return 0.0


def _columns(name: str, shards: Shards) -> dict[str, Value]:
    return {"character": name, **shard_columns(shards)}
