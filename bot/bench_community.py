"""How long a cycle of the community takes by itself, among so many posts; the model and the vectors cost nothing."""

import json
import random
import statistics
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import timedelta

import numpy as np

from bot.bench import cpu_seconds
from core.clock import Clock
from core.language_model.types import ChatEvent, ChatRequest, Completion, TokenUsage
from core.ports import PostStore, Stores
from core.social.cycle import Cycle
from core.social.types import AllowedChannel, Digest, Interest, Post
from core.social.vectors import DIMENSIONS, encode
from core.values import Speaker, Surface, SurfaceKind

PutDigests = Callable[[Sequence[tuple[Post, Digest]]], Awaitable[None]]
"""Stores what many posts are about."""

_BATCH = 2_000
_MEMBERS, _CHANNELS, _TAGS, _FOLLOWED, _VECTORS = 500, 5, 200, 30, 500
_GUILD, _FIRST_CHANNEL, _FIRST_MEMBER, _FIRST_POST = 1, 10, 1_000, 1_000_000
_INTERESTED_IN = 10
_ALIKE, _NEAR, _FAR = 0.3, 1.0, 2.5
"""How much of something else is in a vector beside the topic: cosines of about 0.96, 0.7 and 0.4."""
_REACH = timedelta(days=29)
_USAGE = TokenUsage(input_tokens=10, output_tokens=10)
_ANSWER = json.dumps(
    {
        "impression": "Well put.", "tags": [f"452:tag{number}" for number in range(_INTERESTED_IN)],
        "should_like": True, "should_reply": True,
        "should_follow": True, "interest": "Tides.", "content": "The tide takes its time.", "title": "",
    }
)  # fmt: skip


class PromptModel:
    """A model that answers every question at once."""

    name = "bench"
    accepts_images = False
    can_look_up = True

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return that it costs nothing."""
        del usage
        return 0

    async def complete(self, request: ChatRequest) -> Completion:
        """Return the answer."""
        del request
        return Completion(text=_ANSWER, model=self.name, usage=_USAGE, cost_micros=0, cut_off=False)

    def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        """Refuse: the community asks for whole answers."""
        raise NotImplementedError


class NearVectors:
    """An embedding model that answers at once: everything is about the same, so that follows stay and replies come."""

    name = "bench"

    def __init__(self) -> None:
        self._rng = np.random.default_rng(7)
        self._topic = self._rng.normal(size=DIMENSIONS)

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        """Return a vector for each text."""
        return [self._vector(_ALIKE) for _ in texts]

    def stored(self, noise: float) -> bytes:
        """Return the topic as it is stored, with so much of something else in it."""
        return encode(self._vector(noise)).tobytes()

    def _vector(self, noise: float) -> list[float]:
        numbers: list[float] = (self._topic + noise * self._rng.normal(size=DIMENSIONS)).tolist()
        return numbers


async def fill(stores: Stores, put: PutDigests, character: str, *, posts: int, clock: Clock) -> None:
    """Store posts of many members in several channels, and let the character follow as many as it may.

    Those it follows write about what it is interested in, the others hardly.
    """
    rng, now, near = random.Random(7), clock.now(), NearVectors()
    for number in range(_CHANNELS):
        await stores.social.allow(AllowedChannel(channel_id=_FIRST_CHANNEL + number, guild_id=_GUILD, per_hour=60))
    for number in range(_MEMBERS):
        await stores.consents.give(_FIRST_MEMBER + number, now=now)
    tags = tuple(f"tag{number}" for number in range(_INTERESTED_IN))
    interest = Interest(text="Tides.", tags=tags, features=near.stored(_ALIKE), at=now)
    await stores.social.keep_interest(character, interest, source="", embedding_model=near.name, history=10)
    await stores.social.follow(character, range(_FIRST_MEMBER, _FIRST_MEMBER + _FOLLOWED), now=now)
    vectors = {noise: [near.stored(noise) for _ in range(_VECTORS)] for noise in (_NEAR, _FAR)}
    for start in range(0, posts, _BATCH):
        batch = [_post(number, posts, rng, clock) for number in range(start, min(posts, start + _BATCH))]
        await stores.posts.add(batch)
        await put([(post, _digest(post, vectors, rng)) for post in batch])


def _digest(post: Post, vectors: Mapping[float, Sequence[bytes]], rng: random.Random) -> Digest:
    followed = post.author.id < _FIRST_MEMBER + _FOLLOWED
    tags = tuple(f"tag{rng.randrange(_TAGS)}" for _ in range(3))
    return Digest(summary="About tides.", tags=tags, features=rng.choice(vectors[_NEAR if followed else _FAR]))


async def measure_cycle(make: Callable[[], Cycle], posts: PostStore, *, cycles: int, clock: Clock) -> dict[str, float]:
    """Run cycles, the first of which only warms up; return milliseconds, also of the processor alone."""
    taken, worked, calls = [], [], 0
    for _ in range(cycles + 1):
        began, busy = clock.monotonic(), cpu_seconds()
        report = await make().run()
        taken.append((clock.monotonic() - began) * 1000)
        worked.append((cpu_seconds() - busy) * 1000)
        calls = max(calls, report.calls)
    return {
        "posts": await posts.count(),
        "first_ms": round(taken[0], 1),
        "p50_ms": round(statistics.median(taken[1:]), 1),
        "worst_ms": round(max(taken[1:]), 1),
        "cpu_p50_ms": round(statistics.median(worked[1:]), 1),
        "most_calls": calls,
    }


def _post(number: int, posts: int, rng: random.Random, clock: Clock) -> Post:
    author = _FIRST_MEMBER + rng.randrange(_MEMBERS)
    channel = _FIRST_CHANNEL + rng.randrange(_CHANNELS)
    return Post(
        id=_FIRST_POST + number,
        author=Speaker(id=author, name=f"Member {author}"),
        surface=Surface(kind=SurfaceKind.CHANNEL, channel_id=channel, guild_id=_GUILD),
        text="The tide takes its time, and so does whoever waits for it. " * 3,
        sent_at=clock.now() - _REACH * (1 - number / posts),
        language="en",
    )
