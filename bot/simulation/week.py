"""The file of a character's week, which operators change while the program runs."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.simulation.truth import Edition, Truth
from core.facts.schedule.timetable import Timetable

# Each is made and then taken back: lunch begins later; sleep, which is part of every day, has another name.
_EDITS = ('start = "12:10"', 'start = "12:20"'), ('text.en = "sleep"', 'text.en = "a long sleep"')


@dataclass(slots=True, kw_only=True)
class Week:
    """Edits the file and writes down what it has said so far."""

    file: Path
    read: Callable[[], Timetable | None]
    truth: Truth
    edits: int = 0

    async def edit(self) -> None:
        """Change the week, or take the last change back."""
        old, new = _EDITS[self.edits // 2 % len(_EDITS)]
        text, taken_back = self.file.read_text("utf-8"), bool(self.edits % 2)
        changed = text.replace(new, old) if taken_back else text.replace(old, new)
        replacement = self.file.with_suffix(".new")
        replacement.write_text(changed, "utf-8")
        replacement.replace(self.file)
        self.edits += 1
        await self.note()

    async def note(self) -> None:
        """Write down what it says."""
        text, timetable = self.file.read_text("utf-8"), await asyncio.to_thread(self.read)
        self.truth.schedule.append(Edition(order=self.truth.order(), content=text, timetable=timetable))
