"""The folder of the data, and how much room the database takes."""

from pathlib import Path

from bot.errors import StartError
from bot.settings import Settings


def database_bytes(database: Path | str) -> int | None:
    """Return the size of a database file with its log, 0 where there is none yet; None for one on a server."""
    if isinstance(database, str):
        return None
    files = (database, database.with_name(f"{database.name}-wal"), database.with_name(f"{database.name}-shm"))
    return sum(file.stat().st_size for file in files if file.exists())


def make_data_dir(folder: Path) -> None:
    """Make the folder in which the program keeps its state beside the database, which may be elsewhere.

    Raises:
        StartError: It can't be made.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(
            f"{folder} can't be made ({error.strerror}): set YORISOI_DATA_DIR to a folder of yours."
        ) from error


def require_database(settings: Settings) -> None:
    """Raise StartError where there is no database yet and this is no moment to make one."""
    # In a mistyped folder a database would be made, and "deleted 0 entries" told of somebody who is in another.
    if settings.database_url is None and not settings.database_path.exists():
        raise StartError(
            f"{settings.database_path}: there is no database there: check YORISOI_DATA_DIR; "
            "a new installation gets one at its first start (`yorisoi run`)"
        )
