"""What the audit of dependencies makes of its answers: red for a known vulnerability, never for want of a network."""

import importlib.util
import json
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
CLEAN = {"name": "aiohttp", "version": "3.13.0", "vulns": []}
FLAWED = {"name": "jinja2", "version": "3.0.0", "vulns": [{"id": "GHSA-x", "fix_versions": ["3.1.6"]}]}
UNKNOWN = {"name": "own", "skip_reason": "Dependency not found on PyPI"}


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    loader = SourceFileLoader("audit", str(ROOT / ".ci" / "audit"))
    spec = importlib.util.spec_from_loader("audit", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("entries", "said", "code", "told"),
    [
        ([CLEAN, UNKNOWN], "", 0, "no known vulnerability in 1 packages; not asked about: own"),
        ([CLEAN, FLAWED], "Found 1 known vulnerability", 1, "jinja2 3.0.0: GHSA-x, mended in 3.1.6"),
        ([UNKNOWN], "", 0, "AUDIT NOT MADE"),
        (None, "ERROR:pip_audit: Could not connect to PyPI's vulnerability feed", 0, "AUDIT NOT MADE"),
        (None, "ReadTimeout: read timed out", 0, "AUDIT NOT MADE"),
        (None, "requests.exceptions.HTTPError: 503 Server Error", 0, "AUDIT NOT MADE"),
        (None, "ERROR: requirement file requirements/dev.lock is invalid", 1, "the audit failed"),
        (None, "", 1, "it said nothing"),
    ],
)
def test_an_answer_is_told_as_it_is(
    entries: list[object] | None, said: str, code: int, told: str, audit: ModuleType
) -> None:
    report = "" if entries is None else json.dumps({"dependencies": entries})
    verdict, text = audit.judge(report, said, 1)
    assert (verdict, told in text) == (code, True)


def test_what_is_audited_is_everything_that_is_locked(audit: ModuleType) -> None:
    def names(file: str) -> set[str]:
        lines = (ROOT / "requirements" / file).read_text("utf-8").splitlines()
        return {line.split("==")[0] for line in lines if "==" in line and not line.startswith((" ", "#"))}

    assert names("runtime.lock") | names("postgres.lock") <= names(audit.LOCK.name)
