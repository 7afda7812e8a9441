"""A small community: stores, a scripted model that answers every kind of question, vectors by topic."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from core.clock import SimulatedClock
from core.errors import ModelError
from core.language_model.types import ChatRequest
from core.social.bounds import SocialBounds
from core.social.cycle import Cycle
from core.social.factory import Participant, SocialParts, make_cycle
from core.social.types import AllowedChannel, Digest, Interest, Post
from core.social.vectors import encode
from core.stance.policy import StancePolicy
from core.turn.checks.base import Check
from core.turn.counting import CallBook
from core.turn.policy import Budget, TurnPolicy
from core.turn.quota import Quota
from core.values import Character, Locale, Speaker, Surface, SurfaceKind, Tier
from prompts.loader import PromptLibrary
from tests.fakes.models import ScriptedModel
from tests.fakes.social import ListedPosts, RecordingActions
from tests.fakes.stores import InMemoryStores

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
GUILD, CHANNEL = 70, 10
AKI, BEN, CHI = 1, 2, 3
MIO_ACCOUNT, REN_ACCOUNT = 901, 902
PLACE = Surface(kind=SurfaceKind.CHANNEL, channel_id=CHANNEL, guild_id=GUILD)
TOPICS = ("sea", "bread", "clouds", "maps", "chess")


def character(name: str = "mio") -> Character:
    return Character(
        name=name,
        display_name={Locale.EN: name.title(), Locale.JA: name},
        call_names=(),
        locale=Locale.EN,
        timezone="UTC",
        tier=Tier.BASIC,
        introduction={Locale.EN: "Keeps a lighthouse.", Locale.JA: "灯台守。"},
        personality={Locale.EN: f"{name} is terse.", Locale.JA: "無口。"},
    )


def features(*topics: str, noise: int = 0) -> bytes:
    """Return the stored vector of some topics: each has a stretch of dimensions of its own."""
    rng = random.Random(noise)
    numbers = [rng.uniform(-0.02, 0.02) if noise else 0.0 for _ in range(512)]
    for topic in topics:
        start = TOPICS.index(topic) * 90
        for index in range(start, start + 90):
            numbers[index] += 1.0
    return encode(numbers).tobytes()


class TopicEmbedder:
    """Vectors of the topics that are named in a text."""

    name = "topics"

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        return [self._vector(text.casefold()) for text in texts]

    def _vector(self, text: str) -> list[float]:
        numbers = [0.001] * 512
        for index, topic in enumerate(TOPICS):
            numbers[index * 90 : index * 90 + 90] = [0.001 + text.count(topic)] * 90
        return numbers


def task_of(request: ChatRequest) -> str:
    """Return what a request asks for."""
    text = request.messages[-1].text
    for attribute, task in (
        ('"should_like"', "post-impression"),
        ('"should_follow"', "peer-impression"),
        ('{"interest"', "interest"),
        ('"title"', "new-post"),
        ('{"summary"', "post-summary"),
    ):
        if attribute in text.rsplit("\n", 1)[-1]:
            return task
    return "reply-post"


def data_of(request: ChatRequest) -> dict[str, Any]:
    """Return the JSON that a request hands over."""
    text = request.messages[-1].text
    data: dict[str, Any] = json.loads(text[text.index("```json\n") + 8 : text.rindex("\n```")])
    return data


@dataclass
class Script:
    """What the model answers to each task; a value that is no dictionary is answered as it stands."""

    answers: dict[str, Any] = field(
        default_factory=lambda: {
            "post-impression": {"impression": "Well put.", "tags": ["sea"], "should_like": True, "should_reply": True},
            "peer-impression": {"impression": "Patient.", "tags": ["sea"], "should_follow": True},
            "interest": {"interest": "The sea.", "tags": ["452:Sea"]},
            "new-post": {"content": "Salt keeps things honest.", "title": "", "tags": ["452:Sea"]},
            "reply-post": {"content": "Rust says otherwise.", "tags": ["452:Sea"]},
            "post-summary": {"summary": "About the sea.", "tags": ["452:Sea"]},
        }
    )

    def __call__(self, request: ChatRequest) -> str | ModelError:
        answer = self.answers[task_of(request)]
        if callable(answer):
            answer = answer(data_of(request))
        if isinstance(answer, ModelError):
            return answer
        return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)


def post(post_id: int, *, author: int = AKI, text: str = "The sea is calm.", **changes: Any) -> Post:
    base = Post(
        id=post_id,
        author=Speaker(id=author, name=f"name-{author}"),
        surface=PLACE,
        text=text,
        sent_at=NOW - timedelta(minutes=1000 - post_id),
        language="en",
    )
    return replace(base, **changes)


class Scene:
    """Everything a cycle of Mio needs, with one open channel. `script` says what the model answers."""

    def __init__(self, *, checks: tuple[Check, ...] = (), stance: StancePolicy | None = None, **bounds: Any) -> None:
        self.clock = SimulatedClock(NOW)
        self.stores = InMemoryStores()
        self.script = Script()
        self.model = ScriptedModel(script=self.script)
        self.source = ListedPosts()
        self.actions = RecordingActions("mio", MIO_ACCOUNT, clock=self.clock)
        self.bounds = SocialBounds(**bounds)
        self.parts = SocialParts(
            stores=self.stores,
            embedder=TopicEmbedder(),
            prompts=PromptLibrary.load(),
            stance=stance or StancePolicy.off(),
            checks=checks,
            bounds=self.bounds,
            book=self.book(Budget()),
            clock=self.clock,
            rng=random.Random(7),
        )

    def book(self, budget: Budget) -> CallBook:
        """Return where calls are paid for, with a budget for a day."""
        quota = Quota(TurnPolicy(global_budget=budget))
        return CallBook(usage=self.stores.usage, quota=quota, clock=self.clock)

    async def open(self, *posts: Post, about: str = "sea", **channel: Any) -> None:
        """Open the channel and put posts there that are summarised already."""
        channel = {"per_hour": 9, **channel}
        await self.stores.social.allow(AllowedChannel(channel_id=CHANNEL, guild_id=GUILD, **channel))
        await self.keep(*posts, about=about)

    async def keep(self, *posts: Post, about: str = "sea") -> None:
        for one in posts:
            if one.character is None:
                await self.stores.consents.give(one.author.id, now=NOW)
        self.source.posts += posts
        await self.stores.posts.add(posts)
        for one in posts:
            digest = Digest(summary=f"about {about}", tags=(about,), features=features(about, noise=one.id))
            await self.stores.post_summaries.put(one, digest, embedding_model="topics", now=NOW)

    async def care_about(self, *topics: str) -> None:
        """Let Mio care about something already."""
        interest = Interest(text=" ".join(topics), tags=topics, features=features(*topics), at=NOW)
        await self.stores.social.keep_interest("mio", interest, source="", embedding_model="topics", history=9)

    def cycle(self, *, rehearsal: bool = False) -> Cycle:
        who = Participant(
            character=character(), model=self.model, timetable=None, source=self.source, actions=self.actions
        )
        return make_cycle(self.parts, who, rehearsal=rehearsal)

    def asked(self, task: str) -> list[dict[str, Any]]:
        """Return the data of every request for a task."""
        return [data_of(request) for request in self.model.requests if task_of(request) == task]
