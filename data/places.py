"""Where the file of places to turn to lies (helplines, emergency numbers, advice)."""

from pathlib import Path

_SHIPPED = Path(__file__).parent / "resources" / "resources.toml"


def places_file() -> Path:
    """Return the file that comes with the program."""
    return _SHIPPED
