"""The golden renders. `python -m tests.unit.facts.capsule.golden` writes them anew: read the difference."""

from pathlib import Path

from core.facts.capsule.rendering import render_capsule
from core.values import Locale
from prompts.loader import PromptLibrary
from tests.unit.facts.capsule.states import all_states

FOLDER = Path(__file__).parent / "renders"


def renders(locale: Locale) -> dict[str, str]:
    """Return the note of every state."""
    prompts = PromptLibrary.load()
    return {name: render_capsule(capsule, prompts, locale) for name, capsule in all_states().items()}


def as_text(notes: dict[str, str]) -> str:
    """Return all notes as one readable file."""
    return "\n".join(f"# {name}\n{note}\n" for name, note in notes.items())


def golden_file(locale: Locale) -> Path:
    """Return where the golden renders of a locale are."""
    return FOLDER / f"capsules-{locale}.txt"


if __name__ == "__main__":
    for locale in Locale:
        golden_file(locale).write_text(as_text(renders(locale)), "utf-8")
