"""Discord's markup for mentions, emoji and times, turned into what a reader sees."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

_USER = re.compile(r"<@!?(\d{1,20})>")
_ROLE = re.compile(r"<@&(\d{1,20})>")
_CHANNEL = re.compile(r"<#(\d{1,20})>")
_EMOJI = re.compile(r"<a?:(\w{1,40}):\d{1,20}>")
_COMMAND = re.compile(r"</([^:>]{1,100}):\d{1,20}>")
_TIME = re.compile(r"<t:(-?\d{1,12})(?::[tTdDfFsSR])?>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """How ids read. Each function returns None for an id it doesn't know. `own` are the ids of the character."""

    own: frozenset[int]
    user: Callable[[int], str | None]
    role: Callable[[int], str | None]
    channel: Callable[[int], str | None]


def readable(content: str, names: Names) -> str:
    """Return the text as it is read: the character's own mention gone, other mentions as @name and #name.

    Custom emoji become `:name:`, command mentions `/name`, timestamps a date and time in UTC.
    """
    for pattern in (_USER, _ROLE):
        content = re.sub(rf"[ \t]*{pattern.pattern}[ \t]*", lambda match: _own(match, names), content)
    content = _USER.sub(lambda match: f"@{names.user(int(match[1])) or match[1]}", content)
    content = _ROLE.sub(lambda match: f"@{names.role(int(match[1])) or match[1]}", content)
    content = _CHANNEL.sub(lambda match: f"#{names.channel(int(match[1])) or match[1]}", content)
    content = _EMOJI.sub(r":\1:", content)
    content = _COMMAND.sub(r"/\1", content)
    return _TIME.sub(_moment, content).strip()


def _own(match: re.Match[str], names: Names) -> str:
    if int(match[1]) not in names.own:
        return match[0]
    at_edge = match.start() == 0 or match.end() == len(match.string)
    return "" if at_edge else " "


def _moment(match: re.Match[str]) -> str:
    try:
        return f"{datetime.fromtimestamp(int(match[1]), UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return match[0]
