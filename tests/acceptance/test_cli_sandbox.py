"""`yorisoi sandbox` on the command line: what it shows, where it refuses, and that it leaves no trace however it ends.

Two processes are started, to be interrupted and to be killed; all else is run as the command does, in this one.
"""

import asyncio
import hashlib
import json
import signal
import socket
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.cli.program import run as command
from bot.report.sandbox_results import read
from core.ports import ArchiveEntry
from core.turn.trace import TraceRecord, TraceStep, TurnOutcome
from core.values import ConversationKey, Surface, SurfaceKind
from data.sandbox import FOLDER
from data.stores import open_stores
from tests.acceptance.program import clean_environment
from tests.acceptance.spawning import spawn
from tests.fakes.stores import casefolded_words
from tests.model_server.script import Answer, Hang
from tests.model_server.server import model_server

pytestmark = pytest.mark.acceptance

_SECONDS = 120
KEY = ConversationKey("hinata", 50)
TURN = "a" * 20
DRAFT = """
title = "A question"
messages = ["kettle"]
repetitions = 2
[conversation]
channel_id = 50
[base]
model = "mine"
[[variants]]
name = "now"
[[variants]]
name = "bare"
facts = "none"
"""
SCRIPTED = DRAFT.replace('"mine"', '"scripted"') + '[[script]]\nsay = ["It is on."]\n'

Run = Callable[..., tuple[int, str, str]]


