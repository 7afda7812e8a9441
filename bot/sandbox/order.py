"""What somebody asked for."""

from dataclasses import dataclass

from bot.errors import StartError


class StagingOnlyError(StartError):
    """The sandbox is asked for where people talk."""

    exit_code = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A draft by path or name; `model` and `repetitions` take the place of what it says."""

    draft: str
    model: str | None = None
    repetitions: int | None = None
