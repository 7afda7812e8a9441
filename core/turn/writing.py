"""Step 3, second half: a model writes the draft; every call is counted, however it ends."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache

from core.errors import ModelError
from core.language_model.types import ChatMessage, ChatRequest, Delta, Finished
from core.ports import ChatModel
from core.turn.counting import CallBook, Payer
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
            BudgetSpentError: none may be asked.
        """
        request = ChatRequest(
            messages=prompt,
            max_output_tokens=self.policy.reply_tokens,
            temperature=min(1.0, self.policy.temperature + (0.2 if warmer else 0.0)),
        )
        return await self._stream(turn, request, feature, show)

    async def counted(self, turn: Turn) -> None:
        """Wait until what was written for a turn's user is counted; a reply goes out before."""
        await self.book.settled(Payer.of(turn))

    async def _stream(self, turn: Turn, request: ChatRequest, feature: str, show: ShowBeginning | None) -> Draft:
        finished: Finished | None = None
        payer = Payer.of(turn)
        async with self.book.call(payer, feature, model=self.model, request=request, at_once=False) as call:
            async for event in self.model.stream(request):
                if isinstance(event, Finished):
                    finished = event
                    call.answered(event)
                    continue
                call.written = call.written + event.text if isinstance(event, Delta) else ""
                if show is not None:
                    await show(_spoken(call.written, turn.character, growing=True))
            if finished is None:
                raise ModelError("the model's stream ended without its end")
        text = _spoken(call.written, turn.character, growing=False)
        return Draft(text=_up_to_sentence(text) if finished.cut_off else text, model=finished.model)


def _spoken(text: str, character: Character, *, growing: bool) -> str:
    """Return what is said, without the speaker's name that models like to put before it."""
    spoken = _own_name((*character.display_name.values(), *character.call_names)).sub("", text)
    return spoken.lstrip() if growing else spoken.strip()


@lru_cache(maxsize=64)
def _own_name(names: tuple[str, ...]) -> re.Pattern[str]:
    either = "|".join(map(re.escape, names))
    return re.compile(rf"\A\s*(?:\*\*)?(?:{either})(?:\*\*)?\s*[:：]\s*(?:\*\*)?", re.IGNORECASE)


def _up_to_sentence(text: str) -> str:
    """Return a text that ran into its limit up to its last finished sentence, if it has one."""
    end = finished_length(text)
    return text[:end].rstrip() if end else text
