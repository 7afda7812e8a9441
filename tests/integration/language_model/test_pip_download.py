import asyncio
import zipfile
from pathlib import Path

import pytest

from core.language_model.pip_download import DownloadError, download


def shelve_wheel(shelf: Path, name: str, version: str) -> None:
    stem = f"{name}-{version}"
    with zipfile.ZipFile(shelf / f"{stem}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}/__init__.py", "raise SystemExit('imported')")
        wheel.writestr(f"{stem}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{stem}.dist-info/RECORD", "")


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes for the only package index."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


async def test_wheel_is_put_into_the_folder(shelf: Path, tmp_path: Path) -> None:
    shelve_wheel(shelf, "tiny_part1", "1.0")
    target = tmp_path / "target"
    target.mkdir()
    wheel = await download("tiny-part1==1.0", target)
    assert wheel == target / "tiny_part1-1.0-py3-none-any.whl"
    assert zipfile.is_zipfile(wheel)


async def test_missing_package_is_an_error_with_pips_reason(shelf: Path, tmp_path: Path) -> None:
    with pytest.raises(DownloadError, match=r"tiny-part1==1\.0: ERROR: .*No matching distribution"):
        await download("tiny-part1==1.0", tmp_path)


async def test_cancelling_ends_pip(shelf: Path, tmp_path: Path) -> None:
    before, running = _children(), asyncio.create_task(download("tiny-part1==1.0", tmp_path))
    while not (pids := _children() - before):  # noqa: ASYNC110 - another process's beginning raises no event here
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not pids & _children()


def _children() -> set[int]:
    return {int(pid) for tasks in Path("/proc/self/task").glob("*/children") for pid in tasks.read_text().split()}
