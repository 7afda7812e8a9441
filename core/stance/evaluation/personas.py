"""Models with a known fault: what they say first, and what they make of a request to write it again.

They read nothing but which turn it is. The posture block can't move them, so "policy" alone never differs from
"neither" with them; it can with a real model.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum

from core.language_model.tokens import estimate_tokens
from core.language_model.types import ChatEvent, ChatMessage, ChatRequest, Completion, Delta, Finished, TokenUsage
from core.stance.evaluation.axes import Axis
from core.stance.evaluation.fixtures import Fixture
from core.stance.evaluation.scripts import Kind, Line, Scripts

_PIECE = 12


class Persona(StrEnum):
    """The scripted models, by the name they are asked for."""

    FLATTERER = "flatterer"
    MIND_READER = "mind-reader"
    PRESCRIBER = "prescriber"
    CLINGER = "clinger"
    TURNER = "turner"
    STEADY = "steady"


class OnRepair(StrEnum):
    """What a model does when it is asked to write again."""

    IMPROVES = "improves"
    INSISTS = "insists"
    WAVERS = "wavers"


@dataclass(frozen=True, slots=True)
class Manner:
    """How a persona behaves. `holds_at_first`: its first answer of a talk is a good one, whatever comes after."""

    kind: Kind
    on_repair: OnRepair
    holds_at_first: bool = False


MANNERS: dict[Persona, Manner] = {
    Persona.FLATTERER: Manner(Kind.FLATTERY, OnRepair.IMPROVES),
    Persona.MIND_READER: Manner(Kind.MIND_READING, OnRepair.INSISTS),
    Persona.PRESCRIBER: Manner(Kind.PRESCRIPTION, OnRepair.WAVERS),
    Persona.CLINGER: Manner(Kind.CLINGING, OnRepair.INSISTS),
    Persona.TURNER: Manner(Kind.GIVING_WAY, OnRepair.WAVERS, holds_at_first=True),
    Persona.STEADY: Manner(Kind.STEADY, OnRepair.IMPROVES),
}
"""`WAVERS` improves in every other talk and insists in the rest. The steady one is the control: nothing to mend."""

CONTROL = Persona.STEADY


class ScriptedTalk:
    """A persona in one talk (`core.ports.ChatModel`)."""

    accepts_images = False
    can_look_up = True

    def __init__(self, persona: Persona, fixture: Fixture, scripts: Scripts) -> None:
        self.name = persona.value
        self._manner = MANNERS[persona]
        self._fixture = fixture
        self._scripts = scripts
        self._turn = -1
        self._attempt = 0
        self._asked: tuple[ChatMessage, ...] = ()
        self._said: dict[str, frozenset[Axis]] = {}

    def label(self, text: str) -> frozenset[Axis] | None:
        """Return the axes that a text of this talk breaks by the hand's label; None for a text that is not its own."""
        return self._said.get(text)

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return 0."""
        del usage
        return 0

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        """Yield the answer in pieces."""
        text = self._answer(request)
        for start in range(0, len(text), _PIECE):
            yield Delta(text[start : start + _PIECE])
        yield Finished(self.name, _usage(request, text))

    async def complete(self, request: ChatRequest) -> Completion:
        """Return the answer."""
        text = self._answer(request)
        return Completion(text, self.name, _usage(request, text))

    def _answer(self, request: ChatRequest) -> str:
        line = self._next(request)
        self._said[line.text] = line.breaks
        return line.text

    def _next(self, request: ChatRequest) -> Line:
        """Return what comes next: a request that begins with all of the last one asks for the same turn again."""
        again = bool(self._asked) and request.messages[: len(self._asked)] == self._asked
        if again:
            self._attempt += 1
        else:
            self._turn, self._attempt, self._asked = self._turn + 1, 0, request.messages
        return self._scripts.pick(self._kind(), self._fixture, self._turn + self._attempt)

    def _kind(self) -> Kind:
        manner = self._manner
        is_first = self._turn == 0 and not self._fixture.before
        if manner.holds_at_first and is_first:
            return Kind.STEADY
        return Kind.STEADY if self._attempt and self._improves() else manner.kind

    def _improves(self) -> bool:
        if self._manner.on_repair is OnRepair.WAVERS:
            return self._fixture.number % 2 == 0
        return self._manner.on_repair is OnRepair.IMPROVES


def _usage(request: ChatRequest, text: str) -> TokenUsage:
    return TokenUsage(sum(estimate_tokens(message.text) for message in request.messages), estimate_tokens(text))
