"""The texts a user can see, by key and locale: `messages-<locale>.toml`.

A value is a string, or a list of variants of which one is chosen. `{name}` is a placeholder; `{{` is a brace.
`{count:day|days}` is a number with the noun that goes with it. `{/memory add}` is a command, under the name it has
where the text is shown: what it is called depends on the surface and on the language.
"""

import random
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from string import Formatter
from typing import Self

from prompts.locales import candidates

LOCALES = ("ja", "en")

Entry = str | tuple[str, ...]
# From a command ("memory add") and a locale to what a surface calls it there.
CommandNames = Callable[[str, str], str]


class MessageError(LookupError):
    """A text was asked for that does not exist, or that can't be filled in with what was given."""


class Messages:
    """Every user-visible text, read once."""

    def __init__(
        self,
        catalogues: Mapping[str, Mapping[str, Entry]],
        *,
        default_locale: str = "en",
        commands: CommandNames = lambda command, _locale: f"/{command}",
    ) -> None:
        """Take the entries of each locale by dotted key. A locale without a catalogue reads the default one."""
        self._catalogues = catalogues
        self._default = default_locale
        self._commands = commands

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

    def naming(self, commands: CommandNames) -> "Messages":
        """Return the same texts for a surface that calls commands so."""
        return Messages(self._catalogues, default_locale=self._default, commands=commands)

    def command(self, command: str, locale: str) -> str:
        """Return what a command ("memory add") is called where these texts are shown."""
        return self._commands(command, locale)

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
        return self._fill(key, entry, locale, values)

    def choose(self, key: str, locale: str, rng: random.Random, **values: object) -> str:
        """Return one of the variants of a key.

        Raises:
            MessageError: no such key, a single text, or a placeholder without a value.
        """
        entry = self.entry(key, locale)
        if isinstance(entry, str):
            raise MessageError(f"message '{key}' is a single text: use text()")
        return self._fill(key, rng.choice(entry), locale, values)

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

    def _fill(self, key: str, text: str, locale: str, values: Mapping[str, object]) -> str:
        named = {f"/{command}": self._commands(command, locale) for command in commands_in(text)}
        missing = placeholders(text) - values.keys()
        if missing:
            raise MessageError(f"message '{key}' needs a value for: {', '.join(sorted(missing))}")
        return _FILLER.vformat(text, (), {**values, **named})


def parse_catalogue(toml: str) -> dict[str, Entry]:
    """Flatten a catalogue's tables to dotted keys.

    Raises:
        MessageError: a value is neither a text nor a non-empty list of texts.
        tomllib.TOMLDecodeError: not TOML.
    """
    return dict(_flatten(tomllib.loads(toml), ""))


def placeholders(text: str) -> frozenset[str]:
    """Return the names of the placeholders in a text that need a value."""
    return frozenset(name for name in _fields(text) if not name.startswith("/"))


def commands_in(text: str) -> frozenset[str]:
    """Return the commands a text names ("memory add")."""
    return frozenset(name[1:] for name in _fields(text) if name.startswith("/"))


def _fields(text: str) -> Iterator[str]:
    return (name for _, name, _, _ in Formatter().parse(text) if name is not None)


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


class _Filler(Formatter):
    def format_field(self, value: object, format_spec: str) -> str:
        one, several, many = format_spec.partition("|")
        if not several:
            return str(super().format_field(value, format_spec))
        return f"{value} {one if value == 1 else many}"


_FILLER = _Filler()
