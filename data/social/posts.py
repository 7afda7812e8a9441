"""Posts of allowed channels, and what they are about."""

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from core.social.types import Digest, KnownPost, Post, ReadScope, Source
from data.columns import from_millis, storable, to_millis
from data.connection import Connection, Database, Row
from data.social.rows import dump, known_post_of, post_columns, post_of
from data.sql import NamedQueries, Value


class SqlPostStore:
    """`PostStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def add(self, posts: Sequence[Post]) -> int:
        """Keep posts; return how many are new. Left out: who gave no consent, and what the archive holds as sensitive.

        One that is there stays as it is.
        """
        if not posts:
            return 0
        notices: list[dict[str, Value]] = [
            {"character": character, "kind": kind, "post_id": post.id}
            for post in posts
            for kind, characters in (("reply", {post.answers}), ("mention", post.mentions))
            for character in characters
            if character is not None
        ]
        moments: list[dict[str, Value]] = [
            {"character": post.character, "posted_at": to_millis(post.sent_at)}
            for post in posts
            if post.character is not None and post.reply_to is None
        ]
        async with self._database.transaction() as connection:
            await self._queries.hold(connection, "hold_messages", messages=json.dumps([post.id for post in posts]))
            new = await self._queries.run_many(connection, "add_post", [post_columns(post) for post in posts])
            await self._queries.run_many(connection, "add_notice", notices)
            await self._queries.run_many(connection, "note_new_post", moments)
        return new

    async def get(self, post_ids: Sequence[int]) -> list[KnownPost]:
        """Return those of the posts that are kept, in the order of time."""
        if not post_ids:
            return []
        ids = json.dumps(sorted(set(post_ids)))
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "posts_by_id", ids=ids)
        return sorted(map(known_post_of, rows), key=_moment)

    async def unread(
        self, scope: ReadScope, source: Source, *, limit: int, choice: Collection[int | str] = ()
    ) -> list[KnownPost]:
        """Return what may be read by one way, newest first; `choice`: ids of members."""
        found: dict[int, Row] = {}
        async with self._database.reading() as connection:
            for name, more in _queries(scope, source, choice):
                rows = await self._queries.rows(connection, name, limit=limit, **_whose(scope), **more)
                found.update((row["id"], row) for row in rows)
        newest = sorted(found, reverse=True)[:limit]
        return [known_post_of(found[post_id]) for post_id in newest]

    async def recommendable(
        self, scope: ReadScope, *, limit: int, tags: Collection[str] = ()
    ) -> list[tuple[int, bytes]]:
        """Return ids and vectors of posts that may be read, newest first: under each tag, or of each channel."""
        ways: list[tuple[str, dict[str, Value]]] = (
            [("vectors_under_tag", {"tag": tag.lower(), "places": _listed(scope.channels)}) for tag in tags]
            if tags
            else [("newest_vectors", {"place_id": place_id}) for place_id in sorted(scope.channels)]
        )
        found: dict[int, bytes] = {}
        async with self._database.reading() as connection:
            for name, more in ways:
                rows = await self._queries.rows(connection, name, limit=limit, **_whose(scope), **more)
                found.update((row["id"], row["features"]) for row in rows)
        return sorted(found.items(), reverse=True)

    async def by_author(self, author_id: int, *, channels: Collection[int], limit: int) -> list[KnownPost]:
        """Return somebody's newest posts, newest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(
                connection, "posts_of_author", author_id=author_id, places=_listed(channels), limit=limit
            )
        return [known_post_of(row) for row in rows]

    async def recent(
        self, author_ids: Collection[int], *, channels: Collection[int], limit: int
    ) -> dict[int, list[tuple[datetime, bytes | None]]]:
        """Return of each of some people when their newest posts were sent, with the vectors there are already."""
        authors = json.dumps(sorted(author_ids))
        found: dict[int, list[tuple[datetime, bytes | None]]] = {author_id: [] for author_id in author_ids}
        async with self._database.reading() as connection:
            rows = await self._queries.rows(
                connection, "recent_vectors", authors=authors, places=_listed(channels), limit=limit
            )
        for row in rows:
            found[row["author_id"]].append((from_millis(row["sent_at"]), row["features"]))
        return found

    async def by_character(self, character: str, *, limit: int) -> list[KnownPost]:
        """Return a character's newest posts, newest first; replies, too."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "posts_of_character", character=character, limit=limit)
        return [known_post_of(row) for row in rows]

    async def last_new_post(self, character: str) -> datetime | None:
        """Return when a character last posted something that was no reply, however long ago; None if it never did."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "last_new_post", character=character)
        return None if row is None else from_millis(row["posted_at"])

    async def note_new_post(self, character: str, at: datetime) -> None:
        """Note that a character posts something that is no reply, before it does."""
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "note_new_post", character=character, posted_at=to_millis(at))

    async def written_since(self, character: str, place_id: int, since: datetime) -> int:
        """Return how many posts and replies of a character in an allowed channel were sent since then."""
        async with self._database.reading() as connection:
            return await self._queries.number(
                connection, "written_since", character=character, place_id=place_id, since=to_millis(since)
            )

    async def followers(self, character: str, *, since: datetime, limit: int) -> list[int]:
        """Return who answered or mentioned a character since then (members and characters), the latest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(
                connection, "social_followers", character=character, since=to_millis(since), limit=limit
            )
        return [row["author_id"] for row in rows]

    async def chain(self, post_id: int, *, limit: int) -> list[KnownPost]:
        """Return what a post answers, as far back as it is kept: at most `limit`, oldest first."""
        found: list[KnownPost] = []
        async with self._database.reading() as connection:
            above = await self._above(connection, post_id)
            while above is not None and len(found) < limit and above not in {known.post.id for known in found}:
                row = await self._queries.row(connection, "post", id=above)
                if row is None:
                    break
                found.append(known_post_of(row))
                above = row["reply_to"]
        return found[::-1]

    async def replies(self, post_id: int, *, limit: int) -> list[KnownPost]:
        """Return the newest direct replies to a post that are kept, oldest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "replies_to_post", post_id=post_id, limit=limit)
        return [known_post_of(row) for row in reversed(rows)]

    async def newest_id(self, place_id: int) -> int | None:
        """Return the id of the newest post kept of an allowed channel."""
        async with self._database.reading() as connection:
            return await self._queries.number(connection, "newest_post", place_id=place_id) or None

    async def count(self) -> int:
        """Return how many posts are kept."""
        async with self._database.reading() as connection:
            return await self._queries.number(connection, "count_posts")

    async def _above(self, connection: Connection, post_id: int) -> int | None:
        row = await self._queries.row(connection, "post", id=post_id)
        return None if row is None else row["reply_to"]


