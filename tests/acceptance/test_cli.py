import asyncio
import json
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from aiohttp import web

from bot.bench_load import Load
from bot.benches import bench_load, bench_long, bench_start
from data.packs.loader import SHIPPED
from tests.acceptance.program import clean_environment, run
from tests.model_server.script import Failure
from tests.model_server.server import model_server

pytestmark = pytest.mark.acceptance


_NO_MODEL = json.dumps([{"base_url": "http://127.0.0.1:9/v1", "model": "none"}])


_COMMANDS = [
    (),
    ("run",),
    ("chat",),
    ("doctor",),
    ("character",),
    ("character", "validate"),
    ("character", "show"),
    ("schedule",),
    ("schedule", "show"),
    ("inspect",),
    ("inspect", "time"),
    ("inspect", "candidate"),
    ("inspect", "signal"),
    ("inspect", "session"),
    ("inspect", "verify"),
    ("inspect", "capsule"),
    ("models",),
    ("models", "install"),
    ("models", "status"),
    ("report",),
    ("export-user",),
    ("forget-user",),
    ("eval",),
    ("eval", "stance"),
    ("social",),
    ("social", "cycle"),
    ("reembed",),
    ("bench",),
    ("bench", "turn"),
    ("bench", "tick"),
    ("bench", "claim"),
]


