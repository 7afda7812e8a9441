"""What posts are about, found out in the background: summary, tags and the vector of both (seed 002, post-summary)."""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from core.clock import Clock
from core.ports import Embedder, PostSummaryStore
from core.social.answers import SummaryAnswer
from core.social.asking import Asker
from core.social.bounds import SocialBounds
from core.social.embedding_text import digest_text
from core.social.journal import StepError
from core.social.tokens import cut
from core.social.types import Digest, Post
from core.social.vectors import encode
from core.values import Locale

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Digested:
    """How many posts were summarised, and how many attempts failed. `stands_still`: no model answered."""

    made: int = 0
    failed: int = 0
    stands_still: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Digesting:
    """Summarises posts that wait for it, the newest first. A post on which it failed too often is left alone."""

    summaries: PostSummaryStore
    asker: Asker
    embedder: Embedder
    bounds: SocialBounds
    clock: Clock

    async def run(self) -> Digested:
        """Summarise a few; where no model answers nothing is counted against the posts."""
        made = failed = 0
        for post in await self.summaries.waiting(
            attempts=self.bounds.digest_attempts, limit=self.bounds.digests_at_once
        ):
            try:
                made += await self._digest(post)
            except StepError as error:
                _log.warning("social.digest_failed", post_id=post.id, reason=error.reason)
                if error.reason in {"model", "budget", "timeout"}:
                    return Digested(made, failed, stands_still=True)
                failed += 1
                await self.summaries.failed(post.id)
        return Digested(made, failed)

    async def _digest(self, post: Post) -> bool:
        locale = post.language or Locale.EN.value
        data = {"author": post.author.name, "title": post.title, "content": cut(post.text, self.bounds.summary_tokens)}
        answer = await self.asker.ask(
            "post-summary", SummaryAnswer, data, profile=None, locale=locale, guild_id=post.surface.guild_id
        )
        summary, tags = cut(answer.summary, self.bounds.impression_tokens), self.asker.tags(answer, locale)
        digest = Digest(summary=summary, tags=tags, features=await self._features(summary, tags))
        now = self.clock.now()
        return await self.summaries.put(post, digest, embedding_model=self.embedder.name, now=now)

    async def _features(self, summary: str, tags: Sequence[str]) -> bytes:
        (vector,) = await self.embedder.embed([digest_text(summary, tags)])
        if vector is None:
            raise StepError("vector")
        return encode(vector).tobytes()
