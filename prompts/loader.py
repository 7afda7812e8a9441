"""Prompt templates: files `prompts/<prefix>-<locale>.txt`, rendered with every value demanded."""

from collections.abc import Hashable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from typing import Self

from jinja2 import DictLoader, Environment, StrictUndefined, TemplateError, TemplateSyntaxError, UndefinedError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from prompts.data_text import as_data, as_name, in_corners, one_line
from prompts.locales import candidates

_LASTING = 64


class PromptError(LookupError):
    """A template does not exist, can't be read, or needs a value that was not given."""


class PromptLibrary:
    """Every template, read once."""

    def __init__(
        self,
        sources: Mapping[str, str],
        *,
        default_locale: str = "en",
        environment: type[Environment] = Environment,
    ) -> None:
        """Take the templates' sources by name (`chat-frame-ja`)."""
        self._sources = sources
        self._default = default_locale
        self._environment = environment(
            loader=DictLoader(sources),
            undefined=StrictUndefined,
            autoescape=False,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._found: dict[tuple[str, str], str] = {}
        self._lasting = lru_cache(maxsize=_LASTING)(self._rendered)
        self._environment.filters.update(as_data=as_data, as_name=as_name, in_corners=in_corners, one_line=one_line)

    @classmethod
    def load(cls, *, default_locale: str = "en") -> Self:
        """Read the templates of this package."""
        templates = (entry for entry in files("prompts").iterdir() if entry.name.endswith(".txt"))
        sources = {entry.name.removesuffix(".txt"): entry.read_text("utf-8") for entry in templates}
        return cls(sources, default_locale=default_locale)

    def replaced(self, sources: Mapping[str, str]) -> "PromptLibrary":
        """Return the same templates with some of them written otherwise.

        What is not from this package is run in a sandbox: it can't reach beyond the values it is given.

        Raises:
            PromptError: there is no template of such a name, or one can't be read.
        """
        for name, source in sources.items():
            if name not in self._sources:
                near = ", ".join(get_close_matches(name, self._sources, 1)) or "one of prompts/*.txt without .txt"
                raise PromptError(f"there is no prompt template '{name}': write {near}")
            try:
                self._environment.compile(source)
            except TemplateSyntaxError as error:
                raise PromptError(f"prompt template '{name}', line {error.lineno}: {error.message}") from error
        return PromptLibrary(
            {**self._sources, **sources}, default_locale=self._default, environment=ImmutableSandboxedEnvironment
        )

    @property
    def names(self) -> frozenset[str]:
        """The names of all templates, `<prefix>-<locale>`."""
        return frozenset(self._sources)

    def source(self, name: str) -> str:
        """Return a template as it was written.

        Raises:
            KeyError: there is no template of that name.
        """
        return self._sources[name]

    def find(self, prefix: str, locale: str) -> str:
        """Return the name of the template for a locale: its own, its language's, then the default locale's.

        Raises:
            PromptError: there is none of these.
        """
        name = self._found.get((prefix, locale))
        if name is None:
            name = self._found[prefix, locale] = self._first_of(prefix, locale)
        return name

    def prepare(self, prefix: str, locale: str) -> None:
        """Compile a template ahead of its first use.

        Raises:
            PromptError: no such template.
        """
        self._environment.get_template(self.find(prefix, locale))

    def lasting(self, prefix: str, locale: str, **values: Hashable) -> str:
        """Return what `render` does; it is remembered, since the values are the same in turn after turn.

        Raises:
            PromptError: as `render`.
        """
        return self._lasting(prefix, locale, tuple(values.items()))

    def _rendered(self, prefix: str, locale: str, values: tuple[tuple[str, Hashable], ...]) -> str:
        return self.render(prefix, locale, **dict(values))

    def _first_of(self, prefix: str, locale: str) -> str:
        wanted = [f"{prefix}-{tag}" for tag in candidates(locale, self._default)]
        for name in wanted:
            if name in self._sources:
                return name
        raise PromptError(f"no prompt template named {' or '.join(wanted)}")

    def render(self, prefix: str, locale: str, **values: object) -> str:
        """Return the filled-in template, without blank space around it.

        Raises:
            PromptError: no such template, or a value it needs was not given.
        """
        name = self.find(prefix, locale)
        try:
            return self._environment.get_template(name).render(values).strip()
        except UndefinedError as error:
            raise PromptError(f"prompt template '{name}': {error.message}") from error
        except TemplateSyntaxError as error:
            raise PromptError(f"prompt template '{name}', line {error.lineno}: {error.message}") from error
        except TemplateError as error:
            raise PromptError(f"prompt template '{name}': {error.message}") from error
        except (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
            raise PromptError(f"prompt template '{name}': {error or type(error).__name__}") from error
