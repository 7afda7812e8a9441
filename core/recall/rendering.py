"""What a prompt is told of a search: how it ended, and what was found, as the only ground for an answer."""

from datetime import datetime
from zoneinfo import ZoneInfo

from babel.dates import format_date

from core.facts.capsule.lengths import Phrase, phrase
from core.language_model.tokens import cut_to_tokens
from core.ports import ArchiveEntry
from core.recall.question import Asking
from core.recall.recollection import Outcome, Recollection
from core.values import Locale, SurfaceKind
from prompts.data_text import as_name, one_line
from prompts.loader import PromptLibrary
from prompts.messages import Messages

_MESSAGE_TOKENS = 150
_QUOTED = 120
_TEMPLATES = {
    Outcome.FOUND: "recall-found",
    Outcome.NOT_FOUND: "recall-not-found",
    Outcome.UNAVAILABLE: "recall-unavailable",
}


def render_recollection(
    recollection: Recollection, prompts: PromptLibrary, locale: Locale, *, now: datetime, name: str
) -> str | None:
    """Return the note for the prompt, None where nothing was looked up. `name` is the character's.

    When something was said is told as a length, never by the clock.
    """
    template = _TEMPLATES.get(recollection.outcome)
    if template is None:
        return None
    question = recollection.question
    return prompts.render(
        template,
        locale,
        messages=[
            {
                "id": f"e{number}",
                "ago": phrase(Phrase.AGO, now - entry.sent_at, locale),
                "speaker": speaker_of(entry, name),
                "text": cut_to_tokens(entry.text or "", _MESSAGE_TOKENS),
            }
            for number, entry in enumerate(recollection.evidence, 1)
        ],
        outright=question.asking is Asking.OUTRIGHT,
        wants_place=question.wants_place,
    )


def quotation(recollection: Recollection, locale: Locale, *, now: datetime) -> dict[str, str]:
    """Return the best message found and how long ago it was said, as they fill in a written reply; {} without one."""
    if not recollection.cited:
        return {}
    best = recollection.cited[0]
    ago = phrase(Phrase.AGO, now - best.sent_at, locale)
    return {"quote": _quoted(best), "ago": ago[:1].upper() + ago[1:]}


def places(recollection: Recollection, messages: Messages, locale: Locale, *, timezone: str) -> str | None:
    """Return where the messages found stand, a line for each, if that is what was asked; a link, or a day and words."""
    if not recollection.question.wants_place or not recollection.cited:
        return None
    return "\n".join(_place(entry, messages, locale, timezone) for entry in recollection.cited)


def _place(entry: ArchiveEntry, messages: Messages, locale: Locale, timezone: str) -> str:
    surface = entry.surface
    if surface.kind is SurfaceKind.TERMINAL:
        day = format_date(entry.sent_at.astimezone(ZoneInfo(timezone)), "long", locale)
        return messages.text("recall.place", locale, date=day, quote=_quoted(entry))
    where = f"{surface.guild_id or '@me'}/{surface.channel_id}/{entry.message_id}"
    return messages.text("recall.link", locale, link=f"https://discord.com/channels/{where}")


def _quoted(entry: ArchiveEntry) -> str:
    text = one_line(entry.text or "")
    return text if len(text) <= _QUOTED else text[: _QUOTED - 1].rstrip() + "…"


def speaker_of(entry: ArchiveEntry, name: str) -> str:
    """Return who said something; the character under the name it has now."""
    return name if entry.is_self else as_name(entry.author_name, name)
