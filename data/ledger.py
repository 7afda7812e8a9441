"""What was deleted since there are backups: keyed hashes in a file beside the database, so that it stays deleted.

A hash tells nobody what or who it is of without going through all ids there could be with the key, which is in the same
file and in no backup. That somebody opted out is kept as the bare fact, as it is in the database. Without a backup
there is nothing to hold back, and so no file.
"""

import asyncio
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Any

import structlog

from core.clock import Clock, SystemClock

LEDGER_REACHES = timedelta(days=400)
_MODE = 0o600
_HASH_LETTERS = 32

_log = structlog.get_logger(__name__)


class Gone(StrEnum):
    """What was deleted or taken back."""

    PERSON = "person"
    MESSAGE = "message"
    CHANNEL = "channel"
    GUILD = "guild"
    FACT = "fact"
    CONSENT = "consent"
    SPEAKING_FIRST = "speaking_first"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletions:
    """What a ledger says was deleted from some moment on. `begun`: since when it knows; None without a ledger."""

    begun: datetime | None
    hashes: frozenset[str]
    opted_out: frozenset[int]
    key: bytes

    def hold(self, gone: Gone, *parts: int | str) -> bool:
        """Return whether something of these ids was deleted."""
        return _hashed(self.key, gone, parts) in self.hashes


class Ledger:
    """The list of deletions beside a database; `path` None: nothing is noted."""

    def __init__(self, path: Path | None, clock: Clock | None = None) -> None:
        self._path = path
        self._clock = clock or SystemClock()

    @classmethod
    def beside(cls, database: Path, clock: Clock | None = None) -> "Ledger":
        """Return the ledger of a database's file."""
        return cls(database.with_name(f"{database.stem}-deletions.jsonl"), clock)

    def begin(self) -> None:
        """Note deletions from now on: there is a backup.

        Raises:
            OSError: the file can't be written.
        """
        if self._path is None or self._path.exists():
            return
        self._append([{"key": secrets.token_hex(32), "t": self._clock.now().isoformat()}])

    async def note(self, gone: Gone, *ids: Sequence[int | str]) -> None:
        """Note that each of `ids` (the parts that name it) is about to be deleted; a failure is logged only."""
        await asyncio.to_thread(self._note, gone, ids)

    async def note_opted_out(self, user_id: int, *, out: bool) -> None:
        """Note that somebody opted out or in again."""
        if out:
            await asyncio.to_thread(self._try, lambda: [{"id": str(user_id)}])
        else:
            await asyncio.to_thread(self._try, lambda: self._without(str(user_id)))

    def since(self, moment: datetime | None) -> Deletions:
        """Return what was deleted from a moment on (None: ever); nothing where there is no ledger.

        Raises:
            OSError, ValueError: the file can't be read.
        """
        if self._path is None or not self._path.exists():
            return Deletions(begun=None, hashes=frozenset(), opted_out=frozenset(), key=b"")
        first, *lines = self._lines()
        later = [line for line in lines if moment is None or datetime.fromisoformat(line["t"]) >= moment]
        return Deletions(
            begun=datetime.fromisoformat(first["t"]),
            hashes=frozenset(line["h"] for line in later if "h" in line),
            opted_out=frozenset(int(line["id"]) for line in later if "id" in line),
            key=bytes.fromhex(first["key"]),
        )

    def prune(self) -> None:
        """Drop what is older than any backup may be; opt-outs stay."""
        if self._path is None or not self._path.exists():
            return
        oldest = self._clock.now() - LEDGER_REACHES
        first, *lines = self._lines()
        kept = [line for line in lines if "id" in line or datetime.fromisoformat(line["t"]) >= oldest]
        if len(kept) == len(lines):
            return
        self._replace([first, *kept])

    def _without(self, user_id: str) -> list[dict[str, Any]]:
        """Take out that somebody opted out: of those who take part nothing stands here by name."""
        lines = self._lines()
        kept = [line for line in lines if line.get("id") != user_id]
        if len(kept) < len(lines):
            self._replace(kept)
        return []

    def _replace(self, lines: Sequence[dict[str, Any]]) -> None:
        if self._path is not None:
            scratch = self._path.with_name(f".{self._path.name}.part")
            _write(scratch, lines, os.O_TRUNC)
            scratch.replace(self._path)

    def _note(self, gone: Gone, ids: Iterable[Sequence[int | str]]) -> None:
        def lines() -> list[dict[str, Any]]:
            key = bytes.fromhex(self._lines(1)[0]["key"])
            return [{"h": _hashed(key, gone, parts)} for parts in ids]

        self._try(lines)

    def _try(self, lines: Callable[[], list[dict[str, Any]]]) -> None:
        if self._path is None or not self._path.exists():
            return
        try:
            now = self._clock.now().isoformat()
            self._append([{**line, "t": now} for line in lines()])
        except (OSError, ValueError, LookupError) as error:
            _log.error("deletion_not_noted", error=type(error).__name__)

    def _lines(self, most: int | None = None) -> list[dict[str, Any]]:
        if self._path is None:
            return []
        with self._path.open(encoding="utf-8") as file:
            return [json.loads(line) for line in islice(file, most)]

    def _append(self, lines: Sequence[dict[str, Any]]) -> None:
        if self._path is not None and lines:
            _write(self._path, lines, os.O_APPEND)


def _write(path: Path, lines: Sequence[dict[str, Any]], how: int) -> None:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | how, _MODE), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _hashed(key: bytes, gone: Gone, parts: Sequence[int | str]) -> str:
    named = ":".join(map(str, (gone, *parts)))
    return hmac.new(key, named.encode(), hashlib.sha256).hexdigest()[:_HASH_LETTERS]
