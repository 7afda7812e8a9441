"""`yorisoi inspect signal|session|verify`: everything loaded once, then line after line."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from core.stance.gate.inspection import BadLineError, verify_line
from core.stance.inspection import InspectionError, inspect_session, inspect_signal
from core.stance.parts import StanceParts
from prompts.loader import PromptLibrary

if TYPE_CHECKING:
    from core.embedding.encoder import SentenceEncoder


class StanceInspector:
    """Answers single lines; what it finds is what a turn would find, whatever is switched on."""

    def __init__(self, parts: StanceParts) -> None:
        self._parts = parts

    @classmethod
    def load(cls, *, resources: Path, encoder: "SentenceEncoder | None") -> Self:
        """Load everything.

        Raises:
            CoreError: a file can't be used; the text names it and the reason.
        """
        return cls(StanceParts.load(resources=resources, prompts=PromptLibrary.load(), encoder=encoder))

    async def signal(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """Return the signal of `{"id", "text", "history"?}`.

        Raises:
            InspectionError: a field is missing or of the wrong kind.
        """
        return await inspect_signal(line, self._parts.reader)

    async def session(self, line: Mapping[str, Any]) -> dict[str, Any]:
        """Return signals, inertia and firmness of `{"id", "turns"}`.

        Raises:
            InspectionError: a field is missing or of the wrong kind.
        """
        return await inspect_session(line, self._parts.reader)

    async def verify(self, line: Mapping[str, Any]) -> dict[str, object]:
        """Return what the gate says of `{"id", "user", "reply"}`.

        Raises:
            InspectionError: a field is missing or of the wrong kind.
        """
        user = line.get("user")
        signal = await self._parts.reader.read(user if isinstance(user, str) else "")
        try:
            return verify_line(line, gate=self._parts.gate, signal_of=lambda _: signal)
        except BadLineError as error:
            raise InspectionError(str(error)) from error
