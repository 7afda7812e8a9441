"""Puts a companion together from its ports."""

import random

from core.clock import Clock
from core.facts.schedule.timetable import Timetable
from core.memory.offers import KeepOffers
from core.ports import ChatModel, HistorySource, Overseer, Stores, Unseen
from core.recall.search import Recall
from core.stance.policy import StancePolicy
from core.turn.background import Summarising
from core.turn.checks.base import Check
from core.turn.companion import Companion
from core.turn.counting import CallBook
from core.turn.fact_notes import CapsuleNote
from core.turn.first_words import FirstWords
from core.turn.history import Histories
from core.turn.pipeline import Pipeline
from core.turn.policy import TurnPolicy
from core.turn.post_turn import PostTurn
from core.turn.quota import Quota
from core.turn.steps import make_steps
from core.turn.summarising import Pace, SummaryMaker
from core.values import Character
from prompts.loader import PromptLibrary
from prompts.messages import Messages


def make_companion(
    *,
    character: Character,
    timetable: Timetable | None,
    model: ChatModel,
    stores: Stores,
    history: HistorySource,
    stance: StancePolicy,
    recall: Recall | None,
    checks: tuple[Check, ...],
    prompts: PromptLibrary,
    messages: Messages,
    policy: TurnPolicy,
    clock: Clock,
    rng: random.Random,
    overseer: Overseer | None = None,
) -> Companion:
    """Return a companion for one character, answering with `model` and reading earlier talk from `history`.

    `recall` looks up what was said before that; None: nothing is looked up.
    """
    histories = Histories(
        source=history, conversations=policy.conversations_in_memory, messages=policy.history_messages
    )
    quota = Quota(policy)
    first_words = FirstWords(
        character=character,
        subscriptions=stores.subscriptions,
        histories=histories,
        archive=stores.archive,
        traces=stores.traces,
        policy=policy,
        clock=clock,
    )
    offers = KeepOffers(kept_facts=stores.kept_facts, caution=stance.caution)
    book = CallBook(usage=stores.usage, quota=quota, clock=clock, overseer=overseer)
    summarising = Summarising(
        maker=SummaryMaker(
            summaries=stores.summaries,
            archive=stores.archive,
            users=stores.users,
            caution=stance.caution,
            model=model,
            book=book,
            prompts=prompts,
            policy=policy,
            clock=clock,
            pace=Pace(clock, policy.summary_gap),
        ),
        policy=policy,
    )
    steps = make_steps(
        character=character,
        timetable=timetable,
        model=model,
        stores=stores,
        histories=histories,
        stance=stance,
        recall=recall,
        checks=checks,
        book=book,
        prompts=prompts,
        messages=messages,
        policy=policy,
        facts=CapsuleNote(),
        clock=clock,
    )
    pipeline = Pipeline(
        intake=steps.intake,
        enrichment=steps.enrichment,
        assembly=steps.assembly,
        responder=steps.responder,
        delivery=steps.delivery,
        post_turn=PostTurn(
            archive=stores.archive,
            sessions=stores.sessions,
            users=stores.users,
            traces=stores.traces,
            histories=histories,
            stance=stance,
            recall=recall if model.can_look_up else None,
            policy=policy,
            clock=clock,
            overseer=overseer or Unseen(),
        ),
        first_words=first_words,
        offers=offers,
        summarising=summarising,
        messages=messages,
    )
    return Companion(
        character=character,
        pipeline=pipeline,
        histories=histories,
        first_words=first_words,
        subscriptions=stores.subscriptions,
        users=stores.users,
        offers=offers,
        summarising=summarising,
        guilds=stores.guilds,
        characters=stores.characters,
        archive=stores.archive,
        traces=stores.traces,
        stance=stance,
        messages=messages,
        policy=policy,
        clock=clock,
        rng=rng,
    )
