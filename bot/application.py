"""What is open while the program runs, and the companions that are made of it."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from bot.errors import StartError
from bot.settings import Settings
from bot.social import bounds_of
from bot.tier_choice import ChosenModel
from bot.warming import Warming, pieces_of
from core.characters.pack import CharacterPack
from core.clock import Clock
from core.facts.capsule.inspection import timetable_of
from core.facts.schedule.timetable import Timetable
from core.ports import ChatModel, Embedder, HistorySource, Overseer, PostSource, SocialActions, Stores, Unseen
from core.proactive.attempt import Witness
from core.proactive.factory import Outlets, make_occasions, make_selection
from core.proactive.occasions import Occasions
from core.recall.search import Recall
from core.social.factory import Participant, SocialParts
from core.stance.policy import StancePolicy
from core.turn.checks.registry import all_checks
from core.turn.companion import Companion
from core.turn.counting import CallBook
from core.turn.factory import make_companion
from core.turn.policy import TurnPolicy
from core.turn.quota import Quota
from core.values import Tier
from prompts.loader import PromptLibrary
from prompts.messages import Messages


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """Everything that is open while the program runs.

    `worker` tells this process from others on the same database; `witness` is told of the steps of speaking first,
    `overseer` of turns, calls and caps.
    """

    settings: Settings
    clock: Clock
    rng: random.Random
    messages: Messages
    prompts: PromptLibrary
    stores: Stores
    models: Mapping[Tier, ChatModel]
    stance: StancePolicy
    worker: str
    witness: Witness
    recall: Recall | None
    overseer: Overseer = field(default_factory=Unseen)
    embedder: Embedder | None = None
    warming: Warming | None = None

    def warm_up(self, characters: Iterable[tuple[CharacterPack, Timetable | None]]) -> None:
        """Begin to make ready what the first turns of characters need, if that has not begun; returns at once."""
        if self.warming is not None:
            now = self.clock.now()
            self.warming.begin(
                piece for pack, table in characters for piece in pieces_of(pack, table, self.prompts, now)
            )

    def model_of(self, pack: CharacterPack) -> ChatModel:
        """Return a character's model: of its pack's tier, or of the one that operators chose meanwhile."""
        character = pack.character
        return ChosenModel(
            character=character.name, tier=character.tier, models=self.models, states=self.stores.characters
        )

    def social_parts(self, policy: TurnPolicy) -> SocialParts:
        """Return what the cycles of all characters share.

        Raises:
            StartError: the program was opened without an embedding model.
        """
        if self.embedder is None:
            raise StartError("There is no embedding model to compare posts with.")
        return SocialParts(
            stores=self.stores,
            embedder=self.embedder,
            prompts=self.prompts,
            stance=self.stance,
            checks=all_checks(self.stance),
            bounds=bounds_of(self.settings),
            book=self.book(policy),
            clock=self.clock,
            rng=self.rng,
        )

    def participant(
        self, pack: CharacterPack, *, source: PostSource | None = None, actions: SocialActions | None = None
    ) -> Participant:
        """Return the character of a pack as a member of the community; without ways in and out it only rehearses."""
        return Participant(
            character=pack.character,
            model=self.model_of(pack),
            timetable=timetable_of(pack),
            source=source,
            actions=actions,
        )

    def companion(
        self,
        pack: CharacterPack,
        history: HistorySource,
        policy: TurnPolicy,
        messages: Messages | None = None,
        timetable: Timetable | None = None,
    ) -> Companion:
        """Return a companion for the character of a pack; `messages` name commands as its surface does.

        `timetable`: one of the character's that is there already, and worked out ahead.
        """
        return make_companion(
            character=pack.character,
            timetable=timetable or timetable_of(pack),
            model=self.model_of(pack),
            stores=self.stores,
            history=history,
            stance=self.stance,
            recall=self.recall,
            checks=all_checks(self.stance),
            prompts=self.prompts,
            messages=messages or self.messages,
            policy=policy,
            clock=self.clock,
            rng=self.rng,
            overseer=self.overseer,
        )

    def book(self, policy: TurnPolicy) -> CallBook:
        """Return where the calls outside of turns are paid for."""
        return CallBook(
            usage=self.stores.usage,
            quota=Quota(policy),
            clock=self.clock,
            overseer=self.overseer,
        )

    def occasions(self, pack: CharacterPack, outlets: Outlets, policy: TurnPolicy) -> Occasions:
        """Return what makes the character of a pack speak first."""
        return make_occasions(
            pack=pack,
            stores=self.stores,
            outlets=outlets,
            selection=make_selection(
                pack=pack,
                model=self.model_of(pack) if self.settings.proactive_choice == "model" else None,
                prompts=self.prompts,
                book=self.book(policy),
                clock=self.clock,
            ),
            stance=self.stance,
            checks=all_checks(self.stance),
            clock=self.clock,
            worker=self.worker,
            witness=self.witness,
        )
