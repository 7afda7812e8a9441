"""In everything a prompt is made of, only the note before the newest message states or implies a time."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from core.facts.capsule.rendering import TEMPLATE, render_capsule
from core.facts.world import time_in_words
from core.values import Locale
from data.packs.loader import SHIPPED, load_pack
from prompts.loader import PromptLibrary
from tests.unit.facts.capsule.states import all_states

CLOCK = re.compile(
    r"\d{1,2}\s*[:：]\s*\d\d(?:\s?[AP]M)?|\b\d{1,2}\s*[ap]\.?m\b|o['’]clock|\bnoon\b(?<!around noon)|\bmidnight\b"
    r"|\b(?:half|quarter) (?:past|to)\b|[\d〇零一二三四五六七八九十]時(?!間)|正午|零時",
    re.IGNORECASE,
)
DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\d月|\d日(?!くらい|ほど|間)|[月火水木金土日]曜|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
    r"|\b(?:January|February|March|April|June|July|August|September|October|November|December)\b"
)
PART_OF_DAY = re.compile(
    r"\b(?:morning|noon|afternoon|evening|night|midnight|dawn|dusk|daytime)\b"
    r"|午前|午後|早朝|今朝|毎朝|朝|昼|夕方|夕べ|夜|深夜|未明",
    re.IGNORECASE,
)
RELATIVE_DAY = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|this (?:morning|week|month|year))\b"
    r"|今日|きょう|本日|今夜|今晩|明日|あした|昨日|きのう|今週|今月|今年",
    re.IGNORECASE,
)
KINDS = (CLOCK, DATE, PART_OF_DAY, RELATIVE_DAY)
# Parts of names of variables through which a time could enter.
TIME_NAMES = re.compile(
    r"now|clock|time|date|hour|minute|weekday|schedul|activit|start|sent_at|since|ago|until|capsule"
)


# How long ago a message of the past was written, in words: no clock, and nothing of the present.
LENGTHS = {"ago"}


class Anything(str):
    """Stands for any value of any template; nothing it says is a time."""

    __slots__ = ()

    def __getattr__(self, name: str) -> "Anything":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: object, **__: object) -> "Anything":
        return self

    def __iter__(self) -> Iterator["Anything"]:
        return iter([self, self])


def _library() -> PromptLibrary:
    return PromptLibrary.load()


def _source(name: str) -> str:
    return (Path("prompts") / f"{name}.txt").read_text("utf-8")


def other_templates() -> list[str]:
    return sorted(name for name in _library().names if not name.startswith(TEMPLATE))


def _statements(text: str) -> list[str]:
    return [match.group() for kind in KINDS for match in kind.finditer(text)]


def _names_in(tree: nodes.Template) -> set[str]:
    variables = {node.name for node in tree.find_all(nodes.Name)}
    return variables | {node.attr for node in tree.find_all(nodes.Getattr)}


def render_with_anything(library: PromptLibrary, name: str) -> str:
    prefix, _, locale = name.rpartition("-")
    values = {node.name: Anything("■") for node in _tree(name).find_all(nodes.Name) if node.ctx == "load"}
    return library.render(prefix, locale, **values)


def _tree(name: str) -> nodes.Template:
    return Environment(autoescape=False).parse(_source(name))


@pytest.mark.parametrize("name", other_templates())
def test_no_other_template_says_a_time_in_any_of_its_branches(name: str) -> None:
    assert _statements(_source(name)) == []


@pytest.mark.parametrize("name", other_templates())
def test_no_other_template_takes_a_time(name: str) -> None:
    assert {found for found in _names_in(_tree(name)) - LENGTHS if TIME_NAMES.search(found)} == set()


@pytest.mark.parametrize("locale", Locale)
def test_the_note_has_one_clock_and_the_rest_of_the_prompt_none(locale: Locale) -> None:
    library = _library()
    rest = "\n".join(render_with_anything(library, name) for name in other_templates() if name.endswith(f"-{locale}"))
    for state, capsule in all_states().items():
        note = render_capsule(capsule, library, locale)
        assert CLOCK.findall(note) == [time_in_words(capsule.world.now, locale)], state
        assert _statements(f"{rest}\n{note}") == _statements(note), state


@pytest.mark.parametrize("locale", Locale)
def test_the_shipped_personalities_say_no_time(locale: Locale) -> None:
    for folder in SHIPPED.iterdir():
        character = load_pack(folder).character
        assert _statements(character.personality[locale] + character.display_name[locale]) == []


@pytest.mark.parametrize(
    "text",
    [
        "いまは14:30。",
        "もう三時だよ",
        "It is half past two.",
        "Good morning!",
        "今日は休み",
        "It's Monday",
        "2026",
        "11月",
    ],
)
def test_a_time_in_a_template_would_be_found(text: str) -> None:
    assert _statements(text)
