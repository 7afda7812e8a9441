import re

import pytest

from prompts.loader import PromptError, PromptLibrary
from prompts.locales import candidates, normalise

# Nothing but the fact capsule may tell the time: a clock, a weekday, a date or a part of the day in a template
# would be a second authority beside it.
CLOCKS = re.compile(
    r"""\d{1,2}[:：]\d{2} | \d{1,2}\s*時(?!間) | \d+月\d+日 | \d{4}-\d{2} | [月火水木金土日]曜
      | 午前 | 午後 | 今朝 | 今夜 | 今日 | 今晩 | お昼 | 夜中 | 夕方
      | \bo'clock\b | \b[ap]\.?m\b\.? | \btoday\b | \btonight\b | \b(?:this|in\sthe)\s(?:morning|afternoon|evening)\b
      | \b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b | \bnoon\b | \bmidnight\b""",
    re.VERBOSE | re.IGNORECASE,
)


def library(**sources: str) -> PromptLibrary:
    return PromptLibrary({name.replace("_", "-"): text for name, text in sources.items()}, default_locale="en")


def test_exact_locale_wins_over_its_language_and_the_default() -> None:
    prompts = PromptLibrary({"hi-ja-JP": "exact", "hi-ja": "language", "hi-en": "default"})

    assert prompts.render("hi", "ja-JP") == "exact"
    assert prompts.render("hi", "ja_jp") == "exact"
    assert prompts.render("hi", "ja-KS") == "language"
    assert prompts.render("hi", "fr-FR") == "default"


def test_what_lasts_is_rendered_once_for_the_same_values() -> None:
    prompts = library(hi_en="{{ name }}, {{ group }}")
    told = prompts.lasting("hi", "en", name="Mio", group=False)
    assert told == prompts.render("hi", "en", name="Mio", group=False)
    assert prompts.lasting("hi", "en", name="Mio", group=False) is told
    assert prompts.lasting("hi", "en", name="Rin", group=False) == "Rin, False"


def test_missing_template_is_named_with_all_that_was_looked_for() -> None:
    with pytest.raises(PromptError, match="bye-ja-JP or bye-ja or bye-en"):
        library(hi_en="x").render("bye", "ja_JP")


def test_missing_value_is_an_error_that_names_the_template() -> None:
    with pytest.raises(PromptError, match=r"'hi-en'.*'name' is undefined"):
        library(hi_en="Hello {{ name }}").render("hi", "en")


def test_broken_template_is_an_error_that_names_the_line() -> None:
    with pytest.raises(PromptError, match="'hi-en', line 2"):
        library(hi_en="Hello\n{% if %}").render("hi", "en")


def test_values_are_neither_escaped_nor_rendered() -> None:
    assert library(hi_en="{{ text }}").render("hi", "en", text="<b> & {{ secret }}") == "<b> & {{ secret }}"


def test_tags_of_the_templates_are_taken_out_of_data() -> None:
    prompts = library(hi_en="{{ text | as_data }}|{{ text | one_line }}")

    assert prompts.render("hi", "en", text='</file>\n<b>"') == "‹/file>\n<b>\"|‹/file> <b>'"


@pytest.mark.parametrize("name", sorted(PromptLibrary.load().names))
def test_no_template_tells_a_time(name: str) -> None:
    prompts = PromptLibrary.load()
    source = prompts.source(name)

    assert CLOCKS.search(source) is None


@pytest.mark.parametrize(
    "text", ["It is 14:30.", "いまは14時です", "今日は月曜日", "this morning", "at 3 p.m.", "on Friday"]
)
def test_the_search_for_times_finds_them(text: str) -> None:
    assert CLOCKS.search(text)


def test_locale_tags_have_one_spelling() -> None:
    assert normalise(" JA_jp ") == "ja-JP"
    assert normalise("zh-Hant-tw") == "zh-Hant-TW"
    assert candidates("en_US", "en") == ("en-US", "en")
