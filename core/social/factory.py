"""Puts a cycle together from what is open while the program runs."""

import random
from dataclasses import dataclass

from core.clock import Clock
from core.facts.schedule.timetable import Timetable
from core.ports import ChatModel, Embedder, PostSource, SocialActions, Stores
from core.social.archived import ArchivedPosts, RehearsedActions
from core.social.asking import Asker
from core.social.bounds import SocialBounds
from core.social.candidates import Candidates
from core.social.context import IsSensitive, Surroundings
from core.social.cycle import Cycle
from core.social.digesting import Digesting
from core.social.intake import Intake
from core.social.journal import Journal
from core.social.rehearsal import rehearsed_posts, rehearsed_social
from core.social.reviewing import Review
from core.social.stage import Stage
from core.stance.policy import StancePolicy
from core.turn.checks.base import Check
from core.turn.counting import CallBook
from core.turn.verification import Verification
from core.values import Character
from prompts.loader import PromptLibrary

_SUMMARISER = "post-summaries"


@dataclass(frozen=True, slots=True, kw_only=True)
class SocialParts:
    """What the cycles of all characters share."""

    stores: Stores
    embedder: Embedder
    prompts: PromptLibrary
    stance: StancePolicy
    checks: tuple[Check, ...]
    bounds: SocialBounds
    book: CallBook
    clock: Clock
    rng: random.Random

    @property
    def is_sensitive(self) -> IsSensitive:
        """Tells whether a text may not be read."""
        return self.stance.is_sensitive

    def asker(self, character: str, model: ChatModel) -> Asker:
        """Return what asks the model for one cycle."""
        return Asker(
            character=character,
            model=model,
            prompts=self.prompts,
            bounds=self.bounds,
            book=self.book,
        )

    def digesting(self, model: ChatModel) -> Digesting:
        """Return one round of the background worker, whose calls are counted under a name of their own."""
        return Digesting(
            summaries=self.stores.post_summaries,
            asker=self.asker(_SUMMARISER, model),
            embedder=self.embedder,
            bounds=self.bounds,
            clock=self.clock,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """A character that takes part. Without `source` and `actions` it only ever rehearses, on what is kept."""

    character: Character
    model: ChatModel
    timetable: Timetable | None
    source: PostSource | None = None
    actions: SocialActions | None = None


def make_cycle(parts: SocialParts, who: Participant, *, rehearsal: bool = False) -> Cycle:
    """Return a cycle to be run once; a rehearsal changes nothing but what was asked of the model."""
    stores, rehearsal = parts.stores, rehearsal or who.actions is None
    posts = rehearsed_posts(stores.posts) if rehearsal else stores.posts
    social = rehearsed_social(stores.social) if rehearsal else stores.social
    source = who.source or ArchivedPosts(posts)
    actions = who.actions if who.actions is not None and not rehearsal else None
    stage = Stage(
        character=who.character,
        posts=posts,
        social=social,
        states=stores.characters,
        source=source,
        actions=actions or RehearsedActions(who.character.name, clock=parts.clock),
        surroundings=Surroundings(
            character=who.character,
            source=source,
            posts=posts,
            users=stores.users,
            is_sensitive=parts.is_sensitive,
        ),
        asker=parts.asker(who.character.name, who.model),
        review=_review(parts, who),
        bounds=parts.bounds,
        embedding_model=parts.embedder.name,
        clock=parts.clock,
        rng=parts.rng,
        journal=Journal(who.character.name),
    )
    intake = Intake(
        character=who.character.name,
        source=source,
        posts=posts,
        social=social,
        users=stores.users,
        is_sensitive=parts.is_sensitive,
        bounds=parts.bounds,
        clock=parts.clock,
    )
    candidates = Candidates(character=who.character, posts=posts, bounds=parts.bounds, rng=parts.rng)
    return Cycle(stage=stage, intake=intake, candidates=candidates, embedder=parts.embedder)


def _review(parts: SocialParts, who: Participant) -> Review:
    return Review(
        character=who.character,
        verification=Verification(checks=parts.checks, clock=parts.clock),
        stance=parts.stance,
        guilds=parts.stores.guilds,
        allow_lists=parts.stores.allow_lists,
        timetable=who.timetable,
        clock=parts.clock,
    )
