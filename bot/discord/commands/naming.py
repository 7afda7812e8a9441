"""What commands are called on Discord: as something to press once Discord's ids of them are known."""

from collections.abc import Mapping

from prompts.messages import Messages


class CommandMentions:
    """Names commands in texts (`CommandNames`).

    A mention is shown under the command's name in the reader's own language, and can be pressed. Before the ids are
    known a command is named in the language of the text.
    """

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._ids: Mapping[str, int] = {}

    def know(self, ids: Mapping[str, int]) -> None:
        """Take the ids of the commands by the first word of their names."""
        self._ids = ids

    def __call__(self, command: str, locale: str) -> str:
        """Return a command ("memory add") as a mention, else by its name."""
        known = self._ids.get(command.partition(" ")[0])
        return f"`/{self._localised(command, locale)}`" if known is None else f"</{command}:{known}>"

    def _localised(self, command: str, locale: str) -> str:
        words = command.split(" ")
        paths = (".".join(words[:length]) for length in range(1, len(words) + 1))
        return " ".join(self._messages.text(f"command.{path}.name", locale) for path in paths)
