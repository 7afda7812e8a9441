from pathlib import Path

import pytest

from bot.speech.language import environment_locale, operator_language
from core.values import Locale

JA, EN = Locale.JA, Locale.EN


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"LANG": "ja_JP.UTF-8"}, JA),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "ja"}, JA),
        ({"LC_MESSAGES": "en_US", "LANG": "ja_JP"}, EN),
        ({"LANG": "C.UTF-8"}, None),
        ({"LANG": "POSIX"}, None),
        ({"LANG": "de_DE.UTF-8"}, None),
        ({"LANG": ""}, None),
        ({}, None),
    ],
)
def test_the_environment_says_the_language(environment: dict[str, str], expected: Locale | None) -> None:
    assert environment_locale(environment) == expected


@pytest.mark.parametrize(
    ("environment", "line", "expected"),
    [
        ({}, "", EN),
        ({"LANG": "ja_JP.UTF-8"}, "", JA),
        ({"LANG": "ja_JP.UTF-8"}, "YORISOI_OPERATOR_LANGUAGE=en", EN),
        ({"LANG": "en_US.UTF-8"}, "YORISOI_OPERATOR_LANGUAGE='ja'", JA),
        ({"YORISOI_OPERATOR_LANGUAGE": "ja"}, "YORISOI_OPERATOR_LANGUAGE=en", JA),
        ({"YORISOI_OPERATOR_LANGUAGE": "", "LANG": "ja_JP"}, "", JA),
        ({"LANG": "ja_JP"}, "#YORISOI_OPERATOR_LANGUAGE=en", JA),
        ({"LANG": "ja_JP"}, "YORISOI_OPERATOR_LANGUAGE=klingon", JA),
        ({"LANG": "fr_FR.UTF-8"}, "", EN),
    ],
)
def test_the_operators_setting_goes_before_the_environment(
    tmp_path: Path, environment: dict[str, str], line: str, expected: Locale
) -> None:
    file = tmp_path / ".env"
    file.write_text(line, "utf-8")
    assert operator_language(environment, file) is expected


def test_a_settings_file_that_cant_be_read_keeps_nobody_from_being_told_so(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_bytes(b"YORISOI_OPERATOR_LANGUAGE=\xff")
    assert operator_language({"LANG": "ja_JP"}, file) is JA
    assert operator_language({}, tmp_path / "none") is EN
