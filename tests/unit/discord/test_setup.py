"""Reading the form of the panel, and whom a new server's welcome goes to."""

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.discord.setup.items import told_place


def submitted(custom_id: str, components: list[Any]) -> discord.Interaction[Any]:
    data = {"custom_id": custom_id, "components": components}
    return cast("discord.Interaction[Any]", SimpleNamespace(type=discord.InteractionType.modal_submit, data=data))


@pytest.mark.parametrize(
    "components",
    [
        [{"type": 18, "component": {"type": 4, "custom_id": "place", "value": "Tokyo"}}],
        [{"type": 1, "components": [{"type": 4, "custom_id": "place", "value": "Tokyo"}]}],
    ],
)
def test_the_place_is_read_from_what_discord_sends(components: list[Any]) -> None:
    assert told_place(submitted("setup:form", components)) == "Tokyo"


def test_another_form_and_anything_that_is_no_form_is_left_alone() -> None:
    click = SimpleNamespace(type=discord.InteractionType.component, data={"custom_id": "setup:form"})

    assert told_place(submitted("other", [])) is None
    assert told_place(cast("discord.Interaction[Any]", click)) is None
