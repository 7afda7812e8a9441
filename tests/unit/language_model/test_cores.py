import os
from pathlib import Path

import pytest

from core.language_model.cores import usable_cores


@pytest.fixture
def four_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2, 3}, raising=False)


def cpus(folder: Path, siblings: list[str]) -> Path:
    for number, shared in enumerate(siblings):
        topology = folder / f"cpu{number}" / "topology"
        topology.mkdir(parents=True)
        (topology / "core_cpus_list").write_text(f"{shared}\n")
    return folder


@pytest.mark.usefixtures("four_threads")
def test_two_threads_of_a_core_count_once(tmp_path: Path) -> None:
    assert usable_cores(cpus(tmp_path, ["0,2", "1,3", "0,2", "1,3"]), tmp_path / "none") == 2


@pytest.mark.usefixtures("four_threads")
@pytest.mark.parametrize(("quota", "cores"), [("max 100000", 4), ("150000 100000", 2), ("20000 100000", 1), ("?", 4)])
def test_containers_share_of_the_machine_is_the_limit(tmp_path: Path, quota: str, cores: int) -> None:
    file = tmp_path / "cpu.max"
    file.write_text(quota)
    assert usable_cores(cpus(tmp_path / "cpus", ["0", "1", "2", "3"]), file) == cores


@pytest.mark.usefixtures("four_threads")
def test_half_the_threads_are_used_where_the_system_tells_nothing(tmp_path: Path) -> None:
    assert usable_cores(tmp_path, tmp_path / "none") == 2
