"""Which pieces of a lorebook a talk calls for, and which of them fit."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from core.language_model.tokens import estimate_tokens
from core.lore.book import Lorebook, LoreEntry, LorePlace

_MOST_ROUNDS = 8


def select(book: Lorebook, messages: Sequence[str], *, most_tokens: int) -> tuple[LoreEntry, ...]:
    """Return what is told, in the order it stands in.

    `messages` has the newest last, and holds only what may be shown where the turn takes place. What is told has at
    most `most_tokens` and at most the book's budget.
    """
    called = _called(book, messages)
    return tuple(sorted(_that_fit(called, min(most_tokens, book.token_budget)), key=_standing))


def _called(book: Lorebook, messages: Sequence[str]) -> list[LoreEntry]:
    texts = _Texts(messages)
    waiting = [entry for entry in book.entries if entry.enabled and entry.text.strip()]
    called = [entry for entry in waiting if entry.always or _is_called(entry, texts.last(_depth(entry, book)))]
    if not book.recursive:
        return called
    told, new = {id(entry) for entry in called}, called
    for _ in range(_MOST_ROUNDS):
        found = _Text("\n".join(entry.text for entry in new))
        new = [entry for entry in waiting if id(entry) not in told and _is_called(entry, found)]
        if not new:
            break
        called = [*called, *new]
        told |= {id(entry) for entry in new}
    return called


def _depth(entry: LoreEntry, book: Lorebook) -> int:
    return book.scan_depth if entry.scan_depth is None else entry.scan_depth


def _that_fit(entries: Iterable[LoreEntry], budget: int) -> list[LoreEntry]:
    kept, left = [], budget
    for entry in sorted(entries, key=lambda entry: (-entry.priority, not entry.always, entry.order)):
        tokens = estimate_tokens(entry.text)
        if tokens <= left:
            kept.append(entry)
            left -= tokens
    return kept


def _standing(entry: LoreEntry) -> tuple[bool, int]:
    return entry.place is not LorePlace.BEFORE, entry.order


def _is_called(entry: LoreEntry, text: "_Text") -> bool:
    if not _any_in(entry.keys, text, case_sensitive=entry.case_sensitive):
        return False
    return not entry.secondary_keys or _any_in(entry.secondary_keys, text, case_sensitive=entry.case_sensitive)


def _any_in(keys: Iterable[str], text: "_Text", *, case_sensitive: bool) -> bool:
    said = text.as_written if case_sensitive else text.folded
    return any(_begins_a_word_in(said, _folded(key, case_sensitive=case_sensitive)) for key in keys)


def _begins_a_word_in(said: str, key: str) -> bool:
    """Return whether a key is found: "art" in "art class" and "arts", not in "party"; Japanese has no such borders."""
    if not key or key not in said:
        return False
    if not (key[0].isascii() and key[0].isalnum()):
        return True
    return re.search(rf"(?<![a-zA-Z0-9]){re.escape(key)}", said) is not None


def _folded(text: str, *, case_sensitive: bool) -> str:
    same_width = unicodedata.normalize("NFKC", text).strip()
    return same_width if case_sensitive else same_width.casefold()


class _Text:
    """A text that is searched, in both spellings."""

    def __init__(self, text: str) -> None:
        self.as_written = _folded(text, case_sensitive=True)
        self.folded = _folded(text, case_sensitive=False)


class _Texts:
    """The last messages, folded once for each depth that is asked for."""

    def __init__(self, messages: Sequence[str]) -> None:
        self._messages = messages
        self._by_depth: dict[int, _Text] = {}

    def last(self, depth: int) -> _Text:
        if depth not in self._by_depth:
            said = self._messages[-depth:] if depth > 0 else ()
            self._by_depth[depth] = _Text("\n".join(said))
        return self._by_depth[depth]
