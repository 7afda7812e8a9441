"""Errors of core. Each carries the key of a message that is safe to show to a user."""

from dataclasses import dataclass


class CoreError(Exception):
    """Base of core's errors.

    `hint` is the key of a text in `prompts/messages-<locale>.toml`: what a user may be told. The exception's
    own text is for the operator and never holds message text or secrets.
    """

    hint = "error.internal"


class ModelError(CoreError):
    """A chat model gave no usable answer."""

    hint = "error.model_unavailable"


class ModelUnavailableError(ModelError):
    """Not reachable, over its rate or failing: another try or another model may work.

    `retry_after` is how many seconds the server asks to wait, where it says.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ModelRejectedError(ModelError):
    """The request itself was refused (wrong key, unknown model, too long): trying again is pointless."""


class ModelOutputError(ModelError):
    """The model answered, but with nothing usable (empty, or not the structure asked for)."""


class AllModelsFailedError(ModelError):
    """Every model of the tier was tried; `causes` holds what each attempt said, in order."""

    def __init__(self, tier: str, causes: tuple[ModelError, ...]) -> None:
        super().__init__(f"no model of tier '{tier}' answered: " + "; ".join(dict.fromkeys(map(str, causes))))
        self.tier = tier
        self.causes = causes


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a file the operator wrote. `line` counts from 1; None where no line is at fault."""

    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.message}" if self.line is None else f"{self.file}:{self.line}: {self.message}"


class PackError(CoreError):
    """A character pack can't be used; the text lists every one of `problems` with file and line."""

    hint = "error.character"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class CardError(CoreError):
    """A character card can't be read or written; the text says what is wrong with which file, and how to mend it."""

    hint = "error.character"


class DeliveryError(CoreError):
    """A finished reply could not be handed over (no permission, channel gone, user can't be reached)."""

    hint = "error.delivery"


class UnreachableError(DeliveryError):
    """A recipient can't be written to at all, and asking again is unwelcome. `forbidden`: a permission is missing."""

    def __init__(self, message: str, *, forbidden: bool = False) -> None:
        super().__init__(message)
        self.forbidden = forbidden


class ScheduleUnavailableError(CoreError):
    """What a character does can't be told at the moment: its schedule was edited and can't be used as it is."""


class StorageError(CoreError):
    """The store can't be read or written (disk full, locked, damaged)."""

    hint = "error.storage"
