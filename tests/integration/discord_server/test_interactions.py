"""Slash commands, buttons and forms of a real discord.py client."""

import discord
import pytest
from discord import app_commands

from tests.discord_server.routes import FOLLOW_UP, SYNC_COMMANDS
from tests.discord_server.server import DiscordServer
from tests.integration.discord_server.client import Client, pointed_at, running
from tests.integration.discord_server.scene import Scene, text_channel


class Question(discord.ui.Modal, title="A question"):
    """A form with one field."""

    text: discord.ui.TextInput[discord.ui.View] = discord.ui.TextInput(label="What?", custom_id="text")

    async def on_submit(self, interaction: discord.Interaction, /) -> None:
        """Repeat what was filled in."""
        await interaction.response.send_message(f"You ask: {self.text.value}", ephemeral=True)


class Buttons(discord.ui.View):
    """A button that edits, a button that asks, a menu."""

    @discord.ui.button(label="Again", custom_id="again")
    async def again(self, interaction: discord.Interaction, _: discord.ui.Button["Buttons"]) -> None:
        """Edit the message the button is on."""
        await interaction.response.edit_message(content="again")

    @discord.ui.button(label="Ask", custom_id="ask")
    async def ask(self, interaction: discord.Interaction, _: discord.ui.Button["Buttons"]) -> None:
        """Open the form."""
        await interaction.response.send_modal(Question())

    @discord.ui.select(
        custom_id="pick", options=[discord.SelectOption(label="tea"), discord.SelectOption(label="milk")]
    )
    async def pick(self, interaction: discord.Interaction, menu: discord.ui.Select["Buttons"]) -> None:
        """Say what was picked."""
        await interaction.response.send_message(menu.values[0])


