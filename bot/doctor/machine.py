"""The machine: Python, what is installed, the data folder, the disk, the clock's zone."""

import importlib.metadata
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.doctor.finding import Finding, ok, problem, warning

_OLDEST_PYTHON = (3, 11)
_REQUIREMENT = re.compile(r"^([A-Za-z0-9_.-]+)(?:\[[^\]]*\])?\s*([^;]*)(;.*extra.*)?")
_MODEL_BYTES = 1_400_000_000
_SCARCE_BYTES = 200_000_000
_REINSTALL = "Run `make install` again."


def check_python(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> Finding:
    """Look at the interpreter's version."""
    text = ".".join(map(str, version))
    if version < _OLDEST_PYTHON:
        return problem("python", f"Python {text} is too old", "Install Python 3.11 or newer, then `make install`.")
    return ok("python", f"Python {text}")


def check_dependencies(distribution: str = "yorisoi") -> Finding:
    """Look whether everything the project requires is installed."""
    try:
        required = list(_required(distribution))
    except importlib.metadata.PackageNotFoundError:
        return problem("dependencies", f"{distribution} is not installed in this Python", _REINSTALL)
    missing = [name for name in required if _version(name) is None]
    if missing:
        return problem("dependencies", f"not installed: {', '.join(missing)}", _REINSTALL)
    shown = ", ".join(f"{name} {_version(name)}" for name in ("discord.py", "openai", "sudachipy", "apscheduler"))
    return ok("dependencies", f"{len(required)} packages installed ({shown})")


def check_data_dir(folder: Path) -> Finding:
    """Look whether files can be written in the data folder, without leaving any behind."""
    existing = _nearest_existing(folder)
    if not existing.is_dir():
        return problem("data folder", f"{existing} is a file", "Set YORISOI_DATA_DIR to a folder.")
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        fix = f"Make {existing} writable for this user, or set YORISOI_DATA_DIR to another folder."
        return problem("data folder", f"can't write in {existing}: {error.strerror}", fix)
    return ok("data folder", f"{folder} {'is writable' if existing == folder.absolute() else 'can be made'}")


def check_disk(folder: Path, *, weights_wanted: bool) -> Finding:
    """Look at the free space: what the database needs, and the embedded model's weights if they are to be fetched."""
    free = shutil.disk_usage(_nearest_existing(folder)).free
    text = f"{free / 1e9:.1f} GB free for {folder}"
    if free < _SCARCE_BYTES:
        return problem("disk", text, "Free some space, or set YORISOI_DATA_DIR to a folder on another disk.")
    if weights_wanted and free < _MODEL_BYTES:
        return warning("disk", f"{text}; fetching the embedded model needs 1.4 GB", "Free some space.")
    return ok("disk", text)


def check_zone(now: datetime, timezone: str) -> Finding:
    """Say what time it is taken for: a wrong zone shifts the days that budgets and schedules go by."""
    local = now.astimezone(ZoneInfo(timezone))
    machine = now.astimezone()
    text = f"{local:%Y-%m-%d %H:%M} in {timezone} (UTC{local:%z})"
    if "YORISOI_TIMEZONE" not in os.environ and machine.utcoffset() != local.utcoffset():
        text += f"; the machine is at UTC{machine:%z}"
        return warning("clock", text, "Set YORISOI_TIMEZONE to your zone, such as Asia/Tokyo.")
    return ok("clock", text)


def _required(distribution: str) -> Iterator[str]:
    for line in importlib.metadata.requires(distribution) or []:
        match = _REQUIREMENT.match(line)
        if match and not match[3]:
            yield match[1]


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _nearest_existing(folder: Path) -> Path:
    absolute = folder.absolute()
    return next(path for path in (absolute, *absolute.parents) if path.exists())
