"""Whether a recipient may be spoken to first at a moment: one visible table, asked on deciding and on sending."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from core.facts.schedule.wall import day_of
from core.proactive.limits import Limits, in_range
from core.proactive.types import Reason, Subscription


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Everything that decides whether a recipient may be spoken to first. `now` is aware.

    `limits` is None where the pace has come to a stop or the character never speaks first; `zone` is None while the
    recipient's time zone is not known. `sent`: when messages were sent (or claimed) lately, oldest first.
    """

    now: datetime
    subscription: Subscription
    limits: Limits | None
    zone: ZoneInfo | None
    sent: tuple[datetime, ...] = ()
    opted_out: bool = False
    frozen: bool = False
    all_paused_until: datetime | None = None


def refusal(standing: Standing) -> Reason | None:
    """Return the first reason not to speak, None if there is none."""
    return next((reason for reason, holds in _TABLE if holds(standing)), None)


def sent_today(standing: Standing) -> int:
    """Return how many messages went out on the recipient's day that `now` lies in."""
    if standing.zone is None:
        return 0
    today = day_of(standing.now, standing.zone)
    return sum(day_of(moment, standing.zone) == today for moment in standing.sent)


def _not_enabled(standing: Standing) -> bool:
    return not standing.subscription.enabled


def _until(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and now < moment


def _quiet(standing: Standing) -> bool:
    if standing.zone is None or standing.limits is None:
        return False
    local = standing.now.astimezone(standing.zone).time()
    return any(in_range(hours, local) for hours in standing.limits.quiet)


def _too_soon(standing: Standing) -> bool:
    if standing.limits is None or not standing.sent:
        return False
    return standing.now - standing.sent[-1] < standing.limits.gap


_TABLE: tuple[tuple[Reason, Callable[[Standing], bool]], ...] = (
    (Reason.NOT_ENABLED, _not_enabled),
    (Reason.OPTED_OUT, lambda standing: standing.opted_out),
    (Reason.FROZEN, lambda standing: standing.frozen),
    (Reason.PAUSED, lambda standing: _until(standing.all_paused_until, standing.now)),
    (Reason.PAUSED, lambda standing: _until(standing.subscription.paused_until, standing.now)),
    (Reason.SUSPENDED, lambda standing: _until(standing.subscription.suspended_until, standing.now)),
    (Reason.NO_TIMEZONE, lambda standing: standing.zone is None),
    (Reason.UNANSWERED, lambda standing: standing.limits is None),
    (Reason.QUIET_HOURS, _quiet),
    (Reason.DAILY_CAP, lambda standing: standing.limits is None or sent_today(standing) >= standing.limits.per_day),
    (Reason.GAP, _too_soon),
)
