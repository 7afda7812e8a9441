"""Finding claims: the predicates of time and activity, and the rules of this package."""

import re
from collections.abc import Iterator
from functools import lru_cache

from core.facts.time_claims import find_claims
from core.proactive.claims.reading import Sentence, sentences
from core.proactive.claims.rules import LOCALES, ClaimRule, claim_rules
from core.proactive.claims.types import ClaimName, Finding


def claims_in(text: str) -> list[Finding]:
    """Return every claim of a text, in the order they stand in. The language of a sentence follows from its letters."""
    return list(_claims_of(text))


@lru_cache(maxsize=1024)
def _claims_of(text: str) -> tuple[Finding, ...]:
    """Remember what a pack's few hundred texts claim: each is looked at again whenever it may be sent."""
    return tuple(sorted((*_predicates(text), *_by_rules(text)), key=lambda finding: (finding.start, finding.end)))


def _predicates(text: str) -> Iterator[Finding]:
    claims = find_claims(text)
    for time in claims.times:
        if not _is_harmless(text, time.start):
            yield Finding(claim=ClaimName(time.kind.value), start=time.start, end=time.end, rule=time.rule)
    for doing in claims.activities:
        if not _is_harmless(text, doing.start):
            yield Finding(claim=ClaimName.ACTIVITY, start=doing.start, end=doing.end, rule=doing.rule)


def _is_harmless(text: str, start: int) -> bool:
    return any(claim_rules(locale).harmless.match(text, start) for locale in LOCALES)


def _by_rules(text: str) -> Iterator[Finding]:
    for sentence in sentences(text):
        for locale in LOCALES:
            rules = claim_rules(locale)
            if not rules.script.search(sentence.text):
                continue
            asks = sentence.asks and rules.tag.search(sentence.text) is None
            for rule in rules.rules:
                if rule.asks in {None, asks} and (match := _found(rule, sentence.text)):
                    yield _finding(sentence, match, rule)


def _found(rule: ClaimRule, text: str) -> re.Match[str] | None:
    match = rule.pattern.search(text)
    return match if match and match.group() and not rule.unless.search(text) else None


def _finding(sentence: Sentence, match: re.Match[str], rule: ClaimRule) -> Finding:
    start, end = sentence.span(*match.span())
    return Finding(claim=rule.claim, start=start, end=end, rule=rule.id)
