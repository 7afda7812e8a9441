"""The interest: written anew from impressions, its vector with some of the one before (seed 002, 「興味の更新」)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.ports import Embedder
from core.social.answers import InterestAnswer
from core.social.embedding_text import interest_text
from core.social.journal import StepError
from core.social.stage import Scene, Stage
from core.social.tokens import cut
from core.social.types import Interest
from core.social.vectors import blend, encode


async def update_interest(stage: Stage, scene: Scene, embedder: Embedder) -> Interest | None:
    """Return the interest as it is now: the old one where nothing was ever read or the step fails."""
    interest = scene.interest
    async with stage.journal.step("interest"):
        interest = await _updated(stage, scene, embedder)
    return interest  # noqa: RET504 - a step that fails leaves the old one


async def _updated(stage: Stage, scene: Scene, embedder: Embedder) -> Interest | None:
    bounds, locale = stage.bounds, stage.character.locale
    peers = await stage.social.peer_impressions(stage.name, limit=bounds.interest_peers)
    posts = await stage.social.post_impressions(stage.name, limit=bounds.interest_posts)
    if scene.interest is None and not peers and not posts:
        return None
    data: dict[str, Any] = {
        "people": [_told(peer.text, peer.tags, bounds.impression_tokens) for peer in peers],
        "posts": [_told(post.text, post.tags, bounds.impression_tokens) for post in posts],
    }
    answer = await stage.asker.ask(
        "interest", InterestAnswer, data, profile=stage.profile(scene.interest), locale=locale
    )
    text, tags = cut(answer.interest, bounds.impression_tokens), stage.asker.tags(answer, locale)
    source = interest_text(text, tags, stage.character.introduction[locale])
    features = await _features(stage, scene, embedder, source)
    interest = Interest(text=text, tags=tags, features=features, at=stage.clock.now())
    await stage.social.keep_interest(
        stage.name, interest, source=source, embedding_model=stage.embedding_model, history=bounds.interest_history
    )
    stage.journal.note("interest", None, done=True, why=f"{len(peers)} people, {len(posts)} posts", text=text)
    return interest


async def _features(stage: Stage, scene: Scene, embedder: Embedder, source: str) -> bytes:
    (vector,) = await embedder.embed([source])
    if vector is None:
        raise StepError("vector")
    before = None if scene.interest is None else np.frombuffer(scene.interest.features, np.int8)
    return blend(encode(vector), before, stage.bounds.hysteresis).tobytes()


def _told(text: str, tags: Sequence[str], tokens: int) -> dict[str, Any]:
    return {"impression": cut(text, tokens), "tags": list(tags)}