class SqlPostSummaryStore:
    """`PostSummaryStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def waiting(self, *, attempts: int, limit: int) -> list[Post]:
        """Return posts without a digest on which fewer than so many attempts failed, newest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "undigested_posts", attempts=attempts, limit=limit)
        return [post_of(row) for row in rows]

    async def put(self, post: Post, digest: Digest, *, embedding_model: str, now: datetime) -> bool:
        """Keep a digest; False if the post is gone, or was edited since it was read."""
        tags: list[dict[str, Value]] = [
            {"name": name, "post_id": post.id} for name in {storable(tag).lower() for tag in digest.tags}
        ]
        async with self._database.transaction() as connection:
            kept = await self._queries.run(
                connection,
                "put_digest",
                post_id=post.id,
                text=storable(post.text),
                summary=storable(digest.summary),
                tags=dump(digest.tags),
                features=digest.features,
                embedding_model=embedding_model,
                made_at=to_millis(now),
            )
            if kept:
                await self._queries.run(connection, "clear_tags", post_id=post.id)
                await self._queries.run_many(connection, "add_tag", tags)
        return kept > 0

    async def failed(self, post_id: int) -> None:
        """Count a failed attempt."""
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "digest_failed", post_id=post_id)


def _queries(scope: ReadScope, source: Source, choice: Collection[int | str]) -> list[tuple[str, dict[str, Value]]]:
    """Return the queries for one way to posts, each with its own parameters."""
    places: dict[str, Value] = {"places": _listed(scope.channels)}
    match source:
        case Source.FOLLOWEES:
            return [("unread_followees", places)]
        case Source.REPLIES:
            return [("unread_notices", places | {"notice": "reply"})]
        case Source.MENTIONS:
            return [("unread_notices", places | {"notice": "mention"})]
        case Source.FOLLOWERS:
            return [("unread_of_author", places | {"author_id": author}) for author in choice]
        case Source.NEWEST:
            return [("unread_newest", {"place_id": place_id}) for place_id in sorted(scope.channels)]
        case Source.RECOMMENDED:
            raise ValueError("recommended posts are chosen among `recommendable`")


def _whose(scope: ReadScope) -> dict[str, Value]:
    return {"character": scope.character, "since": to_millis(scope.since)}


def _listed(channels: Iterable[int]) -> str:
    """Return ids between commas, as queries look for them."""
    return f",{','.join(map(str, sorted(channels)))},"


def _moment(known: KnownPost) -> tuple[datetime, int]:
    return known.post.sent_at, known.post.id
