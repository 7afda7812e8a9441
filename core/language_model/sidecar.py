"""Starts and stops the process of the embedded model."""

import asyncio
import json
import os
import secrets
import subprocess
import sys
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.clock import Clock
from core.errors import ModelRejectedError, ModelUnavailableError
from core.language_model.cores import usable_cores
from core.language_model.deadline import within

_PROGRAM = Path(__file__).with_name("embedded_server.py")
# The process handles a file of foreign make: it gets what Python needs to run, and none of the bot's secrets.
_KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH")


@dataclass(frozen=True, slots=True, kw_only=True)
class SidecarOptions:
    """What to run. `threads` None: as many as there are cores to use. Times in seconds."""

    gguf: Path
    context_tokens: int = 4096
    threads: int | None = None
    start_seconds: float = 120.0
    stop_seconds: float = 5.0


@dataclass(frozen=True, slots=True)
class Sidecar:
    """A running process. `key` is made anew for each."""

    process: asyncio.subprocess.Process
    url: str
    key: str = field(repr=False)
    drain: "asyncio.Task[None]" = field(repr=False)

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs, as far as the event loop has heard."""
        return self.process.returncode is None

    async def stop(self, options: SidecarOptions, clock: Clock) -> None:
        """End the process: by closing its stdin, or else by force."""
        await _end(self.process, options, clock)
        await asyncio.gather(self.drain, return_exceptions=True)


async def launch(options: SidecarOptions, clock: Clock) -> Sidecar:
    """Start the process and wait until it serves.

    Raises:
        ModelRejectedError: the model can't be loaded.
        ModelUnavailableError: the process did not come up in time.
    """
    key = secrets.token_urlsafe(24)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-I",
        str(_PROGRAM),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
        **_own_group(),
    )
    complaints: deque[str] = deque(maxlen=20)
    drain = asyncio.create_task(_drain(process, complaints))
    try:
        url = await within(clock, options.start_seconds, _greet(process, options, key, complaints))
    except BaseException as error:
        await _abandon(process)
        await asyncio.gather(drain, return_exceptions=True)
        if isinstance(error, TimeoutError):
            raise ModelUnavailableError(f"the embedded model was not ready in {options.start_seconds:.0f} s") from None
        raise
    return Sidecar(process, url, key, drain)


async def _greet(process: asyncio.subprocess.Process, options: SidecarOptions, key: str, complaints: deque[str]) -> str:
    """Tell the process what to run and return the URL it serves at."""
    order = {
        "model": str(options.gguf),
        "key": key,
        "context": options.context_tokens,
        "threads": options.threads or usable_cores(),
    }
    if process.stdin is None or process.stdout is None:
        raise ModelUnavailableError("the embedded model's process has no pipes")
    try:
        process.stdin.write(json.dumps(order).encode() + b"\n")
        await process.stdin.drain()
    except ConnectionError:
        pass  # it ended already; the next line tells
    line = await process.stdout.readline()
    answer: dict[str, str] = json.loads(line) if line else {"error": "its process ended"}
    if "url" in answer:
        return answer["url"]
    reason = next((complaint for complaint in complaints if " E " in complaint), "")
    raise ModelRejectedError(_load_failure(options.gguf, answer.get("error", ""), reason))


def _load_failure(gguf: Path, error: str, reason: str) -> str:
    if "ModuleNotFoundError" in error:
        return "the embedded model needs the package xllamacpp: install Yorisoi with its extra 'embedded'"
    details = "; ".join(part for part in (error, reason.partition(" E ")[2].strip()) if part)
    return f"the embedded model '{gguf.name}' can't be loaded ({details}): is it a whole GGUF file, is there memory?"


async def _drain(process: asyncio.subprocess.Process, complaints: deque[str]) -> None:
    """Read stderr to its end, so that it never blocks the process; kept in memory only, for errors of loading."""
    if process.stderr is not None:
        async for line in process.stderr:
            complaints.append(line.decode("utf-8", "replace").rstrip())


async def _abandon(process: asyncio.subprocess.Process) -> None:
    """End a process that never came up: while it loads it hears nothing, and there is nothing for it to finish."""
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


async def _end(process: asyncio.subprocess.Process, options: SidecarOptions, clock: Clock) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        await within(clock, options.stop_seconds, process.wait())
    except TimeoutError:
        process.kill()
        await process.wait()
    except asyncio.CancelledError:
        process.kill()
        raise


def _own_group() -> dict[str, Any]:
    """Keep Ctrl-C and the terminal's end away from the process."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}
