"""Whether a model may be asked at all: the pace of a user and the budgets of the day and the month."""

from collections import OrderedDict, deque
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from core.errors import CoreError
from core.ports import Cap
from core.turn.policy import Budget, TurnPolicy

_MINUTE = 60.0


class Limit(StrEnum):
    """What was exhausted; the value is the key of the text that tells the user."""

    RATE = "refusal.rate_limited"
    USER = "refusal.quota_user"
    GUILD = "refusal.quota_guild"
    GLOBAL = "refusal.quota_global"
    USER_MONTH = "refusal.quota_user_month"
    GUILD_MONTH = "refusal.quota_guild_month"
    GLOBAL_MONTH = "refusal.quota_global_month"


class BudgetSpentError(CoreError):
    """A call would go over a budget; the hint says over whose."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit.name)
        self.limit = limit
        self.hint = limit.value


class UserPace:
    """How often each user was answered in the last minute; held in memory, bounded."""

    def __init__(self, *, per_minute: int, users: int = 10_000) -> None:
        self._per_minute = per_minute
        self._users = users
        self._moments: OrderedDict[int, deque[float]] = OrderedDict()
        self._told: OrderedDict[tuple[int, str], float] = OrderedDict()

    def admit(self, user_id: int, now: float) -> bool:
        """Count an answer at `now` (monotonic seconds) if the pace allows it."""
        moments = self._moments.setdefault(user_id, deque())
        self._moments.move_to_end(user_id)
        while moments and now - moments[0] >= _MINUTE:
            moments.popleft()
        if len(moments) >= self._per_minute:
            return False
        moments.append(now)
        while len(self._moments) > self._users:
            self._moments.popitem(last=False)
        return True

    def should_tell(self, user_id: int, now: float, *, what: str = "refusal") -> bool:
        """Return whether to tell the user that; once a minute is enough, or the notices would be the flood."""
        key = (user_id, what)
        if now - self._told.get(key, now - _MINUTE) < _MINUTE:
            return False
        self._told[key] = now
        self._told.move_to_end(key)
        while len(self._told) > self._users:
            self._told.popitem(last=False)
        return True


@dataclass(frozen=True, slots=True)
class Quota:
    """The budgets that bound a call."""

    policy: TurnPolicy

    def day(self, now: datetime) -> date:
        """Return the day that `now` belongs to, in the zone budgets are counted in."""
        return now.astimezone(ZoneInfo(self.policy.budget_timezone)).date()

    def caps(self, *, user_id: int | None, guild_id: int | None, now: datetime) -> dict[Cap, Limit]:
        """Return what bounds a call, and what stands for it; `user_id` is None for what is done for nobody alone."""
        policy, whose = self.policy, _Whose(self.day(now), user_id, guild_id)
        budgets = (
            (Limit.GLOBAL, policy.global_budget, policy.global_month_budget),
            (Limit.GUILD, policy.guild_budget, policy.guild_month_budget),
            (Limit.USER, policy.user_budget, policy.user_month_budget),
        )
        return {
            cap: limit
            for limit, day, month in budgets
            for cap, limit in ((whose.cap(limit, day), limit), (whose.cap(_MONTHS[limit], month), _MONTHS[limit]))
            if cap is not None
        }


_MONTHS = {Limit.USER: Limit.USER_MONTH, Limit.GUILD: Limit.GUILD_MONTH, Limit.GLOBAL: Limit.GLOBAL_MONTH}


@dataclass(frozen=True, slots=True)
class _Whose:
    """Whom a call is made for, and on which day."""

    day: date
    user_id: int | None
    guild_id: int | None

    def cap(self, limit: Limit, budget: Budget) -> Cap | None:
        """Return a budget as a cap; None where it bounds nothing, or belongs to nobody here."""
        whose = {
            Limit.USER: self.user_id,
            Limit.USER_MONTH: self.user_id,
            Limit.GUILD: self.guild_id,
            Limit.GUILD_MONTH: self.guild_id,
        }
        if not budget.is_bounded or (limit in whose and whose[limit] is None):
            return None
        return Cap(
            first=self.day.replace(day=1) if limit in _MONTHS.values() else self.day,
            last=self.day,
            tokens=budget.tokens,
            cost_micros=budget.cost_micros,
            user_id=self.user_id if limit in {Limit.USER, Limit.USER_MONTH} else None,
            guild_id=self.guild_id if limit in {Limit.GUILD, Limit.GUILD_MONTH} else None,
        )
