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


@pytest.mark.parametrize(
    ("text", "before", "locale"),
    [
        ("ok", Locale.JA, Locale.JA),
        ("lol thanks", Locale.JA, Locale.JA),
        ("Sorry, I don't understand Japanese well", Locale.JA, Locale.EN),
        ("I love ラーメン so much", Locale.EN, Locale.EN),
        ("ありがとう", Locale.EN, Locale.JA),
        ("今日はGitHubのPRをmergeした", None, Locale.JA),
        ("今日はGitHubのPRをmergeした", Locale.EN, Locale.JA),
        ("😀", Locale.EN, Locale.EN),
        ("@mio hello there my friend", Locale.JA, Locale.EN),
    ],
)
def test_the_language_before_holds_until_there_is_reason(text: str, before: Locale | None, locale: Locale) -> None:
    assert detect_locale(text, before=before) is locale
