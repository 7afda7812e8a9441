"""Whether a model may be asked at all: the pace of a user and the budgets of the day."""

from collections import OrderedDict, deque
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from core.ports import UsageStore, UsageTotals
from core.turn.policy import Budget, TurnPolicy

_MINUTE = 60.0


class Limit(StrEnum):
    """What was exhausted; the value is the key of the text that tells the user."""

    RATE = "refusal.rate_limited"
    USER = "refusal.quota_user"
    GUILD = "refusal.quota_guild"
    GLOBAL = "refusal.quota_global"


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
    """The budgets of the day, read from what was counted."""

    usage: UsageStore
    policy: TurnPolicy

    def day(self, now: datetime) -> date:
        """Return the day that `now` belongs to, in the zone budgets are counted in."""
        return now.astimezone(ZoneInfo(self.policy.budget_timezone)).date()

    async def exhausted(self, *, user_id: int | None, guild_id: int | None, now: datetime) -> Limit | None:
        """Return the first budget that is used up, or None; `user_id` is None for what is done for nobody alone."""
        day, policy = self.day(now), self.policy
        if await self._is_spent(policy.global_budget, day):
            return Limit.GLOBAL
        if guild_id is not None and await self._is_spent(policy.guild_budget, day, guild_id=guild_id):
            return Limit.GUILD
        if user_id is not None and await self._is_spent(policy.user_budget, day, user_id=user_id):
            return Limit.USER
        return None

    async def _is_spent(
        self, budget: Budget, day: date, *, user_id: int | None = None, guild_id: int | None = None
    ) -> bool:
        if not budget.is_bounded:
            return False
        return _is_spent(budget, await self.usage.totals(day, user_id=user_id, guild_id=guild_id))


def _is_spent(budget: Budget, used: UsageTotals) -> bool:
    return (budget.tokens is not None and used.tokens >= budget.tokens) or (
        budget.cost_micros is not None and used.cost_micros >= budget.cost_micros
    )
