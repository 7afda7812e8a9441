"""Fit the second opinion of the time guard, measure it, write it.

python -m tests.evals.claims.fit --hands     each hand judged by weights that it had no part in (the rules had)
python -m tests.evals.claims.fit --write     fitted on all lines but the `test` side, written to learned/layer.npz
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from core.facts.time_claims.explicit import named
from core.facts.time_claims.interpretation import Meaning
from core.facts.time_claims.learned.layer import SEPARATOR, Half
from core.facts.time_claims.learned.opinion import MOMENT, doing_features, moment_features
from core.facts.time_claims.learned.sentences import DOING
from core.facts.time_claims.reading import Sentence, read
from core.facts.time_claims.rules import LOCALES, SCRIPTS, explicit_rules
from tests.evals.claims.lines import Line, load_lines
from tests.evals.claims.training import Example, counted, fit

TARGET = Path(__file__).parents[3] / "core/facts/time_claims/learned/layer.npz"
KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {MOMENT: ("p", "L", "R", "f", "S", "B", "l", "r"), DOING: ("s",)}
)
KEEP: Mapping[str, int] = MappingProxyType({MOMENT: 6000, DOING: 12000})
LIMITS: Mapping[tuple[str, str], tuple[float, float]] = MappingProxyType(
    {
        (MOMENT, "ja"): (0.55, 0.0),
        (MOMENT, "en"): (0.6, 0.0),
        (DOING, "ja"): (0.46, 0.25),
        (DOING, "en"): (0.42, 0.25),
    }
)
"""From where on a claim is seen, and up to where none is; set by what the hands give."""
_SEASONS = frozenset({"spring", "summer", "autumn", "winter"})


def halves(lines: Sequence[Line]) -> Iterator[tuple[tuple[str, str], Half]]:
    """Fit every task in every language."""
    for locale in LOCALES:
        own = [line for line in lines if line.language == locale]
        for task, examples in ((MOMENT, moments(own, locale)), (DOING, doings(own, locale))):
            half = fit(list(examples), kinds=KINDS[task], keep=KEEP[task])
            limit, doubt = LIMITS[task, locale]
            yield (task, locale), replace(half, limit=limit, doubt=doubt)


def moments(lines: Iterable[Line], locale: str) -> Iterator[Example]:
    """Give an example for everything that names a time."""
    rules = next(rules for rules in explicit_rules() if rules.locale == locale)
    for line in lines:
        for sentence in read(line.text).sentences:
            for frame, meaning, span in named(sentence, rules):
                claim = is_claimed(line, meaning)
                if claim is not None:
                    features = counted(moment_features(sentence, span, frame, locale))
                    yield Example(features=features, claim=claim, weight=line.weight)


def is_claimed(line: Line, meaning: Meaning) -> bool | None:
    """Return whether a line claims what something in it means; None where its label doesn't tell."""
    if line.moments is None:
        return None
    if not line.moments or "*" in line.moments:
        return bool(line.moments)
    if line.hand == "openings":
        kind = "season" if meaning.value in _SEASONS else meaning.kind.value
        return True if kind in line.moments else None
    if "/" in meaning.value:
        return bool(line.moments & {meaning.kind.value, "part_of_day"})
    if meaning.kind.value == "time" and line.values:
        return any(_is_same(value, meaning.value) for value in line.values)
    return meaning.kind.value in line.moments


def _is_same(value: str, other: str) -> bool:
    first, second = (int(time[:2]) * 60 + int(time[3:5]) for time in (value, other))
    return (first - second) % 720 == 0


def doings(lines: Iterable[Line], locale: str) -> Iterator[Example]:
    """Give an example for every sentence; of a text that claims a doing, for the one that most likely does."""
    told = [(line, spoken(line.text, locale)) for line in lines if line.doing is not None]
    none = [_doing(line, sentence, locale) for line, sentences in told if not line.doing for sentence in sentences]
    claims = [(line, sentences) for line, sentences in told if line.doing and sentences]
    alone = [_doing(line, sentences[0], locale) for line, sentences in claims if len(sentences) == 1]
    first = fit([*none, *alone], kinds=KINDS[DOING], keep=KEEP[DOING])
    for line, sentences in claims:
        yield _doing(line, max(sentences, key=lambda one: first.score(doing_features(one.text, locale))), locale)
    yield from none


def spoken(text: str, locale: str) -> list[Sentence]:
    """Return the sentences of a text that are in a language."""
    return [sentence for sentence in read(text).sentences if SCRIPTS[locale].search(sentence.text)]


def _doing(line: Line, sentence: Sentence, locale: str) -> Example:
    features = counted(doing_features(sentence.text, locale))
    return Example(features=features, claim=bool(line.doing), weight=line.weight)


def report_hands(lines: Sequence[Line]) -> None:
    """Print how the weights alone judge the examples of each hand without having seen any of them."""
    for hand in sorted({line.hand for line in lines}):
        fitted = dict(halves([line for line in lines if line.hand != hand]))
        held = [line for line in lines if line.hand == hand]
        for (task, locale), half in fitted.items():
            own = [line for line in held if line.language == locale]
            examples = moments(own, locale) if task == MOMENT else doings(own, locale)
            judged = [(example.claim, _score(half, example) >= half.limit) for example in examples]
            found, alarms = (sum(seen for claim, seen in judged if claim is wanted) for wanted in (True, False))
            claims = sum(claim for claim, _ in judged)
            told = f"found {found:4} of {claims:4}  wrongly {alarms:4} of {len(judged) - claims:4}"
            sys.stdout.write(f"{hand:9} {task:7} {locale}  {told}\n")


def _score(half: Half, example: Example) -> float:
    named_features: dict[str, list[str]] = {}
    for name, times in example.features.items():
        kind, _, feature = name.partition(SEPARATOR)
        named_features.setdefault(kind, []).extend([feature] * times)
    return half.score(named_features.items())


def write(fitted: Mapping[tuple[str, str], Half], target: Path) -> None:
    """Write the weights, with what they are for."""
    about, arrays = [], {}
    for (task, locale), half in fitted.items():
        rows = [
            (f"{kind}{SEPARATOR}{key}", weight) for kind, keys in half.weights.items() for key, weight in keys.items()
        ]
        arrays[f"{task}_{locale}_features"] = np.frombuffer(
            "\n".join(name for name, _ in rows).encode(), dtype=np.uint8
        )
        arrays[f"{task}_{locale}_weights"] = np.array([weight for _, weight in rows], dtype=np.int8)
        about.append(
            {"task": task, "locale": locale, "kinds": list(half.weights), "scale": half.scale, "bias": half.bias}
            | {"limit": half.limit, "doubt": half.doubt}
        )
    np.savez_compressed(target, about=np.array(json.dumps(about)), **arrays)  # type: ignore[arg-type]


def main() -> None:
    """Run what the options ask for."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--hands", action="store_true")
    options.add_argument("--write", action="store_true")
    chosen = options.parse_args()
    if chosen.hands:
        report_hands(load_lines())
    if chosen.write:
        write(dict(halves(load_lines())), TARGET)
        sys.stdout.write(f"wrote {TARGET.name}, {TARGET.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
