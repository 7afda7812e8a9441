"""How much room the database takes."""

from pathlib import Path


def database_bytes(path: Path) -> int:
    """Return the size of a database with its log; 0 where there is none."""
    files = (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))
    return sum(file.stat().st_size for file in files if file.exists())
