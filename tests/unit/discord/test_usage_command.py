"""`/usage`: whose numbers somebody may see, in their language, with a picture that is told in words, too."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from discord import app_commands

from bot.discord.commands.desk import NotAllowedError
from tests.unit.bot.test_usage_report import CALL
from tests.unit.discord.test_commands import tree_of

NOW = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)  # the clock of the tree


class Asked:
    """An interaction that remembers its answer."""

    def __init__(
        self, *, user_id: int = 1, guild_id: int | None = None, manages: bool = False, locale: str = "en-US"
    ) -> None:
        self.user = SimpleNamespace(id=user_id)
        self.guild_id = guild_id
        self.locale = discord.Locale(locale)
        self.permissions = discord.Permissions(manage_guild=manages)
        self.response = self
        self.text, self.files = "", list[discord.File]()

    async def defer(self, *, ephemeral: bool, thinking: bool) -> None:
        assert ephemeral
        assert thinking

    async def edit_original_response(self, *, content: str, attachments: list[discord.File], **_: Any) -> None:
        self.text, self.files = content, attachments


async def ask(tmp_path: Path, asked: Asked, whose: str | None) -> Asked:
    tree = await tree_of(tmp_path)
    desk = cast("Any", tree)._desk
    for record in (
        CALL,
        replace(CALL, user_id=2, feature="summary", estimated=True),
        replace(CALL, user_id=2, guild_id=71, feature="something_new"),
    ):
        await desk.stores.usage.add(record)
    command = cast("app_commands.Command[Any, ..., Any]", tree.get_command("usage"))
    choice = app_commands.Choice(name=whose, value=whose) if whose is not None else None
    await cast("Any", command.callback)(asked, choice)
    return asked


async def test_everybody_sees_their_own_numbers_and_a_picture_with_words(tmp_path: Path) -> None:
    asked = await ask(tmp_path, Asked(), None)
    assert "This month: calls 1, tokens in 100, out 20, 0.0015 USD" in asked.text
    assert "Today: calls 0" in asked.text
    assert "Who" not in asked.text
    (picture,) = asked.files
    assert picture.filename == "usage-2026-11.png"
    assert "2026-11" in (picture.description or "")
    assert "120" in (picture.description or "")


async def test_in_japanese(tmp_path: Path) -> None:
    asked = await ask(tmp_path, Asked(locale="ja"), "mine")
    assert "今月：1回、入力100トークン" in asked.text
    assert "棒グラフ" in (asked.files[0].description or "")


async def test_who_manages_a_server_sees_its_people_and_features(tmp_path: Path) -> None:
    asked = await ask(tmp_path, Asked(user_id=9, guild_id=70, manages=True), "server")
    assert "<@1>" in asked.text
    assert "<@2>" in asked.text
    assert "Summaries" in asked.text
    assert "something_new" not in asked.text
    assert "Estimated" in asked.text


@pytest.mark.parametrize(
    ("asked", "whose"),
    [
        (Asked(guild_id=70), "server"),
        (Asked(), "server"),
        (Asked(guild_id=70, manages=True), "all"),
    ],
)
async def test_others_numbers_are_not_for_everybody(tmp_path: Path, asked: Asked, whose: str) -> None:
    with pytest.raises(NotAllowedError):
        await ask(tmp_path, asked, whose)
    assert asked.text == ""
