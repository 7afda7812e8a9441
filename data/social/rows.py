"""How posts and what is made of them stand in rows."""

import json
from collections.abc import Iterable
from functools import lru_cache

from core.social.types import (
    Action,
    AllowedChannel,
    CycleRecord,
    Digest,
    Interest,
    KnownPost,
    PeerImpression,
    PlaceKind,
    Post,
    PostImpression,
)
from core.values import Speaker, Surface, SurfaceKind
from data.columns import from_millis, storable, to_millis
from data.connection import Row, Value


def post_columns(post: Post) -> dict[str, Value]:
    """Return a post's columns."""
    return {
        "id": post.id,
        "author_id": post.author.id,
        "author_name": storable(post.author.name),
        "character": post.character,
        "kind": post.surface.kind.value,
        "channel_id": post.surface.channel_id,
        "guild_id": post.surface.guild_id,
        "parent_id": post.surface.parent_id,
        "place_id": post.place_id,
        "title": None if post.title is None else storable(post.title),
        "text": storable(post.text),
        "language": post.language,
        "reply_to": post.reply_to,
        "answers": post.answers,
        "mentions": dump(sorted(post.mentions)),
        "open_to": dump(sorted(post.open_to)),
        "sent_at": to_millis(post.sent_at),
    }


def post_of(row: Row) -> Post:
    """Return the post of a row."""
    character = row["character"]
    return Post(
        id=row["id"],
        author=Speaker(id=row["author_id"], name=row["author_name"], is_bot=character is not None),
        surface=Surface(
            kind=SurfaceKind(row["kind"]),
            channel_id=row["channel_id"],
            guild_id=row["guild_id"],
            parent_id=row["parent_id"],
        ),
        text=row["text"],
        sent_at=from_millis(row["sent_at"]),
        character=character,
        language=row["language"],
        reply_to=row["reply_to"],
        answers=row["answers"],
        mentions=frozenset(load(row["mentions"])),
        title=row["title"],
        open_to=_actions(row["open_to"]),
    )


def known_post_of(row: Row) -> KnownPost:
    """Return the post of a row with what it is about, where that is known."""
    digest = None
    if row["features"] is not None:
        digest = Digest(summary=row["summary"], tags=load(row["tags"]), features=row["features"])
    return KnownPost(post_of(row), digest)


def channel_of(row: Row) -> AllowedChannel:
    """Return the allowed channel of a row."""
    return AllowedChannel(
        channel_id=row["channel_id"],
        guild_id=row["guild_id"],
        kind=PlaceKind(row["kind"]),
        per_hour=row["per_hour"],
        may_post=bool(row["may_post"]),
    )


def interest_of(row: Row) -> Interest:
    """Return the interest of a row."""
    return Interest(
        text=row["interest"], tags=load(row["tags"]), features=row["features"], at=from_millis(row["made_at"])
    )


def impression_of(row: Row) -> PostImpression:
    """Return the impression of a post of a row."""
    return PostImpression(
        post_id=row["post_id"],
        peer_id=row["user_id"],
        text=row["impression"],
        tags=load(row["tags"]),
        should_like=bool(row["should_like"]),
        should_reply=bool(row["should_reply"]),
        at=from_millis(row["made_at"]),
    )


def peer_of(row: Row) -> PeerImpression:
    """Return the impression of a person of a row."""
    return PeerImpression(
        peer_id=row["user_id"],
        name=row["name"],
        text=row["impression"],
        tags=load(row["tags"]),
        should_follow=bool(row["should_follow"]),
        at=from_millis(row["made_at"]),
    )


def cycle_of(row: Row) -> CycleRecord:
    """Return the cycle of a row."""
    return CycleRecord(
        character=row["character"],
        began_at=from_millis(row["began_at"]),
        ended_at=from_millis(row["ended_at"]),
        done=json.loads(row["done"]),
        failed=json.loads(row["failed"]),
        note=row["note"],
    )


@lru_cache(maxsize=64)
def _actions(stored: str) -> frozenset[Action]:
    return frozenset(map(Action, load(stored)))


def dump(words: Iterable[str]) -> str:
    """Return words as a JSON list."""
    return json.dumps([storable(word) for word in words], ensure_ascii=False)


@lru_cache(maxsize=4096)  # thousands of posts are read at once, and most lists are the same few
def load(stored: str) -> tuple[str, ...]:
    """Return the words of a JSON list."""
    return tuple(json.loads(stored))
