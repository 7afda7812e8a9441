"""Impressions: of each post read, then of each author (seed 002, 「投稿への印象」, 「ユーザへの印象」)."""

from collections.abc import Sequence
from typing import Any

from core.social.answers import PeerImpressionAnswer, PostImpressionAnswer
from core.social.context import as_told
from core.social.journal import StepError
from core.social.ranking import Candidate
from core.social.stage import Read, Scene, Stage
from core.social.tokens import cut
from core.social.types import KnownPost, PeerImpression, PostImpression


async def read_posts(stage: Stage, scene: Scene, chosen: Sequence[Candidate]) -> list[Read]:
    """Return what was thought of each post; one whose impression fails is neither liked nor answered."""
    read: list[Read] = []
    for candidate in chosen:
        impression: PostImpression | None = None
        async with stage.journal.step("post_impression"):
            impression = await _of_post(stage, scene, candidate.known)
        stage.journal.note("read", candidate.post_id, done=impression is not None, why=_why_read(candidate))
        read.append(Read(candidate=candidate, impression=impression))
    return read


async def think_of_authors(stage: Stage, scene: Scene) -> list[PeerImpression]:
    """Return what is thought of the authors now; each fails alone."""
    peers: list[PeerImpression] = []
    for known in _one_of_each_author(scene.read):
        async with stage.journal.step("peer_impression"):
            peers.append(await _of_author(stage, scene, known))
    return peers


async def _of_post(stage: Stage, scene: Scene, known: KnownPost) -> PostImpression:
    post, bounds, locale = known.post, stage.bounds, stage.character.locale
    peer = await stage.social.peer_impression(stage.name, post.author.id)
    chain = await stage.surroundings.chain(post, limit=bounds.chain_posts, tokens=bounds.chain_tokens)
    data: dict[str, Any] = {
        "post": as_told(known, stage.name, tokens=bounds.post_tokens),
        "author_impression": _peer_as_told(peer, bounds.impression_tokens),
        "reply_chain": chain,
    }
    answer = await stage.asker.ask(
        "post-impression",
        PostImpressionAnswer,
        data,
        profile=stage.profile(scene.interest),
        locale=locale,
        guild_id=post.surface.guild_id,
    )
    impression = PostImpression(
        post_id=post.id,
        peer_id=post.author.id,
        text=cut(answer.impression, bounds.impression_tokens),
        tags=stage.asker.tags(answer, locale),
        should_like=answer.should_like,
        should_reply=answer.should_reply,
        at=stage.clock.now(),
    )
    if not await stage.social.keep_post_impression(stage.name, impression):
        raise StepError("gone")
    return impression


async def _of_author(stage: Stage, scene: Scene, known: KnownPost) -> PeerImpression:
    author, bounds, locale = known.post.author, stage.bounds, stage.character.locale
    before = await stage.social.peer_impression(stage.name, author.id)
    data: dict[str, Any] = {
        "person": {"name": author.name, "language": known.post.language},
        "earlier_impression": _peer_as_told(before, bounds.impression_tokens),
        "posts": await _recent(stage, scene, author.id),
    }
    answer = await stage.asker.ask(
        "peer-impression",
        PeerImpressionAnswer,
        data,
        profile=stage.profile(scene.interest),
        locale=locale,
        guild_id=known.post.surface.guild_id,
    )
    impression = PeerImpression(
        peer_id=author.id,
        name=author.name,
        text=cut(answer.impression, bounds.impression_tokens),
        tags=stage.asker.tags(answer, locale),
        should_follow=answer.should_follow,
        at=stage.clock.now(),
    )
    if not await stage.social.keep_peer_impression(stage.name, impression):
        raise StepError("gone")
    stage.journal.note("peer", author.id, done=True, why=f"should_follow={answer.should_follow}")
    return impression


async def _recent(stage: Stage, scene: Scene, author_id: int) -> list[dict[str, Any]]:
    """Return somebody's recent posts as summaries, each with what the character thought of it, if it read it."""
    most = stage.bounds.peer_posts
    posts = await stage.posts.by_author(author_id, channels=scene.accesses.keys(), limit=most)
    thought = await stage.social.post_impressions(stage.name, limit=most, peer_id=author_id)
    by_post = {impression.post_id: impression for impression in thought}
    return [_summarised(known, by_post.get(known.post.id)) for known in reversed(posts)]


def _summarised(known: KnownPost, impression: PostImpression | None) -> dict[str, Any]:
    told: dict[str, Any] = {"summary": None if known.digest is None else known.digest.summary}
    if impression is not None:
        told |= {"impression": impression.text, "tags": list(impression.tags)}
    return told


def _peer_as_told(peer: PeerImpression | None, tokens: int) -> dict[str, Any] | None:
    return None if peer is None else {"impression": cut(peer.text, tokens), "tags": list(peer.tags)}


def _one_of_each_author(read: Sequence[Read]) -> list[KnownPost]:
    with_impression = (one.candidate.known for one in read if one.impression is not None)
    return list({known.post.author.id: known for known in with_impression}.values())


def _why_read(candidate: Candidate) -> str:
    likeness = "" if candidate.similarity is None else f", similarity {candidate.similarity:.2f}"
    return f"{candidate.source}, weight {candidate.weight:.2f}, drawn {candidate.score:.2f}{likeness}"
