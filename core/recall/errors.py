"""What recall can't do."""

from core.errors import CoreError


class RecallError(CoreError):
    """A search can't be done."""

    hint = "error.internal"


class NoSelectionError(RecallError):
    """No model could be asked which messages are meant, or its answer can't be read. `why` is for the trace."""

    def __init__(self, why: str) -> None:
        super().__init__(f"no message was selected: {why}")
        self.why = why