def fingerprint(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def entry(number: int, text: str, *, own: bool = False) -> ArchiveEntry:
    return ArchiveEntry(
        conversation=KEY,
        surface=Surface(kind=SurfaceKind.DM, channel_id=50),
        message_id=number,
        author_id=0 if own else 9,
        author_name="Hinata" if own else "Aki",
        is_self=own,
        text=text,
        sent_at=datetime(2026, 11, 30, 7, number, tzinfo=UTC),
    )


async def lived_in(database: Path) -> None:
    async with open_stores(database, casefolded_words) as stores:
        await stores.archive.add([entry(1, "I keep bees"), entry(2, "Hello you.", own=True)])
        record = TraceRecord(
            turn_id=TURN,
            at=datetime(2026, 11, 30, 7, 1, tzinfo=UTC),
            conversation=KEY,
            user_id=9,
            message_ids=(1,),
            reply_ids=(2,),
            outcome=TurnOutcome.ANSWERED,
            model="m",
            steps=(TraceStep("check.time", "found", ("time.contradiction",)),),
        )
        await stores.traces.add(record)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a database in it."""
    folder = tmp_path / "yorisoi-data"
    folder.mkdir()
    asyncio.run(lived_in(folder / "yorisoi.db"))
    return tmp_path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process; returns its exit code and what it wrote."""
    monkeypatch.chdir(tmp_path)
    for name, value in clean_environment(tmp_path).items():
        monkeypatch.setenv(name, value)

    def run(*arguments: str, environment: str = "staging", **settings: str) -> tuple[int, str, str]:
        with monkeypatch.context() as patch:
            for name, value in {"YORISOI_ENVIRONMENT": environment, **settings}.items():
                patch.setenv(name, value)
            capsys.readouterr()
            code = command(arguments)
            written = capsys.readouterr()
        return code, written.out, written.err

    return run


def models(url: str) -> Mapping[str, str]:
    return {"YORISOI_BALANCED_MODELS": json.dumps([{"base_url": url, "model": "mine", "api_key": "k"}])}


def nobody() -> str:
    """The address of a model that isn't there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


def test_nothing_is_left_behind_when_it_is_done_over_budget_or_without_an_answer(home: Path, here: Run) -> None:
    draft = home / "draft.toml"
    for text, code, stopped, made, failed in (
        (SCRIPTED, 0, None, 4, 0),
        (SCRIPTED + "[budget]\nanswers = 1\n", 1, "answers", 1, 0),
        (DRAFT.replace("repetitions = 2", ""), 1, None, 2, 1),
    ):
        draft.write_text(text, "utf-8")
        before = fingerprint(home)
        assert "yorisoi-data/yorisoi.db" in before
        ended, out, err = here("sandbox", "compare", "draft.toml", "--json", **models(nobody()))
        assert ended == code, err
        told = json.loads(out)
        assert (told["stopped"], told["samples"]["made"]) == (stopped, made)
        assert told["variants"][0]["failed"] == failed
        prompt = told["variants"][0]["samples"][0]["turns"][0]["attempts"][0]["prompt"]
        assert [message["text"] for message in prompt[1:3]] == ["I keep bees", "Hello you."]
        assert fingerprint(home) == before


@pytest.mark.timeout(2 * _SECONDS)
@pytest.mark.parametrize(
    ("number", "answers"), [(signal.SIGINT, [Answer(text="It is on."), Hang()]), (signal.SIGKILL, [Hang()])]
)
def test_nothing_is_left_behind_when_it_is_interrupted_or_killed(
    home: Path, number: signal.Signals, answers: list[Answer | Hang]
) -> None:
    (home / "draft.toml").write_text(DRAFT, "utf-8")
    before = fingerprint(home)
    code, out = asyncio.run(ended_by(home, number, answers))
    if number is signal.SIGINT:
        told = json.loads(out)
        assert (code, told["stopped"], told["samples"]["made"]) == (130, "cancelled", 1)
    else:
        assert (code, out) == (-signal.SIGKILL, "")
    assert fingerprint(home) == before


async def ended_by(folder: Path, number: signal.Signals, answers: list[Answer | Hang]) -> tuple[int, str]:
    """Start a comparison and send it a signal once the model was asked as often as there are answers."""
    async with model_server() as server:
        server.script(*answers)
        process = await spawn(
            *("sandbox", "compare", "draft.toml", "--json"),
            cwd=folder,
            env=clean_environment(folder, YORISOI_ENVIRONMENT="staging", **models(server.url)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            await asyncio.wait_for(server.wait_for_requests(len(answers)), _SECONDS)
            process.send_signal(number)
            out, _ = await asyncio.wait_for(process.communicate(), _SECONDS)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    return process.returncode or 0, out.decode()


def test_a_turn_of_the_past_is_listed_and_becomes_a_draft_also_in_production(home: Path, here: Run) -> None:
    before = fingerprint(home)
    code, out, _ = here("sandbox", "turns", "--json", environment="production")
    assert (code, json.loads(out)[0]["id"], json.loads(out)[0]["broken"]) == (0, TURN, ["time.contradiction"])
    assert "bees" not in out
    code, out, _ = here("sandbox", "from-trace", TURN, environment="production")
    assert code == 0
    assert 'messages = ["I keep bees"]' in out
    assert fingerprint(home) == before

    assert here("sandbox", "from-trace", TURN, "--output", "mine.toml")[0] == 0
    code, _, err = here("sandbox", "from-trace", TURN, "--output", "mine.toml")
    assert code == 2
    assert "is there already" in err


def test_where_no_turn_is_kept_that_is_said(tmp_path: Path, here: Run) -> None:
    assert here("migrate")[0] == 0
    code, out, err = here("sandbox", "turns")
    assert (code, out) == (0, "")
    assert "No turn is kept" in err


def test_production_refuses_and_makes_nothing(tmp_path: Path, here: Run) -> None:
    code, _, err = here("sandbox", "compare", "16-08-ja", environment="production")
    assert code == 2
    assert "YORISOI_ENVIRONMENT=staging" in err
    assert fingerprint(tmp_path) == {}


def test_the_incident_is_reproduced_saved_and_run_as_a_case(tmp_path: Path, here: Run) -> None:
    code, out, _ = here("sandbox", "compare", "16-08-en", "--html", "page.html")
    assert code == 0
    assert "time.contradiction" in out
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!doctype html>")
    assert not (tmp_path / "yorisoi-data").exists()

    text = (FOLDER / "16-08-en.toml").read_text("utf-8")
    (tmp_path / "mine.toml").write_text(text[: text.index("[case]")], "utf-8")
    code, _, err = here("sandbox", "compare", "mine.toml", "--save-case", "the-nap", "--keep")
    assert code == 0, err
    (kept,) = (tmp_path / "yorisoi-data" / "sandbox-results").iterdir()
    assert "past four" not in kept.read_text("utf-8")
    assert [one.passed.total for one in read(kept).variants] == [1, 1]
    code, out, _ = here("eval", "sandbox", "--json", environment="production")
    assert code == 0
    assert [Path(one["case"]).stem for one in json.loads(out)] == ["16-08-en", "16-08-ja", "the-nap"]

    case = tmp_path / "yorisoi-data" / "sandbox-cases" / "the-nap.toml"
    case.write_text(case.read_text("utf-8").replace("past four", "past five").replace("4:08 PM", "x"), "utf-8")
    code, out, _ = here("eval", "sandbox", environment="production")
    assert code == 1
    assert "FAILED  the-nap" in out
    assert "capsule is not good any more" in out

    code, out, _ = here("eval", "sandbox", str(case), environment="production", YORISOI_OPERATOR_LANGUAGE="ja")
    assert (code, out) == (1, "失敗  the-nap\n        capsuleが良くなくなりました\n")


def test_the_results_are_in_the_operators_language_and_the_json_is_not(tmp_path: Path, here: Run) -> None:
    code, out, err = here("sandbox", "compare", "16-08-ja", "--html", "page.html", YORISOI_OPERATOR_LANGUAGE="ja")
    assert code == 0
    assert "割合には95%のウィルソン区間を添えています。" in out
    assert err.endswith("ページをpage.htmlに書き出しました。\n")
    assert '<html lang="ja">' in (tmp_path / "page.html").read_text("utf-8")

    broken = "[budget]\nanswers = 1\n"
    (tmp_path / "short.toml").write_text(SCRIPTED.replace("[conversation]\nchannel_id = 50\n", "") + broken, "utf-8")
    told = [
        here("sandbox", "compare", "short.toml", "--json", YORISOI_OPERATOR_LANGUAGE=language)
        for language in ("en", "ja")
    ]
    assert [code for code, _, _ in told] == [1, 1]
    assert [json.loads(out)["stopped"] for _, out, _ in told] == ["answers", "answers"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("compare", "nothing"), "There are: 16-08-en, 16-08-ja."),
        (("compare", "16-08-ja", "--model", "x"), "There is no model 'x'"),
        (("compare", "16-08-ja", "--html", "."), "is no file"),
        (("compare", "16-08-ja", "--html", "no/page.html"), "there is no folder no"),
        (("compare", "16-08-ja", "--save-case", "mine"), "is a case already"),
        (("from-trace", "x"), "there is no database there"),
    ],
)
def test_what_goes_wrong_is_said_in_words(tmp_path: Path, here: Run, arguments: tuple[str, ...], told: str) -> None:
    code, _, err = here("sandbox", *arguments)
    assert code in {1, 2}
    assert told in err
    assert fingerprint(tmp_path) == {}
