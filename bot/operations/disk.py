"""How much room the database takes."""

from pathlib import Path


def database_bytes(database: Path | str) -> int | None:
    """Return the size of a database file with its log, 0 where there is none yet; None for one on a server."""
    if isinstance(database, str):
        return None
    files = (database, database.with_name(f"{database.name}-wal"), database.with_name(f"{database.name}-shm"))
    return sum(file.stat().st_size for file in files if file.exists())