def _files(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def _levels(out: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"ok": [], "warning": [], "problem": []}
    for finding in json.loads(out)["findings"]:
        found[finding["level"]].append(f"{finding['topic']}: {finding['text']} {finding['fix']}")
    return found


@pytest.mark.parametrize("command", _COMMANDS, ids=" ".join)
async def test_every_command_has_help_and_every_final_one_an_example(command: tuple[str, ...], tmp_path: Path) -> None:
    done = await run(*command, "--help", folder=tmp_path)
    assert done.code == 0
    assert "Usage: yorisoi" in done.out
    named = ("character", "schedule", "inspect", "models", "eval", "bench", "social", "sandbox")
    groups = {(), *((name,) for name in named)}
    assert ("Example:" in done.out) is (command not in groups)
    assert _files(tmp_path) == []


async def test_the_version_is_told(tmp_path: Path) -> None:
    done = await run("--version", folder=tmp_path)
    assert done.code == 0
    assert done.out.startswith("yorisoi 0.")


@pytest.mark.parametrize(
    "arguments",
    [
        ("bogus",),
        ("chat", "--bogus"),
        ("chat", "--locale", "xx"),
        ("export-user", "me"),
        ("bench", "turn", "--turns", "1"),
        ("schedule", "show", "--days", "0"),
        ("schedule", "show", "--at", "teatime"),
        ("inspect", "capsule", "--at", "9999-12-31T00:00"),
        ("inspect", "capsule", "--user-tz", "Asia/Tokio"),
    ],
)
async def test_wrong_usage_is_one_line_and_code_2(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = await run(*arguments, folder=tmp_path)
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.strip().splitlines()) == 1
    assert "Traceback" not in done.err
    assert "Value error" not in done.err


async def test_bad_settings_are_a_line_each_and_code_2(tmp_path: Path) -> None:
    done = await run("run", folder=tmp_path, YORISOI_RETENTION_DAYS="soon", YORISOI_TIMEZONE="Mars")
    assert done.code == 2
    lines = done.err.strip().splitlines()
    assert len(lines) == 2
    assert {line.split()[0] for line in lines} == {"YORISOI_RETENTION_DAYS", "YORISOI_TIMEZONE"}


async def test_a_misspelt_setting_is_pointed_out_and_the_rest_works(tmp_path: Path) -> None:
    done = await run("models", "status", folder=tmp_path, YORISOI_RETENTON_DAYS="3")
    assert done.code == 0
    assert "Did you mean YORISOI_RETENTION_DAYS?" in done.err


async def test_an_unknown_character_is_told_with_those_there_are(tmp_path: Path) -> None:
    done = await run("chat", "--character", "nobody", folder=tmp_path, YORISOI_BASIC_MODELS=_NO_MODEL)
    assert done.code == 1
    assert done.err == "There is no character 'nobody'. There are: hinata.\n"


def _broken_pack(folder: Path) -> Path:
    pack = folder / "characters" / "hinata"
    shutil.copytree(SHIPPED / "hinata", pack)
    toml = (pack / "character.toml").read_text("utf-8")
    (pack / "character.toml").write_text(toml.replace("Asia/Tokyo", "Asia/Tokio").replace("tier", "teir"), "utf-8")
    (pack / "personality.en.md").unlink()
    return pack


async def test_every_fault_of_a_broken_pack_is_told_at_once(tmp_path: Path) -> None:
    pack = _broken_pack(tmp_path)
    checked = await run("character", "validate", str(pack), folder=tmp_path)
    assert checked.code == 1
    assert len(checked.out.splitlines()) >= 4
    assert "'timezone' is not a time zone" in checked.out
    assert "personality.en.md" in checked.out
    as_json = await run("character", "validate", str(pack), "--json", folder=tmp_path)
    assert len(json.loads(as_json.out)[0]["problems"]) >= 3


async def test_a_character_with_a_broken_pack_does_not_start(tmp_path: Path) -> None:
    pack = _broken_pack(tmp_path)
    done = await run("chat", folder=tmp_path, YORISOI_CHARACTERS_DIR=str(pack.parent), YORISOI_BASIC_MODELS=_NO_MODEL)
    assert done.code == 1
    assert "'timezone' is not a time zone" in done.err
    assert "personality.en.md" in done.err
    assert "Traceback" not in done.err


async def test_the_shipped_character_is_valid_and_its_personality_stays_private(tmp_path: Path) -> None:
    checked = await run("character", "validate", folder=tmp_path)
    assert (checked.code, checked.out) == (0, "hinata: ok\n")
    shown = await run("character", "show", "hinata", "--json", folder=tmp_path)
    profile = json.loads(shown.out)
    assert set(profile["introduction"]) == {"ja", "en"}
    personality = (SHIPPED / "hinata" / "personality.ja.md").read_text("utf-8").strip().splitlines()
    assert not any(line in shown.out for line in personality if len(line) > 20)


async def test_a_data_folder_that_is_a_file_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "occupied").write_text("x")
    path = str(tmp_path / "occupied")
    # Without a model of its own, too: nothing is fetched for a start that can't succeed.
    done = await run("chat", folder=tmp_path, YORISOI_DATA_DIR=path)
    assert done.code == 1
    assert len(done.err.strip().splitlines()) == 1
    assert path in done.err


async def test_a_file_that_is_no_database_is_told_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "yorisoi-data"
    folder.mkdir()
    (folder / "yorisoi.db").write_bytes(b"this is not a database at all" * 200)
    done = await run("chat", folder=tmp_path, typed="hello\n", YORISOI_BASIC_MODELS=_NO_MODEL)
    assert done.code == 1
    assert "not an SQLite database" in done.err
    assert (folder / "yorisoi.db").read_bytes().startswith(b"this is not")
    examined = await run("doctor", "--json", folder=tmp_path)
    assert examined.code == 1
    assert any("not an SQLite database" in line for line in _levels(examined.out)["problem"])


async def test_a_database_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    await run("chat", folder=tmp_path, YORISOI_BASIC_MODELS=_NO_MODEL)
    with closing(sqlite3.connect(tmp_path / "yorisoi-data" / "yorisoi.db")) as connection:
        connection.execute("PRAGMA user_version = 9999")
    done = await run("chat", folder=tmp_path, YORISOI_BASIC_MODELS=_NO_MODEL)
    assert done.code == 1
    assert "newer" in done.err
    assert any("newer" in line for line in _levels((await run("doctor", "--json", folder=tmp_path)).out)["problem"])


