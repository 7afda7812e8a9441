"""What `inspect time` shows of one record."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from core.facts.time_claims.finding import find_claims
from core.facts.time_claims.types import ClaimKind, TimeClaim
from core.facts.time_claims.verdict import contradicts, nearest_reading


def inspect_time(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the claims of a text at a moment.

    `record` has `id`, `now` (ISO 8601 with an offset), `text` and, if the conversation's zone is another than the
    offset of `now`, `tz` (an IANA name). Each claim has `kind`, `value`, `start` and `end` (characters). A value that
    leaves the half of the day or the month open is given in the reading closest to `now`.

    Raises:
        ValueError: A field is missing or cannot be read; the message names it.
    """
    text, now = _text(record, "text"), _now(record)
    claims = find_claims(text)
    return {
        "id": record.get("id"),
        "claims": list(_shown(claims.times, now)),
        "contradicts": contradicts(claims.times, now),
        "implicit_activity_claim": bool(claims.activities),
    }


def _shown(claims: Iterable[TimeClaim], now: datetime) -> Iterator[dict[str, Any]]:
    """Give claims as they are shown; of those that say the same, the first."""
    shown = set[tuple[ClaimKind, str]]()
    for claim in claims:
        value = nearest_reading(claim, now)
        if (claim.kind, value) not in shown:
            shown.add((claim.kind, value))
            yield {"kind": claim.kind.value, "value": value, "start": claim.start, "end": claim.end}


def _text(record: Mapping[str, Any], field: str) -> str:
    value = record.get(field)
    if not isinstance(value, str):
        raise ValueError(f"{field}: a text is needed")
    return value


def _now(record: Mapping[str, Any]) -> datetime:
    try:
        now = datetime.fromisoformat(_text(record, "now"))
    except ValueError as error:
        raise ValueError("now: a time such as 2026-11-30T16:08:00+09:00 is needed") from error
    if now.tzinfo is None:
        raise ValueError("now: the offset from UTC is missing")
    zone = record.get("tz")
    if zone is None:
        return now
    try:
        return now.astimezone(ZoneInfo(str(zone)))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"tz: there is no time zone {zone}") from error
