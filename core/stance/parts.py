"""What stance integrity works with, loaded once: the reader of turns, the gate, the written replies."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from core.embedding.recent import RecentVectors
from core.stance.fallbacks import Fallbacks
from core.stance.gate.gate import StanceGate
from core.stance.resources import Resources
from core.stance.signal.session import SaidTurn
from core.stance.signal.signal import REMEMBERED, SignalReader
from core.stance.signal.words import Analyser
from core.stance.types import ReflectiveSupportSignal
from prompts.loader import PromptLibrary

if TYPE_CHECKING:
    from core.embedding.encoder import SentenceEncoder


@dataclass(frozen=True, slots=True, kw_only=True)
class StanceParts:
    """Everything that is loaded. Deterministic; the reader keeps the analyses of recent texts in memory."""

    reader: SignalReader
    gate: StanceGate
    fallbacks: Fallbacks
    prompts: PromptLibrary

    @classmethod
    def load(
        cls,
        *,
        resources: Path,
        own_resources: Path | None = None,
        prompts: PromptLibrary,
        analyser: Analyser | None = None,
        encoder: "SentenceEncoder | None" = None,
        gate: type[StanceGate] = StanceGate,
        remembered: int = REMEMBERED,
    ) -> Self:
        """Load all parts. `own_resources` is the operator's file of places, in front of the shipped `resources`.

        `gate` is the kind of gate, `remembered` how many analyses of turns are kept: a run over many talks takes a gate
        that remembers, and more of them.

        Raises:
            CoreError: a shipped file can't be used; the text names file and reason.
        """
        places = Resources.load(resources)
        vectors = RecentVectors(encoder) if encoder is not None else None
        return cls(
            reader=SignalReader.load(analyser=analyser, encoder=vectors, remembered=remembered),
            gate=gate.load(vectors.encode if vectors is not None else None),
            fallbacks=Fallbacks.load(places if own_resources is None else places.with_own(own_resources)),
            prompts=prompts,
        )

    async def signal(self, text: str, history: Sequence[tuple[bool, str]]) -> ReflectiveSupportSignal:
        """Return the signal of a turn; `history` is oldest first, each whether the user said it, and the text."""
        return await self.reader.read(text, [SaidTurn(by_user=by_user, text=said) for by_user, said in history])
