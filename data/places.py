"""Where the file of places to turn to lies (helplines, emergency numbers, advice)."""

from pathlib import Path

_SHIPPED = Path(__file__).parent / "resources" / "resources.toml"


def places_file(own: Path | None = None) -> Path:
    """Return the operator's own file, else the one that comes with the program."""
    return _SHIPPED if own is None else own
