"""How a locale tag finds the texts that were written for it."""


def normalise(tag: str) -> str:
    """Return a locale tag in one spelling: `ja_jp` and `JA-JP` become `ja-JP`."""
    language, *rest = tag.strip().replace("_", "-").split("-")
    return "-".join([language.lower(), *(part.upper() if len(part) == 2 else part for part in rest)])


def candidates(tag: str, default: str) -> tuple[str, ...]:
    """Return the tags to look for, best first: `ja-JP`, `ja`, then the default locale (seed 002)."""
    parts = normalise(tag).split("-")
    narrowing = ["-".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return tuple(dict.fromkeys([*narrowing, normalise(default)]))
