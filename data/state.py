"""What a look at a database saw."""

from dataclasses import dataclass

from core.errors import StorageError


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseState:
    """`size` in bytes; `schema` and `newest` are numbers of migrations: the database's, the program's."""

    name: str
    size: int
    schema: int
    newest: int


def require_known(name: str, schema: int, newest: int) -> None:
    """Refuse what a newer program made.

    Raises:
        StorageError: It is of a version this program doesn't know.
    """
    if schema > newest:
        raise StorageError(f"{name}: the database belongs to a newer Yorisoi ({schema} > {newest}): update the program")
