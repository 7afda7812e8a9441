from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest

from bot.discord.refusals import malformed_token, refusal
from bot.discord.seats import Seat, Voice
from core.proactive.repertoire import Repertoire
from core.turn.companion import Companion
from tests.unit.discord.doubles import http_error
from tests.unit.discord.test_inbound import HINATA

SEAT = Seat(
    character=HINATA,
    token="a-secret-token",
    token_variable="HINATA_TOKEN",
    model_name="model",
    accepts_images=False,
    companion=lambda *_: cast("Companion", None),
    voice=cast("Voice", None),
    repertoire=cast("Repertoire", None),
    report=cast("Any", None),
)


def closed(code: int) -> discord.ConnectionClosed:
    socket = cast("aiohttp.ClientWebSocketResponse", SimpleNamespace(close_code=code))
    return discord.ConnectionClosed(socket, shard_id=None, code=code)


@pytest.mark.parametrize("error", [discord.LoginFailure("401"), closed(4004)], ids=["401", "4004"])
def test_a_wrong_token_is_told_by_the_name_of_its_variable(error: Exception) -> None:
    text = refusal(error, SEAT)

    assert text is not None
    assert "HINATA_TOKEN" in text
    assert "a-secret-token" not in text


def test_a_missing_intent_is_told_with_both_ways_out() -> None:
    text = refusal(discord.PrivilegedIntentsRequired(None), SEAT)

    assert text is not None
    assert "Message Content Intent" in text
    assert "YORISOI_MESSAGE_CONTENT=false" in text


@pytest.mark.parametrize("code", [4010, 4011, 4012, 4013])
def test_what_trying_again_can_not_change_is_told(code: int) -> None:
    assert str(code) in (refusal(closed(code), SEAT) or "")


@pytest.mark.parametrize("error", [http_error(503), closed(1006), ConnectionResetError()], ids=["503", "1006", "reset"])
def test_what_may_pass_is_no_refusal(error: Exception) -> None:
    assert refusal(error, SEAT) is None


@pytest.mark.parametrize("token", ["", " ", "two words", "line\nbreak", "トークン"])
def test_what_can_not_be_a_token_is_told_without_asking_discord(token: str) -> None:
    assert "HINATA_TOKEN" in (malformed_token(replace(SEAT, token=token)) or "")


def test_white_space_around_a_token_does_no_harm() -> None:
    assert malformed_token(replace(SEAT, token=" a-token\n")) is None


def test_a_seat_does_not_show_its_token() -> None:
    assert "a-secret-token" not in repr(SEAT)
