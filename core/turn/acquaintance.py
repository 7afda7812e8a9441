"""What a conversation remembers of itself while the program runs: who just talked, and how much was said unasked."""

from collections import OrderedDict, deque

_HOUR = 3600.0


class Acquaintance:
    """The recent course of one conversation. Moments are monotonic seconds."""

    def __init__(self) -> None:
        self.bot_exchanges = 0
        self._answered: OrderedDict[int, float] = OrderedDict()
        self._ambient: deque[float] = deque()

    def answered(self, user_id: int, *, is_bot: bool, now: float) -> None:
        """Note that a user was answered; exchanges with bots are counted until a human is."""
        self._answered[user_id] = now
        self._answered.move_to_end(user_id)
        while len(self._answered) > 100:
            self._answered.popitem(last=False)
        self.bot_exchanges = self.bot_exchanges + 1 if is_bot else 0

    def human_spoke(self) -> None:
        """A human takes part: bots among themselves begin counting anew."""
        self.bot_exchanges = 0

    def just_talked(self, user_id: int, *, within: float, now: float) -> bool:
        """Return whether the user was answered here within that many seconds."""
        answered = self._answered.get(user_id)
        return answered is not None and now - answered <= within

    def ambient_left(self, per_hour: int, *, now: float) -> int:
        """Return how many more times the character may speak unasked within this hour."""
        while self._ambient and now - self._ambient[0] >= _HOUR:
            self._ambient.popleft()
        return max(0, per_hour - len(self._ambient))

    def spoke_unasked(self, now: float) -> None:
        """Count a time the character took it upon itself to look whether it has something to say."""
        self._ambient.append(now)
