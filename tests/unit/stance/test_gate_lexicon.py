"""A broken lexicon is refused with file, line and reason."""

from importlib.resources import files
from pathlib import Path

import pytest

from core.stance.gate.gate import StanceGate
from core.stance.gate.lexicon import Lexicon, LexiconError
from core.values import Locale

SHARED = """clause = ';'
[words]
person = ["he"]
somebody = ["{person}"]
[veto.hedge]
before = 'maybe'
"""
RULE = """[words]
verb = ["loves"]
[[pattern]]
id = "one"
match = '{person} {verb}'
"""


def load(root: Path, *, shared: str = SHARED, rule: str = RULE) -> Lexicon:
    folder = root / "en"
    folder.mkdir()
    (folder / "shared.toml").write_text(shared, "utf-8")
    (folder / "rule.toml").write_text(rule, "utf-8")
    return Lexicon.load(Locale.EN, root=root)


def test_words_of_both_files_fill_a_pattern(tmp_path: Path) -> None:
    lexicon = load(tmp_path)
    ((rule, pattern),) = lexicon.patterns
    assert rule == "rule"
    assert pattern.match.search("he loves it")


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("{verb}", "{nobody}", r"rule\.toml:4: one: there are no words named nobody"),
        ("{verb}'", "(('", r"rule\.toml:4: one: "),
        ('["loves"]', "[]", r"rule\.toml:2: words\.verb must be a list"),
        ('id = "one"', "", r"rule\.toml:3: a pattern has no id"),
        ('id = "one"', 'id = "one"\nseverity = "scold"', r"rule\.toml:4: pattern one: severity"),
        ('id = "one"', 'id = "one"\nmatches = "x"', r"rule\.toml:4: pattern one: unknown key matches"),
        ("[[pattern]]", "[pattern", r"rule\.toml:3: "),
        ("match = '{person} {verb}'", "", r"rule\.toml:4: one: a regular expression is missing"),
    ],
)
def test_a_fault_of_a_rule_file_is_told_with_its_line(tmp_path: Path, old: str, new: str, where: str) -> None:
    with pytest.raises(LexiconError, match=where):
        load(tmp_path, rule=RULE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("before = 'maybe'", "sooner = 'maybe'", r"shared\.toml:5: veto hedge needs"),
        ("clause = ';'", "", r"shared\.toml:1: clause is missing"),
        ("before = 'maybe'", "before = '('", r"shared\.toml:5: hedge: "),
    ],
)
def test_a_fault_of_the_shared_file_is_told_with_its_line(tmp_path: Path, old: str, new: str, where: str) -> None:
    with pytest.raises(LexiconError, match=where):
        load(tmp_path, shared=SHARED.replace(old, new))


def test_a_missing_shared_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    with pytest.raises(LexiconError, match=r"shared\.toml is missing"):
        Lexicon.load(Locale.EN, root=tmp_path)


def test_pattern_ids_are_unique_within_a_rule_and_locale() -> None:
    StanceGate.load()
    for locale in Locale:
        patterns = Lexicon.load(locale).patterns
        assert len({(rule, pattern.id) for rule, pattern in patterns}) == len(patterns)


@pytest.mark.parametrize("locale", list(Locale))
def test_every_shipped_pattern_stands_the_trial_that_a_start_leaves_out(locale: Locale) -> None:
    tried = Lexicon.load(locale, root=files("core.stance.gate") / "lexicons")
    assert len(tried.patterns) == len(Lexicon.load(locale).patterns)
