"""A comparison as one self-contained page: prompts and answers side by side, differences marked; nothing is fetched."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from bot.pages.wording import Wording
from bot.sandbox.files import write_private
from bot.sandbox.marking import Marked, Piece, differences, marked
from bot.sandbox.report import figures
from bot.sandbox.table import hashes, stop_line
from core.language_model.types import ChatMessage
from core.locale import detect_locale
from core.sandbox.draft import Draft, Variant
from core.sandbox.records import Attempt, Comparison, Sample, TurnResult

_TEMPLATE = "sandbox/page.html.j2"
_MICROS = 1_000_000


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A message of a prompt. `pieces` tell it from the same place of the first variant's prompt."""

    role: str
    pieces: tuple[Piece, ...]

    @property
    def differs(self) -> bool:
        """Whether anything is marked."""
        return any(piece.kind != "same" for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Column:
    """What a variant did with one turn of one repetition."""

    name: str
    turn: TurnResult
    prompt: tuple[ShownMessage, ...]
    repairs: tuple[tuple[ChatMessage, ...], ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn of one repetition in all variants."""

    repetition: int
    number: int
    user: str
    columns: tuple[Column, ...]


def write_page(comparison: Comparison, path: Path, wording: Wording, *, currency: str) -> None:
    """Write the page, readable by its owner alone: it holds prompts, and may hold what people wrote.

    Raises:
        FileError: the file can't be written.
    """
    write_private(path, render(comparison, wording, currency=currency))


def render(comparison: Comparison, wording: Wording, *, currency: str) -> str:
    """Return the page."""
    expect = comparison.draft.expect
    return wording.fill(
        _TEMPLATE,
        comparison=comparison,
        draft=comparison.draft,
        hashes=hashes(comparison, wording),
        figures=figures(comparison),
        exchanges=list(exchanges(comparison)),
        heading=lambda exchange: _heading(exchange, comparison.draft, wording),
        setup=lambda variant: _setup(variant, wording),
        expects=bool(expect.must_not or expect.must_any),
        stopped=stop_line(comparison, wording) if comparison.stopped is not None else None,
        currency=currency,
        money=lambda micros: f"{micros / _MICROS:.4f}",
        marked=_marked,
        language=lambda text: detect_locale(text) or "",
    )


def exchanges(comparison: Comparison) -> Iterator[Exchange]:
    """Yield every turn of every repetition, as far as each variant came."""
    for repetition in range(1, comparison.draft.repetitions + 1):
        samples = [sample for sample in comparison.samples if sample.repetition == repetition]
        for number, user in enumerate(comparison.draft.messages):
            if columns := tuple(_columns(samples, number)):
                yield Exchange(repetition, number + 1, user, columns)


def _columns(samples: Sequence[Sample], number: int) -> Iterator[Column]:
    first: Sequence[ChatMessage] | None = None
    for sample in samples:
        turn = sample.turns[number]
        attempts = turn.attempts
        prompt = attempts[0].prompt if attempts else ()
        repairs = tuple(attempt.prompt[len(prompt) :] for attempt in attempts[1:])
        yield Column(sample.variant, turn, tuple(_shown(first, prompt)), repairs)
        first = prompt if first is None else first


def _shown(first: Sequence[ChatMessage] | None, prompt: Sequence[ChatMessage]) -> Iterator[ShownMessage]:
    if first is None:
        yield from (ShownMessage(message.role, (Piece("same", message.text),)) for message in prompt)
        return
    for base, own in zip_longest(first, prompt):
        role = (own or base).role
        pieces = differences(base.text if base is not None else "", own.text if own is not None else "")
        yield ShownMessage(role, tuple(pieces))


def _marked(attempt: Attempt) -> list[Marked]:
    return list(marked(attempt.text, attempt.findings))


def _heading(exchange: Exchange, draft: Draft, wording: Wording) -> str:
    """Return which exchange it is, as far as there are several."""
    kind = {
        (False, False): "only",
        (False, True): "turn",
        (True, False): "repetition",
        (True, True): "both",
    }[draft.repetitions > 1, len(draft.messages) > 1]
    return wording(f"page.exchange.{kind}", repetition=exchange.repetition, turn=exchange.number)


def _setup(variant: Variant, wording: Wording) -> str:
    """Return what a variant runs with, as far as it is set."""
    values = {
        "facts": variant.facts,
        "model": variant.model,
        "temperature": variant.temperature,
        "templates": wording.listed(sorted(variant.templates)) or None,
    }
    return wording.listed(
        wording(f"page.setup.{name}", value=value) for name, value in values.items() if value is not None
    )
