"""From a turn of the past to a draft: an answer that was wrong becomes a case that can be run again."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from core.ports import ArchiveEntry
from core.turn.exposure import may_be_told
from core.turn.trace import TraceRecord
from core.values import Character, GuildSettings, KeptFact, UserProfile

_LONGEST_COMMENT = 400
_CONTROLS = dict.fromkeys((*range(0x20), 0x7F), " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldTurn:
    """What is still held of a turn: what was asked, what was said before and after, and who asked."""

    record: TraceRecord
    asked: tuple[ArchiveEntry, ...]
    before: tuple[ArchiveEntry, ...]
    replied: str | None
    user: UserProfile
    kept: tuple[KeptFact, ...]
    guild: GuildSettings | None


def as_draft(held: HeldTurn, character: Character) -> str:
    """Return a draft (TOML) that asks the same again. Names and ids of people are left out, their words are not."""
    return "\n".join((*_head(held, character), *_person(held), *_history(held), *_variants())) + "\n"


def _head(held: HeldTurn, character: Character) -> Iterator[str]:
    record = held.record
    yield "#:schema draft.schema.json"
    yield f"# Turn {record.turn_id}: {record.outcome}, model {record.model or 'none'}."
    for step in record.steps:
        if step.status == "found":
            yield f"# {step.name}: {', '.join(step.rules)}"
    if held.replied is not None:
        yield f"# What was answered: {_comment(held.replied)}"
    yield "# This file holds what people wrote; forgetting them in the database does not reach it."
    yield f"title = {_text(f'Turn {record.turn_id}')}"
    yield f"character = {_text(character.name)}"
    yield f"at = {_moment(record.at)}"
    # Messages of a burst are answered together; the prompt has them one after another.
    yield f"messages = [{_text(chr(10).join(entry.text or '' for entry in held.asked))}]"
    if record.guild_id is not None:
        yield 'place = "server"'
        if held.guild is not None and held.guild.timezone is not None:
            yield f"server_timezone = {_text(held.guild.timezone)}"
    yield ""


def _person(held: HeldTurn) -> Iterator[str]:
    user, surface, record = held.user, held.asked[-1].surface, held.record
    yield "[user]"
    yield 'name = "User"'
    if (locale := user.locale or user.seen_locale) is not None:
        yield f"locale = {_text(locale)}"
    if surface.is_private:
        if user.timezone is not None:
            yield f"timezone = {_text(user.timezone)}"
        spoke = [entry.sent_at for entry in held.before if entry.author_id == user.id]
        if spoke:  # Discord's clock may be ahead of this machine's
            yield f"last_seen = {_moment(min(max(spoke), record.at))}"
    facts = [fact.text for fact in held.kept if may_be_told(fact, surface) and fact.told_at < record.at]
    if facts:
        yield f"facts = [{', '.join(map(_text, facts))}]"
    yield ""


def _history(held: HeldTurn) -> Iterator[str]:
    names: dict[int, str] = {held.user.id: "User"}
    for entry in held.before:
        yield "[[history]]"
        if entry.is_self:
            yield f"character = {_text(entry.text or '')}"
        else:
            yield f"user = {_text(entry.text or '')}"
            yield f"name = {_text(names.setdefault(entry.author_id, f'User {len(names) + 1}'))}"
        yield ""


def _variants() -> Iterator[str]:
    yield "# As it is now, and what you want to try: change the second variant."
    yield "[[variants]]"
    yield 'name = "now"'
    yield ""
    yield "[[variants]]"
    yield 'name = "changed"'
    yield "# templates.chat-frame-ja = '''…'''   facts = \"legacy_clocks\"   temperature = 0.3   flags.gate = true"
    yield ""
    yield "[expect]"
    yield '# must_not = ["…"]   what must not be said again'


def _text(text: str) -> str:
    # Every JSON string is a TOML string, but for U+007F.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _comment(text: str) -> str:
    # Control characters may not stand in a comment.
    return " ".join(text.translate(_CONTROLS).split())[:_LONGEST_COMMENT]


def _moment(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
