"""Finding claims: the predicates of time and activity, and the rules of this package."""

import re
from collections.abc import Iterator

from core.facts.time_claims import find_claims
from core.facts.time_claims.reading import Reading, read
from core.facts.time_claims.rules import SCRIPTS
from core.proactive.claims.rules import LOCALES, ClaimRule, claim_rules
from core.proactive.claims.types import ClaimName, Finding


def claims_in(text: str) -> list[Finding]:
    """Return every claim of a text, in the order they stand in. Rules of both languages see every text."""
    return sorted((*_predicates(text), *_by_rules(text)), key=lambda finding: (finding.start, finding.end))


def _predicates(text: str) -> Iterator[Finding]:
    claims = find_claims(text)
    for time in claims.times:
        if _is_harmless(text, time.start):
            continue
        yield Finding(claim=ClaimName(time.kind.value), start=time.start, end=time.end, rule=time.rule)
    for doing in claims.activities:
        if _is_harmless(text, doing.start):
            continue
        yield Finding(claim=ClaimName.ACTIVITY, start=doing.start, end=doing.end, rule=doing.rule)


def _is_harmless(text: str, start: int) -> bool:
    return any(claim_rules(locale).harmless.match(text, start) for locale in LOCALES)


def _by_rules(text: str) -> Iterator[Finding]:
    reading = read(text)
    for sentence in reading.sentences:
        # The sign that closes a sentence belongs to what a rule looks at, the space before it doesn't.
        part = reading.text[sentence.start : sentence.end + 1].lstrip()
        start = sentence.start + reading.text[sentence.start :].index(part)
        for locale in LOCALES:
            if not SCRIPTS[locale].search(part):
                continue
            rules = claim_rules(locale)
            asks = sentence.asks and rules.tag.search(part) is None
            for rule in rules.rules:
                if rule.asks in {None, asks} and (match := _found(rule, part)):
                    yield _finding(reading, start, match, rule)


def _found(rule: ClaimRule, part: str) -> re.Match[str] | None:
    match = rule.pattern.search(part)
    return match if match and not rule.unless.search(part) else None


def _finding(reading: Reading, at: int, match: re.Match[str], rule: ClaimRule) -> Finding:
    start, end = reading.folded.span(at + match.start(), at + match.end())
    return Finding(claim=rule.claim, start=start, end=end, rule=rule.id)
