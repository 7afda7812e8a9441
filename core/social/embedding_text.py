"""The texts that vectors are made of. The fixed personality is in none of them (seed 002, 「固定人格」)."""

from collections.abc import Sequence


def digest_text(summary: str, tags: Sequence[str]) -> str:
    """Return what a post's vector is made of."""
    return _joined(summary, ", ".join(tags))


def interest_text(interest: str, tags: Sequence[str], introduction: str) -> str:
    """Return what an interest's vector is made of: the interest, its tags, the public introduction."""
    return _joined(interest, "\n".join(tags), introduction)


def _joined(*parts: str) -> str:
    return "\n\n".join(part.strip() for part in parts if part.strip())
