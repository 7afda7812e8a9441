"""Stance integrity, loaded once for all variants of a run."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from core.stance.evaluation.remembering import RememberingGate
from core.stance.evaluation.variants import Variant, flags_of
from core.stance.parts import StanceParts
from core.stance.policy import Said, StancePolicy
from prompts.loader import PromptLibrary

if TYPE_CHECKING:
    from core.embedding.encoder import SentenceEncoder
    from core.stance.signal.words import Analyser

_TEXTS = 8192
"""More than all turns of the evaluation: each is analysed once, however many models hold its talk."""


@dataclass(frozen=True, slots=True)
class Workbench:
    """The policy as each variant has it, and the gate to look at texts with, whatever is switched on."""

    parts: StanceParts
    _said: dict[tuple[str, tuple[Said, ...], str], tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def load(
        cls, *, resources: Path, prompts: PromptLibrary, analyser: "Analyser | None", encoder: "SentenceEncoder | None"
    ) -> Self:
        """Load all parts (0.3 s; to be called in a thread).

        Raises:
            CoreError: a shipped file or the file of places can't be used; the text names file and reason.
        """
        parts = StanceParts.load(
            resources=resources,
            prompts=prompts,
            analyser=analyser,
            encoder=encoder,
            gate=RememberingGate,
            remembered=_TEXTS,
        )
        return cls(parts)

    def policy(self, variant: Variant) -> StancePolicy:
        """Return the policy with what a variant switches on."""
        return StancePolicy(flags_of(variant), self.parts)

    async def gate_says(self, user: str, before: Sequence[Said], reply: str) -> tuple[str, ...]:
        """Return the ids of the rules the gate finds broken in a reply, each once; asked again, from memory."""
        key = (user, tuple(before), reply)
        if key not in self._said:
            signal = await self.parts.signal(user, before)
            verdict = self.parts.gate.verify(user=user, reply=reply, signal=signal)
            self._said[key] = tuple(dict.fromkeys(finding.rule for finding in verdict.findings))
        return self._said[key]
