from dataclasses import replace
from pathlib import Path

import pytest

from bot.cast import choose, token_holders
from bot.errors import StartError
from bot.settings import load
from core.characters.pack import CharacterPack, ProactivePolicy, Schedule
from core.values import Character, Locale, Tier


def _pack(name: str, token_env: str | None = None) -> CharacterPack:
    character = Character(
        name=name,
        display_name={Locale.JA: name},
        call_names=(name,),
        locale=Locale.JA,
        timezone="Asia/Tokyo",
        tier=Tier.BASIC,
        introduction={Locale.JA: "x"},
        personality={Locale.JA: "y"},
        token_env=token_env,
    )
    return CharacterPack(character=character, schedule=Schedule(), candidates={}, proactive=ProactivePolicy())


SORA, UMI = _pack("sora", "SORA_TOKEN"), _pack("umi")


def test_the_one_that_is_asked_for_is_chosen() -> None:
    assert choose(["hinata", "sora"], "sora", own=[]) == "sora"


def test_the_only_one_needs_no_name() -> None:
    assert choose(["hinata"], None, own=[]) == "hinata"


def test_the_operator_s_only_character_goes_before_the_shipped_one() -> None:
    assert choose(["hinata", "sora"], None, own=["sora"]) == "sora"


def test_several_need_a_name() -> None:
    with pytest.raises(StartError, match=r"There are: hinata, sora, umi\. Name one with YORISOI_CHARACTER"):
        choose(["hinata", "sora", "umi"], None, own=["sora", "umi"])


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    with pytest.raises(StartError, match="There are: hinata"):
        choose(["hinata"], "nobody", own=[])


def test_no_character_at_all_points_to_the_doctor() -> None:
    with pytest.raises(StartError, match="yorisoi doctor"):
        choose([], None, own=[])


def test_each_character_brings_the_token_its_pack_names(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SORA_TOKEN", "token-1")
    (holder,) = token_holders(load(), {"sora": SORA, "umi": UMI}, None)
    assert (holder.pack, holder.variable, holder.token) == (SORA, "SORA_TOKEN", "token-1")
    assert "token-1" not in repr(replace(holder, pack=UMI, variable="x"))


def test_the_main_token_belongs_to_the_main_character(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SORA_TOKEN", "token-1")
    monkeypatch.setenv("YORISOI_DISCORD_TOKEN", "two")
    holders = token_holders(load(), {"sora": SORA, "umi": UMI}, UMI)
    assert {holder.character.name: holder.token for holder in holders} == {"umi": "two", "sora": "token-1"}


def test_a_character_never_connects_twice(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SORA_TOKEN", "token-1")
    monkeypatch.setenv("YORISOI_DISCORD_TOKEN", "two")
    holders = token_holders(load(), {"sora": SORA}, SORA)
    assert [holder.token for holder in holders] == ["token-1"]


def test_without_tokens_nobody_goes_on_discord(bare_environment: Path) -> None:
    assert token_holders(load(), {"sora": SORA, "umi": UMI}, None) == []
