"""What a pattern needs is found from the pattern; a text without it is never one that the pattern matches."""

import re

import pytest

from core.stance.signal.needles import needles
from core.stance.signal.reading import Reader
from tests.evals.signal.lines import load_lines


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("遺書", ("遺書",)),
        (r"\bkill (myself|it all)\b", ("it all", "myself")),
        ("(薬|錠剤)を?飲ん", ("飲ん",)),
        ("死に(たい|たく)|消えたい", ("死に", "消えたい")),
        ("[腕足]", ("腕", "足")),
        ("(?:wor)+ds?", ("wor",)),
        ("a?b*", ()),
        ("薬|[a-z]+", ()),
        ("(?<!not )joking", ("joking",)),
        (r"wor{0,2}ds\.", ("ds.",)),
        ("x{2}yes", ("yes",)),
        ("[^a]or(?=der)", ("or",)),
        ("(?P<name>死)", ()),
        ("(?i)gone", ()),
        (r"\x41lone", ()),
    ],
)
def test_a_pattern_needs_its_longest_literal_or_one_of_each_branch(pattern: str, wanted: tuple[str, ...]) -> None:
    assert needles(pattern) == wanted


def test_the_prefilter_finds_what_the_patterns_find(reader: Reader) -> None:
    readings = [reader.read(line.text) for line in load_lines()[::7]]
    found = 0
    for lexicon in reader.lexicons.values():
        for name, pattern in lexicon.patterns.items():
            for reading in readings:
                wanted = len(re.findall(f"(?:{pattern.pattern})", reading.text))
                assert lexicon.matches(name, reading.text, reading.signs) == wanted
                found += wanted
    assert found > 1000
