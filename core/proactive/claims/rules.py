"""The rules of what a text said first may not claim, read from the two data files beside this one."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from core.proactive.claims.types import ClaimName

_MACRO = re.compile(r"<<(\w+)>>")
_NOTHING = re.compile(r"(?!)")
LOCALES = ("ja", "en")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClaimRule:
    """One rule: a pattern and where it counts; the data files say how to read them.

    `asks`: only in questions (true) or only in statements (false).
    """

    id: str
    claim: ClaimName
    pattern: re.Pattern[str]
    unless: re.Pattern[str]
    asks: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRules:
    """The rules of a language.

    `script`: a sentence of the language has one of these letters. `tag` ends a question that expects to be agreed
    with: it claims what it asks. `harmless`: what the predicates of times and doings find and is none.
    """

    script: re.Pattern[str]
    tag: re.Pattern[str]
    harmless: re.Pattern[str]
    rules: tuple[ClaimRule, ...]


@cache
def claim_rules(locale: str) -> ClaimRules:
    """Read the rules of a language."""
    data = tomllib.loads(files("core.proactive.claims").joinpath(f"claims_{locale}.toml").read_text("utf-8"))
    macros: Mapping[str, str] = data["macros"]
    return ClaimRules(
        script=re.compile(data["script"]),
        tag=_compiled(data["tag"], macros),
        harmless=_compiled(data["harmless"], macros),
        rules=tuple(_rule(locale, table, macros) for table in data["rules"]),
    )


def _rule(locale: str, table: Mapping[str, Any], macros: Mapping[str, str]) -> ClaimRule:
    return ClaimRule(
        id=f"{locale}.{table['id']}",
        claim=ClaimName(table["claim"]),
        pattern=_compiled(table["pattern"], macros),
        unless=_compiled(table["unless"], macros) if "unless" in table else _NOTHING,
        asks=None if "in" not in table else table["in"] == "question",
    )


def _compiled(pattern: str, macros: Mapping[str, str]) -> re.Pattern[str]:
    while _MACRO.search(pattern):
        pattern = _MACRO.sub(lambda match: macros[match.group(1)], pattern)
    return re.compile(pattern)
