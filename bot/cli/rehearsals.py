"""What a character would do in the community, line by line, in the operator's language."""

from collections.abc import Iterator

from bot.discord.commands.reasons import reason
from bot.speech.words import words
from core.social.cycle import CycleReport
from core.social.journal import Decision
from core.values import Locale
from prompts.messages import Messages

_WOULD = {
    "read": "would read",
    "peer": "would think anew of",
    "like": "would like",
    "reply": "would answer",
    "interest": "would be interested in what follows from",
    "post": "would post in",
    "follow": "would follow",
    "unfollow": "would no longer follow",
}
_WOULD_NOT = {
    "read": "would make nothing of",
    "like": "would not like",
    "reply": "would not answer",
    "post": "would not post",
}
_NOTES = {
    "frozen": "The character is frozen: it does nothing.",
    "model": "No model answers: the character stands still, and everything else goes on.",
}


def told(report: CycleReport, language: Locale) -> Iterator[str]:
    """Yield the lines of a rehearsal; in Japanese decisions are told as Discord's commands tell them."""
    spoken = words()
    if note := report.record.note:
        yield spoken(_NOTES.get(note, note))
    yield from _in_japanese(report, Messages.load()) if language is Locale.JA else _in_english(report)
    yield spoken(f"Model calls: {report.calls}. They are counted; nothing was changed.")


def _in_english(report: CycleReport) -> Iterator[str]:
    for decision in report.decisions:
        target = "" if decision.target is None else f" {decision.target}"
        yield f"{_verb(decision)}{target}: {decision.why}"
        yield from _written(decision)
    yield from (f"failed: {step} ({count})" for step, count in report.record.failed.items())


def _in_japanese(report: CycleReport, messages: Messages) -> Iterator[str]:
    def text(key: str, **values: object) -> str:
        return messages.text(f"social.{key}", Locale.JA, **values)

    for decision in report.decisions:
        why = reason(messages, Locale.JA, decision.why)
        key = f"{'did_one' if decision.done else 'left_one'}.{decision.what}"
        yield text(key, target=decision.target or "", why=why)
        yield from _written(decision)
    for step, count in report.record.failed.items():
        name, _, source = step.partition(".")
        values = {"source": text(f"source.{source}")} if source else {}
        yield text("failed", list=f"{text(f'step.{name}', **values)} {count}")


def _verb(decision: Decision) -> str:
    return _WOULD[decision.what] if decision.done else _WOULD_NOT.get(decision.what, "would not act on")


def _written(decision: Decision) -> Iterator[str]:
    """Yield what would be written."""
    return (f"    {line}" for line in decision.text.splitlines())
