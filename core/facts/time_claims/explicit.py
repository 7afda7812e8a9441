"""Explicit claims: the current time, weekday, date or part of day as the text states it.

A candidate becomes a claim when nothing rules it out and something makes it a statement about the present: a
predicate to its right, a word for the present to its left, or that it stands alone. See `explicit_ja.toml`. Candidates
of several kinds side by side ("Monday, November 30, 4:08 PM") are one statement.
"""

import re
from collections.abc import Iterator

from core.facts.time_claims.grouping import Group, groups
from core.facts.time_claims.interpretation import Meaning, interpret
from core.facts.time_claims.reading import Reading, Sentence
from core.facts.time_claims.rules import DirectRule, Frame, LocaleRules, explicit_rules
from core.facts.time_claims.types import ClaimKind, TimeClaim


def explicit_claims(reading: Reading) -> tuple[TimeClaim, ...]:
    """Return the claims of a text in the order they stand in."""
    found = [claim for locale in explicit_rules() for claim in _of_locale(reading, locale)]
    return tuple(sorted(_without_repeats(found), key=lambda claim: (claim.start, claim.end, claim.kind)))


def _of_locale(reading: Reading, rules: LocaleRules) -> Iterator[TimeClaim]:
    if not rules.script.search(reading.text):
        return
    for group in groups(reading.text, _candidates(reading.text, rules)):
        for frame, match, why in _judged(reading, group):
            yield from _framed(reading, match, frame, f"{rules.locale}.{frame.name}.{why}")
    if rules.trigger.search(reading.text):
        for sentence in reading.sentences:
            if rules.trigger.search(reading.text, sentence.start, sentence.end):
                yield from _direct(reading, sentence, rules)


def _candidates(text: str, rules: LocaleRules) -> Iterator[tuple[Frame, re.Match[str]]]:
    """Give the candidates of every frame; those of one frame do not overlap."""
    done: dict[str, int] = {}
    for position, frames in rules.index.anywhere(text):
        for frame in frames:
            if position >= done.get(frame.name, 0) and (match := frame.pattern.match(text, position)):
                done[frame.name] = match.end()
                yield frame, match


def _framed(reading: Reading, match: re.Match[str], frame: Frame, rule: str) -> Iterator[TimeClaim]:
    left = reading.before(match.start(), reading.sentence_at(match.start()))
    start, end = reading.folded.span(*match.span())
    for meaning in interpret(frame.name, match, left):
        yield _claim(meaning, start, end, rule)


def _claim(meaning: Meaning, start: int, end: int, rule: str) -> TimeClaim:
    return TimeClaim(
        kind=meaning.kind,
        value=meaning.value,
        start=start,
        end=end,
        rule=rule,
        approx=meaning.approx,
        ambiguous_12h=meaning.ambiguous_12h,
    )


def _judged(reading: Reading, group: Group) -> Iterator[tuple[Frame, re.Match[str], str]]:
    """Give the candidates of a group that are claims; what makes one of them a claim makes all."""
    reasons = [_judge(frame, reading, match) for frame, match in group]
    together = len(group) > 1 and (any(reasons) or _says_now(reading, group))
    for (frame, match), why in zip(group, reasons, strict=True):
        if why:
            yield frame, match, why
        elif together and not _is_ruled_out(frame, reading, match):
            yield frame, match, "together"


def _says_now(reading: Reading, group: Group) -> bool:
    """Return whether a word for the present, of whichever kind, stands right before a group."""
    start = group[0][1].start()
    left = reading.before(start, reading.sentence_at(start))
    frames = [frame for frame, _ in group]
    now = max(_last_end(frame.now, left) for frame in frames)
    other = max(_last_end(frame.other, left) for frame in frames)
    return now > other and len(left) - now <= frames[0].reach


def _is_ruled_out(frame: Frame, reading: Reading, match: re.Match[str]) -> bool:
    left = reading.before(match.start(), reading.sentence_at(match.start()))
    return bool(frame.veto.match(reading.text, match.end()) or frame.never.search(left))


def _judge(frame: Frame, reading: Reading, match: re.Match[str]) -> str | None:
    """Return what makes a candidate a claim, or None."""
    text = reading.text
    left = reading.before(match.start(), reading.sentence_at(match.start()))
    if _is_ruled_out(frame, reading, match):
        return None
    now, other = _last_end(frame.now, left), _last_end(frame.other, left)
    if frame.topic.search(left):
        other = len(left)
    if other > now:
        return None
    if now >= 0 and len(left) - now <= frame.reach:
        return "now"
    opens = frame.bare_left.fullmatch(left) is not None
    if frame.not_alone.fullmatch(match.group()) and not opens:
        return None
    for rule, predicate in frame.predicates:
        if predicate.match(text, match.end()):
            return rule
    stands = opens and frame.bare_right.match(text, match.end()) and not frame.not_alone.fullmatch(match.group())
    return "alone" if stands else None


def _direct(reading: Reading, sentence: Sentence, rules: LocaleRules) -> Iterator[TimeClaim]:
    part = reading.text[sentence.start : sentence.end]
    # The sign that closes a sentence belongs to what a rule looks at.
    closed = reading.text[sentence.start : sentence.end + 1]
    for rule in rules.direct:
        for word in rule.needs:
            if word in closed:
                break
        else:
            continue
        match = rule.pattern.search(closed)
        if match and match.group() and not rules.never.search(part[: match.start()]):
            yield _spoken(reading, sentence, match, rule)


def _spoken(reading: Reading, sentence: Sentence, match: re.Match[str], rule: DirectRule) -> TimeClaim:
    start, end = reading.folded.span(sentence.start + match.start(), sentence.start + match.end())
    return TimeClaim(
        kind=ClaimKind.PART_OF_DAY, value=rule.value, start=start, end=end, rule=rule.id, greeting=rule.greeting
    )


def _last_end(pattern: re.Pattern[str], left: str) -> int:
    """Return where the last match ends, -1 if there is none."""
    return max((match.end() for match in pattern.finditer(left)), default=-1)


def _without_repeats(claims: list[TimeClaim]) -> list[TimeClaim]:
    """Keep one claim for each kind and value, the first found."""
    kept: dict[tuple[ClaimKind, str], TimeClaim] = {}
    for claim in claims:
        kept.setdefault((claim.kind, claim.value), claim)
    return list(kept.values())
