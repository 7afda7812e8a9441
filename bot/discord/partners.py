"""Who has been talking with the character lately, and in which threads it took part."""

from collections import OrderedDict

from core.clock import Clock

_SECONDS = 600.0
_MOST = 2000


class Partners:
    """Remembers for some minutes who spoke to the character, so that their next message is read in full, too."""

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock
        self._last: OrderedDict[tuple[int, int], float] = OrderedDict()
        self._threads: OrderedDict[int, None] = OrderedDict()

    def wrote_in_thread(self, thread_id: int) -> None:
        """Note that the character itself wrote in a thread. Discord makes it a member, but tells of that later."""
        self._threads[thread_id] = None
        self._threads.move_to_end(thread_id)
        while len(self._threads) > _MOST:
            self._threads.popitem(last=False)

    def takes_part(self, thread_id: int) -> bool:
        """Return whether the character wrote in a thread since the program started."""
        return thread_id in self._threads

    def spoke(self, channel_id: int, user_id: int) -> None:
        """Note that a user spoke to the character."""
        key = (channel_id, user_id)
        self._last[key] = self._clock.monotonic()
        self._last.move_to_end(key)
        while len(self._last) > _MOST:
            self._last.popitem(last=False)

    def talking(self, channel_id: int, user_id: int) -> bool:
        """Return whether the user did within the last minutes."""
        last = self._last.get((channel_id, user_id))
        return last is not None and self._clock.monotonic() - last <= _SECONDS
