"""Only core/clock.py reads the time: everything else takes a `Clock` or a `now`."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "core", "data", "prompts", "scheduler")
CLOCK = ROOT / "core" / "clock.py"
# What tells the time of a loop, whatever the loop is called.
_LOOPS = re.compile(r"(?:^|[._])(?:event_)?loop(?:\(\))?\.time$")
# SQL that reads the machine's clock.
_SQL_CLOCK = re.compile(r"current_(?:time|date|timestamp)|'now'|\b(?:unixepoch|julianday|now)\s*\(\s*\)", re.IGNORECASE)


@cache
def banned() -> frozenset[str]:
    """Return what ruff is told to refuse because it reads the time."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    rules = config["tool"]["ruff"]["lint"]["flake8-tidy-imports"]["banned-api"]
    return frozenset(name for name, rule in rules.items() if "reads the time" in rule["msg"])


def sources(suffix: str) -> list[Path]:
    return sorted(path for package in PACKAGES for path in (ROOT / package).rglob(f"*{suffix}"))


def readings(code: str) -> list[str]:
    """Return the names in a module that read the time, however they were imported."""
    tree = ast.parse(code)
    known = dict(_imported(tree))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            name = _dotted(node, known)
            if name in banned() or _LOOPS.search(name):
                found.append(name)
    return found


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                package = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (package, package)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _dotted(node: ast.expr, known: dict[str, str]) -> str:
    match node:
        case ast.Name():
            return known.get(node.id, node.id)
        case ast.Attribute():
            return f"{_dotted(node.value, known)}.{node.attr}"
        case ast.Call():
            return f"{_dotted(node.func, known)}()"
        case _:
            return "?"


def test_no_module_but_the_clock_reads_the_time() -> None:
    found = {
        str(path.relative_to(ROOT)): names
        for path in sources(".py")
        if path != CLOCK and (names := readings(path.read_text("utf-8")))
    }
    assert found == {}


def test_the_clock_itself_would_be_found() -> None:
    assert {"datetime.datetime.now", "time.monotonic"} <= set(readings(CLOCK.read_text("utf-8")))


@pytest.mark.parametrize(
    "code",
    [
        "import time\ntime.time_ns()",
        "import time as t\nt.perf_counter()",
        "from time import monotonic as m\nm()",
        "from time import time\nstamp = time",
        "import datetime\ndatetime.datetime.utcnow()",
        "import datetime as dt\ndt.date.today()",
        "from datetime import datetime\ndatetime.now(tz)",
        "import asyncio\nasyncio.get_running_loop().time()",
        "loop.time()",
        "self._loop.time()",
        "import discord\ndiscord.utils.utcnow()",
    ],
)
def test_every_way_to_read_the_time_is_found(code: str) -> None:
    assert readings(code)


@pytest.mark.parametrize(
    "code", ["clock.now()", "self.clock.monotonic()", "world.now.time()", "import time\ntime.sleep(1)", "time = 5"]
)
def test_a_clock_that_was_handed_in_is_no_reading(code: str) -> None:
    assert readings(code) == []


def test_no_query_reads_the_time() -> None:
    found = [path.name for path in sources(".sql") if _SQL_CLOCK.search(path.read_text("utf-8"))]
    assert sources(".sql")
    # Leases go by the clock of the database: it is the one clock that all processes on it share.
    assert found == ["leases.sql"]
