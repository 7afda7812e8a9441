"""Texts of the shipped characters that are known to pass, so that a start need not look at each of them again.

Looking at a few hundred texts takes seconds of processor time, most of it for compiling the rules. `passed.txt` has the
digest of everything that decides, and one of each text that passed with what it was asked about. A text that was
changed, or any text under rules that were changed, is not in there and is looked at like that of any other pack. The
file is made with `python -m tests.evals.admission.passed`.
"""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

_RULES = (
    "facts/time_claims",
    "facts/capsule/kept.py",
    "proactive/claims",
    "proactive/opinion",
    "proactive/admission.py",
    "proactive/wording.py",
)
_DECIDING = (".py", ".toml", ".npz")


def is_known_to_pass(*asked: str) -> bool:
    """Return whether a text (with what it is asked about) passed these very rules when the program was made."""
    return digest_of(asked) in known()


def digest_of(asked: tuple[str, ...]) -> str:
    """Return what stands for a text, and what it is asked about, in the file."""
    return sha256("\0".join(asked).encode()).hexdigest()


def rules_digest() -> str:
    """Return the digest of all rules, weights and code that decide."""
    total = sha256()
    for rule in _RULES:
        for file in _deciding(files("core") / rule):
            total.update(file.read_bytes())
    return total.hexdigest()


@cache
def known() -> frozenset[str]:
    """Return the digests of the texts that are known to pass; of none if they were looked at by other rules."""
    try:
        rules, *passed = (files("data.packs") / "passed.txt").read_text("ascii").split()
    except (OSError, ValueError):
        return frozenset()
    return frozenset(passed) if rules == rules_digest() else frozenset()


def _deciding(place: Traversable) -> Iterator[Traversable]:
    if place.is_file():
        yield place
        return
    for inside in sorted(place.iterdir(), key=lambda one: one.name):
        if inside.is_dir() or inside.name.endswith(_DECIDING):
            yield from _deciding(inside)
