"""Explicit claims: the current time, weekday, date or part of day as the text states it.

A candidate becomes a claim when nothing rules it out and something makes it a statement about the present: a
predicate to its right, a word for the present to its left, or that it stands alone. See `explicit_ja.toml`. Candidates
of several kinds side by side ("Monday, November 30, 4:08 PM") are one statement. Where no rule makes one a claim of its
kind, a learned second opinion is asked.
"""

import re
from collections.abc import Iterator, Sequence

from core.facts.time_claims.grouping import Group, groups, stands_beside
from core.facts.time_claims.interpretation import Meaning, interpret
from core.facts.time_claims.learned.opinion import WORD_FRAME, names_the_present
from core.facts.time_claims.mentions import mentions
from core.facts.time_claims.patterns import Pattern
from core.facts.time_claims.reading import Sentence
from core.facts.time_claims.rules import SCRIPTS, DirectRule, Frame, LocaleRules, explicit_rules
from core.facts.time_claims.spots import Spots
from core.facts.time_claims.types import ClaimKind, TimeClaim

TimeSpots = Spots[Frame, DirectRule]
Candidate = tuple[Frame, re.Match[str]]
Named = tuple[str, Meaning, tuple[int, int]]
"""By which frame a time is named (`WORD_FRAME`: by a mere word), what it means, and where it stands in the sentence."""


def explicit_claims(sentences: Sequence[Sentence]) -> list[tuple[TimeClaim, ...]]:
    """Return the claims of each sentence of a text in the order they stand in; places are those in the sentence.

    All are looked over together: in most nothing can be named, and a look at each would take longer than that.
    """
    found: list[tuple[TimeClaim, ...]] = [()] * len(sentences)
    for rules in explicit_rules():
        own = _of_language(sentences, rules.locale)
        for number, spots in rules.spotter.within([sentences[at].text for at in own]) if own else ():
            if claims := tuple(_of_locale(sentences[own[number]], rules, spots)):
                found[own[number]] += claims
    return [tuple(sorted(claims, key=_place)) if len(claims) > 1 else claims for claims in found]


def _place(claim: TimeClaim) -> tuple[int, int, ClaimKind]:
    return claim.start, claim.end, claim.kind


def _of_language(sentences: Sequence[Sentence], locale: str) -> list[int]:
    """Return the numbers of the sentences that may be of a language.

    Numbers alone are English only where nothing is Japanese.
    """
    if locale == "ja":
        return [number for number, sentence in enumerate(sentences) if not sentence.alone]
    letters = SCRIPTS["en"].search
    return [number for number, sentence in enumerate(sentences) if sentence.alone or letters(sentence.text)]


def named(sentence: Sentence, rules: LocaleRules) -> Iterator[Named]:
    """Give everything in a sentence that names a time, day or season, claim or not."""
    if spots := rules.spotter.spots(sentence.text):
        yield from _named(sentence, rules, list(_candidates(sentence.text, spots)), spots)


def _of_locale(sentence: Sentence, rules: LocaleRules, spots: TimeSpots) -> Iterator[TimeClaim]:
    candidates = list(_candidates(sentence.text, spots))
    if not (candidates or spots.worded or spots.named):
        return
    grouped = list(groups(sentence.text, candidates))
    found = [*_by_frames(sentence, rules, grouped), *_direct(sentence, rules, spots)]
    everything = _named(sentence, rules, candidates, spots)
    never = frozenset(_never(sentence, grouped))
    for claim in (*found, *_second_opinion(sentence, rules, everything, found, never)):
        if claim.rule.endswith(".now") or not rules.spoken_of.match(sentence.text[claim.end :]):
            yield claim


def _by_frames(sentence: Sentence, rules: LocaleRules, grouped: list[Group]) -> Iterator[TimeClaim]:
    for group in grouped:
        lefts = [sentence.before(match.start()) for _, match in group]
        for (frame, match), left, why in zip(group, lefts, _reasons(group, lefts), strict=True):
            if why:
                for meaning in _meanings(frame, match, left):
                    yield _claim(meaning, match.span(), f"{rules.locale}.{frame.name}.{why}")


def _second_opinion(
    sentence: Sentence,
    rules: LocaleRules,
    everything: Iterator[Named],
    found: list[TimeClaim],
    never: frozenset[tuple[int, int]],
) -> Iterator[TimeClaim]:
    """Give what the rules don't take for a claim and the layer does; nothing of a kind that they found.

    It is not asked about the places in `never`, nor about what stands side by side with something that is no claim.
    """
    kinds = {claim.kind for claim in found}
    refused = len(sentence.text)
    for name, meaning, span in everything:
        if meaning.kind in kinds or any(claim.start < span[1] and span[0] < claim.end for claim in found):
            continue
        beside = span in never or stands_beside(sentence.text, refused, span[0])
        if name == WORD_FRAME and rules.never.search(sentence.text, 0, span[0]):
            beside = True
        if not beside and names_the_present(sentence, span, name, rules.locale):
            yield _claim(meaning, span, f"{rules.locale}.{name}.learned")
        else:
            refused = span[1]