async def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    done = await run("chat", "--character", "nobody", "--debug", folder=tmp_path)
    assert done.code == 1
    assert "Traceback" in done.err


async def test_a_gguf_that_is_not_there_is_told_before_anything_starts(tmp_path: Path) -> None:
    done = await run("chat", folder=tmp_path, YORISOI_LOCAL_GGUF=str(tmp_path / "none.gguf"))
    assert done.code == 1
    assert "YORISOI_LOCAL_GGUF" in done.err


async def test_weights_that_can_t_be_had_name_the_three_ways_on(tmp_path: Path) -> None:
    done = await run(
        "run", folder=tmp_path, typed="hello\n", PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES="0"
    )
    assert done.code == 1
    last = done.err.strip().splitlines()[-1]
    for way in ("OPENAI_API_KEY", "http://localhost:11434/v1", "YORISOI_LOCAL_GGUF"):
        assert way in last
    assert "Traceback" not in done.err
    assert "\x1b" not in done.err


async def test_a_user_can_be_exported_and_forgotten(tmp_path: Path) -> None:
    async with model_server() as server:
        setting = json.dumps([{"base_url": server.url, "model": "scripted"}])
        await run("chat", folder=tmp_path, typed="my cat is called Miso\n", YORISOI_BASIC_MODELS=setting)
    exported = await run("export-user", "1", folder=tmp_path)
    assert "Miso" in json.dumps(json.loads(exported.out), ensure_ascii=False)
    refused = await run("forget-user", "1", folder=tmp_path, typed="n\n")
    assert refused.code == 1
    assert "Miso" in (await run("export-user", "1", folder=tmp_path)).out
    forgotten = await run("forget-user", "1", "--yes", "--json", folder=tmp_path)
    assert forgotten.code == 0
    assert sum(json.loads(forgotten.out).values()) > 0
    assert "Miso" not in (await run("export-user", "1", folder=tmp_path)).out
    assert b"Miso" not in b"".join(path.read_bytes() for path in (tmp_path / "yorisoi-data").glob("yorisoi.db*"))


async def test_the_status_of_models_shows_no_key(tmp_path: Path) -> None:
    setting = json.dumps([{"base_url": "http://host/v1", "model": "m", "api_key": "key-of-the-test"}])
    done = await run("models", "status", "--json", folder=tmp_path, YORISOI_BASIC_MODELS=setting)
    assert json.loads(done.out)["basic"] == [{"model": "m", "at": "http://host/v1"}]
    assert "key-of-the-test" not in done.out + done.err


async def test_the_doctor_finds_no_problem_with_nothing_configured(tmp_path: Path) -> None:
    done = await run("doctor", "--json", folder=tmp_path)
    levels = _levels(done.out)
    assert levels["problem"] == []
    assert done.code == 0
    assert any("no token" in line for line in levels["warning"])
    assert any("first start fetches it" in line for line in levels["warning"])
    assert _files(tmp_path) == []


async def test_the_doctor_goes_on_after_bad_settings(tmp_path: Path) -> None:
    done = await run("doctor", folder=tmp_path, YORISOI_RETENTION_DAYS="soon")
    assert done.code == 1
    assert "python: Python" in done.out
    assert "YORISOI_RETENTION_DAYS is not a whole number" in done.out


async def test_the_doctor_tells_a_model_that_answers_from_one_that_does_not_exist(tmp_path: Path) -> None:
    async with model_server() as server:
        server.respond = lambda request: (
            "hi" if request.body["model"] == "good" else Failure(status=404, code="model_not_found")
        )
        models = json.dumps(
            [{"base_url": server.url, "model": name, "api_key": "key-of-the-test"} for name in ("good", "bad")]
        )
        done = await run("doctor", "--json", folder=tmp_path, YORISOI_BASIC_MODELS=models)
        assert len(server.requests) == 2
    levels = _levels(done.out)
    assert done.code == 1
    assert any("'good'" in line and "answers" in line for line in levels["ok"])
    assert any("'bad'" in line and "name of the model" in line for line in levels["problem"])
    assert "key-of-the-test" not in done.out + done.err


