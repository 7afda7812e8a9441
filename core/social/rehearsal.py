"""A rehearsal: a cycle that reads the real stores, and whose own changes are seen by itself alone."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from core.ports import PostStore, SocialStore
from core.social.types import Action, CycleRecord, Interest, PeerImpression, Post, PostImpression, Trouble


def rehearsed_posts(store: PostStore) -> PostStore:
    """Return a store of posts to which nothing is added."""
    return cast("PostStore", _Posts(store))


def rehearsed_social(store: SocialStore) -> SocialStore:
    """Return a social store that keeps changes for itself, as far as a cycle makes any."""
    return cast("SocialStore", _Social(store))


class _Posts:
    def __init__(self, store: PostStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - everything else is the real store's
        return getattr(self._store, name)

    async def add(self, posts: Sequence[Post]) -> int:
        del posts
        return 0

    async def note_new_post(self, character: str, at: datetime) -> None:
        del character, at


class _Social:
    def __init__(self, store: SocialStore) -> None:
        self._store = store
        self._posts: list[PostImpression] = []
        self._peers: dict[int, PeerImpression] = {}

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - everything else is the real store's
        return getattr(self._store, name)

    async def keep_post_impression(self, character: str, impression: PostImpression) -> bool:
        del character
        self._posts.insert(0, impression)
        return True

    async def post_impressions(
        self, character: str, *, limit: int, offset: int = 0, peer_id: int | None = None
    ) -> list[PostImpression]:
        mine = [one for one in self._posts if peer_id in {None, one.peer_id}]
        kept = await self._store.post_impressions(character, limit=limit, offset=offset, peer_id=peer_id)
        return [*mine, *kept][:limit]

    async def keep_peer_impression(self, character: str, impression: PeerImpression) -> bool:
        del character
        self._peers[impression.peer_id] = impression
        return True

    async def peer_impression(self, character: str, peer_id: int) -> PeerImpression | None:
        return self._peers.get(peer_id) or await self._store.peer_impression(character, peer_id)

    async def peer_impressions(self, character: str, *, limit: int, offset: int = 0) -> list[PeerImpression]:
        kept = await self._store.peer_impressions(character, limit=limit, offset=offset)
        return [*self._peers.values(), *(one for one in kept if one.peer_id not in self._peers)][:limit]

    async def keep_interest(
        self, character: str, interest: Interest, *, source: str, embedding_model: str, history: int
    ) -> None:
        del character, interest, source, embedding_model, history

    async def follow(self, character: str, peer_ids: Sequence[int], *, now: datetime) -> None:
        del character, peer_ids, now

    async def unfollow(self, character: str, peer_ids: Sequence[int]) -> None:
        del character, peer_ids

    async def note_trouble(self, trouble: Trouble) -> bool:
        del trouble
        return False

    async def clear_trouble(self, character: str, channel_id: int, action: Action) -> bool:
        del character, channel_id, action
        return False

    async def record_cycle(self, record: CycleRecord, *, keep: int) -> None:
        del record, keep
