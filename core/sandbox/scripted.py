"""The model that says what a draft tells it to: it goes by what it finds in the prompt, and by nothing else."""

from collections.abc import AsyncIterator, Sequence

from core.errors import ModelOutputError
from core.language_model.tokens import estimate_tokens
from core.language_model.types import ChatEvent, ChatMessage, ChatRequest, Completion, Delta, Finished, TokenUsage
from core.sandbox.draft import SCRIPTED, ScriptRule


class ScriptedModel:
    """`core.ports.ChatModel` of one run; `repetition` (from 0) chooses among a rule's texts."""

    name = SCRIPTED
    accepts_images = False
    can_look_up = True

    def __init__(self, rules: Sequence[ScriptRule], repetition: int) -> None:
        self._rules = tuple(rules)
        self._repetition = repetition
        self._asked: tuple[ChatMessage, ...] = ()

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return 0."""
        del usage
        return 0

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        """Yield the answer."""
        text = self._answer(request)
        yield Delta(text)
        yield Finished(self.name, _usage(request, text))

    async def complete(self, request: ChatRequest) -> Completion:
        """Return the answer."""
        text = self._answer(request)
        return Completion(text, self.name, _usage(request, text))

    def _answer(self, request: ChatRequest) -> str:
        # A request that begins with all of the one before asks for another try.
        repair = bool(self._asked) and request.messages[: len(self._asked)] == self._asked
        self._asked = self._asked if repair else request.messages
        prompt = "\n\n".join(message.text for message in request.messages)
        for rule in self._rules:
            if (repair or not rule.repair) and (rule.when is None or rule.when.search(prompt)):
                return rule.say[self._repetition % len(rule.say)]
        raise ModelOutputError("no rule of the script applies to this prompt")


def _usage(request: ChatRequest, text: str) -> TokenUsage:
    read = sum(estimate_tokens(message.text) for message in request.messages)
    return TokenUsage(read, estimate_tokens(text), estimated=True)