def add_commands(client: Client) -> None:
    """Register one command of each kind with the client."""

    @client.tree.command(description="Says hello")
    async def hello(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"hello {interaction.locale.value}", ephemeral=True)

    @client.tree.command(description="Takes its time")
    async def think(interaction: discord.Interaction) -> None:
        await interaction.response.defer(thinking=True)
        await interaction.edit_original_response(content="thought")
        await interaction.followup.send("and more")

    @client.tree.command(description="Answers a deferral with a follow-up")
    async def slow(interaction: discord.Interaction) -> None:
        await interaction.response.defer(thinking=True)
        await interaction.followup.send("done")

    @client.tree.command(description="Says nothing")
    async def nothing(interaction: discord.Interaction) -> None:
        del interaction

    group = app_commands.Group(name="privacy", description="About data")

    @group.command(name="show", description="Shows")
    async def show(interaction: discord.Interaction, who: discord.User, topic: str = "all") -> None:
        await interaction.response.send_message(f"{who.name} {topic}")

    @show.autocomplete("topic")
    async def complete(_: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        return [app_commands.Choice(name=f"about {current}", value=current)]

    @client.tree.context_menu(name="Quote")
    async def quote(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"> {message.content}")

    client.tree.add_command(group)


async def synced(client: Client) -> None:
    add_commands(client)
    await client.tree.sync()


async def test_command_answers_ephemerally_in_the_persons_locale(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        await synced(client)
        result = await scene.alice.runs_command(scene.bot, "hello", channel=scene.channel, locale="ja")
        assert result.response is not None
        assert (result.response.content, result.ephemeral, result.deferred) == ("hello ja", True, False)
        assert server.sent(scene.channel) == []
        assert len(server.requests(SYNC_COMMANDS)) == 1


async def test_deferred_command_fills_its_answer_and_follows_up(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        await synced(client)
        result = await scene.alice.runs_command(scene.bot, "think", channel=scene.channel)
        assert result.deferred
        assert (await result.answer()).content == "thought"
        assert (await result.follow_up()).content == "and more"
        assert [message.content for message in server.sent(scene.channel)] == ["thought", "and more"]


async def test_first_follow_up_takes_the_place_of_the_thinking_state(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        await synced(client)
        result = await scene.alice.runs_command(scene.bot, "slow", channel=scene.channel)
        assert (await result.answer()).content == "done"
        assert result.followups == []
        assert len(server.sent(scene.channel)) == 1


async def test_follow_up_has_no_nonce_so_that_500_after_storing_posts_it_twice(
    server: DiscordServer, scene: Scene
) -> None:
    async with running(scene.bot) as client:
        await synced(client)
        server.faults.next(FOLLOW_UP).server_error(stored=True)
        result = await scene.alice.runs_command(scene.bot, "think", channel=scene.channel)
        assert (await result.follow_up(1)).content == "and more"
        assert [message.content for message in server.sent(scene.channel)] == ["thought", "and more", "and more"]


async def test_command_runs_in_a_direct_message(scene: Scene) -> None:
    async with running(scene.bot) as client:
        await synced(client)
        result = await scene.alice.runs_command(scene.bot, "hello")
        assert (await result.answer()).content == "hello en-US"


async def test_subcommand_takes_a_user_and_a_text(scene: Scene) -> None:
    async with running(scene.bot) as client:
        await synced(client)
        values = {"who": scene.alice, "topic": "recall"}
        result = await scene.alice.runs_command(scene.bot, "privacy show", values, channel=scene.channel)
        assert (await result.answer()).content == "alice recall"


async def test_required_option_must_be_given(scene: Scene) -> None:
    async with running(scene.bot) as client:
        await synced(client)
        with pytest.raises(AssertionError, match="needs \\['who'\\]"):
            await scene.alice.runs_command(scene.bot, "privacy show", channel=scene.channel)


async def test_option_is_completed_while_typing(scene: Scene) -> None:
    async with running(scene.bot) as client:
        await synced(client)
        choices = await scene.alice.autocompletes(scene.bot, "privacy show", "topic", "rec", channel=scene.channel)
        assert [(choice["name"], choice["value"]) for choice in choices] == [("about rec", "rec")]


async def test_context_menu_command_gets_the_message(scene: Scene) -> None:
    async with running(scene.bot) as client:
        await synced(client)
        said = await scene.alice.says(scene.channel, "words")
        result = await scene.alice.uses(scene.bot, "Quote", on=said, channel=scene.channel)
        assert (await result.answer()).content == "> words"


async def test_command_without_an_answer_fails_in_discords_time() -> None:
    async with DiscordServer.start(deadline=0.1) as server:
        scene = Scene(server)
        with pointed_at(server):
            async with running(scene.bot) as client:
                await synced(client)
                with pytest.raises(AssertionError, match="application to respond"):
                    await scene.alice.runs_command(scene.bot, "nothing", channel=scene.channel)


async def test_button_edits_its_message(scene: Scene) -> None:
    async with running(scene.bot) as client:
        await text_channel(client, scene.channel).send("first", view=Buttons())
        message = next(iter(scene.channel.messages.values()))
        await scene.alice.clicks(message, label="Again")
        assert message.contents == ["first", "again"]


async def test_menu_tells_what_was_picked(scene: Scene) -> None:
    async with running(scene.bot) as client:
        await text_channel(client, scene.channel).send("first", view=Buttons())
        message = next(iter(scene.channel.messages.values()))
        result = await scene.alice.clicks(message, "pick", values=["milk"])
        assert (await result.answer()).content == "milk"


async def test_form_is_opened_filled_in_and_answered(scene: Scene) -> None:
    async with running(scene.bot) as client:
        await text_channel(client, scene.channel).send("first", view=Buttons())
        message = next(iter(scene.channel.messages.values()))
        form = await scene.alice.clicks(message, "ask")
        result = await scene.alice.submits(form, {"text": "why?"})
        assert (await result.answer()).content == "You ask: why?"
        assert result.ephemeral


async def test_second_first_answer_is_refused(scene: Scene) -> None:
    refused: list[int] = []

    async with running(scene.bot) as client:

        @client.tree.command(description="Answers twice")
        async def twice(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("one")
            interaction.response._response_type = None
            try:
                await interaction.response.send_message("two")
            except discord.HTTPException as error:
                refused.append(error.code)
            await interaction.followup.send("end")

        await client.tree.sync()
        result = await scene.alice.runs_command(scene.bot, "twice", channel=scene.channel)
        await result.follow_up()
        assert refused == [40060]
