"""The six ways by which posts come to be read. One that fails leaves the others (seed 002, 「障害時の挙動」)."""

import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.ports import PostStore
from core.social.bounds import SocialBounds
from core.social.journal import Journal
from core.social.ranking import Candidate, heaviest, nearest, weight_of
from core.social.types import Interest, KnownPost, ReadScope, Source
from core.values import Character


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Gathers what could be read."""

    character: Character
    posts: PostStore
    bounds: SocialBounds
    rng: random.Random

    async def gather(
        self, channels: frozenset[int], interest: Interest | None, *, now: datetime, journal: Journal
    ) -> list[Candidate]:
        """Return every candidate with its weight; a source that fails is counted and left out."""
        since = now - timedelta(days=self.bounds.reach_days)
        scope = ReadScope(character=self.character.name, channels=channels, since=since)
        ways = self._ways(scope, interest)
        found: list[tuple[Source, KnownPost, float]] = []
        for source, fetch in ways.items():
            async with journal.step(f"source.{source}"):
                found += [(source, known, self._weight(known, source)) for known in await fetch()]
        return heaviest(found)

    def _ways(
        self, scope: ReadScope, interest: Interest | None
    ) -> Mapping[Source, Callable[[], Awaitable[list[KnownPost]]]]:
        async def plain(source: Source) -> list[KnownPost]:
            return await self.posts.unread(scope, source, limit=self.bounds.fetch_posts)

        return {
            Source.FOLLOWEES: lambda: plain(Source.FOLLOWEES),
            Source.REPLIES: lambda: plain(Source.REPLIES),
            Source.RECOMMENDED: lambda: self._recommended(scope, interest),
            Source.MENTIONS: lambda: plain(Source.MENTIONS),
            Source.NEWEST: lambda: plain(Source.NEWEST),
            Source.FOLLOWERS: lambda: self._of_followers(scope),
        }

    async def _recommended(self, scope: ReadScope, interest: Interest | None) -> list[KnownPost]:
        """Return posts that share a tag with the interest, else any, by nearness to it."""
        if interest is None:
            return []
        bounds, fetched = self.bounds, self.bounds.fetch_posts
        share = -(-bounds.recommended_pool // max(1, len(interest.tags)))
        pool = dict(await self.posts.recommendable(scope, tags=interest.tags, limit=share)) if interest.tags else {}
        if len(pool) < fetched:
            share = -(-bounds.recommended_pool // max(1, len(scope.channels)))
            pool |= dict(await self.posts.recommendable(scope, limit=share))
        return await self.posts.get(nearest(interest.features, pool, limit=fetched))

    async def _of_followers(self, scope: ReadScope) -> list[KnownPost]:
        """Return the recent posts of a few, drawn by chance, who answered or mentioned the character."""
        followers = await self.posts.followers(scope.character, since=scope.since, limit=self.bounds.compare_posts)
        chosen = self.rng.sample(followers, min(len(followers), self.bounds.sampled_followers))
        if not chosen:
            return []
        return await self.posts.unread(scope, Source.FOLLOWERS, limit=self.bounds.fetch_posts, choice=chosen)

    def _weight(self, known: KnownPost, source: Source) -> float:
        character = self.character
        return weight_of(known, source, character=character.name, language=character.locale, bounds=self.bounds)
