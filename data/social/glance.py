"""A look at the community in a database that changes nothing in it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.social.types import Trouble
from data.columns import from_millis
from data.opening import Place, eraser_for, open_for_reading
from data.social.embeddings import SqlEmbeddingStore
from data.social.layers import SqlSocialStore
from data.sql import NamedQueries


@dataclass(frozen=True, slots=True, kw_only=True)
class CommunityState:
    """What stands there.

    `channels`: how many are open. `waiting`, `given_up`: posts without a summary, still to be tried or not; `oldest`:
    when the first that waits was sent. `last_cycle`: when any character's last one ended. `embedding_model`: the one
    that the vectors are of; `outdated`: how many are not of that which was asked about.
    """

    channels: int
    troubles: tuple[Trouble, ...]
    waiting: int
    given_up: int
    oldest: datetime | None
    last_cycle: datetime | None
    embedding_model: str | None
    outdated: int


async def look_at_community(
    place: Place, characters: Collection[str], *, attempts: int, model: str
) -> CommunityState | None:
    """Look at what is kept of some characters; None if there is no file yet.

    Raises:
        StorageError: The database can't be read.
    """
    if isinstance(place, Path) and not place.exists():
        return None
    database = await open_for_reading(place)
    try:
        queries = NamedQueries(database.dialect)
        social = SqlSocialStore(database=database, queries=queries, eraser=eraser_for(database, queries))
        embeddings = SqlEmbeddingStore(database=database, queries=queries)
        cycles = [cycle for name in characters for cycle in await social.cycles(name, limit=1)]
        async with database.reading() as connection:
            backlog = await queries.row(connection, "backlog", attempts=attempts)
        oldest = None if backlog is None else backlog["oldest"]
        return CommunityState(
            channels=len(await social.channels()),
            troubles=tuple([trouble for name in characters for trouble in await social.troubles(name)]),
            waiting=0 if backlog is None else backlog["waiting"],
            given_up=0 if backlog is None else backlog["given_up"],
            oldest=None if oldest is None else from_millis(oldest),
            last_cycle=max((cycle.ended_at for cycle in cycles), default=None),
            embedding_model=await embeddings.model(),
            outdated=await embeddings.count_outdated(model),
        )
    finally:
        await database.close()
