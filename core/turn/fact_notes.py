"""How the facts of a turn get into its prompt: in production as one note, the capsule, right before the newest message.

The sandbox compares that with other ways; the rest of the assembly is the same for all of them.
"""

from typing import Protocol

from core.facts.capsule.rendering import render_capsule
from core.turn.types import Turn
from prompts.loader import PromptLibrary


class FactNotes(Protocol):
    """A way for facts to get into a prompt."""

    def in_system(self, turn: Turn, prompts: PromptLibrary) -> str | None:
        """Return what is added at the end of the system message."""

    def before_newest(self, turn: Turn, prompts: PromptLibrary) -> str | None:
        """Return what is put right before the newest message."""


class CapsuleNote:
    """Every fact of a turn at one place, from one snapshot (seed 001)."""

    def in_system(self, turn: Turn, prompts: PromptLibrary) -> None:
        """Return nothing: what changes with every turn has no place at the beginning of a prompt."""
        del turn, prompts

    def before_newest(self, turn: Turn, prompts: PromptLibrary) -> str | None:
        """Return the capsule."""
        return render_capsule(turn.snapshot.capsule, prompts, turn.locale)
