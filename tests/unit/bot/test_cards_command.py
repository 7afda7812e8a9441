"""`yorisoi character import` and `export` as they are typed."""

import json
from pathlib import Path

import pytest

from bot.cli.program import run
from tests.unit.cards.cards import file, v2

pytestmark = pytest.mark.usefixtures("bare_environment")


def test_a_card_goes_in_and_comes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    card = file(tmp_path, "aqua.json", v2())
    monkeypatch.setenv("YORISOI_CHARACTERS_DIR", str(tmp_path / "mine"))
    (tmp_path / "mine").mkdir()

    assert run(["character", "import", str(card), "--locale", "en"]) == 0
    assert "'system_prompt' is kept for the way back, but has no effect" in capsys.readouterr().out
    assert run(["character", "export", "aqua", "--to", "out.json"]) == 0
    assert json.loads(Path("out.json").read_text("utf-8"))["data"]["name"] == "Aqua"


def test_a_card_without_a_place_to_go_is_told_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["character", "import", str(file(tmp_path, "aqua.json", v2()))]) == 1
    assert "--into" in capsys.readouterr().err


def test_a_broken_card_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["character", "import", str(file(tmp_path, "aqua.png", b"{")), "--into", "x"]) == 1
    assert capsys.readouterr().err.count("\n") == 1
