"""Terms as the index holds them: keyed, so that they say nothing without the conversation's row.

A term becomes eight letters that depend on a random key of the conversation. So the entries of one conversation
can't be hit by a search in another, any text makes a valid query, a common word's list is no longer than its
conversation, and once a conversation's row is deleted what the index still holds of it is noise.
"""

import base64
import hashlib
import secrets
from collections.abc import Iterable

KEY_BYTES = 16
_TERM_BYTES = 5  # eight letters; two of 100,000 terms meeting is unlikely, and costs one wrong hit


def new_term_key() -> bytes:
    """Return the key of a new conversation."""
    return secrets.token_bytes(KEY_BYTES)


def keyed_terms(terms: Iterable[str], key: bytes) -> str | None:
    """Return the distinct terms as the index takes them, separated by spaces; None without terms."""
    return " ".join(_keyed(term, key) for term in _distinct(terms)) or None


def keyed(terms: Iterable[str], key: bytes) -> dict[str, str]:
    """Return how the index holds each of the terms."""
    return {term: _keyed(term, key) for term in _distinct(terms)}


def _distinct(terms: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(term for term in terms if term))


def _keyed(term: str, key: bytes) -> str:
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=_TERM_BYTES, key=key).digest()
    return base64.b32encode(digest).decode("ascii").lower()
