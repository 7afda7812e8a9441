"""Step 3, second half: a model writes the draft; every call is counted, however it ends."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.errors import ModelError
from core.language_model.tokens import estimate_tokens
from core.language_model.types import ChatMessage, ChatRequest, Delta, Finished, TokenUsage
from core.ports import ChatModel
from core.turn.counting import CallBook, failure
from core.turn.policy import TurnPolicy
from core.turn.sentences import finished_length
from core.turn.types import Draft, Turn
from core.values import Character

ShowBeginning = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """Asks the character's models for a text."""

    model: ChatModel
    book: CallBook
    policy: TurnPolicy

    async def write(
        self, turn: Turn, prompt: tuple[ChatMessage, ...], *, feature: str, warmer: bool, show: ShowBeginning | None
    ) -> Draft:
        """Return the draft; `show` is given the text so far whenever it grows or begins anew.

        Raises:
            ModelError: no model gave a usable answer.
        """
        request = ChatRequest(
            messages=prompt,
            max_output_tokens=self.policy.reply_tokens,
            temperature=min(1.0, self.policy.temperature + (0.2 if warmer else 0.0)),
        )
        return await self._stream(turn, request, feature, show)

    async def _stream(self, turn: Turn, request: ChatRequest, feature: str, show: ShowBeginning | None) -> Draft:
        written = ""
        finished: Finished | None = None
        try:
            async for event in self.model.stream(request):
                if isinstance(event, Finished):
                    finished = event
                    continue
                written = written + event.text if isinstance(event, Delta) else ""
                if show is not None:
                    await show(_spoken(written, turn.character, growing=True))
        except asyncio.CancelledError:
            await asyncio.shield(self._count_unfinished(turn, feature, "dropped", request, written))
            raise
        except ModelError as error:
            await self._count_unfinished(turn, feature, failure(error), request, written)
            raise
        if finished is None:
            raise ModelError("the model's stream ended without its end")
        outcome = "cut_off" if finished.cut_off else "complete"
        await self.book.count(
            turn, feature, outcome, finished.usage, model=finished.model, cost_micros=finished.cost_micros
        )
        text = _spoken(written, turn.character, growing=False)
        return Draft(text=_up_to_sentence(text) if finished.cut_off else text, model=finished.model)

    async def _count_unfinished(
        self, turn: Turn, feature: str, outcome: str, request: ChatRequest, written: str
    ) -> None:
        """Count a call that did not come to its end; one that wrote nothing is not known to have read anything."""
        read = _prompt_tokens(request) if written or outcome == "dropped" else 0
        usage = TokenUsage(read, estimate_tokens(written), estimated=True)
        cost = self.model.cost_micros(usage)
        await self.book.count(turn, feature, outcome, usage, model=self.model.name, cost_micros=cost)


def _prompt_tokens(request: ChatRequest) -> int:
    return sum(estimate_tokens(message.text) for message in request.messages)


def _spoken(text: str, character: Character, *, growing: bool) -> str:
    """Return what is said, without the speaker's name that models like to put before it."""
    names = "|".join(re.escape(name) for name in (*character.display_name.values(), *character.call_names))
    spoken = re.sub(rf"\A\s*(?:\*\*)?(?:{names})(?:\*\*)?\s*[:：]\s*(?:\*\*)?", "", text, flags=re.IGNORECASE)
    return spoken.lstrip() if growing else spoken.strip()


def _up_to_sentence(text: str) -> str:
    """Return a text that ran into its limit up to its last finished sentence, if it has one."""
    end = finished_length(text)
    return text[:end].rstrip() if end else text
