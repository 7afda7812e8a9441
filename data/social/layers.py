"""What characters make of posts and people, whom they follow, where they may go, and how their cycles went."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from core.social.types import (
    Action,
    AllowedChannel,
    CycleRecord,
    Interest,
    PeerImpression,
    PostImpression,
    Trouble,
)
from data.columns import from_millis, storable, to_millis
from data.connection import Database
from data.erasure import Eraser
from data.social.rows import channel_of, cycle_of, dump, impression_of, interest_of, peer_of
from data.sql import NamedQueries, Value


class SqlSocialStore:
    """`SocialStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries, eraser: Eraser) -> None:
        self._database = database
        self._queries = queries
        self._eraser = eraser

    async def channels(self, guild_id: int | None = None) -> list[AllowedChannel]:
        """Return the allowed channels, of one server or of all."""
        async with self._database.reading() as connection:
            rows = (
                await self._queries.rows(connection, "allowed_channels")
                if guild_id is None
                else await self._queries.rows(connection, "allowed_channels_of", guild_id=guild_id)
            )
        return [channel_of(row) for row in rows]

    async def allow(self, channel: AllowedChannel) -> None:
        """Open a channel to the characters, or change how."""
        await self._run(
            "allow_channel",
            channel_id=channel.channel_id,
            guild_id=channel.guild_id,
            kind=channel.kind.value,
            per_hour=channel.per_hour,
            may_post=int(channel.may_post),
        )

    async def disallow(self, channel_id: int) -> bool:
        """Close a channel, and delete the posts kept of it with all that was made of them; False if it was closed."""
        async with self._database.transaction() as connection:
            closed = await self._queries.run(connection, "disallow_channel", channel_id=channel_id)
            await self._queries.run(connection, "delete_posts_of_channel", channel_id=channel_id)
            await self._queries.run(connection, "clear_troubles_of_channel", channel_id=channel_id)
        await self._eraser.erase_log()
        return closed > 0

    async def interest(self, character: str) -> Interest | None:
        """Return what a character cares about; None as long as it read nothing."""
        newest = await self.interest_history(character, limit=1)
        return newest[0] if newest else None

    async def keep_interest(
        self, character: str, interest: Interest, *, source: str, embedding_model: str, history: int
    ) -> None:
        """Replace the interest; of all there ever were the newest `history` are kept."""
        async with self._database.transaction() as connection:
            await self._queries.run(
                connection,
                "add_interest",
                character=character,
                interest=storable(interest.text),
                tags=dump(interest.tags),
                source=storable(source),
                features=interest.features,
                embedding_model=embedding_model,
                made_at=to_millis(interest.at),
            )
            await self._queries.run(connection, "trim_interests", character=character, keep=max(1, history))

    async def interest_history(self, character: str, *, limit: int, offset: int = 0) -> list[Interest]:
        """Return past interests and the present one, newest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "interests", character=character, limit=limit, offset=offset)
        return [interest_of(row) for row in rows]

    async def keep_post_impression(self, character: str, impression: PostImpression) -> bool:
        """Keep what was thought of a post; False if there is one already, or the post is gone."""
        return await self._run(
            "add_impression",
            character=character,
            post_id=impression.post_id,
            user_id=impression.peer_id,
            impression=storable(impression.text),
            tags=dump(impression.tags),
            should_like=int(impression.should_like),
            should_reply=int(impression.should_reply),
            made_at=to_millis(impression.at),
        )

    async def post_impressions(
        self, character: str, *, limit: int, offset: int = 0, peer_id: int | None = None
    ) -> list[PostImpression]:
        """Return impressions of posts, newest first; only of one person's where `peer_id` is given."""
        page: dict[str, Value] = {"character": character, "limit": limit, "offset": offset}
        async with self._database.reading() as connection:
            rows = (
                await self._queries.rows(connection, "impressions", **page)
                if peer_id is None
                else await self._queries.rows(connection, "impressions_of", user_id=peer_id, **page)
            )
        return [impression_of(row) for row in rows]

    async def keep_peer_impression(self, character: str, impression: PeerImpression) -> bool:
        """Replace what is thought of somebody; False if they gave no consent (and are none of our characters)."""
        return await self._run(
            "put_peer",
            character=character,
            user_id=impression.peer_id,
            called=storable(impression.name),
            impression=storable(impression.text),
            tags=dump(impression.tags),
            should_follow=int(impression.should_follow),
            made_at=to_millis(impression.at),
        )

    async def peer_impression(self, character: str, peer_id: int) -> PeerImpression | None:
        """Return what is thought of somebody."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "peer", character=character, user_id=peer_id)
        return None if row is None else peer_of(row)

    async def peer_impressions(self, character: str, *, limit: int, offset: int = 0) -> list[PeerImpression]:
        """Return impressions of people, newest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "peers", character=character, limit=limit, offset=offset)
        return [peer_of(row) for row in rows]

    async def counts(self, character: str) -> Mapping[str, int]:
        """Return how many `interests`, `people`, `posts` (impressions of them) and `following` there are."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "count_layers", character=character)
        return dict.fromkeys(("interests", "people", "posts", "following"), 0) | (dict(row) if row else {})

    async def following(self, character: str) -> list[int]:
        """Return whom a character follows, the longest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "following", character=character)
        return [row["user_id"] for row in rows]

    async def follow(self, character: str, peer_ids: Sequence[int], *, now: datetime) -> None:
        """Follow members who gave consent, and characters; whoever is followed stays so."""
        async with self._database.transaction() as connection:
            await self._queries.run_many(
                connection,
                "follow",
                [{"character": character, "user_id": peer, "since": to_millis(now)} for peer in peer_ids],
            )

    async def unfollow(self, character: str, peer_ids: Sequence[int]) -> None:
        """Follow them no more."""
        async with self._database.transaction() as connection:
            await self._queries.run_many(
                connection, "unfollow", [{"character": character, "user_id": peer} for peer in peer_ids]
            )

    async def note_trouble(self, trouble: Trouble) -> bool:
        """Note a missing permission; False if that is known already."""
        return await self._run(
            "note_trouble",
            character=trouble.character,
            channel_id=trouble.channel_id,
            action=trouble.action.value,
            since=to_millis(trouble.since),
        )

    async def clear_trouble(self, character: str, channel_id: int, action: Action) -> bool:
        """Note that a permission is there again; False if it was not missing."""
        return await self._run("clear_trouble", character=character, channel_id=channel_id, action=action.value)

    async def troubles(self, character: str) -> list[Trouble]:
        """Return the missing permissions, the oldest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "troubles", character=character)
        return [
            Trouble(
                character=row["character"],
                channel_id=row["channel_id"],
                action=Action(row["action"]),
                since=from_millis(row["since"]),
            )
            for row in rows
        ]

    async def record_cycle(self, record: CycleRecord, *, keep: int) -> None:
        """Keep the numbers of a cycle; of each character the newest `keep` are kept."""
        async with self._database.transaction() as connection:
            await self._queries.run(
                connection,
                "add_cycle",
                character=record.character,
                began_at=to_millis(record.began_at),
                ended_at=to_millis(record.ended_at),
                done=json.dumps(dict(record.done)),
                failed=json.dumps(dict(record.failed)),
                note=record.note,
            )
            await self._queries.run(connection, "trim_cycles", character=record.character, keep=max(1, keep))

    async def cycles(self, character: str, *, limit: int) -> list[CycleRecord]:
        """Return the newest cycles, newest first."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "cycles", character=character, limit=limit)
        return [cycle_of(row) for row in rows]

    async def _run(self, name: str, **parameters: Value) -> bool:
        async with self._database.exclusive() as connection:
            return await self._queries.run(connection, name, **parameters) > 0
