"""Messages between people and a real discord.py client."""

import io

import discord
import pytest

from tests.discord_server.flags import Permission
from tests.discord_server.server import DiscordServer
from tests.integration.discord_server.client import running
from tests.integration.discord_server.scene import Scene, text_channel


async def test_client_becomes_ready_and_knows_its_guild(scene: Scene) -> None:
    async with running(scene.bot) as client:
        assert [guild.name for guild in client.guilds] == ["Garden"]
        assert client.user is not None
        assert client.user.id == scene.bot.id


async def test_message_with_mention_and_attachment_arrives_whole(scene: Scene) -> None:
    async with running(scene.bot) as client:
        await scene.alice.says(scene.channel, "@Hinata look", attachments=[("note.txt", b"hello")])
        message = await client.heard()
        assert message.content == f"{scene.bot.mention} look"
        assert client.user in message.mentions
        assert message.author.name == "alice"
        assert await message.attachments[0].read() == b"hello"


async def test_reply_of_the_bot_is_seen_by_the_person(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        said = await scene.alice.says(scene.channel, "hello")
        await (await client.heard()).reply("hi", mention_author=False)
        reply = await server.next_message(scene.channel, by=scene.bot)
        assert (reply.content, reply.reference_id, reply.mentions) == ("hi", said.id, [])


async def test_same_nonce_returns_the_first_message(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        channel = text_channel(client, scene.channel)
        first = await channel.send("once", nonce="n-1")
        second = await channel.send("once", nonce="n-1")
        assert first.id == second.id
        assert len(server.sent(scene.channel)) == 1


async def test_direct_message_goes_both_ways(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        await scene.alice.dm(scene.bot, "psst")
        message = await client.heard()
        assert message.guild is None
        assert message.content == "psst"
        await message.channel.send("yes?")
        reply = await server.next_message(scene.alice.dm_channel(scene.bot))
        assert reply.content == "yes?"


async def test_bot_opens_a_direct_message_of_its_own(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        user = await client.fetch_user(scene.alice.id)
        await user.send("good morning")
        reply = await server.next_message(scene.alice.dm_channel(scene.bot))
        assert reply.content == "good morning"


async def test_closed_direct_messages_answer_50007(scene: Scene) -> None:
    scene.alice.user.dms_open = False
    async with running(scene.bot) as client:
        user = await client.fetch_user(scene.alice.id)
        with pytest.raises(discord.Forbidden) as caught:
            await user.send("hello?")
        assert caught.value.code == 50007


async def test_stranger_without_a_common_guild_answers_50278(server: DiscordServer, scene: Scene) -> None:
    stranger = server.add_user("mallory")
    async with running(scene.bot) as client:
        user = await client.fetch_user(stranger.id)
        with pytest.raises(discord.Forbidden) as caught:
            await user.send("hello?")
        assert caught.value.code == 50278


async def test_history_pages_by_before_after_and_around(scene: Scene) -> None:
    said = [await scene.alice.says(scene.channel, str(number)) for number in range(5)]
    async with running(scene.bot) as client:
        channel = text_channel(client, scene.channel)
        middle = discord.Object(said[2].id)
        assert [m.content async for m in channel.history(limit=2)] == ["4", "3"]
        assert [m.content async for m in channel.history(before=middle)] == ["1", "0"]
        assert [m.content async for m in channel.history(after=middle)] == ["3", "4"]
        assert sorted([m.content async for m in channel.history(around=middle, limit=3)]) == ["1", "2", "3"]


async def test_every_revision_of_an_edited_message_is_kept(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        message = await text_channel(client, scene.channel).send("H")
        await message.edit(content="He")
        await message.edit(content="Hello")
        seen = await server.settled(await server.next_message(scene.channel), quiet=0.05)
        assert seen.contents == ["H", "He", "Hello"]


async def test_edits_and_deletes_of_people_reach_the_client(scene: Scene) -> None:
    async with running(scene.bot) as client:
        said = await scene.alice.says(scene.channel, "teh")
        await client.heard()
        await scene.alice.edits(said, "the")
        _, after = await client.wait_for("message_edit", timeout=10)
        assert after.content == "the"
        await scene.alice.deletes(said)
        deleted = await client.wait_for("raw_message_delete", timeout=10)
        assert deleted.message_id == said.id


async def test_reactions_go_both_ways(scene: Scene) -> None:
    async with running(scene.bot) as client:
        said = await scene.alice.says(scene.channel, "look")
        message = await client.heard()
        await message.add_reaction("👀")
        assert said.reactions == {"👀": [scene.bot.user]}
        await scene.alice.reacts(said, "👍")
        reaction = await client.wait_for(
            "raw_reaction_add", check=lambda event: event.user_id == scene.alice.id, timeout=10
        )
        assert reaction.emoji.name == "👍"


async def test_uploaded_file_is_stored_and_served(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        file = discord.File(io.BytesIO(b"data"), filename="log.txt")
        sent = await text_channel(client, scene.channel).send("see", file=file)
        assert server.sent(scene.channel)[0].attachments[0].data == b"data"
        assert await sent.attachments[0].read() == b"data"


async def test_too_long_and_empty_messages_are_refused(scene: Scene) -> None:
    async with running(scene.bot) as client:
        channel = text_channel(client, scene.channel)
        with pytest.raises(discord.HTTPException) as too_long:
            await channel.send("x" * 2001)
        with pytest.raises(discord.HTTPException) as empty:
            await channel.send(" ")
        assert (too_long.value.code, empty.value.code) == (50035, 50006)
        await channel.send("x" * 2000)


async def test_missing_things_and_permissions_have_their_codes(scene: Scene) -> None:
    async with running(scene.bot) as client:
        channel = text_channel(client, scene.channel)
        with pytest.raises(discord.NotFound) as message:
            await channel.fetch_message(1)
        with pytest.raises(discord.NotFound) as unknown:
            await client.fetch_channel(1)
        scene.channel.deny(scene.bot, Permission.SEND_MESSAGES)
        with pytest.raises(discord.Forbidden) as forbidden:
            await channel.send("hello")
        assert (message.value.code, unknown.value.code, forbidden.value.code) == (10008, 10003, 50013)


async def test_client_computes_the_same_permissions(scene: Scene) -> None:
    scene.channel.deny(scene.bot, Permission.ATTACH_FILES)
    async with running(scene.bot) as client:
        channel = text_channel(client, scene.channel)
        mine = channel.permissions_for(channel.guild.me)
        assert (mine.send_messages, mine.attach_files) == (True, False)


async def test_typing_is_seen_on_both_sides(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        await text_channel(client, scene.channel).typing()
        await server.typing(scene.channel, by=scene.bot)
        await scene.alice.types(scene.channel)
        event = await client.wait_for("raw_typing", check=lambda event: event.user_id == scene.alice.id, timeout=10)
        assert event.channel_id == scene.channel.id


async def test_threads_are_started_and_talked_in(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        thread = await scene.alice.starts_thread(scene.channel, "plans")
        await scene.alice.says(thread, "here")
        assert (await client.heard()).type is discord.MessageType.thread_created
        message = await client.heard()
        assert isinstance(message.channel, discord.Thread)
        assert message.channel.parent_id == scene.channel.id
        await message.channel.send("ok")
        assert (await server.next_message(thread)).content == "ok"


async def test_text_is_withheld_without_the_intent(scene: Scene) -> None:
    async with running(scene.bot, intents=discord.Intents.default()) as client:
        said = await scene.alice.says(scene.channel, "secret", attachments=[("a.txt", b"a")])
        hidden = await client.heard()
        assert (hidden.content, hidden.attachments) == ("", [])
        await scene.alice.says(scene.channel, "@Hinata open", reply_to=said)
        assert (await client.heard()).content == f"{scene.bot.mention} open"
        await scene.alice.dm(scene.bot, "private")
        assert (await client.heard()).content == "private"


async def test_thread_from_a_message_begins_with_its_starter(scene: Scene) -> None:
    async with running(scene.bot) as client:
        said = await scene.alice.says(scene.channel, "plans?")
        thread = await scene.alice.starts_thread(scene.channel, "plans", on=said)
        assert (await client.heard()).content == "plans?"
        starter = await client.heard()
        assert (starter.type, starter.channel.id) == (discord.MessageType.thread_starter_message, thread.id)
        assert starter.reference is not None
        assert starter.reference.message_id == said.id


async def test_hidden_channel_is_not_heard(scene: Scene) -> None:
    secret = scene.guild.add_text_channel("secret")
    secret.deny(scene.bot, Permission.VIEW_CHANNEL)
    async with running(scene.bot) as client:
        await scene.alice.says(secret, "psst")
        await scene.alice.says(scene.channel, "hello")
        assert (await client.heard()).content == "hello"
        with pytest.raises(discord.Forbidden) as caught:
            await text_channel(client, secret).send("boo")
        assert caught.value.code == 50001


async def test_suppressed_mentions_ping_nobody(server: DiscordServer, scene: Scene) -> None:
    async with running(scene.bot) as client:
        text = f"{scene.alice.mention} @everyone"
        await text_channel(client, scene.channel).send(text, allowed_mentions=discord.AllowedMentions.none())
        await text_channel(client, scene.channel).send(text)
        quiet, loud = server.sent(scene.channel)
        assert (quiet.mentions, quiet.mentions_everyone) == ([], False)
        assert (loud.mentions, loud.mentions_everyone) == ([scene.alice.user], True)
