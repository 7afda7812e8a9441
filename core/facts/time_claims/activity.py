"""Implicit claims: what the speaker says it does, did just now, or feels in a body.

A language model has no lunch and no bus to miss; a character that claims one claims a time and a life that no clock
or schedule stands behind. `implicit_ja.toml` and `implicit_en.toml` hold the words.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import Any

from core.facts.time_claims.index import RuleIndex, WordIndex, build_index, build_word_index
from core.facts.time_claims.learned.opinion import Opinion
from core.facts.time_claims.patterns import Pattern
from core.facts.time_claims.reading import Sentence
from core.facts.time_claims.rules import NOTHING, SCRIPTS, Patterns, read_data
from core.facts.time_claims.types import ActivityClaim

_PAST = "ただ"
# Japanese rules begin with a hundred thousand runs of three characters: to know them all takes longer than it saves.
_WIDTHS: Mapping[str, int] = MappingProxyType({"ja": 2, "en": 3})
_CLAUSE_START = re.compile(r"[^、,\s]*$")
# Where English may stand in a text of both languages.
_LATIN = re.compile(r"[\x00-\x7f\u2010-\u2026\ufffc]{3,}")
# English of three words or more.
_CLAUSE = re.compile(r"[a-z']+ [a-z']+ [a-z']+")
_SECOND_PERSON = re.compile(r"\byou(?:r|rs)?\b|\bus\b|\bwe\b|\blet's\b")
_FIRST_PERSON = re.compile(r"\bi\b|\bim\b|\bive\b|\bmy\b")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ActivityRule:
    """One rule. `left` must match what stands before in the sentence.

    `announces`: it may be a doing to come ("I'm off"). `gerund`: without "I" its words may be the subject of a
    general statement ("cooking is chemistry"). `anywhere`: it need not stand at the head of an English clause.
    `needs`: one of these is in every sentence where it matches.
    """

    id: str
    pattern: Pattern
    left: Pattern | None
    announces: bool
    gerund: bool
    anywhere: bool
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityRules:
    """The rules of one language and the patterns that go for all of them, by name; see the data files.

    `index` has the rules that begin with known characters, `inner` those that may stand anywhere in an English
    sentence, `worded` those that need a word in it. The others may begin with any word: they are `open`, and where
    one of them matches, so does `gate`.
    """

    index: RuleIndex[ActivityRule]
    inner: RuleIndex[ActivityRule]
    worded: WordIndex[ActivityRule]
    open: tuple[ActivityRule, ...]
    gate: Pattern
    common: Mapping[str, Pattern]
    patterns: tuple[Pattern, ...]

    def at(self, text: str, position: int) -> tuple[ActivityRule, ...]:
        """Return the rules that may match at a position."""
        known = self.index.at(text, position)
        return (*known, *self.open) if self.gate.match(text, position) else known


@cache
def activity_rules(locale: str) -> ActivityRules:
    """Read the rules of a language."""
    data = read_data(f"implicit_{locale}.toml")
    patterns = Patterns(data["macros"])
    rules = [_rule(locale, table, patterns) for table in data["rules"]]
    headed = [(rule, rule.pattern) for rule in rules if not (rule.anywhere or rule.needs)]
    index = build_index(headed, locale, width=_WIDTHS[locale])
    gate = Pattern(*(rule.pattern.source for rule in index.always)) if index.always else Pattern(NOTHING)
    return ActivityRules(
        index=index,
        inner=build_index([(rule, rule.pattern) for rule in rules if rule.anywhere], locale),
        worded=build_word_index([(rule, rule.needs) for rule in rules if rule.needs]),
        open=index.always,
        gate=gate,
        common={name: patterns.pattern(text) for name, text in data.items() if isinstance(text, str)},
        patterns=(*patterns.made, gate),
    )


def _rule(locale: str, table: Mapping[str, Any], patterns: Patterns) -> ActivityRule:
    return ActivityRule(
        id=f"{locale}.activity.{table['id']}",
        pattern=patterns.pattern(table["pattern"]),
        left=patterns.pattern(table["left"]) if "left" in table else None,
        announces=table.get("announces", False),
        gerund=table.get("gerund", False),
        anywhere=table.get("anywhere", False),
        needs=tuple(table.get("needs", ())),
    )


def activity_claims(sentence: Sentence, opinion: Opinion) -> tuple[ActivityClaim, ...]:
    """Return the claims of a sentence in the order they stand in; their places are those in the sentence.

    The learned opinion is quicker than the rules: they are asked only where it is in doubt, and where it sees a claim
    that they can't place, the claim is the whole sentence.
    """
    locale, sounds = opinion
    if locale is None or (sounds is False and not _mixes(sentence.text, locale)):
        return ()
    found = by_rules(sentence)
    if found or not sounds:
        return found
    start = len(sentence.text) - len(sentence.text.lstrip())
    return (ActivityClaim(rule=f"{locale}.activity.learned", start=start, end=sentence.stop),)


def by_rules(sentence: Sentence) -> tuple[ActivityClaim, ...]:
    """Return what the rules alone find."""
    found: list[ActivityClaim] = []
    if not sentence.alone and SCRIPTS["ja"].search(sentence.text):
        found += _japanese(sentence, activity_rules("ja"))
    for stretch in _LATIN.finditer(sentence.text):
        if SCRIPTS["en"].search(sentence.text, *stretch.span()):
            found += _english(sentence, stretch.span(), activity_rules("en"))
            found += _inner(sentence, stretch.span(), activity_rules("en"))
    return tuple(_outermost(found)) if found else ()


def _mixes(text: str, locale: str) -> bool:
    """Return whether a Japanese sentence has an English clause in it."""
    return locale == "ja" and " " in text and _CLAUSE.search(text) is not None


def _japanese(sentence: Sentence, rules: ActivityRules) -> Iterator[ActivityClaim]:
    if not _only_asks(sentence, rules.common):
        yield from islice(_of_sentence(sentence, rules), 1)


def _only_asks(sentence: Sentence, common: Mapping[str, Pattern]) -> bool:
    """Return whether a sentence is a question with no statement in it."""
    if not sentence.asks():
        return False
    span = 0, sentence.stop
    return not (common["boundary"].search(sentence.text, *span) or common["own"].search(sentence.text, *span))


def _of_sentence(sentence: Sentence, rules: ActivityRules) -> Iterator[ActivityClaim]:
    for position, candidates in rules.index.anywhere(sentence.text, 0, sentence.stop):
        for rule in candidates:
            match = rule.pattern.match(sentence.text, position)
            if match and _is_own(sentence, match, rule, rules.common):
                yield _claim((_start_of(sentence, match, rule), match.end()), rule)


def _is_own(sentence: Sentence, match: re.Match[str], rule: ActivityRule, common: Mapping[str, Pattern]) -> bool:
    """Return whether the speaker says it of itself, as a fact."""
    rest = sentence.after(match.end())
    if rest and (common["after"].match(rest) or common["about_you"].search(rest)):
        return False
    left = sentence.before(match.start())
    if rule.left is not None and not rule.left.search(left):
        return False
    if rest and common["agree"].match(rest) and (not rule.announces or match.group()[-1] in _PAST):
        return False
    if left and common["own"].search(left):
        return True
    if left and common["others"].search(left):
        return False
    asks = sentence.asks() or common["asking"].search(rest or match.group()) is not None
    return not asks or common["boundary"].search(rest) is not None


def _start_of(sentence: Sentence, match: re.Match[str], rule: ActivityRule) -> int:
    """Return where a claim starts: a rule that knows only how a clause ends starts with the clause."""
    if rule.left is None:
        return match.start()
    left = sentence.before(match.start())
    clause = _CLAUSE_START.search(left)
    return match.start() - len(clause.group() if clause else "")


def _english(sentence: Sentence, stretch: tuple[int, int], rules: ActivityRules) -> Iterator[ActivityClaim]:
    """Give the first claim of the clauses of an English sentence."""
    text = sentence.text
    worded = rules.worded.within(text)
    for head in rules.common["head"].finditer(text, *stretch):
        start = head.end()
        if adverbs := rules.common["adverbs"].match(text, start):
            start = adverbs.end()
        for rule in (*rules.at(text, start), *worded):
            match = rule.pattern.match(text, start)
            if match and _is_mine(sentence, head, match, rule, rules.common):
                yield _claim(match.span(), rule)
                return


def _is_mine(
    sentence: Sentence,
    head: re.Match[str],
    match: re.Match[str],
    rule: ActivityRule,
    common: Mapping[str, Pattern],
) -> bool:
    """Return whether a clause without a named subject, or with "I", is a statement of the speaker's."""
    text, rest = sentence.text, sentence.after(match.end())
    if common["others"].search(text[: head.start()]) or common["told"].search(rest):
        return False
    if _FIRST_PERSON.search(text[head.start() : match.end()]):
        return True
    if rule.gerund and common["gerund"].match(text, match.end()):
        return False
    return not sentence.asks() or "," in rest


