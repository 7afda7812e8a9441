"""What may outlive a turn, whatever is switched on: nothing somebody said while seeking support, nothing of danger.

The flags decide how replies are guarded. That a plea for help doesn't become a lasting note is not up to them (seed
000, §1): where they are off, words alone decide, and what that needs is loaded when it is asked for first.
"""

import asyncio
import re
import secrets
import tomllib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b
from importlib.resources import files
from typing import TYPE_CHECKING, Self

from core.stance.reading import is_sensitive

if TYPE_CHECKING:
    from core.stance.gate.gate import StanceGate
    from core.stance.parts import StanceParts
    from core.stance.signal.signal import SignalReader
    from core.stance.signal.words import Analyser

REMEMBERED = 65_536
"""Texts of which it is kept in memory whether they are sensitive by themselves (200 bytes each): a message is asked
about once more when it leaves its conversation's window, hundreds of turns after its analysis was given up."""
_KEY = secrets.token_bytes(16)
"""Without it, what is kept tells nothing of a text, not even of one that can be guessed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CautionParts:
    """The reader of turns and the gate, as they are also used in turns."""

    reader: "SignalReader"
    gate: "StanceGate"

    @classmethod
    def of(cls, parts: "StanceParts") -> Self:
        """Return those of all parts of stance integrity."""
        return cls(reader=parts.reader, gate=parts.gate)

    @classmethod
    def beside(cls, reader: "SignalReader") -> Self:
        """Load what is missing beside a reader of which only the words are taken; in a thread (0.1 s)."""
        from core.stance.gate.gate import StanceGate  # noqa: PLC0415 - brings numpy along

        return cls(reader=reader.without_encoder(), gate=StanceGate.load())


class Caution:
    """Judges single texts. Deterministic; loads its parts in a thread, once (about 0.3 s)."""

    def __init__(
        self,
        parts: CautionParts | None = None,
        *,
        load: Callable[[], Awaitable[CautionParts]] | None = None,
        analyser: "Analyser | None" = None,
        remembered: int = REMEMBERED,
    ) -> None:
        """Take the parts, or what loads them; where neither is given, it loads parts of its own."""
        self._parts = parts
        self._load = load
        self._analyser = analyser
        self._loading = asyncio.Lock()
        self._remembered = remembered
        self._alone: OrderedDict[bytes, bool] = OrderedDict()

    async def may_be_kept(self, text: str, history: Sequence[tuple[bool, str]] = ()) -> bool:
        """Return whether what somebody said may become a lasting note.

        It may not if it is sensitive by itself or in the light of the talk before it, or speaks of what weighs on them.
        `history` is oldest first: whether the same person said it (else the character), and the text.
        """
        return not _weighs(text) and not await self.is_sensitive(text, history)

    async def is_sensitive(self, text: str, history: Sequence[tuple[bool, str]] = ()) -> bool:
        """Return whether what somebody said seeks support or tells of danger, by itself or after that history."""
        if await self._is_sensitive_alone(text):
            return True
        return bool(history) and await self._is_sensitive_after(text, history)

    async def _is_sensitive_alone(self, text: str) -> bool:
        digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, key=_KEY).digest()
        known = self._alone.get(digest)
        if known is not None:
            self._alone.move_to_end(digest)
            return known
        found = is_sensitive(await (await self._ready()).reader.read(text))
        self._alone[digest] = found
        while len(self._alone) > self._remembered:
            self._alone.popitem(last=False)
        return found

    async def _is_sensitive_after(self, text: str, history: Sequence[tuple[bool, str]]) -> bool:
        from core.stance.signal.session import SaidTurn  # noqa: PLC0415 - brings numpy along

        said = [SaidTurn(by_user=by_user, text=one) for by_user, one in history]
        return is_sensitive(await (await self._ready()).reader.read(text, said))

    async def may_be_retold(self, text: str) -> bool:
        """Return whether a text of a model's states as fact nothing that only somebody absent could know."""
        parts = await self._ready()
        verdict = parts.gate.verify(user="", reply=text, signal=await parts.reader.read(""))
        return not verdict.findings

    async def _ready(self) -> CautionParts:
        async with self._loading:
            if self._parts is None and self._load is not None:
                self._parts = await self._load()
            if self._parts is None:
                load = _shared if self._analyser is None else partial(_load, self._analyser)
                self._parts = await asyncio.to_thread(load)
        return self._parts


@cache
def _shared() -> CautionParts:
    """Return the parts of every caution that brings no analyser of its own: they hold no state."""
    return _load(None)


def _load(analyser: "Analyser | None") -> CautionParts:
    from core.stance.signal.signal import SignalReader  # noqa: PLC0415 - brings numpy along

    return CautionParts.beside(SignalReader.load(analyser=analyser))


def _weighs(text: str) -> bool:
    return any(pattern.search(text) for pattern in _words())


@cache
def _words() -> tuple[re.Pattern[str], ...]:
    table = tomllib.loads((files("core.stance") / "caution_words.toml").read_text("utf-8"))
    return tuple(re.compile(word, re.IGNORECASE) for words in table.values() for word in words)
