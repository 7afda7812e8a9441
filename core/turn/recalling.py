"""Recall in a turn: what the message asks, the search, and the one model call it may take."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.clock import Clock
from core.errors import ModelError, ModelOutputError, StorageError
from core.language_model.tokens import cut_to_tokens
from core.language_model.types import ChatMessage, ChatRequest, Role
from core.ports import ChatModel
from core.recall.errors import NoSelectionError
from core.recall.question import Asking, RecallQuestion, read_question
from core.recall.recollection import NOTHING_ASKED, Outcome, Recollection
from core.recall.rendering import speaker_of
from core.recall.search import Recall, Scope
from core.recall.selection import Offer, Pick, Picks
from core.turn.checks.pending import SWITCHED_OFF
from core.turn.counting import CallBook, Payer
from core.turn.exposure import may_enter
from core.turn.pickup import Pickup
from core.turn.policy import TurnPolicy
from core.turn.quota import BudgetSpentError
from core.turn.trace import TraceStep
from core.turn.types import Turn
from core.values import Utterance
from prompts.loader import PromptLibrary

FEATURE = "recall"

_ANSWER_TOKENS = 200
_SHOWN_TOKENS = 60
_LAST_SAID = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalling:
    """Looks up what a turn asks for. `recall` None: nothing is ever looked up."""

    recall: Recall | None
    model: ChatModel
    book: CallBook
    prompts: PromptLibrary
    policy: TurnPolicy
    clock: Clock

    async def look_up(
        self, turn: Turn, *, in_view: Sequence[Utterance], sensitive: bool
    ) -> tuple[Recollection, TraceStep]:
        """Return what was found, and what stands of it in the trace.

        `in_view` is what stands in the prompt anyway, oldest first. In a `sensitive` turn only a question that
        says so outright is one for the archive.
        """
        if self.recall is None:
            return NOTHING_ASKED, TraceStep("recall", "not_checked", detail=SWITCHED_OFF)
        began = self.clock.monotonic()
        question = _question(turn, sensitive=sensitive)
        recall = self.recall if self.model.can_look_up else replace(self.recall, places=0)
        recollection = await self._search(recall, turn, question, in_view)
        return recollection, _step(recollection, milliseconds=round((self.clock.monotonic() - began) * 1000, 3))

    async def _search(
        self, recall: Recall, turn: Turn, question: RecallQuestion, in_view: Sequence[Utterance]
    ) -> Recollection:
        if question.is_asked and not self.policy.archive:
            outcome = Outcome.UNAVAILABLE if question.asking is Asking.OUTRIGHT else Outcome.NONE
            return Recollection(question=question, outcome=outcome, why="nothing is archived")
        scope = Scope(
            conversation=turn.conversation,
            without={*turn.message_ids, *turn.replaces},
            in_view={utterance.id for utterance in in_view},
            before={utterance.id: utterance.text for utterance in in_view[-_LAST_SAID:]},
        )

        async def select(offer: Offer) -> Sequence[Pick]:
            return await self._select(turn, offer)

        try:
            found = await recall.search(question, scope, select)
        except StorageError:
            return Recollection(question=question, outcome=Outcome.UNAVAILABLE, why="the archive can't be read")
        return _visible(turn, found)

    async def _select(self, turn: Turn, offer: Offer) -> Sequence[Pick]:
        """Ask a model which messages are meant, unless a budget is used up."""
        request = self._request(turn, offer)
        try:
            return (await self.book.ask(Picks, Payer.of(turn), FEATURE, model=self.model, request=request)).messages
        except BudgetSpentError as error:
            raise NoSelectionError("over budget") from error
        except ModelError as error:
            why = "unreadable answer" if isinstance(error, ModelOutputError) else "model failed"
            raise NoSelectionError(why) from error

    def _request(self, turn: Turn, offer: Offer) -> ChatRequest:
        name = turn.character.display_name[turn.locale]
        shown = [
            {"id": alias, "speaker": speaker_of(entry, name), "text": cut_to_tokens(entry.text or "", _SHOWN_TOKENS)}
            for alias, entry in offer.messages.items()
        ]
        system = self.prompts.render("recall-select", turn.locale)
        asked = self.prompts.render("recall-list", turn.locale, messages=shown, question=offer.question)
        messages = (ChatMessage(Role.SYSTEM, system), ChatMessage(Role.USER, asked))
        return ChatRequest(messages=messages, max_output_tokens=_ANSWER_TOKENS, temperature=0.0)


def _question(turn: Turn, *, sensitive: bool) -> RecallQuestion:
    if turn.pickup.pickup is Pickup.AMBIENT:
        return NOTHING_ASKED.question
    question = read_question("\n".join(message.text for message in turn.messages))
    return NOTHING_ASKED.question if sensitive and question.asking is Asking.POINTED else question


def _visible(turn: Turn, found: Recollection) -> Recollection:
    """Return only what may be shown where the turn takes place; the conversation may have moved since it was stored."""
    cited = tuple(entry for entry in found.cited if may_enter(entry.surface, turn.surface))
    if found.cited and not cited:
        return Recollection(question=found.question, outcome=Outcome.UNAVAILABLE, why="not to be shown here")
    beside = tuple(entry for entry in found.beside if may_enter(entry.surface, turn.surface))
    return replace(found, cited=cited, beside=beside)


def _step(recollection: Recollection, *, milliseconds: float) -> TraceStep:
    if not recollection.question.is_asked:
        return TraceStep("recall", recollection.outcome, milliseconds=milliseconds)
    detail = (
        f"{recollection.why}; literal={len(recollection.literal)} offered={len(recollection.offered)}"
        f" complete={recollection.complete} cited={len(recollection.cited)}"
    )
    return TraceStep("recall", recollection.outcome, (recollection.question.asking,), milliseconds, detail)
