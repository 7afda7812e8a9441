import asyncio
import io
import json
import re
import shutil
import stat
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from bot.pages.wording import Wording
from bot.sandbox.cases import CaseError, judge, require_case, save_case
from bot.sandbox.files import FileError
from bot.sandbox.marking import Piece, differences, marked
from bot.sandbox.page import render, write_page
from bot.sandbox.report import as_json
from bot.sandbox.table import show
from core.errors import ModelUnavailableError
from core.sandbox.draft import Case
from core.sandbox.draft_reading import hashed
from core.sandbox.records import Comparison, Stopped
from core.turn.checks.base import Finding, Severity
from core.turn.trace import TurnOutcome
from core.values import Locale
from data.sandbox import FOLDER
from prompts.messages import Messages
from tests.fakes.models import ScriptedModel
from tests.unit.bot.reading import english_in
from tests.unit.sandbox.stage import MINIMAL, PROMPTS, bench, compared, draft, shipped

MESSAGES = Messages.load()
ENGLISH, JAPANESE = WORDINGS = tuple(Wording("sandbox", MESSAGES, locale) for locale in (Locale.EN, Locale.JA))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def incident() -> Comparison:
    return asyncio.run(compared(bench(shipped("16-08-ja"))))


class Outline(HTMLParser):
    """Every start tag with its attributes, and the tags that were not closed."""

    VOID = frozenset({"meta", "br", "link", "input"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def test_the_page_fetches_nothing_and_runs_nothing(incident: Comparison) -> None:
    page = render(incident, ENGLISH, currency="USD")
    outline = Outline(page)
    assert not {"script", "link", "img", "iframe", "form"} & {tag for tag, _ in outline.tags}
    assert not re.search(r"https?://|url\(|@import", page)
    assert "default-src 'none'" in page


def test_the_page_is_well_formed_and_can_be_walked_without_eyes(incident: Comparison) -> None:
    outline = Outline(render(incident, ENGLISH, currency="USD"))
    assert outline.open == []
    assert outline.all("html") == [{"lang": "en"}]
    assert len(outline.all("h1")) == len(outline.all("main")) == 1
    assert all(cell.get("scope") for cell in outline.all("th"))
    ids = [attributes["id"] for _, attributes in outline.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    referred = [a[key] for _, a in outline.tags for key in ("aria-labelledby",) if key in a]
    assert set(referred) <= set(ids)
    levels = [int(tag[1]) for tag, _ in outline.tags if re.fullmatch(r"h\d", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert any(attributes.get("lang") == "ja" for attributes in outline.all("p"))


def test_the_page_has_both_sides_their_verdicts_and_what_differs(incident: Comparison) -> None:
    page = render(incident, ENGLISH, currency="USD")
    assert page.count('<article class="side" aria-label="Answer of ') == 2
    assert page.count('<article class="side" aria-label="Prompt of ') == 2
    assert '<mark title="time.contradiction">' in page
    assert "gate and guards found nothing" in page
    assert "Sent in its place" in page
    assert "<del>" in page
    assert "【今日の予定】" in page
    assert re.search(r"<ins>[^<]*note", page)
    assert "prefers-color-scheme: dark" in page
    assert "not decided" in page


def test_the_japanese_page_has_the_same_parts_and_no_english_text(incident: Comparison) -> None:
    english, japanese = (Outline(render(incident, wording, currency="USD")) for wording in WORDINGS)
    assert japanese.all("html") == [{"lang": "ja"}]
    assert [tag for tag, _ in japanese.tags] == [tag for tag, _ in english.tags]
    page = render(incident, JAPANESE, currency="USD")
    for told in (
        "数値",
        "返事とプロンプト",
        "最初の返事で合格",
        "最初の案との差（ポイント）",
        "差は不明",
        "代わりに送った返事",
    ):
        assert told in page
    assert english_in(page) == set()
    assert english_in(render(incident, ENGLISH, currency="USD"))


def test_the_japanese_table_has_no_english_text(incident: Comparison) -> None:
    told = shown(incident, JAPANESE)
    assert english_in(told) == set()
    assert {"案", "最初で合格", "期待どおり", "トークン", "時間", "差"} <= set(told.split())


@pytest.mark.parametrize("outcome", TurnOutcome)
def test_every_end_of_a_turn_has_words(outcome: TurnOutcome) -> None:
    english, japanese = (wording.outcome(outcome) for wording in WORDINGS)
    assert english.isascii()
    assert not japanese.isascii()


async def test_what_a_model_failed_of_is_told_in_the_language_of_the_page() -> None:
    error = ModelUnavailableError("no model of tier 'basic' answered: a at b: failing (HTTP 500)")
    comparison = await compared(bench(draft(), lambda _v, _r: ScriptedModel([error] * 4)))
    told = "返事なし（段階「basic」のどのモデルも応答しませんでした: a at b: エラーを返しています（HTTP 500））"
    assert told in render(comparison, JAPANESE, currency="USD")
    assert told in shown(comparison, JAPANESE, width=120)


async def test_what_models_and_people_wrote_can_not_break_out_of_the_page() -> None:
    evil = '</p><script>alert("x")</script>&amp;'
    of = draft(MINIMAL.replace('"What are you up to?"', f"'''{evil}'''").replace("A question", "<b>"))
    page = render(await compared(bench(of, lambda _v, _r: ScriptedModel([evil]))), ENGLISH, currency="USD")
    assert "<script" not in page
    assert "<title>&lt;b&gt;" in page
    assert "&amp;amp;" in page


async def test_a_stopped_comparison_says_so_everywhere() -> None:
    of = draft(f"repetitions = 2\n{MINIMAL}[budget]\nanswers = 1\n")
    comparison = await compared(bench(of, lambda _v, _r: ScriptedModel(["Fine."])))
    line = "Stopped: the budget of answers is used up. This is what was finished. Samples made: 1 of 4."
    assert line in render(comparison, ENGLISH, currency="USD")
    assert line in shown(comparison, width=120)
    told = as_json(comparison)
    assert (told["complete"], told["stopped"]) == (False, "answers")
    json.dumps(told)


async def test_a_model_that_fails_is_told_of_everywhere() -> None:
    models = {"now": ScriptedModel([ModelUnavailableError("gone away")] * 4), "changed": ScriptedModel(["Fine."])}
    comparison = await compared(bench(draft(), lambda v, _: models[v.name]))
    assert "no answer (gone away)" in render(comparison, ENGLISH, currency="USD")
    assert "no answer (gone away)" in shown(comparison)
    assert as_json(comparison)["variants"][0]["failed"] == 1


async def test_a_stopped_comparison_says_so_in_japanese() -> None:
    of = draft(f"repetitions = 2\n{MINIMAL}[budget]\nanswers = 1\n")
    comparison = await compared(bench(of, lambda _v, _r: ScriptedModel(["Fine."])))
    line = "返事の数の上限に達したので止めました。そこまでの結果です。4回のうち1回分です。"
    assert line in render(comparison, JAPANESE, currency="USD")
    assert line in shown(comparison, JAPANESE)


def shown(comparison: Comparison, wording: Wording = ENGLISH, *, width: int = 80) -> str:
    console = Console(width=width, record=True, file=io.StringIO(), highlight=False)
    show(comparison, console, wording)
    return console.export_text()


def test_the_table_fits_into_a_narrow_terminal(incident: Comparison) -> None:
    for wording in WORDINGS:
        lines = shown(incident, wording).splitlines()
        assert max(map(cell_len, lines)) <= 80
        assert any("legacy_clocks" in line for line in lines)
        assert "…" not in lines[2]


def test_the_json_has_prompts_answers_verdicts_and_intervals(incident: Comparison) -> None:
    told = as_json(incident)
    legacy, capsule = told["variants"]
    assert legacy["passed"] == {"count": 0, "total": 1, "share": 0.0, "low": 0.0, "high": 0.7935}
    attempt = legacy["samples"][0]["turns"][0]["attempts"][0]
    assert attempt["findings"][0]["rule"] == "time.contradiction"
    assert attempt["prompt"][0]["role"] == "system"
    assert capsule["good"]["count"] == 1
    assert capsule["decided"] is False
    assert len(told["draft"]) == len(told["snapshot"]) == 64


def test_a_page_is_readable_by_its_owner_alone(incident: Comparison, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("old", "utf-8")
    path.chmod(0o644)
    write_page(incident, path, ENGLISH, currency="USD")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["page.html"]
    with pytest.raises(FileError):
        write_page(incident, tmp_path / "missing" / "page.html", ENGLISH, currency="USD")
    for no_file in (tmp_path, Path("/dev/null")):
        with pytest.raises(FileError, match="is no file"):
            write_page(incident, no_file, ENGLISH, currency="USD")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
async def test_a_browser_draws_the_page_as_it_is_meant(incident: Comparison, tmp_path: Path) -> None:
    write_page(incident, tmp_path / "page.html", ENGLISH, currency="USD")
    process = await asyncio.create_subprocess_exec(
        str(CHROMIUM),
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        f"--user-data-dir={tmp_path / 'profile'}",
        "--virtual-time-budget=1000",
        "--window-size=1280,1200",
        f"--screenshot={tmp_path / 'page.png'}",
        (tmp_path / "page.html").as_uri(),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert b"Content Security Policy" not in errors
    assert (tmp_path / "page.png").stat().st_size > 20_000


def test_differences_are_found_word_by_word_in_both_languages() -> None:
    assert differences("It is nine now", "It is four now") == [
        Piece("same", "It is "),
        Piece("missing", "nine"),
        Piece("added", "four"),
        Piece("same", " now"),
    ]
    assert [piece.kind for piece in differences("いまは昼です", "いまは夜です")] == [
        "same",
        "missing",
        "added",
        "same",
    ]
    assert differences("a clock at nine\nend", "whatever else there is\nend") == [
        Piece("missing", "a clock at nine\n"),
        Piece("added", "whatever else there is\n"),
        Piece("same", "end"),
    ]
    assert differences("rules\nclock\nten", "rules") == [Piece("same", "rules\n"), Piece("missing", "clock\nten")]
    assert differences("", "") == []
    assert differences("", "new") == [Piece("added", "new")]
    assert differences("same", "same") == [Piece("same", "same")]


def test_findings_that_overlap_or_reach_beyond_the_text_are_marked_where_they_are() -> None:
    findings = [Finding("a", Severity.REPAIR, 0, 4), Finding("b", Severity.REPAIR, 2, 99)]
    parts = list(marked("abcdefg", findings))
    assert [(part.text, part.rules) for part in parts] == [("ab", ("a",)), ("cd", ("a", "b")), ("efg", ("b",))]


def source(tmp_path: Path, ending: str = "toml") -> Path:
    text = (FOLDER / "16-08-ja.toml").read_text("utf-8")
    path = tmp_path / f"mine.{ending}"
    path.write_text(text[: text.index("[case]")], "utf-8")
    return path


async def test_a_verified_draft_becomes_a_case_that_holds(tmp_path: Path) -> None:
    of = draft(source(tmp_path).read_text("utf-8"))
    path = save_case(source(tmp_path), await compared(bench(of)), "the-nap", tmp_path / "cases", PROMPTS)
    kept = draft(path.read_text("utf-8"))
    assert kept.case == Case(holds=("capsule",), shows=("legacy",))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert judge(path, await compared(bench(kept)), kept.case, scripted=True).passed


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda c: replace(c, stopped=Stopped.CANCELLED), "not finished"),
        (lambda c: replace(c, samples=c.samples[1:]), "had the fault"),
        (lambda c: replace(c, draft=replace(c.draft, at=None)), "needs a moment"),
        (lambda c: replace(c, draft=replace(c.draft, case=Case(holds=(), shows=()))), "a case already"),
    ],
)
async def test_what_shows_nothing_becomes_no_case(tmp_path: Path, change: object, why: str) -> None:
    comparison = await compared(bench(draft(source(tmp_path).read_text("utf-8"))))
    assert callable(change)
    with pytest.raises(CaseError, match=why):
        save_case(source(tmp_path), change(comparison), "the-nap", tmp_path / "cases", PROMPTS)
    assert not (tmp_path / "cases").exists()


async def test_a_case_is_not_written_over_nor_outside_its_folder(tmp_path: Path) -> None:
    comparison = await compared(bench(draft(source(tmp_path).read_text("utf-8"))))
    save_case(source(tmp_path), comparison, "the-nap", tmp_path, PROMPTS)
    with pytest.raises(CaseError, match="there already"):
        save_case(source(tmp_path), comparison, "the-nap", tmp_path, PROMPTS)
    with pytest.raises(CaseError, match="can't name a case"):
        save_case(source(tmp_path), comparison, "../the-nap", tmp_path, PROMPTS)

    of = draft(MINIMAL.replace("at = 2026-11-30T16:08:00+09:00", ""))
    with pytest.raises(CaseError, match="`at`"):  # before anything is run
        require_case(source(tmp_path), of, "another", tmp_path)


async def test_a_case_is_what_was_run(tmp_path: Path) -> None:
    ran = await compared(bench(draft(source(tmp_path).read_text("utf-8"))))
    other = tuple(replace(variant, model="balanced") for variant in ran.draft.variants)
    asked_another = replace(ran, draft=hashed(replace(ran.draft, variants=other)))
    with pytest.raises(CaseError, match="is not what was run"):
        save_case(source(tmp_path), asked_another, "the-nap", tmp_path / "cases", PROMPTS)

    more = replace(ran, draft=hashed(replace(ran.draft, repetitions=9)))
    assert save_case(source(tmp_path), more, "more", tmp_path / "cases", PROMPTS).is_file()


async def test_a_draft_that_can_not_be_added_to_is_told_of(tmp_path: Path) -> None:
    ran = await compared(bench(draft(source(tmp_path).read_text("utf-8"))))
    braces = tmp_path / "mine.yaml"
    braces.write_text('{"title": "t"}', "utf-8")
    with pytest.raises(CaseError, match="line by line"):
        save_case(braces, ran, "the-nap", tmp_path / "cases", PROMPTS)
    assert not (tmp_path / "cases").exists()


async def test_a_case_that_does_not_hold_any_more_says_which_variant(tmp_path: Path) -> None:
    of = draft(MINIMAL)
    comparison = await compared(bench(of, lambda _v, _r: ScriptedModel(["It's nine in the morning."])))
    found = judge(tmp_path / "x.toml", comparison, Case(holds=("changed",), shows=("now",)), scripted=True)
    assert found.broken == ("changed is not good any more",)
    better = await compared(bench(of, lambda _v, _r: ScriptedModel(["Resting."])))
    case = Case(holds=("changed",), shows=("now",))
    assert judge(tmp_path / "x.toml", better, case, scripted=True).broken == ("now does not show the fault any more",)
    assert judge(tmp_path / "x.toml", better, case, scripted=False).passed
