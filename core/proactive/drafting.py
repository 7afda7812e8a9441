"""Drafting: a model writes new neutral candidates. They wait for an operator; what claims anything is dropped."""

import asyncio
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from core.characters.pack import Candidate
from core.clock import Clock
from core.language_model.types import ChatMessage, ChatRequest, Role
from core.ports import ChatModel, DraftStore
from core.proactive.admission import examine
from core.proactive.claims.types import Finding
from core.proactive.opinion.opinion import SecondOpinion
from core.proactive.types import Grounding
from core.turn.counting import CallBook, Payer
from core.values import Character, Locale
from prompts.data_text import tidy
from prompts.loader import PromptLibrary

MOST_DRAFTS = 10
LONGEST_DRAFT = 300
FEATURE = "proactive_draft"
_PATIENCE = 300.0
"""Seconds; an operator waits for it, and Discord for a quarter of an hour."""
_TOKENS_EACH = 120
_EXAMPLES = 12


class Drafts(BaseModel):
    """What a model answers."""

    model_config = ConfigDict(extra="forbid")

    candidates: list[str]


@dataclass(frozen=True, slots=True)
class RefusedDraft:
    """A text that may not be said first, and what it claims; no finding: it is too long."""

    text: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Drafted:
    """What came of a request: the numbers and texts that wait, what was refused, how many were there already."""

    waiting: tuple[tuple[int, str], ...]
    refused: tuple[RefusedDraft, ...]
    known: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafting:
    """Has the character's model write candidates, and keeps those that are admitted."""

    character: Character
    candidates: dict[Locale, tuple[Candidate, ...]]
    model: ChatModel
    drafts: DraftStore
    prompts: PromptLibrary
    book: CallBook
    clock: Clock
    opinion: SecondOpinion

    async def draft(self, locale: Locale, count: int, *, asked_by: int) -> Drafted:
        """Write up to `count` new candidates (at most `MOST_DRAFTS`).

        Raises:
            BudgetSpentError: nothing is left of the day's budget.
            ModelError: the model gave no answer, or none that can be used.
            TimeoutError: it took too long.
        """
        known = await self._known(locale)
        answer = await self._ask(locale, min(count, MOST_DRAFTS), known, asked_by)
        # An operator judges what can be seen, so nothing else may be in it.
        texts = [" ".join(tidy(text).split()) for text in answer.candidates]
        fresh = list(_without_repeats((text for text in texts if text), known))
        findings = await asyncio.to_thread(self._examined, fresh)  # the encoder may have to be loaded
        refused = tuple(
            RefusedDraft(text, found)
            for text, found in zip(fresh, findings, strict=True)
            if found or len(text) > LONGEST_DRAFT
        )
        dropped = {draft.text for draft in refused}
        admitted = [text for text in fresh if text not in dropped][:MOST_DRAFTS]
        numbers = await self.drafts.add(self.character.name, locale, admitted, now=self.clock.now())
        return Drafted(tuple(zip(numbers, admitted, strict=True)), refused, len(texts) - len(fresh))

    def _examined(self, texts: Sequence[str]) -> list[tuple[Finding, ...]]:
        return [examine(text, Grounding.NEUTRAL, opinion=self.opinion) for text in texts]

    async def _known(self, locale: Locale) -> list[str]:
        """Return every text there is already, the pack's neutral ones first."""
        name = self.character.name
        drafted = [*await self.drafts.approved(name), *await self.drafts.waiting(name)]
        return [
            *(candidate.text for candidate in self.candidates.get(locale, ()) if candidate.window is None),
            *(text for _, written_in, text in drafted if written_in is locale),
        ]

    async def _ask(self, locale: Locale, count: int, known: Sequence[str], asked_by: int) -> Drafts:
        text = self.prompts.render(
            "candidate-draft",
            locale,
            display_name=self.character.display_name[locale],
            personality=self.character.personality[locale],
            count=count,
            examples=known[-_EXAMPLES:],
        )
        request = ChatRequest(
            messages=(ChatMessage(Role.USER, text),), max_output_tokens=_TOKENS_EACH * (count + 1), temperature=0.9
        )
        payer = Payer(character=self.character.name, user_id=asked_by)
        return await self.book.ask(Drafts, payer, FEATURE, model=self.model, request=request, patience=_PATIENCE)


def _without_repeats(texts: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    seen = {_folded(text) for text in known}
    for text in texts:
        if _folded(text) not in seen:
            seen.add(_folded(text))
            yield text


def _folded(text: str) -> str:
    """Return a text without what makes no difference: case, width, signs and spaces."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())
