"""Implicit claims: what the speaker says it does, did just now, or feels in a body.

A language model has no lunch and no bus to miss; a character that claims one claims a time and a life that no clock
or schedule stands behind. `implicit_ja.toml` and `implicit_en.toml` hold the words.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from core.facts.time_claims.index import RuleIndex, build_index
from core.facts.time_claims.reading import Reading
from core.facts.time_claims.rules import SCRIPTS, Patterns, read_data
from core.facts.time_claims.types import ActivityClaim

_PAST = "ただ"
_CLAUSE_START = re.compile(r"[^、,\s]*$")
_FIRST_PERSON = re.compile(r"\bi\b|\bim\b|\bive\b|\bmy\b")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ActivityRule:
    """One rule. `left` must match what stands before in the sentence.

    `announces`: it may be a doing to come ("I'm off"). `gerund`: without "I" its words may be the subject of a
    general statement ("cooking is chemistry").
    """

    id: str
    pattern: re.Pattern[str]
    left: re.Pattern[str] | None
    announces: bool
    gerund: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityRules:
    """The rules of one language and the patterns that go for all of them, by name; see the data files."""

    index: RuleIndex[ActivityRule]
    common: Mapping[str, re.Pattern[str]]


@cache
def activity_rules(locale: str) -> ActivityRules:
    """Read the rules of a language."""
    data = read_data(f"implicit_{locale}.toml")
    patterns = Patterns(data["macros"])
    rules = [_rule(locale, table, patterns) for table in data["rules"]]
    return ActivityRules(
        index=build_index([(rule, rule.pattern) for rule in rules], locale),
        common={name: patterns.compile(text) for name, text in data.items() if isinstance(text, str)},
    )


def _rule(locale: str, table: Mapping[str, Any], patterns: Patterns) -> ActivityRule:
    return ActivityRule(
        id=f"{locale}.activity.{table['id']}",
        pattern=patterns.compile(table["pattern"]),
        left=patterns.compile(table["left"]) if "left" in table else None,
        announces=table.get("announces", False),
        gerund=table.get("gerund", False),
    )


def activity_claims(reading: Reading) -> tuple[ActivityClaim, ...]:
    """Return the claims of a text in the order they stand in, none inside another."""
    found: list[ActivityClaim] = []
    if SCRIPTS["ja"].search(reading.text):
        found += _japanese(reading, activity_rules("ja"))
    if SCRIPTS["en"].search(reading.text):
        found += _english(reading, activity_rules("en"))
    return tuple(_outermost(found))


def _japanese(reading: Reading, rules: ActivityRules) -> Iterator[ActivityClaim]:
    done = 0
    for position, candidates in rules.index.anywhere(reading.text):
        for rule in candidates if position >= done else ():
            match = rule.pattern.match(reading.text, position)
            if match and _is_own(reading, match, rule, rules.common):
                done = match.end()
                yield _claim(reading, (_start_of(reading, match, rule), done), rule)
                break


def _is_own(reading: Reading, match: re.Match[str], rule: ActivityRule, common: Mapping[str, re.Pattern[str]]) -> bool:
    """Return whether the speaker says it of itself, as a fact."""
    sentence = reading.sentence_at(match.start())
    left = reading.before(match.start(), sentence)
    rest = reading.after(match.end(), sentence)
    if rule.left is not None and not rule.left.search(left):
        return False
    own = common["own"].search(left) is not None
    if common["after"].match(rest) or common["about_you"].search(rest) or (common["others"].search(left) and not own):
        return False
    if common["agree"].match(rest) and (not rule.announces or match.group()[-1] in _PAST):
        return False
    asks = sentence.asks or common["asking"].search(rest or match.group()) is not None
    return own or not asks or common["boundary"].search(rest) is not None


def _start_of(reading: Reading, match: re.Match[str], rule: ActivityRule) -> int:
    """Return where a claim starts: a rule that knows only how a clause ends starts with the clause."""
    if rule.left is None:
        return match.start()
    left = reading.before(match.start(), reading.sentence_at(match.start()))
    clause = _CLAUSE_START.search(left)
    return match.start() - len(clause.group() if clause else "")


def _english(reading: Reading, rules: ActivityRules) -> Iterator[ActivityClaim]:
    text = reading.text
    for head in rules.common["head"].finditer(text):
        adverbs = rules.common["adverbs"].match(text, head.end())
        start = adverbs.end() if adverbs else head.end()
        for rule in rules.index.at(text, start):
            match = rule.pattern.match(text, start)
            if match and _is_mine(reading, head, match, rule, rules.common):
                yield _claim(reading, match.span(), rule)
                break


def _is_mine(
    reading: Reading,
    head: re.Match[str],
    match: re.Match[str],
    rule: ActivityRule,
    common: Mapping[str, re.Pattern[str]],
) -> bool:
    """Return whether a clause without a named subject, or with "I", is a statement of the speaker's."""
    text = reading.text
    sentence = reading.sentence_at(match.start())
    if common["others"].search(reading.before(head.start(), sentence)):
        return False
    if common["told"].search(reading.after(match.end(), sentence)):
        return False
    if _FIRST_PERSON.search(text[head.start() : match.end()]):
        return True
    if rule.gerund and common["gerund"].match(text, match.end()):
        return False
    return not sentence.asks or "," in reading.after(match.end(), sentence)


def _claim(reading: Reading, span: tuple[int, int], rule: ActivityRule) -> ActivityClaim:
    start, end = reading.folded.span(*span)
    return ActivityClaim(rule=rule.id, start=start, end=end)


def _outermost(claims: list[ActivityClaim]) -> Iterator[ActivityClaim]:
    end = -1
    for claim in sorted(claims, key=lambda claim: (claim.start, -claim.end)):
        if claim.end > end:
            yield claim
            end = claim.end
