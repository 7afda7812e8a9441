"""What stops a comparison."""

from enum import StrEnum

from core.errors import CoreError, Problem


class SandboxError(CoreError):
    """A comparison can't be made; the text tells the operator why and what to do."""

    hint = "error.sandbox"


class DraftError(SandboxError):
    """A draft can't be used; the text lists every one of `problems` with file and line."""

    hint = "error.draft"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class Limit(StrEnum):
    """What a budget bounds."""

    ANSWERS = "answers"
    TOKENS = "tokens"
    SECONDS = "seconds"
    MONEY = "money"


class BudgetSpentError(SandboxError):
    """A bound of the budget was reached."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(f"the budget of {limit} is used up")
        self.limit = limit


class ToolRefusedError(SandboxError):
    """Something was asked for that is not on the list of what a comparison may read."""

    def __init__(self, call: str) -> None:
        super().__init__(f"{call} is not on the sandbox's list of what may be read")
        self.call = call
