"""People talk with the character: in servers, threads and direct messages, several at once."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.discord.stage import Stage, button_of, said, staged
from tests.discord_server.actors import Person
from tests.discord_server.model import Channel
from tests.discord_server.routes import SEND_MESSAGE, TYPING
from tests.model_server import Answer, Hang

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001"
    "a5f645400000000049454e44ae426082"
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with staged(tmp_path_factory.mktemp("exchange")) as stage:
        yield stage


def somebody(stage: Stage, name: str = "alice") -> tuple[Person, Channel]:
    """Return somebody in a server of their own with the bot."""
    person = stage.discord.add_user(name)
    return person, stage.discord.add_guild("Garden", stage.bot, person).add_text_channel("general")


async def test_a_mention_in_a_server_is_answered_with_a_reply_that_pings_nobody(stage: Stage) -> None:
    alice, channel = somebody(stage)
    stage.script.when("apples", "Apples are nice, @everyone. I like the red ones.")

    asked = await alice.says(channel, "@Hinata do you like apples?")
    reply = await stage.answer(asked)

    assert said(reply) == "Apples are nice, @everyone. I like the red ones."
    assert reply.reference_id == asked.id
    assert reply.mentions == []
    assert not reply.mentions_everyone


async def test_a_direct_message_is_answered_and_archived(stage: Stage) -> None:
    alice = stage.discord.add_user("alice")
    stage.script.when("pears", "Pears, too.")

    asked = await alice.dm(stage.bot, "and pears?")
    reply = await stage.answer(asked)

    assert said(reply) == "Pears, too."
    rows = await stage.stored(
        "SELECT text FROM archive WHERE message_id IN (?, ?) ORDER BY message_id", asked.id, reply.id
    )
    assert [row[0] for row in rows] == ["and pears?", "Pears, too."]


async def test_a_name_call_and_a_reply_without_a_ping_are_answered_and_other_talk_is_not(stage: Stage) -> None:
    alice, channel = somebody(stage)

    await alice.says(channel, "what a day, everybody")
    called = await alice.says(channel, "ヒナタ、おはよう")
    first = await stage.answer(called)
    bob = stage.discord.add_user("bob")
    assert channel.guild is not None
    channel.guild.join(bob)
    replied = await bob.says(channel, "I agree", reply_to=first, ping=False)
    await stage.answer(replied)

    assert {one.reference_id for one in stage.discord.sent(channel)} == {called.id, replied.id}


async def test_in_a_thread_that_the_character_joined_it_answers_without_being_called(stage: Stage) -> None:
    alice, channel = somebody(stage)
    thread = await alice.starts_thread(channel, "plans")

    await stage.answer(await alice.says(thread, "@Hinata join us"))
    later = await alice.says(thread, "so what shall we do")

    assert said(await stage.answer(later)) == "I hear you."


async def test_two_people_are_answered_at_the_same_time(stage: Stage) -> None:
    alice, garden = somebody(stage)
    bob, park = somebody(stage, "bob")
    first, second = Hang(), asyncio.Event()
    stage.script.when("cats", Answer(text="Cats!", hold=first.release))
    stage.script.when("dogs", Answer(text="Dogs!", hold=second))
    before = len(stage.model.requests)

    cats = await alice.says(garden, "@Hinata cats?")
    dogs = await bob.says(park, "@Hinata dogs?")
    await stage.model.wait_for_requests(before + 2)
    second.set()
    dogs_reply = await stage.answer(dogs)
    assert stage.replies(cats) == []
    first.release.set()

    assert said(dogs_reply) == "Dogs!"
    assert said(await stage.answer(cats)) == "Cats!"


async def test_what_a_message_answers_reaches_the_model(stage: Stage) -> None:
    alice, channel = somebody(stage)
    bob = stage.discord.add_user("bob")
    assert channel.guild is not None
    channel.guild.join(bob)
    stage.script.when("where is it", "Under the mat.")

    hint = await alice.says(channel, "the key lies under the mat")
    question = await bob.says(channel, "where is it, @Hinata?", reply_to=hint)
    await stage.answer(question)

    prompt = str(stage.model.requests[-1].messages)
    assert "the key lies under the mat" in prompt


async def test_text_files_are_read_and_images_are_seen(stage: Stage) -> None:
    alice, channel = somebody(stage)
    stage.script.when("have a look", "Seen.")
    files = [("note.txt", "合言葉は「山」".encode("cp932")), ("dot.png", PNG), ("tune.mp3", b"\x00\x01")]

    await stage.answer(await alice.says(channel, "@Hinata have a look", attachments=files))

    newest = stage.model.requests[-1].messages[-1]["content"]
    words = " ".join(part.get("text", "") for part in newest)
    assert "合言葉は「山」" in words
    assert "tune.mp3" in words
    assert [part["type"] for part in newest].count("image_url") == 1


async def test_a_long_answer_flows_into_more_messages_without_cutting_its_code(stage: Stage) -> None:
    alice, channel = somebody(stage)
    code = "```python\n" + "\n".join(f"print({number})  # {'x' * 60}" for number in range(22)) + "\n```"
    text = "A sentence of some length about nothing. " * 20 + f"\n{code}\nThat was it."
    stage.script.when("tell me everything", Answer(text=text, chunk=200))

    asked = await alice.says(channel, "@Hinata tell me everything")
    await stage.discord.wait_for(
        lambda: [one for one in stage.discord.sent(channel) if button_of(one, "again:")], what="the last part"
    )

    parts = stage.discord.sent(channel)
    assert len(parts) == 2
    assert parts[0].reference_id == asked.id
    assert all(len(part.content) <= 2000 for part in parts)
    assert any(code in part.content for part in parts)
    assert "".join("".join(said(part) for part in parts).split()) == "".join(text.split())


async def test_a_reply_grows_while_it_is_written_and_has_a_stop_button_meanwhile(stage: Stage) -> None:
    alice, channel = somebody(stage)
    more = asyncio.Event()
    stage.script.when("a story", Answer(text="Once upon a time. There was a cat. The end.", chunk=18, pause=(more, 2)))

    asked = await alice.says(channel, "@Hinata a story")
    growing = await stage.discord.next_message(channel, by=stage.bot)
    assert growing.content == "Once upon a time."
    assert button_of(growing, "stop:")
    more.set()
    reply = await stage.answer(asked)

    assert reply is growing
    assert said(reply) == "Once upon a time. There was a cat. The end."
    assert not button_of(reply, "stop:")


async def test_whoever_writes_again_while_a_reply_is_written_gets_one_answer_to_both(stage: Stage) -> None:
    alice, channel = somebody(stage)
    never = asyncio.Event()
    stage.script.when("second thought", "Then the red one.")
    stage.script.when("which colour", Answer(text="I would say blue. Or maybe not.", chunk=18, pause=(never, 1)))

    first = await alice.says(channel, "@Hinata which colour?")
    draft = await stage.discord.next_message(channel, by=stage.bot)
    second = await alice.says(channel, "@Hinata on second thought, not blue")
    reply = await stage.answer(second)
    await stage.discord.wait_for(lambda: draft.deleted, what="the draft to be withdrawn")

    assert said(reply) == "Then the red one."
    assert stage.replies(first) == []
    assert "which colour" in str(stage.model.requests[-1].messages)
    never.set()


async def test_the_person_who_is_answered_can_stop_it_and_nobody_else(stage: Stage) -> None:
    alice, channel = somebody(stage)
    mallory = stage.discord.add_user("mallory")
    assert channel.guild is not None
    channel.guild.join(mallory)
    never = asyncio.Event()
    stage.script.when("and on", Answer(text="It goes on. And on. And on.", chunk=12, pause=(never, 1)))

    asked = await alice.says(channel, "@Hinata and on")
    growing = await stage.discord.next_message(channel, by=stage.bot)
    stop = button_of(growing, "stop:")
    refused = await mallory.clicks(growing, stop)
    assert refused.ephemeral
    await alice.clicks(growing, stop)
    reply = await stage.answer(asked)

    assert said(reply) == "It goes on."
    never.set()


async def test_an_answer_can_be_asked_for_again_by_its_author_only_and_takes_the_place_of_the_old_one(
    stage: Stage,
) -> None:
    alice, channel = somebody(stage)
    mallory = stage.discord.add_user("mallory", locale="ja")
    assert channel.guild is not None
    channel.guild.join(mallory)
    stage.script.when("a riddle", "What has keys but no doors?", "What runs but never walks?")

    asked = await alice.says(channel, "@Hinata a riddle")
    reply = await stage.answer(asked)
    again = button_of(reply, "again:")
    refused = await mallory.clicks(reply, again)
    assert refused.ephemeral
    assert "返事の相手" in (await refused.answer()).content
    await alice.clicks(reply, again)
    await stage.discord.wait_for(lambda: said(reply) == "What runs but never walks?", what="the new answer")

    assert stage.discord.sent(channel) == [reply]
    rows = await stage.stored(
        "SELECT text FROM archive WHERE message_id = ?", reply.id, until=lambda rows: "runs" in str(rows)
    )
    assert rows == [("What runs but never walks?",)]


async def test_a_long_answer_is_replaced_as_a_whole(stage: Stage) -> None:
    alice, channel = somebody(stage)
    stage.script.when("explain it", Answer(text="A long sentence that explains. " * 150, chunk=500), "In short: no.")
    await alice.says(channel, "@Hinata explain it")
    last = await stage.discord.wait_for(
        lambda: next((one for one in stage.discord.sent(channel) if button_of(one, "again:")), None), what="the end"
    )
    first = stage.discord.sent(channel)[0]
    assert len(stage.discord.sent(channel)) == 3

    await alice.clicks(last, button_of(last, "again:"))
    await stage.discord.wait_for(lambda: stage.discord.sent(channel) == [first], what="one message to be left")

    assert said(first) == "In short: no."


async def test_typing_is_shown_while_the_model_thinks(stage: Stage) -> None:
    alice, channel = somebody(stage)
    thinking = asyncio.Event()
    stage.script.when("deep thought", Answer(text="42.", hold=thinking))

    asked = await alice.says(channel, "@Hinata deep thought")
    await stage.discord.typing(channel, by=stage.bot)
    assert stage.replies(asked) == []
    thinking.set()

    assert said(await stage.answer(asked)) == "42."


async def test_a_typing_indicator_that_fails_costs_nothing(stage: Stage) -> None:
    alice, channel = somebody(stage)
    stage.discord.faults.next(TYPING, times=3).reset()

    assert said(await stage.answer(await alice.says(channel, "@Hinata hello"))) == "I hear you."


async def test_edits_and_deletions_reach_the_archive(stage: Stage) -> None:
    alice, channel = somebody(stage)
    first = await alice.says(channel, "@Hinata my hat is green")
    await stage.answer(first)
    second = await alice.says(channel, "@Hinata and my coat is brown")
    await stage.answer(second)
    await stage.stored("SELECT 1 FROM archive WHERE message_id = ?", second.id)

    await alice.edits(first, "@Hinata my hat is blue")
    await alice.deletes(second)

    query = "SELECT text FROM archive WHERE message_id IN (?, ?)"
    rows = await stage.stored(query, first.id, second.id, until=lambda rows: rows == [("my hat is blue",)])
    assert rows == [("my hat is blue",)]


async def test_a_deleted_channel_is_forgotten(stage: Stage) -> None:
    alice, channel = somebody(stage)
    await stage.answer(await alice.says(channel, "@Hinata remember me"))
    in_channel = "SELECT 1 FROM archive JOIN conversations c ON c.id = conversation_id WHERE c.channel_id = ?"
    await stage.stored(in_channel, channel.id)

    stage.discord.world.delete_channel(channel)

    await stage.stored(in_channel, channel.id, until=lambda rows: not rows)


async def test_bots_are_not_answered(stage: Stage) -> None:
    alice, channel = somebody(stage)
    other = stage.discord.add_bot("Robot")
    assert channel.guild is not None
    channel.guild.join(other)
    robot = Person(other.user, world=stage.discord.world, board=stage.discord.board, desk=stage.discord.desk)

    ignored = await robot.says(channel, "@Hinata beep")
    await stage.answer(await alice.says(channel, "@Hinata hello"))

    assert stage.replies(ignored) == []


async def test_every_message_was_sent_with_a_nonce_and_without_mentions(stage: Stage) -> None:
    sent = stage.discord.requests(SEND_MESSAGE)
    assert len(sent) > 10
    assert all(one.body["enforce_nonce"] and len(one.body["nonce"]) <= 25 for one in sent)
    assert all(one.body["allowed_mentions"]["parse"] == [] for one in sent)
    assert all(not one.body["allowed_mentions"].get("replied_user") for one in sent)
