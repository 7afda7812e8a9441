"""Asking for servers, channels, members, threads and commands."""

import discord

from tests.discord_server.flags import Permission
from tests.discord_server.server import DiscordServer
from tests.integration.discord_server.client import all_intents, running
from tests.integration.discord_server.scene import Scene, text_channel


async def test_guild_and_its_parts_can_be_fetched(scene: Scene) -> None:
    intents = all_intents()
    intents.members = True
    async with running(scene.bot, intents=intents) as client:
        guild = await client.fetch_guild(scene.guild.id)
        assert [channel.name for channel in await guild.fetch_channels()] == ["general"]
        assert [role.name for role in await guild.fetch_roles()] == ["@everyone"]
        members = {member.name async for member in client.guilds[0].fetch_members()}
        assert members == {"Hinata", "alice", "owner of garden"}
        assert [found.name async for found in client.fetch_guilds()] == ["Garden"]


async def test_application_shows_which_intents_are_switched_on(scene: Scene) -> None:
    async with running(scene.bot) as client:
        information = await client.application_info()
        assert information.id == scene.bot.id
        assert information.flags.gateway_message_content_limited
        assert information.flags.gateway_guild_members_limited


async def test_bot_starts_renames_archives_and_leaves_threads(scene: Scene) -> None:
    async with running(scene.bot) as client:
        channel = text_channel(client, scene.channel)
        said = await scene.alice.says(scene.channel, "plans?")
        thread = await (await client.heard()).create_thread(name="plans")
        assert thread.id == said.id
        assert [active.id for active in await channel.guild.active_threads()] == [thread.id]
        await thread.edit(name="old plans", archived=True)
        assert [found.name async for found in channel.archived_threads()] == ["old plans"]
        assert scene.guild.channels[thread.id].archived


async def test_private_thread_is_seen_by_its_members_only(scene: Scene) -> None:
    async with running(scene.bot) as client:
        thread = await scene.alice.starts_thread(scene.channel, "secret", private=True)
        await scene.alice.says(thread, "psst")
        await scene.alice.says(scene.channel, "hello")
        assert (await client.heard()).content == "hello"


async def test_several_messages_are_deleted_with_the_permission(scene: Scene) -> None:
    said = [await scene.alice.says(scene.channel, str(number)) for number in range(3)]
    scene.channel.allow(scene.bot, Permission.MANAGE_MESSAGES)
    async with running(scene.bot) as client:
        await text_channel(client, scene.channel).delete_messages([discord.Object(one.id) for one in said[:2]])
        assert list(scene.channel.messages.values()) == said[2:]


async def test_role_grants_what_everyone_lacks(server: DiscordServer, scene: Scene) -> None:
    scene.guild.everyone.permissions &= ~Permission.SEND_MESSAGES
    helper = scene.guild.add_role("helper", Permission.SEND_MESSAGES)
    scene.guild.members[scene.bot.id].roles.append(helper)
    async with running(scene.bot) as client:
        await text_channel(client, scene.channel).send("hello")
        assert len(server.sent(scene.channel)) == 1


async def test_commands_keep_their_ids_when_they_are_registered_again(scene: Scene) -> None:
    async with running(scene.bot) as client:

        @client.tree.command(name="hello", description="Says hello")
        async def hello(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("hello")

        (first,) = await client.tree.sync()
        (second,) = await client.tree.sync()
        (fetched,) = await client.tree.fetch_commands()
        assert first.id == second.id == fetched.id


async def test_commands_of_a_guild_are_offered_there_only(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        home = discord.Object(scene.guild.id)

        @client.tree.command(name="here", description="Is here", guild=home)
        async def here(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("here")

        await client.tree.sync(guild=home)
        result = await scene.alice.runs_command(scene.bot, "here", channel=scene.channel)
        assert (await result.answer()).content == "here"
        assert scene.bot.app.commands.get(None, []) == []


async def test_left_guild_is_gone(scene: Scene) -> None:
    async with running(scene.bot) as client:
        await client.guilds[0].leave()
        assert scene.bot.id not in scene.guild.members
