"""The texts a user can see, by key and locale: `messages-<locale>.toml`.

A value is a string, or a list of variants of which one is chosen. `{name}` is a placeholder; `{{` is a brace.
"""

import random
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from string import Formatter
from typing import Self

from prompts.locales import candidates

LOCALES = ("ja", "en")

Entry = str | tuple[str, ...]


class MessageError(LookupError):
    """A text was asked for that does not exist, or that can't be filled in with what was given."""


class Messages:
    """Every user-visible text, read once."""

    def __init__(self, catalogues: Mapping[str, Mapping[str, Entry]], *, default_locale: str = "en") -> None:
        """Take the entries of each locale by dotted key. A locale without a catalogue reads the default one."""
        self._catalogues = catalogues
        self._default = default_locale

    @classmethod
    def load(cls, *, default_locale: str = "en") -> Self:
        """Read the files of this package.

        Raises:
            MessageError: a value is neither a text nor a list of texts.
        """
        folder = files("prompts")
        return cls(
            {locale: parse_catalogue((folder / f"messages-{locale}.toml").read_text("utf-8")) for locale in LOCALES},
            default_locale=default_locale,
        )

    def keys(self) -> frozenset[str]:
        """Return every dotted key of the default locale."""
        return frozenset(self._catalogues[self._default])

    def text(self, key: str, locale: str, **values: object) -> str:
        """Return the text of a key that has one text.

        Raises:
            MessageError: no such key, a list of variants, or a placeholder without a value.
        """
        entry = self.entry(key, locale)
        if not isinstance(entry, str):
            raise MessageError(f"message '{key}' has several variants: use choose()")
        return _fill(key, entry, values)

    def choose(self, key: str, locale: str, rng: random.Random, **values: object) -> str:
        """Return one of the variants of a key.

        Raises:
            MessageError: no such key, a single text, or a placeholder without a value.
        """
        entry = self.entry(key, locale)
        if isinstance(entry, str):
            raise MessageError(f"message '{key}' is a single text: use text()")
        return _fill(key, rng.choice(entry), values)

    def entry(self, key: str, locale: str) -> Entry:
        """Return what stands under a key, not filled in.

        Raises:
            MessageError: no such key in this locale.
        """
        tag = next((tag for tag in candidates(locale, self._default) if tag in self._catalogues), self._default)
        try:
            return self._catalogues[tag][key]
        except KeyError:
            raise MessageError(f"no message '{key}' in messages-{tag}.toml") from None


def parse_catalogue(toml: str) -> dict[str, Entry]:
    """Flatten a catalogue's tables to dotted keys.

    Raises:
        MessageError: a value is neither a text nor a non-empty list of texts.
        tomllib.TOMLDecodeError: not TOML.
    """
    return dict(_flatten(tomllib.loads(toml), ""))


def placeholders(text: str) -> frozenset[str]:
    """Return the names of the placeholders in a text."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def _flatten(table: Mapping[str, object], prefix: str) -> list[tuple[str, Entry]]:
    entries: list[tuple[str, Entry]] = []
    for name, value in table.items():
        key = f"{prefix}{name}"
        match value:
            case dict():
                entries += _flatten(value, f"{key}.")
            case str():
                entries.append((key, value))
            case _:
                entries.append((key, _variants(key, value)))
    return entries


def _variants(key: str, value: object) -> tuple[str, ...]:
    variants = tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
    if not variants or not isinstance(value, list) or len(variants) != len(value):
        raise MessageError(f"message '{key}' is neither a text nor a list of texts")
    return variants


def _fill(key: str, text: str, values: Mapping[str, object]) -> str:
    missing = placeholders(text) - values.keys()
    if missing:
        raise MessageError(f"message '{key}' needs a value for: {', '.join(sorted(missing))}")
    return text.format_map(values)
