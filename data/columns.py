"""How values stand in columns: moments, texts, lists of ids."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def to_millis(moment: datetime) -> int:
    """Return an aware moment as whole milliseconds since 1970, rounded down."""
    return (moment - _EPOCH) // _MILLISECOND


def from_millis(millis: int) -> datetime:
    """Return the moment in UTC."""
    return _EPOCH + millis * _MILLISECOND


def optional_millis(moment: datetime | None) -> int | None:
    """Return the moment as milliseconds, None as None."""
    return None if moment is None else to_millis(moment)


def optional_moment(millis: int | None) -> datetime | None:
    """Return the moment in UTC, None as None."""
    return None if millis is None else from_millis(millis)


def iso(millis: int | None) -> str | None:
    """Return the moment as a person's export shows it: ISO 8601, UTC."""
    return None if millis is None else from_millis(millis).isoformat()


def storable(text: str) -> str:
    """Return the text without what no database keeps: halves of surrogate pairs become `?`, NUL becomes U+FFFD."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\N{REPLACEMENT CHARACTER}")


def dump_ids(ids: Sequence[int]) -> str:
    """Return ids as a JSON list."""
    return json.dumps(list(ids))


def load_ids(stored: str) -> tuple[int, ...]:
    """Return the ids of a JSON list."""
    return tuple(int(item) for item in json.loads(stored))
