import pytest

from core.locale import detect_locale
from core.values import Locale


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("こんにちは", Locale.JA),
        ("了解", Locale.JA),
        ("ｶﾀｶﾅ", Locale.JA),
        ("hello", Locale.EN),
        ("this is でしょ", Locale.JA),
        ("I", Locale.EN),
        ("😀", None),
        ("123", None),
        ("https://example.com/hello", None),
        ("`code here`", None),
        (":smile:", None),
        ("<#123456>", None),
        ("w", None),
        ("", None),
    ],
)
def test_the_script_tells_the_language(text: str, locale: Locale | None) -> None:
    assert detect_locale(text) is locale
