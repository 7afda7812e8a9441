"""Puts a character's occasions together from its pack and its ports."""

from dataclasses import dataclass

from core.characters.pack import CharacterPack
from core.clock import Clock
from core.ports import ChatModel, FirstWordsKeeper, Messenger, Stores, TimetableSource
from core.proactive.attempt import Witness
from core.proactive.grounds import Grounds
from core.proactive.lookout import Lookout
from core.proactive.observing import Observing
from core.proactive.occasions import Occasions
from core.proactive.review import Review
from core.proactive.selection import ModelSelection, SeededSelection, Selection
from core.proactive.sending import Sending
from core.stance.policy import StancePolicy
from core.turn.checks.base import Check
from core.turn.counting import CallBook
from core.turn.verification import Verification
from prompts.loader import PromptLibrary


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlets:
    """How a character reaches the world: what carries its messages, and what keeps them for the conversation."""

    messenger: Messenger
    keeper: FirstWordsKeeper
    timetables: TimetableSource


def make_occasions(
    *,
    pack: CharacterPack,
    stores: Stores,
    outlets: Outlets,
    selection: Selection,
    stance: StancePolicy,
    checks: tuple[Check, ...],
    clock: Clock,
    worker: str,
    witness: Witness,
) -> Occasions:
    """Return a character's occasions. `worker` is a name no other process has."""
    name = pack.character.name
    lookout = Lookout(
        character=name,
        policy=pack.proactive,
        subscriptions=stores.subscriptions,
        slots=stores.slots,
        users=stores.users,
        characters=stores.characters,
    )
    return Occasions(
        policy=pack.proactive,
        subscriptions=stores.subscriptions,
        slots=stores.slots,
        lookout=lookout,
        observing=Observing(
            character=pack.character,
            candidates=pack.candidates,
            timetables=outlets.timetables,
            slots=stores.slots,
            drafts=stores.drafts,
            users=stores.users,
            guilds=stores.guilds,
            clock=clock,
        ),
        selection=selection,
        review=Review(character=pack.character, verification=Verification(checks=checks, clock=clock), stance=stance),
        grounds=Grounds(
            lookout=lookout, subscriptions=stores.subscriptions, timetables=outlets.timetables, clock=clock
        ),
        sending=Sending(
            slots=stores.slots,
            subscriptions=stores.subscriptions,
            messenger=outlets.messenger,
            keeper=outlets.keeper,
            clock=clock,
            worker=worker,
            witness=witness,
        ),
        clock=clock,
    )


def make_selection(
    *,
    pack: CharacterPack,
    model: ChatModel | None,
    prompts: PromptLibrary,
    book: CallBook,
    clock: Clock,
) -> Selection:
    """Return how a candidate is chosen: by a model, or where there is none by the slot's id."""
    if model is None:
        return SeededSelection()
    return ModelSelection(
        character=pack.character,
        model=model,
        prompts=prompts,
        book=book,
        clock=clock,
    )
