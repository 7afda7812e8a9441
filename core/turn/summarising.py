"""Summaries of talk that has left the window, made by the character's model in the background, after the reply is out.

They are made of the archive alone: what may not be stored is in no summary. Neither is what somebody said who seeks
support or opted out, nor what the character answered to that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from core.analysis.orders import carries_orders
from core.clock import Clock
from core.errors import ModelError
from core.facts.capsule.kept import names_a_clock
from core.language_model.tokens import cut_to_tokens, estimate_tokens
from core.language_model.types import ChatMessage, ChatRequest, Role
from core.ports import ChatModel, MessageArchive, SummaryStore, UserStore
from core.stance.policy import Caution
from core.turn.counting import CallBook, Payer
from core.turn.policy import TurnPolicy
from core.turn.quota import BudgetSpentError
from core.turn.types import EnrichedTurn, Turn
from core.values import ConversationSummary, Utterance
from prompts.data_text import as_name
from prompts.loader import PromptLibrary

FEATURE = "summary"

_REACH = 200  # messages of the archive that are looked through
_LONGEST = 900  # characters
_LINE_TOKENS = 120

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a conversation was looked through, whether a summary came of it, and where the window began that time."""

    looked: int = 0
    made: bool = False
    window: int = 0


@dataclass(slots=True)
class Pace:
    """Has things begin one after the other: what many conversations are due for at once would hold up who talks."""

    clock: Clock
    gap: float
    """Seconds between two of them at least."""
    _free: float = 0.0

    async def wait(self) -> None:
        """Wait for the next turn to begin something."""
        now = self.clock.monotonic()
        begin = max(now, self._free)
        self._free = begin + self.gap
        if begin > now:
            await self.clock.sleep(begin - now)


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryMaker:
    """Makes one summary."""

    summaries: SummaryStore
    archive: MessageArchive
    users: UserStore
    caution: Caution
    model: ChatModel
    book: CallBook
    prompts: PromptLibrary
    policy: TurnPolicy
    clock: Clock
    pace: Pace

    async def make(self, enriched: EnrichedTurn, before: Progress) -> Progress:
        """Summarise what has left the window of a turn, if that is enough by now; return how far that went."""
        turn = enriched.turn
        await self._look_at(turn)
        window = _start_of_window(enriched)
        before, held = await self._held(turn, before)
        if window == before.window:
            return before  # nothing has left it since
        left = await self._left(turn, before, held, window)
        if not self._is_enough(left):
            return replace(before, window=window)
        await self.pace.wait()
        # What was deleted, edited or forgotten while it waited is not told to a model.
        before, held = await self._held(turn, before)
        left = await self._left(turn, before, held, window)
        if not self._is_enough(left):
            return before
        chunk = _first_within(left, self.policy.summary_chunk_tokens)
        read = await self._readable(chunk)
        text = await self._written(turn, held, read) if read else None
        if text is None or not await self._is_sound(text):
            return replace(before, looked=chunk[-1].id)
        made = await self._kept(turn, text, held, read)
        return Progress(looked=chunk[-1].id, made=True) if made else before

    async def _look_at(self, turn: Turn) -> None:
        """Have the turn's messages judged now, while their analysis is at hand: they will be asked about much later."""
        for message in turn.messages:
            await self.caution.is_sensitive(message.text)

    async def _held(self, turn: Turn, before: Progress) -> tuple[Progress, ConversationSummary | None]:
        """Return the summary there is; without one that was made, what is left of its messages is told anew."""
        held = await self.summaries.get(turn.conversation)
        return Progress() if held is None and before.made else before, held

    async def _left(
        self, turn: Turn, before: Progress, held: ConversationSummary | None, window: int
    ) -> list[Utterance]:
        beyond = max(before.looked, held.last if held is not None else 0)
        return await self.archive.recent(turn.conversation, limit=_REACH, after=beyond, before=window)

    def _is_enough(self, left: Sequence[Utterance]) -> bool:
        return sum(estimate_tokens(utterance.text) for utterance in left) >= self.policy.summary_after_tokens

    async def _readable(self, utterances: Sequence[Utterance]) -> list[Utterance]:
        """Leave out what may be in no summary; of the character's, what doesn't answer something that is in it."""
        read: list[Utterance] = []
        answers = False
        for utterance in utterances:
            keep = answers if utterance.is_self else await self._may_be_read(utterance)
            if keep:
                read.append(utterance)
            answers = keep and not utterance.is_self
        return read

    async def _may_be_read(self, utterance: Utterance) -> bool:
        opted_out = (await self.users.get(utterance.author.id)).opted_out
        return not opted_out and not await self.caution.is_sensitive(utterance.text)

    async def _written(self, turn: Turn, held: ConversationSummary | None, read: Sequence[Utterance]) -> str | None:
        """Ask the model; None if it fails, or may not be asked. The call is counted however it ends."""
        request = self._request(turn, held, read)
        try:
            async with self.book.call(Payer.of(turn), FEATURE, model=self.model, request=request) as call:
                completion = await self.model.complete(request)
                call.answered(completion)
        except (ModelError, BudgetSpentError):
            return None
        return " ".join(completion.text.split())

    def _request(self, turn: Turn, held: ConversationSummary | None, read: Sequence[Utterance]) -> ChatRequest:
        name = turn.character.display_name[turn.locale]
        said = [
            {
                "speaker": name if one.is_self else as_name(one.author.name, name),
                "text": cut_to_tokens(one.text, _LINE_TOKENS),
            }
            for one in read
        ]
        system = self.prompts.render("conversation-summary", turn.locale, display_name=name)
        talk = self.prompts.render(
            "conversation-talk", turn.locale, earlier=held.text if held is not None else None, messages=said
        )
        messages = (ChatMessage(Role.SYSTEM, system), ChatMessage(Role.USER, talk))
        return ChatRequest(messages=messages, max_output_tokens=self.policy.summary_tokens, temperature=0.2)

    async def _is_sound(self, text: str) -> bool:
        """Return whether a summary says what was said: no clock of its own, no orders, nobody absent's mind."""
        if not text or len(text) > _LONGEST or names_a_clock(text) or carries_orders(text):
            return False
        return await self.caution.may_be_retold(text)

    async def _kept(self, turn: Turn, text: str, held: ConversationSummary | None, read: Sequence[Utterance]) -> bool:
        summary = ConversationSummary(
            text=text,
            first=held.first if held is not None else read[0].id,
            last=read[-1].id,
            until=max(one.sent_at for one in read),
            model=self.model.name,
            made_at=self.clock.now(),
        )
        kept = await self.summaries.put(turn.conversation, summary, read=read, replaces=held)
        _log.info("summary.made" if kept else "summary.outdated", turn_id=turn.id, messages=len(read))
        return kept


def _start_of_window(enriched: EnrichedTurn) -> int:
    return min([*(ingredient.utterance.id for ingredient in enriched.history), *enriched.turn.message_ids])


def _first_within(utterances: Sequence[Utterance], tokens: int) -> list[Utterance]:
    """Return the first messages that fit into so many tokens, but one at least."""
    taken: list[Utterance] = []
    for utterance in utterances:
        tokens -= estimate_tokens(utterance.text)
        if taken and tokens < 0:
            break
        taken.append(utterance)
    return taken
