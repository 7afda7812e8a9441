"""Select: which of the offered candidates is said. A model may only name one of their ids, or none."""

import random
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, create_model

from core.clock import Clock
from core.errors import ModelError, ModelOutputError
from core.facts.capsule.rendering import render_capsule
from core.language_model.deadline import within
from core.language_model.structured import parse, structured
from core.language_model.types import ChatMessage, ChatRequest, Role
from core.ports import ChatModel
from core.proactive.attempt import Attempt
from core.proactive.types import Reason, RecipientKind
from core.turn.counting import CallBook, Payer
from core.turn.quota import BudgetSpentError
from core.values import Character
from prompts.loader import PromptLibrary

NONE = "none"
"""What a model answers to let the occasion pass; no candidate has that id."""

FEATURE = "proactive"
_ANSWER_TOKENS = 60
_PATIENCE = 60.0
"""Seconds; half of the lease, so that what was chosen can still be said."""


class Selection(Protocol):
    """A way to choose."""

    async def select(self, attempt: Attempt) -> Attempt:
        """Return the attempt with what was chosen, or ended."""


class SeededSelection:
    """Chooses without a model: by the slot's id, so that a restart would choose the same."""

    async def select(self, attempt: Attempt) -> Attempt:
        """Return the attempt with what was chosen."""
        seed = attempt.slot.id
        chosen = random.Random(f"choice {seed}").choice(attempt.observed.offers)
        return replace(attempt, chosen=chosen, selector=f"seed:{seed}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSelection:
    """Asks a model for an id. Whatever it answers besides an offered id, nothing is sent."""

    character: Character
    model: ChatModel
    prompts: PromptLibrary
    book: CallBook
    clock: Clock

    async def select(self, attempt: Attempt) -> Attempt:
        """Return the attempt with what the model chose; ended where it declines, fails or is over its budget."""
        asked = replace(attempt, selector=f"model:{self.model.name}")
        shape = choice_of(tuple(offer.candidate.id for offer in attempt.observed.offers))
        request = structured(self._ask(asked), shape)
        try:
            async with self.book.call(self._payer(attempt), FEATURE, model=self.model, request=request) as call:
                completion = await within(self.clock, _PATIENCE, self.model.complete(request))
                call.answered(completion)
        except BudgetSpentError:
            return asked.skipped(Reason.BUDGET)
        except (ModelError, TimeoutError):
            return asked.skipped(Reason.MODEL_UNAVAILABLE)
        answered = replace(attempt, selector=f"model:{completion.model}")
        try:
            return _chosen(answered, parse(completion.text, shape))
        except ModelOutputError:
            return answered.skipped(Reason.MODEL_OUTPUT)

    def _ask(self, attempt: Attempt) -> ChatRequest:
        seen = attempt.observed
        text = self.prompts.render(
            "proactive-choice",
            seen.locale,
            display_name=self.character.display_name[seen.locale],
            personality=self.character.personality[seen.locale],
            private=attempt.slot.recipient.kind is RecipientKind.USER,
            facts=render_capsule(seen.capsule, self.prompts, seen.locale),
            offers=[(offer.candidate.id, offer.text) for offer in seen.offers],
            silence=NONE,
        )
        return ChatRequest(messages=(ChatMessage(Role.USER, text),), max_output_tokens=_ANSWER_TOKENS, temperature=0.7)

    def _payer(self, attempt: Attempt) -> Payer:
        """Return whose budgets a call counts for: the person's, or the server's."""
        who, name = attempt.slot.recipient, self.character.name
        if who.kind is RecipientKind.USER:
            return Payer(character=name, user_id=who.id)
        return Payer(character=name, guild_id=attempt.subscription.guild_id)


class Choice(BaseModel):
    """What a model answers; `choice_of` restricts the ids."""

    model_config = ConfigDict(extra="forbid")

    candidate_id: str


def choice_of(ids: tuple[str, ...]) -> type[Choice]:
    """Return the shape of an answer that names one of these ids, or none of them."""
    allowed: Any = Literal[(*ids, NONE)]
    return create_model("ProactiveChoice", __base__=Choice, candidate_id=(allowed, ...))


def _chosen(attempt: Attempt, choice: Choice) -> Attempt:
    if choice.candidate_id == NONE:
        return attempt.declined(Reason.MODEL_CHOSE_NONE)
    chosen = next(offer for offer in attempt.observed.offers if offer.candidate.id == choice.candidate_id)
    return replace(attempt, chosen=chosen)