async def test_the_doctor_tells_a_model_that_can_t_be_reached(tmp_path: Path) -> None:
    done = await run("doctor", "--json", folder=tmp_path, YORISOI_BASIC_MODELS=_NO_MODEL)
    assert any("can't be reached" in line for line in _levels(done.out)["problem"])


async def test_the_doctor_tells_every_fault_of_a_pack(tmp_path: Path) -> None:
    pack = _broken_pack(tmp_path)
    done = await run("doctor", "--json", folder=tmp_path, YORISOI_CHARACTERS_DIR=str(pack.parent))
    problems = [line for line in _levels(done.out)["problem"] if line.startswith("character (hinata)")]
    assert len(problems) >= 3


class _Portal:
    """As much of Discord's API as the doctor asks for."""

    def __init__(self, *, flags: int = 1 << 19, permissions: int = 8, status: int = 200) -> None:
        self.flags, self.permissions, self.status = flags, permissions, status
        self.url = ""

    async def __aenter__(self) -> "_Portal":
        app = web.Application()
        app.router.add_get("/applications/@me", self._application)
        app.router.add_get("/users/@me/guilds", self._guilds)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = "http://{}:{}".format(*self._runner.addresses[0][:2])
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _application(self, request: web.Request) -> web.Response:
        if request.headers["Authorization"] != "Bot token-of-the-test":
            return web.json_response({"message": "401: Unauthorized"}, status=401)
        return web.json_response({"name": "Hinata's app", "flags": self.flags}, status=self.status)

    async def _guilds(self, _: web.Request) -> web.Response:
        guild = {"id": "5", "name": "Reading room", "permissions": str(self.permissions)}
        return web.json_response([guild])


async def _doctor_on(portal: _Portal, folder: Path, **settings: str) -> tuple[int, dict[str, list[str]], str]:
    given = {"YORISOI_DISCORD_TOKEN": "token-of-the-test", "YORISOI_BASIC_MODELS": _NO_MODEL, **settings}
    async with portal:
        done = await run("doctor", "--json", folder=folder, YORISOI_DISCORD_API_BASE=portal.url, **given)
    assert "token-of-the-test" not in done.out + done.err
    return done.code, _levels(done.out), done.out


async def test_the_doctor_is_content_with_a_good_token(tmp_path: Path) -> None:
    _, levels, _ = await _doctor_on(_Portal(), tmp_path)
    assert any("YORISOI_DISCORD_TOKEN is valid" in line for line in levels["ok"])
    assert any("message content intent is on" in line for line in levels["ok"])
    assert any("Reading room" in line for line in levels["ok"])
    assert any("agrees with Discord's clock" in line for line in levels["ok"])
    assert not any(line.startswith("discord") for line in levels["problem"])


async def test_the_doctor_tells_a_wrong_token(tmp_path: Path) -> None:
    code, levels, _ = await _doctor_on(_Portal(), tmp_path, YORISOI_DISCORD_TOKEN="token-that-is-wrong")
    assert code == 1
    assert any("YORISOI_DISCORD_TOKEN is not valid" in line for line in levels["problem"])


@pytest.mark.parametrize(("wanted", "level"), [("true", "problem"), ("false", "warning")])
async def test_the_doctor_says_where_to_switch_the_intent_on(wanted: str, level: str, tmp_path: Path) -> None:
    _, levels, _ = await _doctor_on(_Portal(flags=0), tmp_path, YORISOI_MESSAGE_CONTENT=wanted)
    assert any("message content intent is off" in line and "Bot page" in line for line in levels[level])


