"""The one look by which most texts are told to need no tidying must miss nothing that a closer look would change."""

import sys
import unicodedata

from prompts.data_text import as_data, tidy

_SURROGATES = range(0xD800, 0xE000)
EVERY_CHARACTER = [chr(code) for code in range(sys.maxunicode + 1) if code not in _SURROGATES]


def test_what_one_look_lets_pass_a_closer_look_lets_pass() -> None:
    passed = "".join(char for char in EVERY_CHARACTER if tidy(char) == char)

    # The last character needs tidying, so all of them are looked at closely.
    assert tidy(passed + "\u200b") == passed


def test_every_character_that_reads_as_a_bracket_opens_a_tag() -> None:
    opening = [char for char in EVERY_CHARACTER if unicodedata.normalize("NFKC", char) == "<"]

    assert len(opening) > 1
    assert [as_data(f"{char}note>") for char in opening] == ["‹note>"] * len(opening)
