import random
import re

import pytest

from prompts.messages import LOCALES, MessageError, Messages, commands_in, parse_catalogue, placeholders

MESSAGES = Messages.load()
KEYS = sorted(set().union(*(Messages.load(default_locale=locale).keys() for locale in LOCALES)))


def variants(key: str, locale: str) -> tuple[str, ...]:
    entry = MESSAGES.entry(key, locale)
    return (entry,) if isinstance(entry, str) else entry


def same_shape(key: str) -> bool:
    ja, en = (MESSAGES.entry(key, locale) for locale in ("ja", "en"))
    named = [{names for text in variants(key, locale) for names in placeholders(text)} for locale in ("ja", "en")]
    return type(ja) is type(en) and named[0] == named[1]


def well_kept(key: str, locale: str) -> bool:
    texts = variants(key, locale)
    return (
        all(text.strip() for text in texts)
        and len(set(texts)) == len(texts)
        and all(placeholders(text) == placeholders(texts[0]) for text in texts)
    )


def test_every_text_is_there_in_every_locale_in_the_same_shape() -> None:
    assert [key for key in KEYS if not same_shape(key)] == []


@pytest.mark.parametrize("locale", LOCALES)
def test_no_text_is_empty_and_no_variant_stands_twice(locale: str) -> None:
    assert [key for key in KEYS if not well_kept(key, locale)] == []


@pytest.mark.parametrize("key", [key for key in KEYS if key.startswith(("apology.", "fallback."))])
def test_what_the_character_says_in_need_varies(key: str) -> None:
    assert all(len(variants(key, locale)) >= 3 for locale in LOCALES)


def test_text_is_filled_in() -> None:
    assert "30" in MESSAGES.text("notice.first_contact", "ja", days=30)
    assert "30 days" in MESSAGES.text("notice.first_contact", "en", days=30)


@pytest.mark.parametrize(("count", "told"), [(0, "0 days"), (1, "1 day"), (2, "2 days")])
def test_a_number_comes_with_the_noun_that_goes_with_it(count: int, told: str) -> None:
    assert Messages({"en": {"kept": "{count:day|days}."}}).text("kept", "en", count=count) == f"{told}."


@pytest.mark.parametrize("locale", LOCALES)
def test_no_text_names_a_command_but_by_a_placeholder(locale: str) -> None:
    named = {
        key: found
        for key in KEYS
        for text in variants(key, locale)
        if (found := re.findall(r"(?<![\w/])/\w[\w-]*", re.sub(r"\{[^{}]*\}", "", text)))
    }
    assert named == {}


def commands(key: str, locale: str) -> set[frozenset[str]]:
    return {frozenset(commands_in(text)) for text in variants(key, locale)}


def test_a_text_names_the_same_commands_in_every_locale() -> None:
    assert [key for key in KEYS if commands(key, "ja") != commands(key, "en")] == []


@pytest.mark.parametrize("number", [0, 1, 2, 21])
def test_no_number_stands_with_the_wrong_noun(number: int) -> None:
    for text in (text for key in KEYS for text in variants(key, "en")):
        filled = Messages({"en": {"it": text}}).text(
            "it", "en", **dict.fromkeys(placeholders(text), number) | {"name": "Hinata"}
        )
        assert not re.search(r"\b1 (?!is\b)[a-z]+s\b", filled), filled
        assert not re.search(rf"\b{number} (?:day|entry|time|thing)\b", filled) or number == 1, filled


def test_a_command_is_called_as_the_surface_calls_it() -> None:
    messages = Messages({"en": {"hint": "{/memory add} adds to {what}."}, "ja": {"hint": "{/memory add} で {what}"}})
    surface = messages.naming(lambda command, locale: f"<{command} {locale}>")

    assert messages.text("hint", "en", what="it") == "/memory add adds to it."
    assert surface.text("hint", "ja", what="{/x}") == "<memory add ja> で {/x}"
    assert surface.command("help", "en") == "<help en>"
    assert placeholders("{/memory add} {what}") == {"what"}


def test_locale_of_a_region_reads_its_language_and_an_unknown_one_the_default() -> None:
    assert MESSAGES.text("error.internal", "ja_JP") == MESSAGES.text("error.internal", "ja")
    assert MESSAGES.text("error.internal", "fr") == MESSAGES.text("error.internal", "en")


def test_choice_follows_the_random_source_and_reaches_every_variant() -> None:
    first = [MESSAGES.choose("apology.model", "en", random.Random(seed)) for seed in range(40)]
    again = [MESSAGES.choose("apology.model", "en", random.Random(seed)) for seed in range(40)]

    assert first == again
    assert set(first) == set(variants("apology.model", "en"))


def test_unknown_key_is_named() -> None:
    with pytest.raises(MessageError, match=r"'error.nothing' in messages-ja\.toml"):
        MESSAGES.text("error.nothing", "ja")


def test_missing_value_is_named() -> None:
    with pytest.raises(MessageError, match=r"notice\.first_contact.*days"):
        MESSAGES.text("notice.first_contact", "en")


def test_values_are_not_taken_for_templates() -> None:
    messages = Messages({"en": {"hello": "Hi {name}"}})

    assert messages.text("hello", "en", name="{secret}") == "Hi {secret}"


def test_one_text_and_several_are_not_mixed_up() -> None:
    with pytest.raises(MessageError, match="choose"):
        MESSAGES.text("apology.model", "en")
    with pytest.raises(MessageError, match="text"):
        MESSAGES.choose("error.internal", "en", random.Random(1))


@pytest.mark.parametrize("toml", ["a = 1", "a = []", "a = ['x', 2]", "[a]\nb = true"])
def test_value_that_is_no_text_is_refused(toml: str) -> None:
    with pytest.raises(MessageError, match="neither"):
        parse_catalogue(toml)
