"""A lorebook: pieces of background, each with the words that call for it (`character_book` of Character Cards)."""

from dataclasses import dataclass
from enum import StrEnum


class LorePlace(StrEnum):
    """Where a piece stands among those that are told: the first group, or the second."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoreEntry:
    """A piece of background.

    It is told when one of `keys` is found in the last `scan_depth` messages (None: as many as the book says) and, where
    there are `secondary_keys`, one of these as well; with `always` it needs no key. Lower `order` stands higher; where
    not everything fits, lower `priority` is left out first.
    """

    text: str
    keys: tuple[str, ...] = ()
    secondary_keys: tuple[str, ...] = ()
    name: str = ""
    enabled: bool = True
    always: bool = False
    case_sensitive: bool = False
    order: int = 100
    priority: int = 0
    scan_depth: int | None = None
    place: LorePlace = LorePlace.AFTER


@dataclass(frozen=True, slots=True, kw_only=True)
class Lorebook:
    """A character's pieces of background in one language.

    `scan_depth` in messages, `token_budget` in tokens; `recursive`: what is told may call for further pieces.
    """

    entries: tuple[LoreEntry, ...] = ()
    scan_depth: int = 4
    token_budget: int = 400
    recursive: bool = False
