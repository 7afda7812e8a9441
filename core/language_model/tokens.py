"""A rough count of tokens, for budgets and for endpoints that report no usage."""

import re

_CHARACTERS_A_TOKEN = 4
_WIDE = re.compile(r"[\u2e80-\U0010ffff]+")  # from the CJK radicals on, a character is about a token


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has: one a character in Japanese, one for four elsewhere."""
    wide = 0 if text.isascii() else sum(map(len, _WIDE.findall(text)))
    return wide + -(-(len(text) - wide) // _CHARACTERS_A_TOKEN)


def cut_to_tokens(text: str, tokens: int) -> str:
    """Return the beginning of a text that has at most about `tokens`; the text itself if it is that short."""
    if len(text) <= tokens or estimate_tokens(text) <= tokens:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate_tokens(text[:middle]) <= tokens else (low, middle - 1)
    return text[:low]
