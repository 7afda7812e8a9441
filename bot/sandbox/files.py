"""Files that hold what people wrote: readable by their owner alone."""

import os
import tempfile
from pathlib import Path

from bot.errors import BotError


class FileError(BotError):
    """A file can't be written."""


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read; what was there is replaced as a whole.

    Raises:
        FileError: it can't be written.
    """
    require_place(path)
    try:
        number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from error
    draft = Path(name)
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(text)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise FileError(f"{path}: {error.strerror or error}") from error


def require_place(path: Path) -> None:
    """Look whether a file can be put there.

    Raises:
        FileError: there is no such folder, or something else is there than a file.
    """
    if not path.parent.is_dir():
        raise FileError(f"{path}: there is no folder {path.parent}")
    if path.exists() and not path.is_file():
        raise FileError(f"{path}: is no file: name one that can be written")
