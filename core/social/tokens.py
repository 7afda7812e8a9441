"""Pseudo-tokens: the measure of the seed for how much text goes into a prompt."""

_NARROW_BELOW = 0x2000


def pseudo_tokens(text: str) -> int:
    """Return 1 for each code point below U+2000, 2 for each other one."""
    return sum(1 if ord(char) < _NARROW_BELOW else 2 for char in text)


def cut(text: str, tokens: int) -> str:
    """Return the beginning of a text that has at most so many pseudo-tokens; `…` stands for what is left out."""
    if len(text) * 2 <= tokens or pseudo_tokens(text) <= tokens:
        return text
    left = tokens - 2
    for index, char in enumerate(text):
        left -= 1 if ord(char) < _NARROW_BELOW else 2
        if left < 0:
            return text[:index].rstrip() + "…"
    return text
