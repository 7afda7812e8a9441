"""What came of a comparison, as a message and its files."""

import gzip
import io
import json

import discord
from discord.utils import escape_markdown

from bot.pages.wording import Wording
from bot.sandbox.page import render
from bot.sandbox.report import Figures, as_json, figures
from core.sandbox.records import Comparison
from core.values import Locale
from prompts.messages import Messages

_LARGEST = 9 * 1024 * 1024  # bytes of all files together; Discord takes ten megabytes
_NAME = "comparison"


def summary(messages: Messages, locale: Locale, comparison: Comparison, currency: str, *, attached: bool) -> str:
    """Return the figures in a few lines."""
    spent = comparison.spent
    lines = [
        messages.text(
            "sandbox.head",
            locale,
            title=escape_markdown(comparison.draft.title[:200]),
            done=len(comparison.samples),
            planned=comparison.planned,
        )
    ]
    if comparison.stopped is not None:
        lines.append(messages.text(f"sandbox.stopped.{comparison.stopped}", locale))
    for found in figures(comparison):
        lines += _rows(messages, locale, found)
    lines.append(
        messages.text(
            "sandbox.spent",
            locale,
            answers=spent.answers,
            tokens=spent.tokens,
            seconds=f"{spent.seconds:.1f}",
            money=f"{spent.money:.4f}",
            currency=currency,
        )
    )
    if not attached:
        lines.append(messages.text("sandbox.too_large", locale))
    return "\n".join(lines)


def files_of(comparison: Comparison, wording: Wording, currency: str) -> list[discord.File]:
    """Return the page and the JSON, packed where they are large; [] where even that is too much for Discord."""
    documents = {
        f"{_NAME}.html": render(comparison, wording, currency=currency).encode(),
        f"{_NAME}.json": json.dumps(as_json(comparison) | {"currency": currency}, ensure_ascii=False).encode(),
    }
    if sum(map(len, documents.values())) > _LARGEST:
        documents = {f"{name}.gz": gzip.compress(content) for name, content in documents.items()}
    if sum(map(len, documents.values())) > _LARGEST:
        return []
    return [discord.File(io.BytesIO(content), name) for name, content in documents.items()]


def _rows(messages: Messages, locale: Locale, found: Figures) -> list[str]:
    low, high = found.passed.interval
    lines = [
        messages.text(
            "sandbox.row",
            locale,
            variant=found.variant.name,
            passed=found.passed.count,
            good=found.good.count,
            total=found.passed.total,
            low=f"{low * 100:.0f}",
            high=f"{high * 100:.0f}",
        )
    ]
    if found.failed:
        lines.append(messages.text("sandbox.unanswered", locale, count=found.failed))
    if found.against is not None:
        below, above = (f"{bound * 100:+.0f}" for bound in found.against)
        key = "sandbox.decided" if found.is_decided else "sandbox.undecided"
        lines.append(messages.text(key, locale, low=below, high=above))
    return lines
