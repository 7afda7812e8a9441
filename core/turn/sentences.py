"""Where the finished sentences of a text that is still being written end."""

import re

_END = re.compile(
    r"""(?:
        [。！？!?…♪～〜]+[」』）)\]"'”’]*      # a closing mark, with what closes around it
      | (?<!\.)\.+["'”’)\]]*(?=\s)            # a full stop that is followed by space (not 3.5, not a file name)
      | \n+
    )""",
    re.VERBOSE,
)


def finished_length(text: str) -> int:
    """Return how many characters of `text` are finished sentences; a closing mark at the very end may still grow."""
    end = 0
    for match in _END.finditer(text):
        if match.end() < len(text):
            end = match.end()
    return end
