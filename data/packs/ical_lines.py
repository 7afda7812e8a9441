"""Where in a calendar file an event and its properties stand: the parser reads values only, an operator needs the line.

Also finds what is wrong with the lines themselves; what they mean is told elsewhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from icalendar.parser import Contentline

Line = tuple[int, str]


@dataclass(slots=True)
class EventLines:
    """An event's first line and the line each of its properties stands on first."""

    start: int
    properties: dict[str, int] = field(default_factory=dict)

    def __getitem__(self, name: str) -> int:
        """Return the line of a property, or of the event where it has none."""
        return self.properties.get(name, self.start)


@dataclass(slots=True)
class CalendarLines:
    """The events of a file in order, and faults as line and message."""

    events: list[EventLines] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)


def scan(text: str) -> CalendarLines:
    """Find the events of a calendar file and every line that can't be read."""
    found = CalendarLines()
    open_components: list[tuple[int, str]] = []
    for number, line in _unfolded(text):
        name, value = _parts(number, line, found)
        if name == "BEGIN":
            open_components.append((number, value))
            if value == "VEVENT":
                found.events.append(EventLines(number))
        elif name == "END":
            _close(number, value, open_components, found)
        elif name and open_components and open_components[-1][1] == "VEVENT":
            found.events[-1].properties.setdefault(name, number)
    found.faults.extend((number, f"BEGIN:{name} has no END:{name}") for number, name in open_components)
    return found


def _close(number: int, value: str, open_components: list[tuple[int, str]], found: CalendarLines) -> None:
    if open_components and open_components[-1][1] == value:
        open_components.pop()
        return
    expected = f"END:{open_components[-1][1]} is due" if open_components else "nothing is open"
    found.faults.append((number, f"END:{value} stands where {expected}"))
    if any(name == value for _, name in open_components):
        while open_components.pop()[1] != value:
            pass


def _parts(number: int, line: str, found: CalendarLines) -> tuple[str, str]:
    try:
        name, _, value = Contentline(line).parts()  # type: ignore[no-untyped-call]
    except ValueError:
        found.faults.append((number, "is not a line of a calendar; it should look like NAME:value"))
        return "", ""
    return name.upper(), value.upper() if name.upper() in {"BEGIN", "END"} else value


def _unfolded(text: str) -> Iterator[Line]:
    """Yield the content lines with their first line numbers; one that begins with a space goes on with the last."""
    current: Line | None = None
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if current is not None and line[:1] in {" ", "\t"}:
            current = current[0], current[1] + line[1:]
            continue
        if current is not None:
            yield current
        current = (number, line) if line.strip() else None
    if current is not None:
        yield current
