from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.doctor.finding import Level, is_healthy, ok, problem, warning
from bot.doctor.machine import check_data_dir, check_dependencies, check_disk, check_python, check_zone
from bot.doctor.models import loaded

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_an_old_python_is_a_problem() -> None:
    assert check_python((3, 10, 9)).level is Level.PROBLEM
    assert check_python((3, 11, 0)).level is Level.OK


def test_what_the_project_requires_is_installed_here() -> None:
    finding = check_dependencies()
    assert finding.level is Level.OK
    assert "discord.py" in finding.text


def test_a_distribution_that_is_not_installed_is_a_problem() -> None:
    assert check_dependencies("no-such-distribution").level is Level.PROBLEM


def test_looking_at_the_data_folder_leaves_nothing_behind(tmp_path: Path) -> None:
    assert check_data_dir(tmp_path / "new" / "deep").level is Level.OK
    assert check_data_dir(tmp_path).level is Level.OK
    assert list(tmp_path.iterdir()) == []


def test_a_data_folder_that_is_a_file_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert check_data_dir(tmp_path / "file").level is Level.PROBLEM


@pytest.mark.parametrize(
    ("free", "wanted", "level"),
    [
        (100_000_000, False, Level.PROBLEM),
        (1_000_000_000, True, Level.WARNING),
        (1_000_000_000, False, Level.OK),
        (9_000_000_000, True, Level.OK),
    ],
)
def test_scarce_space_is_told(
    free: int, wanted: bool, level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class _Usage:
        def __init__(self) -> None:
            self.free = free

    monkeypatch.setattr("shutil.disk_usage", lambda _: _Usage())
    assert check_disk(tmp_path, weights_wanted=wanted).level is level


def test_a_zone_that_was_chosen_is_not_questioned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YORISOI_TIMEZONE", "Asia/Tokyo")
    finding = check_zone(NOW, "Asia/Tokyo")
    assert finding.level is Level.OK
    assert "2026-01-01 21:00 in Asia/Tokyo (UTC+0900)" in finding.text


def test_a_health_report_fails_only_for_problems() -> None:
    assert is_healthy([ok("a", "b"), warning("a", "b", "c")])
    assert not is_healthy([ok("a", "b"), problem("a", "b", "c")])
    assert problem("a", "b", "c").as_json() == {"level": "problem", "topic": "a", "text": "b", "fix": "c"}


@pytest.mark.parametrize(
    ("code", "said", "level", "told"),
    [
        (0, "", Level.OK, "loads"),
        (
            1,
            "Traceback ...\nImportError: libgomp.so.1: cannot open shared object file: No such file or directory",
            Level.PROBLEM,
            "apt install libgomp1",
        ),
        (1, "ImportError: libodd.so.2: cannot open shared object file: No such", Level.PROBLEM, "needs libodd.so.2"),
        (1, "ImportError: undefined symbol", Level.PROBLEM, "undefined symbol"),
        (-4, "", Level.PROBLEM, "signal 4"),
    ],
)
def test_a_runtime_that_cannot_be_loaded_is_told_with_what_it_lacks(
    code: int, said: str, level: Level, told: str
) -> None:
    finding = loaded("embedded model", code, said)
    assert finding.level is level
    assert told in finding.text + finding.fix
