"""How long a post is to become (seed 002, 「プロンプトの構成」)."""

import math
import random

from core.social.bounds import SocialBounds
from core.social.types import PlaceKind

CJK = frozenset({"ja", "zh", "ko"})
MESSAGE_LIMIT = 2000
"""Characters of one message on Discord."""
_STEP = {False: 100, True: 50}


def target_length(bounds: SocialBounds, kind: PlaceKind, *, reply: bool, language: str, rng: random.Random) -> int:
    """Return the number of characters to aim at.

    The base times a log-uniform factor from 1/N to N, halved for CJK, rounded to 100 (posts) or 50 (replies), at least
    one such step; outside forums never more than one message holds.
    """
    spread = math.log(bounds.length_ratio)
    length = bounds.base_length(kind, reply=reply) * math.exp(rng.uniform(-spread, spread))
    if language in CJK:
        length *= 0.5
    step = _STEP[reply]
    rounded = max(step, math.floor(length / step + 0.5) * step)
    return rounded if kind is PlaceKind.FORUM else min(rounded, MESSAGE_LIMIT)


def tag_limit(bounds: SocialBounds, language: str) -> int:
    """Return how many characters a tag may have: half as many in CJK."""
    return bounds.tag_length // 2 if language in CJK else bounds.tag_length


def within_message(text: str) -> str:
    """Return a text that fits into one message: whole, or up to the last sentence that fits."""
    if len(text) <= MESSAGE_LIMIT:
        return text
    kept = text[:MESSAGE_LIMIT]
    end = max(kept.rfind(mark) for mark in ("。", "！", "？", ". ", "! ", "? ", "\n"))
    return kept[: end + 1].rstrip() if end > 0 else kept[: MESSAGE_LIMIT - 1].rstrip() + "…"
