"""There is one stance policy, in `core/stance`: nothing else holds a rule, a word list or a threshold of its own."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
_WORDS = re.compile(r"third_party|sycophan|pushback|overrelian|reflective_support|mind_reading|high_stakes|StanceGate")
# What only carries it: the switches, what a session stores, the text of a help page.
_CARRIERS = {"bot/settings.py", "bot/stance.py", "bot/cli/inspections.py", "data/sessions.py"}


def sources() -> list[Path]:
    found = (path for package in ("bot", "core", "data", "scheduler") for path in (ROOT / package).rglob("*.py"))
    return [path for path in found if not path.is_relative_to(ROOT / "core" / "stance")]


def test_no_other_module_speaks_of_what_stance_is_made_of() -> None:
    speaking = {str(path.relative_to(ROOT)) for path in sources() if _WORDS.search(path.read_text("utf-8"))}
    assert speaking == _CARRIERS


@pytest.mark.parametrize("carrier", ["bot/settings.py", "bot/stance.py", "bot/stance_desk.py", "data/sessions.py"])
def test_those_who_carry_it_hold_no_rule(carrier: str) -> None:
    code = (ROOT / carrier).read_text("utf-8")
    assert not re.search(r"\.signal\b|\.gate\b|GuidanceStakes|RiskLevel|SupportMode", code)


def test_transports_ask_the_desk_and_nothing_behind_it() -> None:
    folders = (ROOT / "bot" / "discord", ROOT / "bot" / "terminal", ROOT / "scheduler")
    sources = {path: path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py")}
    knowing = {path.name for path, code in sources.items() if "stance" in re.sub(r"isinstance|instance", "", code)}
    assert knowing == {"client.py", "desk.py", "help.py", "stance.py", "tree.py"}
    assert not any(re.search(r"core\.stance|StancePolicy|\.judge\(|\.verify\(", code) for code in sources.values())
