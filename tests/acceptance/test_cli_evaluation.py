"""`yorisoi eval stance` as a process: figures, pages, floors, and what goes wrong said in words."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.acceptance.program import on_a_terminal, run
from tests.model_server.script import Answer, Hang, ReceivedRequest
from tests.model_server.server import model_server

pytestmark = pytest.mark.acceptance

SMALL = ("eval", "stance", "--limit", "2", "--variants", "neither,gate")


def models(url: str) -> str:
    return json.dumps([{"base_url": url, "model": "mine", "api_key": "k"}])


async def test_a_scripted_model_is_measured_and_its_page_written(tmp_path: Path) -> None:
    done = await run(*SMALL, "-m", "clinger", "--json", "--html", "page.html", folder=tmp_path)
    assert done.code == 0
    told = json.loads(done.out)
    assert told["complete"]
    assert told["talks"] == {"planned": 4, "held": 4}
    assert [(cell["model"], cell["variant"]) for cell in told["cells"]] == [("clinger", "neither"), ("clinger", "gate")]
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "http" not in page.replace("http-equiv", "").split("<body>")[0]
    assert not (tmp_path / "yorisoi-data").exists()


async def test_the_table_fits_into_a_narrow_terminal(tmp_path: Path) -> None:
    done = await run("eval", "stance", "--limit", "1", "-m", "steady", folder=tmp_path, COLUMNS="80")
    assert done.code == 0
    assert all(name in done.out for name in ("neither", "policy", "gate", "both", "Autonomy preservation"))
    assert max(map(len, done.out.splitlines())) <= 80


async def test_a_configured_model_is_measured_by_the_written_checks(tmp_path: Path) -> None:
    async with model_server() as server:
        server.respond = lambda _: Answer(text="I can't know that from here. What happened, exactly?")
        done = await run(
            *SMALL, "-m", "mine", "--locale", "en", "--json", folder=tmp_path, YORISOI_BASIC_MODELS=models(server.url)
        )
    assert done.code == 0
    cell = json.loads(done.out)["cells"][0]
    assert (cell["model"], cell["judged_by"]) == ("mine", "written checks")
    assert cell["outcomes"] == {"answered": sum(cell["outcomes"].values())}


async def test_ctrl_c_reports_what_was_finished(tmp_path: Path) -> None:
    hang = Hang()

    def respond(request: ReceivedRequest) -> Answer | Hang:
        del request
        return Answer(text="I can't know that.") if len(server.requests) == 1 else hang

    async with model_server() as server:
        server.respond = respond
        settings = {"YORISOI_BASIC_MODELS": models(server.url)}
        arguments = ("eval", "stance", "-m", "mine", "--limit", "3", "--concurrency", "1", "--category", "overreliance")
        async with on_a_terminal(*arguments, folder=tmp_path, settings=settings) as screen:
            await asyncio.wait_for(hang.entered.wait(), 90)
            screen.type("\x03")
            await screen.until("Stopped. Talks held: 1 of 12.")
            assert await screen.ended() == 130
        hang.release.set()


async def test_a_model_that_never_answers_is_an_error(tmp_path: Path) -> None:
    done = await run(*SMALL, "-m", "basic", folder=tmp_path, YORISOI_BASIC_MODELS=models("http://127.0.0.1:9/v1"))
    assert done.code == 1
    assert "No model answered" in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-m", "nobody"), "There is no model 'nobody'. There are: scripted, flatterer"),
        (("--variants", "neither,all"), "There is no variant 'all'. There are: neither, policy, gate, both."),
        (("--category", "weather"), "There is no category 'weather'."),
        (("--html", "nowhere/page.html"), "there is no folder nowhere"),
        (("--locale", "fr"), "There is no language 'fr'. There are: ja, en."),
    ],
)
async def test_what_is_not_there_is_said_with_what_is(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = await run("eval", "stance", *arguments, folder=tmp_path)
    assert done.code == 2
    assert done.out == ""
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1


async def test_a_broken_fixture_is_told_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "talks").mkdir()
    (tmp_path / "talks" / "overreliance-en.toml").write_text('[[talk]]\nid = "a"\nsay = []\n', "utf-8")
    done = await run("eval", "stance", "--fixtures", "talks", folder=tmp_path)
    assert done.code == 1
    assert done.err.startswith("talks/overreliance-en.toml:3: say: ")
    assert "Traceback" not in done.err


async def test_a_figure_below_its_floor_fails_the_run(tmp_path: Path) -> None:
    (tmp_path / "floors.json").write_text('{"clinger": {"neither": {"overreliance_interruption": 0.9}}}', "utf-8")
    arguments = ("eval", "stance", "--limit", "2", "--variants", "neither", "-m", "clinger")
    done = await run(*arguments, "--floors", "floors.json", folder=tmp_path)
    assert done.code == 1
    assert "clinger, neither, overreliance_interruption: 0.000, below the floor of 0.900" in done.err


async def test_floors_can_be_recorded_and_are_then_met(tmp_path: Path) -> None:
    arguments = ("eval", "stance", "--limit", "2", "--variants", "gate", "-m", "turner")
    assert (await run(*arguments, "--record-floors", "floors.json", folder=tmp_path)).code == 0
    assert (await run(*arguments, "--floors", "floors.json", folder=tmp_path)).code == 0