def _never(sentence: Sentence, grouped: list[Group]) -> Iterator[tuple[int, int]]:
    """Give where a candidate stands that the opinion is not asked about: what is before it, or beside it, tells."""
    for group in grouped:
        for frame, match in group:
            left = sentence.before(match.start())
            if frame.never.search(left) or (len(group) > 1 and frame.veto.match(match.string, match.end())):
                yield match.span()


def _named(sentence: Sentence, rules: LocaleRules, candidates: list[Candidate], spots: TimeSpots) -> Iterator[Named]:
    spans = []
    for frame, match in candidates:
        if frame.not_alone.fullmatch(match.group()):
            continue  # A bare number ("Two!", "a quick one") names no time unless a rule says so.
        for meaning in _meanings(frame, match, sentence.before(match.start())):
            spans.append(match.span())
            yield frame.name, meaning, match.span()
    for kind, value, start, end in mentions(sentence.text, rules.locale) if spots.named else ():
        if not any(start < stop and begin < end for begin, stop in spans):
            yield WORD_FRAME, Meaning(kind, value), (start, end)


def _candidates(text: str, spots: TimeSpots) -> Iterator[Candidate]:
    """Give the candidates of every frame; those of one frame do not overlap."""
    done: dict[str, int] = {}
    for position, frames in spots.places:
        for frame in frames:
            if position >= done.get(frame.name, 0) and (match := frame.pattern.match(text, position)):
                done[frame.name] = match.end()
                yield frame, match


def _claim(meaning: Meaning, span: tuple[int, int], rule: str) -> TimeClaim:
    return TimeClaim(
        kind=meaning.kind,
        value=meaning.value,
        start=span[0],
        end=span[1],
        rule=rule,
        approx=meaning.approx,
        ambiguous_12h=meaning.ambiguous_12h,
    )


def _meanings(frame: Frame, match: re.Match[str], left: str) -> Iterator[Meaning]:
    if frame.meaning is not None:
        yield Meaning(*frame.meaning)
    else:
        yield from interpret(frame.name, match, left)


def _reasons(group: Group, lefts: list[str]) -> list[str | None]:
    """Return what makes each candidate of a group a claim; what makes one of them a claim makes all."""
    reasons = [_judge(frame, match, left) for (frame, match), left in zip(group, lefts, strict=True)]
    if len(group) == 1 or not (any(reasons) or _says_now(group, lefts[0])):
        return reasons
    return [
        why or (None if _is_ruled_out(frame, match, left) else "together")
        for (frame, match), left, why in zip(group, lefts, reasons, strict=True)
    ]


def _says_now(group: Group, left: str) -> bool:
    """Return whether a word for the present, of whichever kind, stands right before a group."""
    frames = [frame for frame, _ in group]
    now = max(_last_end(frame.now, left) for frame in frames)
    other = max(_last_end(frame.other, left) for frame in frames)
    return now > other and len(left) - now <= frames[0].reach


def _is_ruled_out(frame: Frame, match: re.Match[str], left: str) -> bool:
    return bool(frame.veto.match(match.string, match.end()) or (left and frame.never.search(left)))


def _judge(frame: Frame, match: re.Match[str], left: str) -> str | None:
    """Return what makes a candidate a claim, or None; `left` stands before it."""
    if _is_ruled_out(frame, match, left):
        return None
    now, other = (_last_end(frame.now, left), _last_end(frame.other, left)) if left else (-1, -1)
    if left and frame.topic.search(left):
        other = len(left)
    if other > now:
        return None
    if now >= 0 and len(left) - now <= frame.reach:
        return "now"
    opens = frame.bare_left.fullmatch(left) is not None
    if not opens and frame.not_alone.fullmatch(match.group()):
        return None
    if said := frame.predicates.match(match.string, match.end()):
        return said.lastgroup
    stands = opens and frame.bare_right.match(match.string, match.end())
    return "alone" if stands and not frame.not_alone.fullmatch(match.group()) else None


def _direct(sentence: Sentence, rules: LocaleRules, spots: TimeSpots) -> Iterator[TimeClaim]:
    # The sign that closes a sentence belongs to what a rule looks at.
    closed = sentence.text[: sentence.stop + 1]
    for rule in spots.worded:
        match = rule.pattern.search(closed)
        if match and match.group() and not rules.never.search(closed, 0, match.start()):
            start, end = match.span()
            yield TimeClaim(
                kind=rule.kind, value=rule.value, start=start, end=end, rule=rule.id, greeting=rule.greeting
            )


def _last_end(pattern: Pattern, left: str) -> int:
    """Return where the last match ends, -1 if there is none."""
    return max((match.end() for match in pattern.finditer(left)), default=-1)
