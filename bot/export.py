"""Everything kept about a person as a document they can read. The same on every surface and on the command line."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from core.values import Locale
from prompts.messages import Messages, placeholders

_NONE = "-"
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)\S*")
_Row = Mapping[str, Any]


def as_markdown(export: Mapping[str, Sequence[_Row]], messages: Messages, locale: Locale) -> str:
    """Return an export (`PrivacyStore.export`) in Markdown: a heading for each kind, a line for each entry."""
    words = _Words(messages, locale)
    parts = [f"# {messages.text('export.title', locale)}", messages.text("export.about", locale)]
    parts += [words.chapter(table, rows) for table, rows in export.items() if rows]
    return "\n\n".join(parts if len(parts) > 2 else [*parts, messages.text("privacy.nothing", locale)]) + "\n"


def named_table(table: str, messages: Messages, locale: Locale) -> str:
    """Return what entries of a kind are called; the kind itself where there is no word for it."""
    key = f"privacy.table.{table}"
    return messages.text(key, locale) if key in messages.keys() else table  # noqa: SIM118 - a method, not a mapping


class _Words:
    def __init__(self, messages: Messages, locale: Locale) -> None:
        self._messages = messages
        self._locale = locale
        self._keys = messages.keys()

    def chapter(self, table: str, rows: Sequence[_Row]) -> str:
        heading = f"## {named_table(table, self._messages, self._locale)} ({len(rows)})"
        lines = self._talks(rows) if table == "archive" else [self._line(table, row) for row in rows]
        return "\n".join([heading, "", *lines])

    def _talks(self, rows: Sequence[_Row]) -> Iterable[str]:
        """Give messages by conversation: who said what, when."""
        for _, group in groupby(sorted(rows, key=_place), key=_place):
            talk = list(group)
            yield f"### {self._text('export.conversation', talk[0])}\n"
            for row in talk:
                yield self._line("archive_textless" if row.get("text") is None else "archive", row)
            yield ""

    def _line(self, table: str, row: _Row) -> str:
        key = f"export.line.{table}"
        if key in self._keys:
            return f"- {self._text(key, row)}"
        return "- " + ", ".join(f"{name}: {self._value(value)}" for name, value in row.items())

    def _text(self, key: str, row: _Row) -> str:
        known = {**row, "chosen_locale": row.get("locale")}
        wanted = placeholders(str(self._messages.entry(key, self._locale)))
        return self._messages.text(key, self._locale, **{name: self._value(known.get(name)) for name in wanted})

    def _value(self, value: object) -> str:
        match value:
            case None:
                return _NONE
            case bool():
                return self._messages.text("export.yes" if value else "export.no", self._locale)
            case str():
                moment = _MOMENT.fullmatch(value)
                return f"{moment[1]} {moment[2]} UTC" if moment else value.replace("\n", "\n  ")
            case _:
                return str(value)


def _place(row: _Row) -> tuple[str, str]:
    return str(row.get("character")), str(row.get("channel_id"))
