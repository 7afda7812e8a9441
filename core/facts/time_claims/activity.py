"""Implicit claims: what the speaker says it does, did just now, or feels in a body.

A language model has no lunch and no bus to miss; a character that claims one claims a time and a life that no clock
or schedule stands behind. `implicit_ja.toml` and `implicit_en.toml` hold the words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from core.facts.time_claims.reading import Reading, Sentence
from core.facts.time_claims.rules import Patterns, read_data
from core.facts.time_claims.types import ActivityClaim

_PAST = "ただ"


@dataclass(frozen=True, slots=True, kw_only=True)
class JapaneseActivity:
    """The rules of Japanese; see the data file. A rule is its id, its pattern, and whether it announces a doing."""

    others: re.Pattern[str]
    own: re.Pattern[str]
    after: re.Pattern[str]
    agree: re.Pattern[str]
    about_you: re.Pattern[str]
    asking: re.Pattern[str]
    boundary: re.Pattern[str]
    rules: tuple[tuple[str, re.Pattern[str], bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnglishActivity:
    """The rules of English; see the data file. A rule is its id, its pattern, and whether it may be a gerund."""

    head: re.Pattern[str]
    adverbs: re.Pattern[str]
    others: re.Pattern[str]
    gerund: re.Pattern[str]
    told: re.Pattern[str]
    rules: tuple[tuple[str, re.Pattern[str], bool], ...]


@cache
def japanese_activity() -> JapaneseActivity:
    """Read the rules of Japanese."""
    data = read_data("implicit_ja.toml")
    patterns = Patterns(data["macros"])
    return JapaneseActivity(
        **{part: patterns.compile(data[part]) for part in ("others", "own", "after", "agree", "about_you", "asking", "boundary")},
        rules=tuple(
            (f"ja.activity.{rule['id']}", patterns.compile(rule["pattern"]), rule.get("announces", False))
            for rule in data["rules"]
        ),
    )


@cache
def english_activity() -> EnglishActivity:
    """Read the rules of English."""
    data = read_data("implicit_en.toml")
    patterns = Patterns(data["macros"])
    return EnglishActivity(
        **{part: patterns.compile(data[part]) for part in ("head", "adverbs", "others", "gerund", "told")},
        rules=tuple(
            (f"en.activity.{rule['id']}", patterns.compile(rule["pattern"]), rule.get("gerund", False))
            for rule in data["rules"]
        ),
    )


def activity_claims(
    reading: Reading, japanese: JapaneseActivity | None, english: EnglishActivity | None
) -> tuple[ActivityClaim, ...]:
    """Return the claims of a text in the order they stand in, none inside another."""
    found: list[ActivityClaim] = []
    if japanese is not None and not reading.text.isascii():
        found += _japanese(reading, japanese)
    if english is not None:
        found += _english(reading, english)
    return tuple(_outermost(found))


def _japanese(reading: Reading, rules: JapaneseActivity) -> Iterator[ActivityClaim]:
    for rule, pattern, announces in rules.rules:
        for match in pattern.finditer(reading.text):
            sentence = _sentence_of(reading, match.start())
            if match.group() and _is_own(reading.text, sentence, match, rules, announces=announces):
                yield _claim(reading, match.span(), rule)


def _is_own(text: str, sentence: Sentence, match: re.Match[str], rules: JapaneseActivity, *, announces: bool) -> bool:
    """Return whether the speaker says it of itself, as a fact."""
    left = text[sentence.start : match.start()]
    rest = text[match.end() : sentence.end]
    if rules.others.search(left) and not rules.own.search(left):
        return False
    if rules.after.match(rest) or (rules.agree.match(rest) and (not announces or text[match.end() - 1] in _PAST)):
        return False
    if rules.about_you.search(rest):
        return False
    asks = sentence.asks or bool(rules.asking.search(text, sentence.start, sentence.end))
    return not asks or bool(rules.boundary.search(rest)) or bool(rules.own.search(left))


def _english(reading: Reading, rules: EnglishActivity) -> Iterator[ActivityClaim]:
    text = reading.text
    for head in rules.head.finditer(text):
        start = _after(rules.adverbs, text, head.end())
        for rule, pattern, may_be_gerund in rules.rules:
            match = pattern.match(text, start)
            if match and _is_mine(reading, head, match, rules, may_be_gerund=may_be_gerund):
                yield _claim(reading, (start, match.end()), rule)
                break


def _after(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _is_mine(
    reading: Reading, head: re.Match[str], match: re.Match[str], rules: EnglishActivity, *, may_be_gerund: bool
) -> bool:
    """Return whether a clause without a named subject, or with "I", is a statement of the speaker's."""
    text = reading.text
    sentence = _sentence_of(reading, match.start())
    if rules.others.search(text[sentence.start : head.start()]) or rules.told.search(text, match.end(), sentence.end):
        return False
    if re.search(r"\bi\b|\bim\b|\bmy\b", text[head.start() : match.end()]):
        return True
    if may_be_gerund and rules.gerund.match(text, match.end()):
        return False
    return not sentence.asks or "," in text[match.end() : sentence.end]


def _claim(reading: Reading, span: tuple[int, int], rule: str) -> ActivityClaim:
    start, end = reading.folded.span(*span)
    return ActivityClaim(rule=rule, start=start, end=end)


def _sentence_of(reading: Reading, position: int) -> Sentence:
    found = Sentence(0, len(reading.text), asks=False)
    for sentence in reading.sentences:
        if sentence.start > position:
            break
        found = sentence
    return found


def _outermost(claims: list[ActivityClaim]) -> Iterator[ActivityClaim]:
    end = -1
    for claim in sorted(claims, key=lambda claim: (claim.start, -claim.end)):
        if claim.end > end:
            yield claim
            end = claim.end
