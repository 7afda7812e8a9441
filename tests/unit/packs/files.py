"""Changes to the files of a pack, and the lines on which they stand."""

from pathlib import Path


def write(folder: Path, file: str, text: str) -> None:
    (folder / file).write_text(text, "utf-8")


def append(folder: Path, file: str, text: str) -> int:
    """Add to a file and return the line on which the addition begins."""
    before = (folder / file).read_text("utf-8")
    write(folder, file, before + text)
    return before.count("\n") + 1


def replace(folder: Path, file: str, old: str, new: str) -> int:
    """Replace the first occurrence in a file and return its line."""
    before = (folder / file).read_text("utf-8")
    assert old in before
    write(folder, file, before.replace(old, new, 1))
    return before[: before.index(old)].count("\n") + 1
