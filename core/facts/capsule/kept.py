"""Which of a user's kept facts may stand in a capsule: few, short, without a clock of their own, and with their age."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice

from core.facts.capsule.types import ToldFact
from core.facts.time_claims import ActivityClaim, find_activity_claims, find_time_claims
from core.values import KeptFact

_MOST = 5
_LONGEST = 80
_CLOCK = re.compile(
    r"\d\s*[:：]\s*\d\d|\d\s*[ap]\.?m\b|o['’]?clock|\bnoon\b|\bmidnight\b|\b(?:half|quarter) (?:past|to)\b"
    r"|\b\d{1,2}h\d\d\b|[\d〇零一二三四五六七八九十]\s*時(?![間的期停帰休])|\d\s*じ(?=[にのはごまか半、。]|$)|正午|零時",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|currently|at the moment|(?:right|for|until|by) now|now|"
    r"(?:this|next|last) (?:morning|afternoon|evening|night|week(?:end)?|month|year|spring|summer|autumn|fall|winter"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:in|within) (?:an?|one|two|three|a few|\d+) "
    r"(?:days?|weeks?|months?)|(?:days?|weeks?|months?) ago)\b"
    r"|今日|きょう|本日|今朝|今夜|今晩|今週|今月|今年|来週|来月|来年|先週|先月|去年|昨年|昨日|きのう|昨夜|一昨日|おととい"
    r"|明日|あした|明後日|あさって|[\d一二三四五六七八九十数][日週月]?(?:か月|ヶ月|週間|日)?[前後](?!半)"
    r"|さっき|たった今|現在|(?:^|[、。，\s])(?:いま|今(?![井川村治泉宮出]))",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"\b(?:i['’]?m|i am|feeling|feel) (?:\w+ )?(?:tired|sleepy|hungry|thirsty|sick|ill|busy|drunk|exhausted|stressed)\b"
    r"|眠い|ねむい|疲れ(?:た|て)|くたくた|お腹(?:が)?(?:すい|空い|痛)|腹ペコ|風邪(?:を)?ひい|熱がある|忙しい|酔っ(?:た|て)",
    re.IGNORECASE,
)
_LASTING = re.compile(r"[てで]い?(?:る|ます)$")
# What is said of one's own people, animals and things lasts ("my mum is a nurse") unless it names a trouble of the day.
_OWN_THINGS = frozenset({"en.activity.mine", "en.activity.inner_mine", "en.activity.open_mine"})
_TROUBLE = re.compile(
    r"\b(?:hurts?|hurting|ach(?:es|ing)|killing|throbbing|itch(?:es|ing)|sore|swollen|running late|late|delayed"
    r"|cancell?ed|stuck|growling|rumbling)\b",
    re.IGNORECASE,
)
_YEARS = re.compile(
    r"\b(?:(?:when|since) i was|as a (?:child|kid|teen\w*)|called|named|married|divorced"
    r"|(?:in|since) (?:19|20)\d\d|every \w+"
    r"|in (?:a|the|my) (?:\w+ )?(?:band|choir|orchestra|team|club|navy|army|police)|on a (?:\w+ )?diet)\b",
    re.IGNORECASE,
)


def for_capsule(kept: Sequence[KeptFact], now: datetime) -> tuple[ToldFact, ...]:
    """Return the newest few facts on one line each, cut where they are long, with how long ago they were told.

    `kept` has the oldest first; `now` is on the conversation's clock. A fact that names a time on the clock ("I get up
    at six o'clock"), or what day it is, is left out: a second clock beside the one of the world is what makes models
    tell the wrong time.
    """
    return tuple(islice(_newest_first(kept, now), _MOST))[::-1]


def _newest_first(kept: Sequence[KeptFact], now: datetime) -> Iterator[ToldFact]:
    for fact in reversed(kept):
        line = " ".join(fact.text.split())
        told = line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
        if told and not names_a_clock(told):
            # Whole days on the calendar: what somebody said of "today" is over at midnight, not a day later.
            days = (now.date() - fact.told_at.astimezone(now.tzinfo).date()).days
            yield ToldFact(text=told, days_ago=max(0, days))


def names_a_clock(text: str) -> bool:
    """Return whether a text names a time on the clock, or says what day or part of the day it is now."""
    return clock_in(text) is not None or bool(find_time_claims(text))


def clock_in(text: str) -> str | None:
    """Return the first time on the clock that a text names, as far as a look at its figures and words tells."""
    found = _CLOCK.search(text)
    return None if found is None else found.group()


def passes(text: str) -> bool:
    """Return whether a text is about a day or a state that is soon over: "today is my birthday", 「いま眠い」."""
    if _RELATIVE.search(text) or _STATE.search(text):
        return True
    # The learned opinion is about what characters say of themselves, not about what people tell of theirs.
    named = (claim for claim in find_activity_claims(text) if not claim.rule.endswith(".learned"))
    return any(_is_passing(claim, text) for claim in named)


def _is_passing(claim: ActivityClaim, text: str) -> bool:
    if _YEARS.search(text) or (claim.rule in _OWN_THINGS and not _TROUBLE.search(text)):
        return False
    words = text[claim.start : claim.end]
    # What is going on in Japanese (猫を飼っている) as often lasts for years.
    return words.isascii() and not _LASTING.search(words)