def _inner(sentence: Sentence, stretch: tuple[int, int], rules: ActivityRules) -> Iterator[ActivityClaim]:
    """Give what is said of the speaker's own things within an English sentence that speaks of nobody else."""
    if sentence.asks():
        return
    for position, candidates in rules.inner.anywhere(sentence.text, *stretch):
        for rule in candidates:
            match = rule.pattern.match(sentence.text, position)
            if match and not _is_general(sentence, position, rules):
                yield _claim(match.span(), rule)


def _is_general(sentence: Sentence, position: int, rules: ActivityRules) -> bool:
    """Return whether a sentence speaks to somebody, of somebody else, or of what lasts."""
    text, stop = sentence.text, sentence.stop
    if _SECOND_PERSON.search(text, 0, stop) or rules.common["lasting"].search(text, 0, stop):
        return True
    return rules.common["others"].search(text[:position]) is not None


def _claim(span: tuple[int, int], rule: ActivityRule) -> ActivityClaim:
    start, end = span
    return ActivityClaim(rule=rule.id, start=start, end=end)


def _outermost(claims: list[ActivityClaim]) -> Iterator[ActivityClaim]:
    end = -1
    for claim in sorted(claims, key=lambda claim: (claim.start, -claim.end)):
        if claim.end > end:
            yield claim
            end = claim.end
