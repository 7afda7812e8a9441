"""Background that would never be told, or not wholly: no fault, but worth knowing."""

from collections.abc import Iterator

from core.errors import Problem
from core.lore.lasting import passing
from data.packs.sources import Sources


def check_lore(sources: Sources) -> Iterator[Problem]:
    """Yield what of a pack's background is left out, and why."""
    for locale, table in sources.lore_tables.items():
        file = sources.lore[locale]
        if locale not in sources.locales:
            yield file.problem((), f"is not used: nothing else of the pack is written in '{locale}'")
        for index, entry in enumerate(table.entry):
            path = ("entry", index)
            if entry.enabled and not entry.always and not entry.keys:
                yield file.problem(path, "is never told: give it 'keys', or 'always = true'")
            for sentence in passing(entry.text):
                message = f"'{sentence[:60]}' names a time or the present moment and is left out"
                yield file.problem((*path, "text"), message)
