"""What a character wrote, as it may stand on Discord: nothing hidden in it, and no link that reads like another.

It is sent with `suppress_embeds`: Discord opens an address by itself to show what is there, and somebody who talks a
model into writing one could have its path carry away what was said, without anybody following the link.
"""

import re

from prompts.data_text import tidy

_CODE = r"```[\s\S]*?(?:```|\Z)|`[^`\n]+`"
_ADDRESS = r"[a-z][a-z0-9+.-]*://[^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*"
_TITLE = r"(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?"
_LINK = re.compile(rf"{_CODE}|\[(?P<label>[^\[\]\n]*)\]\(\s*<?(?P<to>{_ADDRESS})>?{_TITLE}\s*\)", re.IGNORECASE)


def as_written(text: str) -> str:
    """Return a text with the address of every link beside its words; code stays as it is."""
    clean = tidy(text)
    while (plain := _LINK.sub(_in_the_open, clean)) != clean:
        clean = plain
    return clean


def _in_the_open(match: re.Match[str]) -> str:
    if match["to"] is None:
        return match[0]
    label = match["label"].strip()
    return f"{label} <{match['to']}>" if label and label != match["to"] else f"<{match['to']}>"
