"""Whom the character follows: two thresholds, so that nobody flaps (seed 002, 「フォロー関係の更新」)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from core.social.bounds import SocialBounds
from core.social.stage import Scene, Stage
from core.social.types import Interest
from core.social.vectors import DIMENSIONS, VectorError, decode


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody with how near their recent posts are to the interest, and whether they are active."""

    peer_id: int
    similarity: float
    active: bool


@dataclass(frozen=True, slots=True)
class Tidied:
    """Whom to follow from now on, and whom no more."""

    follow: tuple[int, ...]
    unfollow: tuple[int, ...]


async def tidy_follows(stage: Stage, scene: Scene, interest: Interest | None) -> None:
    """Bring the list up to date; without an interest it stays as it is."""
    if interest is None:
        return
    async with stage.journal.step("follow"):
        followed = await stage.social.following(stage.name)
        wished = [peer.peer_id for peer in scene.peers if peer.should_follow and peer.peer_id not in followed]
        current, candidates = await standings(stage, scene, interest, followed, wished)
        tidied = tidy(current, candidates, bounds=stage.bounds)
        await stage.social.unfollow(stage.name, tidied.unfollow)
        await stage.social.follow(stage.name, tidied.follow, now=stage.clock.now())
        _note(stage, tidied, {one.peer_id: one for one in (*current, *candidates)})


def tidy(current: list[Standing], candidates: list[Standing], *, bounds: SocialBounds) -> Tidied:
    """Return the changes: the nearest few candidates above the higher threshold come in.

    Those followed go only where there are nearly as many as there may be: who is inactive or below the lower
    threshold, and then the farthest, until the limit holds.
    """
    near = [one for one in candidates if one.similarity >= bounds.follow_similarity]
    new = sorted(near, key=_farthest_last)[: bounds.followees_swap]
    kept = list(current)
    if len(current) >= bounds.followees - bounds.followees_swap:
        kept = [one for one in current if one.active and one.similarity >= bounds.keep_similarity]
    final = {one.peer_id for one in sorted((*kept, *new), key=_farthest_last)[: bounds.followees]}
    return Tidied(
        follow=tuple(one.peer_id for one in new if one.peer_id in final),
        unfollow=tuple(one.peer_id for one in current if one.peer_id not in final),
    )


async def standings(stage: Stage, scene: Scene, interest: Interest, *groups: Sequence[int]) -> list[list[Standing]]:
    """Return how those of each group stand: their newest posts beside the interest."""
    wanted = {peer_id for group in groups for peer_id in group}
    recent = await stage.posts.recent(wanted, channels=scene.accesses.keys(), limit=stage.bounds.follow_posts)
    since = stage.clock.now() - timedelta(days=stage.bounds.active_days)
    return [[_standing(peer_id, interest, recent[peer_id], since) for peer_id in group] for group in groups]


def _standing(
    peer_id: int, interest: Interest, posts: Sequence[tuple[datetime, bytes | None]], since: datetime
) -> Standing:
    active = any(sent_at >= since for sent_at, _ in posts)
    return Standing(peer_id, _likeness(interest, [features for _, features in posts]), active)


def _likeness(interest: Interest, features: list[bytes | None]) -> float:
    """Return the nearness of the sum of somebody's posts, each as a unit vector; 0 for somebody without any."""
    held = [one for one in features if one is not None]
    if not held:
        return 0.0
    try:
        rows = decode(np.frombuffer(b"".join(held), np.int8).reshape(-1, DIMENSIONS))
        wanted = decode(np.frombuffer(interest.features, np.int8))
    except VectorError:
        return 0.0
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    summed = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0).sum(axis=0)
    length = float(np.linalg.norm(summed) * np.linalg.norm(wanted))
    return float(summed @ wanted) / length if length else 0.0


def _farthest_last(one: Standing) -> float:
    return -one.similarity


def _note(stage: Stage, tidied: Tidied, standings: dict[int, Standing]) -> None:
    for what, peer_ids in (("follow", tidied.follow), ("unfollow", tidied.unfollow)):
        for peer_id in peer_ids:
            standing = standings[peer_id]
            activity = "" if standing.active else ", not active"
            stage.journal.note(what, peer_id, done=True, why=f"similarity {standing.similarity:.2f}{activity}")
