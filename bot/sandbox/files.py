"""Files that hold what people wrote: readable by their owner alone."""

import os
from pathlib import Path

from bot.errors import BotError

_OWN = 0o600


class FileError(BotError):
    """A file can't be written."""


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read; what was there is replaced as a whole.

    Raises:
        FileError: it can't be written.
    """
    draft = path.with_name(f"{path.name}.new")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWN), "w", encoding="utf-8") as file:
            file.write(text)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise FileError(f"{path}: {error.strerror or error}") from error
