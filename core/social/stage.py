"""What the steps of a cycle share: the character, the stores, the ways in and out, and where all is noted."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from core.clock import Clock
from core.errors import DeliveryError, UnreachableError
from core.ports import CharacterStateStore, PostSource, PostStore, SocialActions, SocialStore
from core.social.asking import Asker, Profile
from core.social.bounds import SocialBounds
from core.social.context import Surroundings
from core.social.journal import Journal, StepError
from core.social.ranking import Candidate
from core.social.reviewing import Review
from core.social.types import Access, Action, Interest, PeerImpression, Post, PostImpression, Trouble
from core.values import Character

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Everything a cycle of one character needs. A rehearsal has stores and actions that keep nothing."""

    character: Character
    posts: PostStore
    social: SocialStore
    states: CharacterStateStore
    source: PostSource
    actions: SocialActions
    surroundings: Surroundings
    asker: Asker
    review: Review
    bounds: SocialBounds
    embedding_model: str
    clock: Clock
    rng: random.Random
    journal: Journal

    @property
    def name(self) -> str:
        """The character's name."""
        return self.character.name

    def profile(self, interest: Interest | None) -> Profile:
        """Return the character as prompts are told of it, in its own language."""
        return Profile(character=self.character, locale=self.character.locale, interest=interest)

    async def within_pace(self, access: Access, *, now: datetime) -> bool:
        """Return whether the character may write once more in a channel within this hour."""
        channel = access.channel
        written = await self.posts.written_since(self.name, channel.channel_id, now - timedelta(hours=1))
        return written < channel.per_hour

    async def may_act(self) -> None:
        """Make sure that the character was not frozen meanwhile.

        Raises:
            StepError: it was.
        """
        if await self.states.is_frozen(self.name):
            raise StepError("frozen")

    async def missed(self, error: DeliveryError, access: Access, action: Action) -> None:
        """Note a missing permission, so that it is told once and not tried again as long as it is missing."""
        if isinstance(error, UnreachableError) and error.forbidden:
            trouble = Trouble(
                character=self.name, channel_id=access.channel.channel_id, action=action, since=self.clock.now()
            )
            await note_trouble(self.social, trouble)


async def note_trouble(social: SocialStore, trouble: Trouble) -> None:
    """Note a missing permission, and tell the log where it wasn't known yet."""
    if await social.note_trouble(trouble):
        _log.warning(
            "social.permission_missing",
            character=trouble.character,
            channel_id=trouble.channel_id,
            action=trouble.action.value,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A post that was read in this cycle. Without an impression nothing follows from it."""

    candidate: Candidate
    impression: PostImpression | None

    @property
    def post(self) -> Post:
        """The post."""
        return self.candidate.known.post


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a cycle goes by: where the character may go, and what it cared about when it began."""

    accesses: dict[int, Access]
    interest: Interest | None
    read: tuple[Read, ...] = ()
    peers: tuple[PeerImpression, ...] = ()
