"""Which language the command line speaks."""

import os
from collections.abc import Mapping
from pathlib import Path

from core.values import Locale

VARIABLE = "YORISOI_OPERATOR_LANGUAGE"


def operator_language(environment: Mapping[str, str] = os.environ, env_file: Path = Path(".env")) -> Locale:
    """Return the language that is set for the operator, else that of the environment, else English.

    It is needed before the settings are read, and where they can't be: a value that is no language is passed over here.
    """
    chosen = environment.get(VARIABLE) or _in_file(env_file)
    return _locale(chosen) or environment_locale(environment) or Locale.EN


def environment_locale(environment: Mapping[str, str]) -> Locale | None:
    """Return the language of LC_ALL, LC_MESSAGES or LANG, whichever counts; None for another one or none."""
    value = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return _locale(value.partition("_")[0].partition(".")[0].lower())


def _locale(name: str) -> Locale | None:
    return Locale(name) if name in set(Locale) else None


def _in_file(path: Path) -> str:
    try:
        if VARIABLE not in path.read_text("utf-8"):
            return ""
        from dotenv import dotenv_values  # noqa: PLC0415 - every start comes by here

        return dotenv_values(path).get(VARIABLE) or ""
    except (OSError, UnicodeDecodeError):  # no such file; or one that the settings will complain about
        return ""
