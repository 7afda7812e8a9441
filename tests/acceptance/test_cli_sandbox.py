"""`yorisoi sandbox` as a process: what it shows, where it refuses, and that it leaves no trace however it ends."""

import asyncio
import hashlib
import json
import signal
from pathlib import Path

import pytest

from bot.terminal.identity import terminal_surface
from data.sandbox import FOLDER
from tests.acceptance.program import PROGRAM, clean_environment, run
from tests.model_server.script import Answer, Behaviour, Hang
from tests.model_server.server import ModelServer, model_server

pytestmark = pytest.mark.acceptance

_SECONDS = 90

STAGING = {"YORISOI_ENVIRONMENT": "staging"}
ASKING = ("sandbox", "compare", "draft.toml", "--json")
DRAFT = """
title = "A question"
at = 2026-11-30T16:08:00+09:00
messages = ["kettle"]
repetitions = 2
[base]
model = "mine"
[[variants]]
name = "now"
[[variants]]
name = "bare"
facts = "none"
"""


def fingerprint(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


async def lived_in(folder: Path) -> None:
    """Leave a database behind as a chat does, and a draft beside it."""
    async with model_server() as server:
        server.respond = lambda _: Answer(text="Hello you.")
        done = await run("chat", folder=folder, typed="I keep bees\n", **settings(server))
    assert done.code == 0
    (folder / "draft.toml").write_text(DRAFT, "utf-8")


def settings(server: ModelServer) -> dict[str, str]:
    entry = {"base_url": server.url, "model": "mine", "api_key": "k"}
    return {**STAGING, "YORISOI_BALANCED_MODELS": json.dumps([entry])}


async def interrupted(folder: Path, server: ModelServer, number: signal.Signals, *, after: int) -> tuple[int, str]:
    """Run a comparison, and send it a signal once the model was asked so often; return its code and its output."""
    process = await asyncio.create_subprocess_exec(
        PROGRAM,
        *ASKING,
        cwd=folder,
        env=clean_environment(folder, **settings(server)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    await asyncio.wait_for(server.wait_for_requests(after), _SECONDS)
    process.send_signal(number)
    out, _ = await asyncio.wait_for(process.communicate(), _SECONDS)
    return process.returncode or 0, out.decode()


async def test_nothing_is_left_behind_however_it_ends(tmp_path: Path) -> None:
    await lived_in(tmp_path)
    before = fingerprint(tmp_path)
    assert "yorisoi-data/yorisoi.db" in before
    script: list[Behaviour] = []
    async with model_server() as server:
        server.respond = lambda _: script.pop(0) if script else Answer(text="It is on.")

        done = await run(*ASKING, folder=tmp_path, **settings(server))
        assert (done.code, json.loads(done.out)["complete"]) == (0, True)
        assert fingerprint(tmp_path) == before, "after a success"

        draft = tmp_path / "draft.toml"
        draft.write_text(DRAFT + "[budget]\nanswers = 1\n", "utf-8")
        done = await run(*ASKING, folder=tmp_path, **settings(server))
        assert (done.code, json.loads(done.out)["stopped"]) == (1, "answers")
        draft.write_text(DRAFT, "utf-8")
        assert fingerprint(tmp_path) == before, "after the budget was used up"

        script[:] = [Answer(text="It is on."), Hang()]
        code, out = await interrupted(tmp_path, server, signal.SIGINT, after=len(server.requests) + 2)
        assert code == 130
        told = json.loads(out)
        assert (told["stopped"], told["samples"]["made"]) == ("cancelled", 1)
        assert fingerprint(tmp_path) == before, "after Ctrl-C"

        script[:] = [Hang()]
        code, _ = await interrupted(tmp_path, server, signal.SIGKILL, after=len(server.requests) + 1)
        assert code == -signal.SIGKILL
        assert fingerprint(tmp_path) == before, "after a kill"

    done = await run(*ASKING, folder=tmp_path, **settings(server))
    assert done.code == 1
    assert json.loads(done.out)["variants"][0]["failed"] == 2
    assert fingerprint(tmp_path) == before, "after a failure of the model"


async def test_a_real_conversation_is_compared_and_its_turn_made_a_draft(tmp_path: Path) -> None:
    await lived_in(tmp_path)
    channel = terminal_surface("hinata").channel_id
    text = DRAFT.replace("at = 2026-11-30T16:08:00+09:00", "") + f"[conversation]\nchannel_id = {channel}\n"
    (tmp_path / "draft.toml").write_text(text, "utf-8")
    before = fingerprint(tmp_path)
    async with model_server() as server:
        done = await run(*ASKING, folder=tmp_path, **settings(server))
    assert done.code == 0
    sample = json.loads(done.out)["variants"][0]["samples"][0]
    prompt = sample["turns"][0]["attempts"][0]["prompt"]
    assert [message["text"] for message in prompt[1:3]] == ["I keep bees", "Hello you."]
    assert fingerprint(tmp_path) == before

    listed = await run("sandbox", "turns", "--json", folder=tmp_path)
    (turn,) = json.loads(listed.out)
    assert (turn["outcome"], turn["character"]) == ("answered", "hinata")
    done = await run("sandbox", "from-trace", turn["id"], folder=tmp_path)
    assert done.code == 0
    assert 'messages = ["I keep bees"]' in done.out
    assert fingerprint(tmp_path) == before


async def test_production_refuses_and_makes_nothing(tmp_path: Path) -> None:
    done = await run("sandbox", "compare", "16-08-ja", folder=tmp_path)
    assert done.code == 2
    assert "YORISOI_ENVIRONMENT=staging" in done.err
    assert fingerprint(tmp_path) == {}


async def test_the_incident_is_reproduced_saved_and_run_as_a_case(tmp_path: Path) -> None:
    shipped = await run("sandbox", "compare", "16-08-en", "--html", "page.html", folder=tmp_path, **STAGING)
    assert shipped.code == 0
    assert "time.contradiction" in shipped.out
    assert (tmp_path / "page.html").read_text("utf-8").startswith("<!doctype html>")
    assert not (tmp_path / "yorisoi-data").exists()

    text = (FOLDER / "16-08-en.toml").read_text("utf-8")
    (tmp_path / "mine.toml").write_text(text[: text.index("[case]")], "utf-8")
    saved = await run("sandbox", "compare", "mine.toml", "--save-case", "the-nap", folder=tmp_path, **STAGING)
    assert saved.code == 0, saved.err
    done = await run("eval", "sandbox", "--json", folder=tmp_path)
    assert done.code == 0
    assert [Path(one["case"]).stem for one in json.loads(done.out)] == ["16-08-en", "16-08-ja", "the-nap"]

    case = tmp_path / "yorisoi-data" / "sandbox-cases" / "the-nap.toml"
    case.write_text(case.read_text("utf-8").replace("past four", "past five").replace("4:08 PM", "x"), "utf-8")
    done = await run("eval", "sandbox", folder=tmp_path)
    assert done.code == 1
    assert "FAILED  the-nap" in done.out
    assert "capsule is not good any more" in done.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("sandbox", "compare", "nothing"), "There are: 16-08-en, 16-08-ja."),
        (("sandbox", "compare", "16-08-ja", "--model", "x"), "There is no model 'x'"),
        (("sandbox", "from-trace", "x"), "there is no database there"),
    ],
)
async def test_what_goes_wrong_is_said_in_words(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    done = await run(*arguments, folder=tmp_path, **STAGING)
    assert done.code in {1, 2}
    assert told in done.err
    assert "Traceback" not in done.err
