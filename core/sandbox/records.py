"""What a comparison leaves behind: in memory, for whoever asked for it to show or to write down."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from unicodedata import normalize

from core.language_model.types import ChatMessage
from core.rates import Rate
from core.sandbox.draft import Draft, Expectation, Variant
from core.sandbox.metering import Spent
from core.turn.checks.base import Finding
from core.turn.trace import TraceStep, TurnOutcome


class Stopped(StrEnum):
    """Why a comparison ended before its end."""

    CANCELLED = "cancelled"
    ANSWERS = "answers"
    TOKENS = "tokens"
    SECONDS = "seconds"
    MONEY = "money"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One answer of a model, with all that it read and what gate and guards say of it.

    `failure`: why there is no answer. `text` is as it was checked: without a name in front.
    """

    prompt: tuple[ChatMessage, ...]
    model: str
    text: str
    failure: str | None
    findings: tuple[Finding, ...]
    input_tokens: int
    output_tokens: int
    estimated: bool
    cost_micros: int
    milliseconds: float

    @property
    def passed(self) -> bool:
        """Whether nothing was found."""
        return self.failure is None and not self.findings

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules it broke, each once."""
        return tuple(dict.fromkeys(finding.rule for finding in self.findings))


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResult:
    """One exchange. `delivered` is what would have been sent; None for nothing, or for a failure of the model."""

    user: str
    attempts: tuple[Attempt, ...]
    outcome: TurnOutcome
    delivered: str | None
    trace: tuple[TraceStep, ...]

    @property
    def passed(self) -> bool:
        """Whether the first answer passed gate and guards."""
        return self.outcome is TurnOutcome.ANSWERED


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A variant run once. `tools` were used so often, `refused` were asked for in vain. `meets`: the expectation."""

    variant: str
    repetition: int
    turns: tuple[TurnResult, ...]
    tools: dict[str, int]
    refused: dict[str, int]
    meets: bool

    @property
    def failure(self) -> str | None:
        """Why a model gave no answer, if it gave none."""
        return next((a.failure for turn in self.turns for a in turn.attempts if a.failure is not None), None)

    @property
    def answered(self) -> bool:
        """Whether there is an answer to judge in every turn."""
        return all(turn.outcome is not TurnOutcome.APOLOGISED for turn in self.turns)

    @property
    def passed(self) -> bool:
        """Whether the first answer of every turn passed gate and guards."""
        return all(turn.passed for turn in self.turns)

    @property
    def good(self) -> bool:
        """Whether it passed, and what was delivered is as expected."""
        return self.passed and self.meets


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A draft as it was run. `planned` samples were to be made; `stopped` None: all of them were."""

    draft: Draft
    snapshot_digest: str
    at: datetime
    character: str
    variants: tuple[Variant, ...]
    samples: tuple[Sample, ...]
    spent: Spent
    planned: int
    stopped: Stopped | None

    def of(self, variant: str) -> Sequence[Sample]:
        """Return the samples of a variant, in their order."""
        return [sample for sample in self.samples if sample.variant == variant]

    def passed(self, variant: str) -> Rate:
        """Return how often the first answer passed gate and guards; a model's failure counts for nothing."""
        judged = [sample for sample in self.of(variant) if sample.answered]
        return Rate(sum(sample.passed for sample in judged), len(judged))

    def good(self, variant: str) -> Rate:
        """Return how often it passed and met the expectation."""
        judged = [sample for sample in self.of(variant) if sample.answered]
        return Rate(sum(sample.good for sample in judged), len(judged))

    @property
    def was_answered(self) -> bool:
        """Whether any model gave any answer."""
        return any(sample.answered for sample in self.samples)


def meets(expectation: Expectation, delivered: Sequence[str | None]) -> bool:
    """Return whether what was delivered is as expected."""
    texts = [normalize("NFKC", text) for text in delivered if text is not None]
    if any(pattern.search(text) for pattern in expectation.must_not for text in texts):
        return False
    wanted = expectation.must_any
    return not wanted or any(pattern.search(text) for pattern in wanted for text in texts)
