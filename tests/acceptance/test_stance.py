"""Stance integrity in the real program: what never reaches the disk, and the lines of inspect."""

import asyncio
import json
import os
import signal
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.acceptance.program import clean_environment, run
from tests.acceptance.spawning import Spawned, spawn
from tests.model_server.script import Answer
from tests.model_server.server import model_server

pytestmark = pytest.mark.acceptance

ALL_ON = {
    "YORISOI_ENABLE_REFLECTIVE_SUPPORT_SIGNAL": "true",
    "YORISOI_ENABLE_STANCE_INTEGRITY_POLICY": "true",
    "YORISOI_ENABLE_STANCE_INTEGRITY_GATE": "true",
    "YORISOI_ENABLE_STANCE_INERTIA_STATE": "true",
    "YORISOI_LOG_LEVEL": "debug",
}
HURT = "彼って私のこと嫌いなのかな。金曜の夜から既読がつかない"
ANSWER = "待つ夜は長いよね、ここで聞いているよ。"
CASUAL = "今日は図書館に行ったよ"
SECRETS = ("嫌いなのかな", "金曜の夜", "待つ夜は長い")


class Talk:
    """A chat over pipes that can be killed."""

    def __init__(self, process: Spawned) -> None:
        self.process = process
        self.log = b""

    async def say(self, text: str) -> str:
        """Say a line; return the line that is answered."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(f"{text}\n".encode())
        await stdin.drain()
        return (await asyncio.wait_for(stdout.readline(), 60)).decode().strip()

    async def kill(self) -> None:
        """End it without a chance to tidy up; keep what it logged."""
        os.kill(self.process.pid, signal.SIGKILL)
        _, self.log = await self.process.communicate()


@asynccontextmanager
async def talking(folder: Path, **settings: str) -> AsyncIterator[Talk]:
    environment = clean_environment(folder, **settings)
    process = await spawn("chat", cwd=folder, env=environment, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    try:
        yield Talk(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


def on_disk(folder: Path) -> bytes:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert any(path.name.endswith(".db") for path in files)
    return b"".join(path.read_bytes() for path in files)


def assert_kept_out(kept: bytes) -> None:
    for secret in SECRETS:
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            assert secret.encode(encoding) not in kept
        assert json.dumps(secret).strip('"').encode() not in kept


async def test_a_sensitive_turn_is_nowhere_on_the_disk_even_after_a_crash(tmp_path: Path) -> None:
    async with model_server() as server:
        server.respond = lambda request: Answer(text=ANSWER if "嫌い" in request.last_text else "いいね。")
        models = json.dumps([{"base_url": server.url, "model": "scripted", "api_key": "k"}])
        async with talking(tmp_path, YORISOI_BASIC_MODELS=models, **ALL_ON) as talk:
            assert await talk.say(HURT) == ANSWER
            for _ in range(3):
                await talk.say(CASUAL)
            # The talk itself still knows it: it is in the memory of the process.
            assert any(HURT in json.dumps(request.messages, ensure_ascii=False) for request in server.requests[1:])
            await talk.kill()
        kept = on_disk(tmp_path)
        assert_kept_out(kept + talk.log)
        assert CASUAL.encode() in kept
        assert b"reflective." in kept

        after = await run("chat", folder=tmp_path, typed=f"{CASUAL}\n", YORISOI_BASIC_MODELS=models, **ALL_ON)
        assert after.code == 0
    exported = await run("export-user", "1", folder=tmp_path)
    assert_kept_out(on_disk(tmp_path) + (after.err + exported.out).encode())
    assert json.loads(exported.out)["archive"][0]["sensitive"]


async def test_switched_off_a_sensitive_turn_is_stored_without_its_text_all_the_same(tmp_path: Path) -> None:
    async with model_server() as server:
        server.respond = lambda request: Answer(text=ANSWER if "嫌い" in request.last_text else "いいね。")
        models = json.dumps([{"base_url": server.url, "model": "scripted", "api_key": "k"}])
        done = await run("chat", folder=tmp_path, typed=f"{CASUAL}\n{HURT}\n", YORISOI_BASIC_MODELS=models)
    assert done.out.split() == ["いいね。", ANSWER]
    kept = on_disk(tmp_path)
    assert_kept_out(kept + done.err.encode())
    assert CASUAL.encode() in kept
    assert b"reflective." not in kept


async def test_a_broken_entry_of_ones_own_places_is_told_at_the_start_and_by_the_doctor(tmp_path: Path) -> None:
    places = tmp_path / "places.toml"
    places.write_text("[[resource]]\ncountry = 3\n", "utf-8")
    settings = {"YORISOI_RESOURCES_FILE": str(places), "YORISOI_ENABLE_STANCE_INTEGRITY_GATE": "true"}
    async with model_server() as server:
        server.script(ANSWER)
        models = json.dumps([{"base_url": server.url, "model": "scripted", "api_key": "k"}])
        talk = await run("chat", folder=tmp_path, typed="hi\n", YORISOI_BASIC_MODELS=models, **settings)
        doctor = await run("doctor", "--json", folder=tmp_path, YORISOI_BASIC_MODELS=models, **settings)
    assert talk.code == 0
    assert talk.out.strip() == ANSWER
    assert "places.toml:1: country must be a text" in talk.err
    assert "Traceback" not in talk.err
    (found,) = [finding for finding in json.loads(doctor.out)["findings"] if finding["topic"] == "places"]
    assert found["level"] == "warning"
    assert "places.toml:1: country must be a text" in found["text"]


@pytest.mark.parametrize(
    ("command", "line", "key", "value"),
    [
        ("signal", {"id": 1, "text": "彼って私のこと嫌いなのかな"}, "mode", "reflective_support"),
        ("session", {"id": 1, "turns": [{"role": "user", "text": "今日は図書館に行ったよ"}]}, "firmness", ["base"]),
        ("verify", {"id": 1, "user": "Does she hate me?", "reply": "She hates you."}, "action", "repair"),
    ],
)
async def test_inspect_answers_line_by_line(
    command: str, line: dict[str, object], key: str, value: object, tmp_path: Path
) -> None:
    typed = f"{json.dumps(line, ensure_ascii=False)}\nnonsense\n{json.dumps(line)}\n"
    done = await run("inspect", command, folder=tmp_path, typed=typed)
    first, bad, last = (json.loads(answer) for answer in done.out.splitlines())
    assert done.code == 0
    assert done.err == ""
    assert first[key] == value
    assert first == last
    assert bad["line"] == 2
