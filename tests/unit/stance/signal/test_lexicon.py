"""Lexicons are found whole or refused with file, line and reason."""

from importlib.resources import files
from pathlib import Path

import pytest

from core.stance.signal.lexicon import Lexicon, LexiconError
from core.stance.signal.patterns import LatePattern
from core.stance.signal.words import english_forms
from core.values import Locale

SHIPPED = files("core.stance") / "lexicon"


def _load(folder: Path, **files: str) -> Lexicon:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return Lexicon.load(Locale.EN, english_forms, folder=folder)


def test_words_are_found_in_any_regular_inflection_and_patterns_as_written(tmp_path: Path) -> None:
    lexicon = _load(tmp_path, a='[pets]\nwords = ["dog", "pet hamster"]\n\n[asking]\npatterns = ["\\\\bwhy\\\\b"]\n')
    assert lexicon.groups_of(english_forms("two pet hamsters")) == {"pets": 1}
    assert lexicon.matches("but why not, why") == {"asking": 2}


def test_a_word_inside_another_word_is_not_found(tmp_path: Path) -> None:
    lexicon = _load(tmp_path, a='[pets]\nwords = ["cat"]\n')
    assert lexicon.groups_of(english_forms("a catalogue")) == {}


@pytest.mark.parametrize(
    ("text", "where", "reason"),
    [
        ('[pets]\nwords = ["dog"\n', "en/a.toml:", "not valid TOML"),
        ('[pets]\n\nwords = "dog"\n', "en/a.toml:3", "list of texts"),
        ('[pets]\nwords = ["dog", ""]\n', "en/a.toml:2", "not empty"),
        ('[pets]\nwords = ["dog"]\npatterns = ["("]\n', "en/a.toml:3", "no regular expression"),
        ('[pets]\npatterns = ["x*"]\n', "en/a.toml:2", "matches nothing at all"),
        ('[pets]\nphrases = ["dog"]\n', "en/a.toml:2", "unknown key 'phrases'"),
        ("[pets]\n", "en/a.toml:1", "is empty"),
        ('[Pets]\nwords = ["dog"]\n', "en/a.toml:1", "no group name"),
        ("pets = 3\n", "en/a.toml:1", "has to be a table"),
    ],
)
def test_a_fault_is_told_with_file_line_and_reason(tmp_path: Path, text: str, where: str, reason: str) -> None:
    with pytest.raises(LexiconError) as caught:
        _load(tmp_path, a=text)
    assert where in str(caught.value)
    assert reason in str(caught.value)


def test_every_fault_of_every_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(LexiconError) as caught:
        _load(tmp_path, a='[pets]\nwords = 1\n[food]\npatterns = ["["]\n', b='[drink]\nwords = "tea"\n')
    assert len(caught.value.problems) == 3


def test_a_group_in_two_files_of_a_locale_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match="already in another file"):
        _load(tmp_path, a='[pets]\nwords = ["dog"]\n', b='[pets]\nwords = ["cat"]\n')


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes('[pets]\nwords = ["犬"]\n'.encode("cp932"))
    with pytest.raises(LexiconError, match="not UTF-8"):
        Lexicon.load(Locale.JA, english_forms, folder=tmp_path)


@pytest.mark.parametrize("locale", list(Locale))
def test_every_shipped_pattern_stands_the_trial_that_a_start_leaves_out(locale: Locale) -> None:
    shipped = Lexicon.load(locale, english_forms)
    assert Lexicon.load(locale, english_forms, folder=SHIPPED / locale.value).names == shipped.names


def test_a_shipped_pattern_is_compiled_when_a_text_first_comes_near_it() -> None:
    lexicon = Lexicon.load(Locale.EN, english_forms)
    late = LatePattern("b+")
    assert lexicon.matches("i want to die")
    assert late._compiled is None
    assert late.findall("abba") == ["bb"]
    assert [match.span() for match in late.finditer("abba b", 0, 4)] == [(1, 3)]
    assert late.search("abba b", 4) is not None
