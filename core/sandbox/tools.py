"""What a comparison may read, and nothing else: a list, and a guard that refuses whatever is not on it.

A new way to read that the turn gets one day is refused until it is put on the list; there is no way to write.
"""

from collections import Counter
from typing import Any

from core.sandbox.errors import ToolRefusedError

CAPSULE, RECALL, SCHEDULE = "capsule.read", "recall.search", "schedule.read"

ALLOWED = {
    "users.get": CAPSULE,
    "users.met": CAPSULE,
    "guilds.get": CAPSULE,
    "sessions.inertia": CAPSULE,
    "allow_lists.of": CAPSULE,
    "summaries.get": CAPSULE,
    "history.history": CAPSULE,
    "recall.search": RECALL,
    "recall.newest": RECALL,
    "recall.pool": RECALL,
    "recall.entries": RECALL,
    "recall.beside": RECALL,
    "timetable.at": SCHEDULE,
    "timetable.zone": SCHEDULE,
    "timetable.holiday_on": SCHEDULE,
    "timetable.is_ready": SCHEDULE,
    "timetable.prepare": SCHEDULE,
    "timetable.stretches": SCHEDULE,
}
"""Every call that is allowed, and the tool it belongs to."""


class Ledger:
    """Which tools were used how often, and what was refused."""

    def __init__(self) -> None:
        self.used: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def ask(self, call: str) -> None:
        """Note a call.

        Raises:
            ToolRefusedError: it is not on the list.
        """
        tool = ALLOWED.get(call)
        if tool is None:
            self.refused[call] += 1
            raise ToolRefusedError(call)
        self.used[tool] += 1


class _Guard:
    def __init__(self, port: str, target: object, ledger: Ledger) -> None:
        self._port = port
        self._target = target
        self._ledger = ledger

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the port has
        if name.startswith("__"):
            raise AttributeError(name)
        self._ledger.ask(f"{self._port}.{name}")
        return getattr(self._target, name)


def guarded(port: str, target: object, ledger: Ledger) -> Any:  # noqa: ANN401 - it takes the place of any port
    """Return `target` as the port it is, of which only what is on the list can be reached."""
    return _Guard(port, target, ledger)
