"""A comparison as JSON values, and the figures that table, page and JSON share."""

from dataclasses import dataclass
from typing import Any

from core.rates import Rate
from core.sandbox.draft import Variant
from core.sandbox.records import Attempt, Comparison, Sample, TurnResult
from core.turn.trace import TraceStep

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """How a variant did. `against`: the 95 % interval of its good share less the first variant's; None for that one.

    Tokens, money and time are of all its samples.
    """

    variant: Variant
    samples: int
    failed: int
    passed: Rate
    good: Rate
    against: tuple[float, float] | None
    input_tokens: int
    output_tokens: int
    estimated: bool
    cost_micros: int
    milliseconds: float

    @property
    def is_decided(self) -> bool:
        """Whether the samples tell it from the first variant."""
        return self.against is not None and not self.against[0] <= 0 <= self.against[1]


def figures(comparison: Comparison) -> list[Figures]:
    """Return the figures of each variant, in the draft's order."""
    first = comparison.good(comparison.variants[0].name)
    found = []
    for number, variant in enumerate(comparison.variants):
        samples = comparison.of(variant.name)
        attempts = [attempt for sample in samples for turn in sample.turns for attempt in turn.attempts]
        good = comparison.good(variant.name)
        comparable = number > 0 and bool(good.total) and bool(first.total)
        found.append(
            Figures(
                variant=variant,
                samples=len(samples),
                failed=sum(not sample.answered for sample in samples),
                passed=comparison.passed(variant.name),
                good=good,
                against=good.minus(first) if comparable else None,
                input_tokens=sum(attempt.input_tokens for attempt in attempts),
                output_tokens=sum(attempt.output_tokens for attempt in attempts),
                estimated=any(attempt.estimated for attempt in attempts),
                cost_micros=sum(attempt.cost_micros for attempt in attempts),
                milliseconds=sum(attempt.milliseconds for attempt in attempts),
            )
        )
    return found


def as_json(comparison: Comparison) -> dict[str, Any]:
    """Return everything: prompts, answers, verdicts, traces, figures."""
    draft, spent = comparison.draft, comparison.spent
    return {
        "version": VERSION,
        "title": draft.title,
        "draft": draft.digest,
        "snapshot": comparison.snapshot_digest,
        "at": comparison.at.isoformat(),
        "character": comparison.character,
        "complete": comparison.stopped is None,
        "stopped": comparison.stopped,
        "samples": {"planned": comparison.planned, "made": len(comparison.samples)},
        "spent": {
            "answers": spent.answers,
            "tokens": spent.tokens,
            "seconds": spent.seconds,
            "money": spent.money,
        },
        "variants": [_variant(comparison, found) for found in figures(comparison)],
    }


def _variant(comparison: Comparison, found: Figures) -> dict[str, Any]:
    variant = found.variant
    return {
        "name": variant.name,
        "facts": variant.facts,
        "model": variant.model,
        "temperature": variant.temperature,
        "templates": sorted(variant.templates),
        "flags": {name: getattr(variant.flags, name) for name in ("signal", "policy", "gate", "inertia")},
        "passed": rate(found.passed),
        "good": rate(found.good),
        "against_first": None if found.against is None else [round(bound, 4) for bound in found.against],
        "decided": found.is_decided,
        "failed": found.failed,
        "input_tokens": found.input_tokens,
        "output_tokens": found.output_tokens,
        "tokens_estimated": found.estimated,
        "cost_micros": found.cost_micros,
        "milliseconds": round(found.milliseconds, 1),
        "samples": [_sample(sample) for sample in comparison.of(variant.name)],
    }


def rate(found: Rate) -> dict[str, Any]:
    """Return a rate with its 95 % interval."""
    low, high = found.interval
    return {
        "count": found.count,
        "total": found.total,
        "share": round(found.share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def _sample(sample: Sample) -> dict[str, Any]:
    return {
        "repetition": sample.repetition,
        "answered": sample.answered,
        "passed": sample.passed,
        "meets_expectation": sample.meets,
        "tools": sample.tools,
        "refused": sample.refused,
        "turns": [_turn(turn) for turn in sample.turns],
    }


def _turn(turn: TurnResult) -> dict[str, Any]:
    return {
        "user": turn.user,
        "outcome": turn.outcome,
        "delivered": turn.delivered,
        "attempts": [_attempt(attempt) for attempt in turn.attempts],
        "trace": [_step(step) for step in turn.trace],
    }


def _attempt(attempt: Attempt) -> dict[str, Any]:
    return {
        "model": attempt.model,
        "text": attempt.text,
        "failure": attempt.failure,
        "passed": attempt.passed,
        "findings": [
            {"rule": f.rule, "severity": f.severity, "start": f.start, "end": f.end, "about": f.about}
            for f in attempt.findings
        ],
        "input_tokens": attempt.input_tokens,
        "output_tokens": attempt.output_tokens,
        "cost_micros": attempt.cost_micros,
        "milliseconds": attempt.milliseconds,
        "prompt": [{"role": message.role, "text": message.text} for message in attempt.prompt],
    }


def _step(step: TraceStep) -> dict[str, Any]:
    return {
        "name": step.name,
        "status": step.status,
        "rules": list(step.rules),
        "milliseconds": step.milliseconds,
        "detail": step.detail,
    }
