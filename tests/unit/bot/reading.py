"""What somebody who reads no English would stumble over on a page or in a table."""

import re

_UNREAD = re.compile(r"<(style|script|code|title)\b.*?</\1>|<[^>]*?>", re.DOTALL)
_NAMES = re.compile(r"(?:aria-label|title)=\"([^\"]*)\"")
_WORDS = re.compile(r"[A-Za-z][a-z']+(?:,? [A-Za-z][a-z']*)+")


def english_in(text: str) -> set[str]:
    """Return every run of two or more English words in a text or in what stands on a page for people to read."""
    read = [_UNREAD.sub("\0", text), *_NAMES.findall(text)]
    return {found for part in read for found in _WORDS.findall(part)}
