"""`/report`: the page for those who run the character, and for nobody else."""

import gzip
from pathlib import Path
from typing import Any, cast

import pytest
from discord import app_commands

from bot.discord.commands.desk import NotAllowedError
from bot.discord.commands.report import report
from core.values import Locale
from tests.unit.discord.test_commands import tree_of
from tests.unit.discord.test_usage_command import Asked

OWNER = 5


async def ask(tmp_path: Path, asked: Asked, page: str = "<!doctype html>") -> list[Locale]:
    made: list[Locale] = []

    async def make(locale: Locale) -> str:
        made.append(locale)
        return page

    tree = await tree_of(tmp_path, report=make, owner_ids=frozenset({OWNER}))
    command = cast("app_commands.Command[Any, ..., Any]", tree.get_command("report"))
    await cast("Any", command.callback)(asked)
    return made


async def test_who_runs_the_character_is_given_the_page_in_their_language(tmp_path: Path) -> None:
    asked = Asked(user_id=OWNER, locale="ja")
    assert await ask(tmp_path, asked) == [Locale.JA]
    (file,) = asked.files
    assert file.filename == "yorisoi-report-20261130-0708.html"
    assert file.fp.read() == b"<!doctype html>"
    assert "ブラウザー" in asked.text


async def test_nobody_else_is(tmp_path: Path) -> None:
    asked = Asked(user_id=6, guild_id=70, manages=True)
    with pytest.raises(NotAllowedError):
        await ask(tmp_path, asked)
    assert asked.files == []


async def test_a_large_page_is_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{report.__module__}._LARGEST", 1000)
    asked = Asked(user_id=OWNER)
    await ask(tmp_path, asked, "a" * 2000)
    (file,) = asked.files
    assert file.filename.endswith(".html.gz")
    assert gzip.decompress(file.fp.read()) == b"a" * 2000
