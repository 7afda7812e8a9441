"""Downloads a package's wheel with pip, without installing or running anything of it."""

import asyncio
import os
import sys
from pathlib import Path


class DownloadError(Exception):
    """Pip could not download a package; the text is pip's own last words."""


async def download(requirement: str, folder: Path) -> Path:
    """Put the wheel of `requirement` (`name==version`) into a folder and return its path.

    Only a wheel is accepted, since a source package would run its own code to be built.

    Raises:
        DownloadError: pip failed, or is missing.
    """
    arguments = ("download", requirement, "--no-deps", "--only-binary", ":all:", "--dest", str(folder))
    quiet = ("--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir", "--progress-bar", "off")
    scratch = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))  # what a killed pip leaves goes with the folder
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "pip", *arguments, *quiet,
        env={**os.environ, **scratch},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        _, complaints = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        await process.wait()
        raise
    if process.returncode != 0:
        raise DownloadError(f"pip could not download {requirement}: {_last_words(complaints)}")
    return _wheel_of(requirement, folder)


def _wheel_of(requirement: str, folder: Path) -> Path:
    name, _, version = requirement.partition("==")
    found = sorted(folder.glob(f"{name.replace('-', '_')}-{version}-*.whl"))
    if not found:
        raise DownloadError(f"pip downloaded no wheel for {requirement}")
    return found[0]


def _last_words(complaints: bytes) -> str:
    lines = [line.strip() for line in complaints.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["no reason given"])[-1]
