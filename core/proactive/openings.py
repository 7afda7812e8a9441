"""What may be said first at a moment: the candidates whose window holds and that were not said lately."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from core.characters.pack import Candidate
from core.facts.schedule.state import Stretch
from core.proactive.moments import fits

RECENT = 10
"""How many of the last things said are never said again, however short their cooldown."""


def openings(
    candidates: Iterable[Candidate],
    *,
    said: Mapping[str, datetime],
    stretches: Sequence[Stretch],
    now: datetime,
) -> list[Candidate]:
    """Return the candidates that fit the moment, in their order. `said`: when each was last said to the recipient.

    Where there are so few that the last ones said are most of them, only half of them count as recent.
    """
    known = list(candidates)
    recent = _recent(said, min(RECENT, len(known) // 2))
    return [
        candidate
        for candidate in known
        if candidate.id not in recent
        and not _cools_down(candidate, said.get(candidate.id), now)
        and fits(candidate.window, stretches, now)
    ]


def _recent(said: Mapping[str, datetime], count: int) -> frozenset[str]:
    newest = sorted(said, key=lambda candidate_id: said[candidate_id], reverse=True)
    return frozenset(newest[:count])


def _cools_down(candidate: Candidate, said_at: datetime | None, now: datetime) -> bool:
    return said_at is not None and now - said_at < timedelta(days=candidate.cooldown_days)
