import subprocess
import sys

import pytest

from core.analysis.english import irregular_forms, stem


@pytest.mark.parametrize(
    ("form", "other"),
    [
        ("running", "ran"),
        ("bought", "buy"),
        ("children", "child"),
        ("colour", "colors"),
        ("organised", "organize"),
        ("centre", "center"),
        ("travelled", "traveling"),
        ("chillies", "chili"),
        ("café", "cafe"),
        ("hallway's", "hallway"),
        ("they're", "they"),
        ("mum’s", "mom"),
    ],
)
def test_forms_and_spellings_of_a_word_meet(form: str, other: str) -> None:
    assert stem(form) == stem(other)


@pytest.mark.parametrize(
    ("one", "other"), [("called", "cold"), ("hour", "horse"), ("promise", "prom"), ("sour", "sore")]
)
def test_different_words_stay_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize("word", ["한국어", "straße", "привет", "été"])
def test_words_of_other_languages_stay_as_they_are(word: str) -> None:
    assert stem(word) == word


def test_no_irregular_form_leads_to_another_one() -> None:
    forms = irregular_forms()
    assert not set(forms) & set(forms.values())


def test_importing_does_not_load_the_stemmer() -> None:
    program = "import sys, core.analysis.english; sys.exit('snowballstemmer' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
