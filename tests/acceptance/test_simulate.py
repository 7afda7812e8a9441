"""`yorisoi simulate` as a process: a report on stdout, a page that needs nothing else, exit code 0 if all is well."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.acceptance.program import run

pytestmark = [pytest.mark.acceptance]

VIOLATIONS = {"quiet_hours", "caps", "gap", "lease", "window", "fingerprint", "consent", "double_send"}


class Page(HTMLParser):
    """What a browser would fetch, and the pictures."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.pictures: list[dict[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.fetched += [value or "" for name, value in attrs if name in {"src", "href"}]
        if tag == "svg":
            self.pictures.append(dict(attrs))


async def test_a_simulation_reports_and_draws(tmp_path: Path) -> None:
    page = tmp_path / "page.html"

    outcome = await run(
        "simulate", "--days", "2", "--users", "20", "--seed", "3", "--json", "--html", str(page), folder=tmp_path
    )

    assert (outcome.code, outcome.err) == (0, "")
    report = json.loads(outcome.out)
    assert list(report) == ["sent", "declined", "skipped", "failed", "unknown", "violations", "days", "users", "seed"]
    assert (report["days"], report["users"], report["seed"]) == (2, 20, 3)
    assert report["violations"] == dict.fromkeys(report["violations"], 0)
    assert report["violations"].keys() == VIOLATIONS
    assert report["sent"] > 0
    text = page.read_text("utf-8")
    drawn = Page(text)
    assert drawn.fetched == []
    assert not re.search(r"@import|url\(", text)
    assert "prefers-color-scheme: dark" in text
    assert len(drawn.pictures) == 2
    assert all(picture["role"] == "img" and picture["aria-labelledby"] for picture in drawn.pictures)


async def test_a_report_is_in_the_operators_language(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    asked = ("simulate", "--days", "1", "--users", "5", "--html", str(page))

    outcome = await run(*asked, folder=tmp_path, YORISOI_OPERATOR_LANGUAGE="ja")

    assert outcome.code == 0
    assert re.search(r"^規則違反\n  静かな時間 +0$", outcome.out, re.MULTILINE)
    assert '<html lang="ja">' in page.read_text("utf-8")


async def test_a_report_for_people_is_in_lines(tmp_path: Path) -> None:
    outcome = await run("simulate", "--days", "1", "--users", "5", folder=tmp_path)

    assert outcome.code == 0
    assert re.search(r"^Broken rules\n  quiet hours +0$", outcome.out, re.MULTILINE)
