"""How long the program takes from its start until it has caught up on Discord, and what it uses when nobody talks.

Discord is a loopback that knows a bot without servers: no network, and nothing to do but connect.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from core.clock import Clock
from core.language_model.deadline import within

_PROGRAM = ("-c", "from bot.cli import main; main()")
_BARE = ("-c", "import asyncio, sqlite3, discord, openai, pydantic_settings")
# A program is installed with its bytecode; a folder of sources that was never run has none yet.
_ONCE = ("-c", "import bot.app, bot.discord.service, bot.reports")
_READY, _WARM = b"catch_up.done", b"warming.done"
_PATIENCE = 120.0
_API = "/api/v10"
_ID = "100000000000000001"
_USER = {"id": _ID, "username": "bench", "discriminator": "0001", "avatar": None, "bot": True, "public_flags": 0}
_APPLICATION = {
    "id": _ID,
    "name": "bench",
    "icon": None,
    "summary": "",
    "description": "",
    "verify_key": "0" * 64,
    "flags": 1 << 19,  # may read what is said
    "bot_public": True,
    "bot_require_code_grant": False,
    "owner": _USER | {"id": "100000000000000002", "bot": False},
    "team": None,
}
_HELLO, _HEARTBEAT, _ACK, _IDENTIFY = 10, 1, 11, 2


async def measure_start(folder: Path, *, idle_seconds: float, clock: Clock) -> dict[str, float]:
    """Start the program on what lies in a folder, let it be for so long, and end it; the bare limit is the imports.

    It is ready before all is loaded that turns will need; how much it uses idle is measured after that.
    """
    await _run(folder, clock, *_ONCE)
    bare = await _run(folder, clock, *_BARE)
    helped = await _run(folder, clock, *_PROGRAM, "--help")
    async with _loopback() as url:
        began = clock.monotonic()
        process = await _started(folder, url)
        try:
            ready, warm = [await _seconds_until(process, told, began, clock) for told in (_READY, _WARM)]
            idle = await _idle_percent(process.pid, idle_seconds, clock)
        finally:
            if process.returncode is None:
                process.terminate()
            await process.communicate()
    return {
        "help_seconds": round(helped, 3),
        "ready_seconds": round(ready, 3),
        "warm_seconds": round(warm, 3),
        "bare_seconds": round(bare, 3),
        "ratio": round(ready / bare, 2),
        "idle_cpu_percent": round(idle, 3),
    }


async def _run(folder: Path, clock: Clock, *arguments: str) -> float:
    """Return how many seconds a run of Python takes from its start to its end."""
    began, silent = clock.monotonic(), asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, cwd=folder, env=_inherited(), stdout=silent, stderr=silent
    )
    await process.wait()
    return clock.monotonic() - began


async def _started(folder: Path, url: str) -> asyncio.subprocess.Process:
    settings = {
        "YORISOI_DATA_DIR": str(folder),
        "YORISOI_DISCORD_TOKEN": "bench-of-the-start",
        "YORISOI_DISCORD_API_BASE": url + _API,
        "YORISOI_DISCORD_GATEWAY": url.replace("http", "ws") + "/gateway",
        "YORISOI_BASIC_MODELS": '[{"base_url": "http://127.0.0.1:9/v1", "model": "none"}]',
        "YORISOI_LOG_FORMAT": "json",
        "NO_PROXY": "127.0.0.1",
    }
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *_PROGRAM,
        "run",
        cwd=folder,
        env=_inherited() | settings,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )


def _inherited() -> dict[str, str]:
    left_out = ("YORISOI_", "PYTHONDONTWRITEBYTECODE")
    return {name: value for name, value in os.environ.items() if not name.startswith(left_out)}


async def _seconds_until(process: asyncio.subprocess.Process, told: bytes, began: float, clock: Clock) -> float:
    """Return how long after `began` the program's log told something."""
    if not await within(clock, _PATIENCE, _tells(process, told)):
        raise RuntimeError(f"the program ended before its log told of {told.decode()}")
    return clock.monotonic() - began


async def _tells(process: asyncio.subprocess.Process, told: bytes) -> bool:
    while process.stderr is not None and (line := await process.stderr.readline()):
        if told in line:
            return True
    return False


async def _idle_percent(pid: int, seconds: float, clock: Clock) -> float:
    """Return how much of a core a process uses when nobody talks; 0 where the system doesn't tell."""
    used, began = _cpu_seconds(pid), clock.monotonic()
    await clock.sleep(seconds)
    return 100 * (_cpu_seconds(pid) - used) / (clock.monotonic() - began)


def _cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def _loopback() -> AsyncIterator[str]:
    """Serve the little of Discord that a start needs; give the address."""
    app = web.Application()
    app.router.add_get(f"{_API}/users/@me", _me)
    app.router.add_get(f"{_API}/oauth2/applications/@me", _application)
    app.router.add_get(f"{_API}/gateway/bot", _gateway_bot)
    app.router.add_put(f"{_API}/applications/{{id}}/commands", _commands)
    app.router.add_get("/gateway", _gateway)
    runner = web.AppRunner(app, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def _json(value: Mapping[str, Any] | list[Any]) -> web.Response:
    # discord.py takes nothing but exactly this type for JSON.
    return web.Response(body=json.dumps(value).encode(), headers={"Content-Type": "application/json"})


async def _me(_: web.Request) -> web.Response:
    return _json(_USER)


async def _application(_: web.Request) -> web.Response:
    return _json(_APPLICATION)


async def _gateway_bot(request: web.Request) -> web.Response:
    limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
    return _json({"url": f"ws://{request.host}/gateway", "shards": 1, "session_start_limit": limit})


async def _commands(request: web.Request) -> web.Response:
    given = await request.json()
    return _json(
        [
            {"version": "1", "application_id": _ID, "description": "", "type": 1} | command | {"id": str(number)}
            for number, command in enumerate(given, start=1)
        ]
    )


async def _gateway(request: web.Request) -> web.WebSocketResponse:
    socket = web.WebSocketResponse()
    await socket.prepare(request)
    await socket.send_json({"op": _HELLO, "d": {"heartbeat_interval": 41_250}})
    async for frame in socket:
        if frame.type is not WSMsgType.TEXT:
            continue
        op = json.loads(frame.data)["op"]
        if op == _HEARTBEAT:
            await socket.send_json({"op": _ACK})
        elif op == _IDENTIFY:
            await socket.send_json({"op": 0, "s": 1, "t": "READY", "d": _ready(request)})
    return socket


def _ready(request: web.Request) -> dict[str, Any]:
    return {
        "v": 10,
        "user": _USER | {"verified": True, "mfa_enabled": False, "email": None, "flags": 0},
        "guilds": [],
        "private_channels": [],
        "session_id": "bench",
        "resume_gateway_url": f"ws://{request.host}/gateway",
        "shard": [0, 1],
        "application": {"id": _ID, "flags": _APPLICATION["flags"]},
    }
