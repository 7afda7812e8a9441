"""Errors of bot: what stops the program, told in one line that says what to do."""


class BotError(Exception):
    """Base of bot's errors; the text is for the operator and holds no secret. `exit_code` is the process's."""

    exit_code = 1


class SettingsError(BotError):
    """Settings can't be used; `lines` has one line for each bad value."""

    exit_code = 2

    def __init__(self, lines: tuple[str, ...]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class StartError(BotError):
    """Something the program needs is missing; the text names the way to get it."""