async def test_the_doctor_names_the_permissions_that_are_missing(tmp_path: Path) -> None:
    _, levels, _ = await _doctor_on(_Portal(permissions=(1 << 10) | (1 << 16)), tmp_path)
    (line,) = [line for line in levels["problem"] if "Reading room" in line]
    assert "Send Messages, Send Messages in Threads" in line
    assert "View Channels" not in line


async def test_the_doctor_tells_a_discord_that_can_t_be_reached(tmp_path: Path) -> None:
    done = await run(
        "doctor",
        "--json",
        folder=tmp_path,
        YORISOI_DISCORD_TOKEN="canary-token",
        YORISOI_DISCORD_API_BASE="http://127.0.0.1:9",
        YORISOI_BASIC_MODELS=_NO_MODEL.replace("http://", "http://me:canary-password@"),
        OPENAI_API_KEY="canary-key",
        OPENAI_BASE_URL="http://127.0.0.1:9/v1",
        YORISOI_DATABASE_URL="postgresql://me:canary-word@127.0.0.1:9/yorisoi",
        YORISOI_LOG_LEVEL="debug",
    )
    assert "canary" not in done.out + done.err
    assert any("can't be reached" in line for line in _levels(done.out)["problem"] if line.startswith("discord"))


async def test_the_bench_reports_its_figures(tmp_path: Path) -> None:
    done = await run("bench", "turn", "--turns", "20", "--stored", "40", "--json", folder=tmp_path)
    assert done.code == 0
    figures = json.loads(done.out)
    assert set(figures) >= {"p50_ms", "p99_ms", "turns_per_second", "memory_peak_mb", "bare_ms", "ratio"}
    assert figures["stored"] == 40
    assert all(value > 0 for value in figures.values())


async def test_the_bench_of_many_conversations_answers_each_and_tells_of_memory() -> None:
    figures = await bench_load(Load(conversations=20, per_second=40.0, seconds=0.5))

    assert figures["answered"] == figures["turns"] == 20
    assert 0 < figures["p50_ms"] <= figures["p99_ms"]
    for part in range(1, 5):
        assert figures[f"p99_ms_{part}"] > 0
        assert figures[f"memory_private_mb_{part}"] > 0


async def test_the_bench_of_long_messages_answers_every_kind() -> None:
    ordinary, *awkward = await bench_long(40, rounds=1)

    assert ordinary["ratio"] == 1.0
    assert len({figures["message"] for figures in awkward}) == len(awkward) > 20
    assert all(float(figures["turn_ms"]) > 0 for figures in awkward)


async def test_the_bench_of_the_start_gets_ready_on_its_own_loopback() -> None:
    (figures,) = await bench_start((50,), 1.0)

    assert figures["messages"] == 50
    assert figures["warm_seconds"] > figures["ready_seconds"] > 0
    assert figures["bare_seconds"] > 0
    assert 0 <= figures["idle_cpu_percent"] < 50


async def test_the_bench_of_speaking_first_reports_its_figures(tmp_path: Path) -> None:
    tick = await run("bench", "tick", "--subscriptions", "2000", "--due", "20", "--json", folder=tmp_path)
    claim = await run("bench", "claim", "--claims", "20", "--json", folder=tmp_path)
    assert (tick.code, claim.code) == (0, 0)
    (figures,) = json.loads(tick.out)
    assert (figures["subscriptions"], figures["due"], figures["admitted"]) == (2000, 20, 20)
    assert figures["sent"] > 0
    assert set(json.loads(claim.out)) == {"claims", "claims_per_second", "bare_per_second", "ratio"}


async def test_output_that_nobody_reads_is_no_error(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("yorisoi"),
        "character",
        "show",
        "hinata",
        cwd=tmp_path,
        env=clean_environment(tmp_path),
        stdout=writer,
        stderr=asyncio.subprocess.PIPE,
    )
    os.close(writer)
    _, err = await process.communicate()
    assert process.returncode == 0
    assert err == b""
