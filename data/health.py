"""A look at a database that changes nothing in it."""

from pathlib import Path

from data.opening import Place
from data.sqlite import health
from data.state import DatabaseState


async def look_at(place: Place) -> DatabaseState | None:
    """Check what is at a place, as far as that is quickly done; None if there is no file yet.

    Raises:
        StorageError: It can't be read, is no database, is damaged, or belongs to a newer program.
    """
    if isinstance(place, Path):
        return await health.look_at(place)
    from data.postgresql.health import look_at as look_at_server  # noqa: PLC0415 - an extra; SQLite does without

    return await look_at_server(place)
