"""`yorisoi backup` and `yorisoi restore` as they are typed."""

import asyncio
import json
from pathlib import Path

import pytest

from bot.cli.program import run
from data.stores import open_stores
from tests.fakes.stores import casefolded_words

pytestmark = pytest.mark.usefixtures("bare_environment")


async def make_database() -> None:
    async with open_stores(Path("yorisoi-data/yorisoi.db"), casefolded_words):
        pass


def test_a_backup_is_made_and_restored(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["backup"]) == 1
    assert "there is no database yet" in capsys.readouterr().err
    asyncio.run(make_database())

    assert run(["backup", "--to", "copy.db", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["file"] == "copy.db"
    assert Path("copy.db").stat().st_size == told["bytes"]
    assert run(["restore", "copy.db"]) == 1
    assert "--force" in capsys.readouterr().err
    assert run(["restore", "copy.db", "--force"]) == 0
    told_again = capsys.readouterr().out
    assert "goes with the old backups" in told_again
    assert "came back" not in told_again


def test_forgetting_a_user_tells_how_much_went_and_what_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def forget(_settings: object, _user_id: int) -> tuple[dict[str, int], int]:
        return {"archive": 4, "users": 1}, 1

    monkeypatch.setattr("bot.errands.forget_user", forget)
    assert run(["forget-user", "5", "--yes"]) == 0
    told = capsys.readouterr().out
    assert "Entries about user 5 deleted: 5. Left: 1." in told
    assert "only that they opted out" in told


@pytest.mark.parametrize("command", [["usage"], ["export-user", "5"], ["forget-user", "5", "--yes"], ["reembed"]])
def test_in_a_folder_without_a_database_none_is_made_and_nobody_is_called_forgotten(
    command: list[str], capsys: pytest.CaptureFixture[str], bare_environment: Path
) -> None:
    assert run(command) == 1
    told = capsys.readouterr()
    assert "check YORISOI_DATA_DIR" in told.err
    assert told.out == ""
    assert list(bare_environment.iterdir()) == []


def test_a_folder_of_another_user_is_named_with_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(_: Path) -> bool:
        raise PermissionError(13, "Permission denied", "/data/yorisoi.db")

    monkeypatch.setattr(Path, "exists", locked)
    assert run(["status"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("/data/yorisoi.db: this user may not use it (Permission denied)")
    assert "--debug" not in told


@pytest.mark.parametrize("command", [["backup"], ["restore", "x.db"]])
def test_on_postgresql_there_is_one_line_with_the_way_to_do_it(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YORISOI_DATABASE_URL", "postgresql://user:secret@localhost/yorisoi")

    assert run(command) == 1
    told = capsys.readouterr().err
    assert "pg_dump" in told
    assert "secret" not in told
    assert told.count("\n") == 1
