"""What a pattern needs is found from the pattern; a text without it is never one that the pattern matches."""

import pytest

from core.stance.signal.finder import Finder
from core.stance.signal.needles import mark, needles
from core.stance.signal.reading import Reader
from tests.evals.signal.lines import load_lines
from tests.unit.stance.needles import FILE, content


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


def test_every_pattern_that_matches_is_tried(reader: Reader) -> None:
    texts = [reader.read(line.text).text for line in load_lines()[::17]]
    found = 0
    for lexicon in reader.lexicons.values():
        for text in texts:
            tried = lexicon.finder.worth_trying(text)
            matching = {index for index, (_, pattern) in enumerate(lexicon.patterns) if pattern.search(text)}
            assert matching <= tried
            found += len(matching)
    assert found > 500


def test_a_pattern_of_which_nothing_can_be_told_is_always_tried() -> None:
    finder = Finder.of(["a?b*", "gone"])
    assert finder.worth_trying("nothing of it") == {0}
    assert finder.worth_trying("all gone") == {0, 1}
    assert Finder.of([]).worth_trying("gone") == set()


def test_what_is_kept_of_the_shipped_patterns_is_what_they_need() -> None:
    assert FILE.read_text("utf-8") == content(), "run `python -m tests.unit.stance.needles --write`"


def test_a_pattern_that_nothing_is_kept_of_is_read() -> None:
    finder = Finder.of(["cats?", "dogs?"], known={mark("cats?"): ["kept"]})
    assert finder.worth_trying("dog and cat") == {1}
    assert finder.worth_trying("kept") == {0}
