import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import PackError
from data.packs.loader import SHIPPED, load_pack

Found = list[tuple[str, int | None, str]]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A copy of the shipped pack that may be broken."""
    return Path(shutil.copytree(SHIPPED / "hinata", tmp_path / "hinata"))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The smallest pack there can be."""
    folder = tmp_path / "sora"
    folder.mkdir()
    (folder / "character.toml").write_text(
        'name = "sora"\nlocale = "en"\ntimezone = "Europe/Rome"\n'
        'display_name.en = "Sora"\nintroduction.en = "An AI character who likes kites."\n',
        "utf-8",
    )
    (folder / "personality.en.md").write_text("Likes kites.\n", "utf-8")
    return folder


@pytest.fixture
def problems() -> Callable[[Path], Found]:
    """Load a pack that is broken and return its problems: file without the folder, line, message."""

    def load(path: Path) -> Found:
        with pytest.raises(PackError) as caught:
            load_pack(path)
        return [(p.file.removeprefix(f"{path.name}/"), p.line, p.message) for p in caught.value.problems]

    return load
