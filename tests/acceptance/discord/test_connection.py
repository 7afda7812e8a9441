"""The connection breaks, the process dies, the token is wrong."""

import asyncio
import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from core.clock import SystemClock
from tests.acceptance.discord.stage import TOKEN, Stage, said, staged
from tests.discord_server.actors import Person
from tests.discord_server.flags import Intent
from tests.discord_server.model import Channel
from tests.discord_server.routes import LOGIN, SYNC_COMMANDS
from tests.model_server import Answer

pytestmark = pytest.mark.acceptance


def somebody(stage: Stage) -> tuple[Person, Channel]:
    """Return somebody in a server of their own with the bot."""
    person = stage.discord.add_user("alice")
    return person, stage.discord.add_guild("Garden", stage.bot, person).add_text_channel("general")


@pytest.mark.parametrize("dropped", [False, True], ids=["op 7", "broken"])
async def test_what_is_said_while_it_reconnects_is_answered_once(tmp_path: Path, *, dropped: bool) -> None:
    async with staged(tmp_path) as stage:
        alice, channel = somebody(stage)
        before = await alice.says(channel, "@Hinata hello")
        await stage.answer(before)

        if dropped:
            stage.bot.dropped()
        else:
            stage.bot.told_to_reconnect()
        await stage.bot.disconnected()
        between = await alice.says(channel, "@Hinata are you there?")
        await stage.bot.resumed()
        await stage.answer(between)
        after = await alice.says(channel, "@Hinata and now?")
        await stage.answer(after)

        assert [len(stage.replies(one)) for one in (before, between, after)] == [1, 1, 1]
        assert stage.bot.identifies == 1


async def test_a_gateway_that_refuses_at_the_start_is_tried_again(tmp_path: Path) -> None:
    async with staged(tmp_path, started=False) as stage:
        alice, channel = somebody(stage)
        stage.discord.gateway.refuses = True
        await stage.launch()
        await stage.logs("discord.connection_failed")
        stage.discord.gateway.refuses = False
        await stage.bot.ready()

        assert said(await stage.answer(await alice.says(channel, "@Hinata hello"))) == "I hear you."


async def test_after_a_lost_session_missed_messages_are_answered_and_others_are_not_again(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        alice, channel = somebody(stage)
        before = await alice.says(channel, "@Hinata hello")
        await stage.answer(before)
        dm = await alice.dm(stage.bot, "hello in private")
        await stage.answer(dm)
        done = stage.logged.count("catch_up.done")

        stage.bot.invalidated()
        await stage.bot.disconnected()
        missed = await alice.says(channel, "@Hinata are you there?")
        missed_dm = await alice.dm(stage.bot, "and in private?")
        await stage.bot.ready(identifies=2)
        await stage.answer(missed)
        await stage.answer(missed_dm)
        await stage.logs("catch_up.done", times=done + 1)

        assert [len(stage.replies(one)) for one in (before, dm, missed, missed_dm)] == [1, 1, 1, 1]


async def test_a_fault_inside_the_library_is_survived(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        alice, channel = somebody(stage)
        await stage.answer(await alice.says(channel, "@Hinata hello"))

        stage.bot.receives("MESSAGE_CREATE", {})
        await stage.bot.ready(identifies=2)

        assert said(await stage.answer(await alice.says(channel, "@Hinata still there?"))) == "I hear you."
        assert len(stage.discord.sessions.connected(stage.bot.app)) == 1


async def test_a_killed_process_catches_up_and_answers_nothing_twice(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        alice, channel = somebody(stage)
        bob = stage.discord.add_user("bob")
        assert channel.guild is not None
        channel.guild.join(bob)
        answered = await alice.says(channel, "@Hinata hello")
        await stage.answer(answered)
        in_private = await alice.dm(stage.bot, "hello")
        await stage.answer(in_private)
        never = asyncio.Event()
        stage.script.when("a story", Answer(text="Once upon a time. There was more.", chunk=18, pause=(never, 1)))
        interrupted = await bob.says(channel, "@Hinata a story")
        growing = await stage.discord.next_message(channel, by=stage.bot)
        while growing.reference_id != interrupted.id:
            growing = await stage.discord.next_message(channel, by=stage.bot)

        await stage.kill()
        stage.script.when("a story", "Once upon a time. The end.")
        missed = await alice.says(channel, "@Hinata are you there?")
        missed_in_private = await alice.dm(stage.bot, "and here?")
        not_meant = await alice.says(channel, "nobody is")
        await stage.start()

        for one in (missed, missed_in_private):
            assert said(await stage.answer(one)) == "I hear you."
        finished = await stage.answer(interrupted)
        assert finished is growing
        assert said(finished) == "Once upon a time. The end."
        everything = (answered, in_private, interrupted, missed, missed_in_private)
        assert [len(stage.replies(one)) for one in everything] == [1] * 5
        assert stage.replies(not_meant) == []

        # Nothing is left to do for a third process, but to follow what was deleted meanwhile.
        of_it = ("SELECT text FROM archive WHERE message_id = ?", in_private.id)
        assert await stage.stored(*of_it) == [("hello",)]
        assert await stage.stored("SELECT text FROM archive WHERE message_id = ?", missed_in_private.id)
        await stage.kill()
        await alice.deletes(in_private)
        requests = len(stage.model.requests)
        await stage.start()
        await stage.stored(*of_it, until=lambda rows: not rows)
        assert len(stage.model.requests) == requests
        assert [len(stage.replies(one)) for one in everything] == [1] * 5
        assert await stage.stored("SELECT text FROM archive WHERE message_id = ?", missed_in_private.id)


class ShiftedClock(SystemClock):
    """The machine's clock, put back or on."""

    shift = timedelta()

    def now(self) -> datetime:
        return super().now() + self.shift


async def test_the_very_first_direct_message_is_answered_though_the_process_was_killed_over_it(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        never = asyncio.Event()
        stage.script.when("hello", Answer(text="Never to be seen.", hold=never), "Nice to meet you.")
        asked = await stage.discord.add_user("alice").dm(stage.bot, "hello")
        await stage.stored("SELECT 1 FROM traces WHERE outcome = 'begun'")
        await stage.discord.wait_for(lambda: stage.model.requests, what="a request to the model")

        await stage.kill()
        await stage.start()

        assert said(await stage.answer(asked)) == "Nice to meet you."
        assert len(stage.replies(asked)) == 1
        never.set()


async def test_only_messages_of_the_last_minutes_are_caught_up_with(tmp_path: Path) -> None:
    clock = ShiftedClock()
    clock.shift = timedelta(minutes=-10)
    async with staged(tmp_path, started=False, clock=clock) as stage:
        alice, channel = somebody(stage)
        old = await alice.says(channel, "@Hinata hello")
        clock.shift = timedelta(minutes=-2)
        recent = await alice.says(channel, "@Hinata hello again")
        clock.shift = timedelta()
        await stage.start()

        await stage.answer(recent)

        assert stage.replies(old) == []


async def test_catching_up_can_be_switched_off(tmp_path: Path) -> None:
    async with staged(tmp_path, started=False) as stage:
        alice, channel = somebody(stage)
        missed = await alice.says(channel, "@Hinata hello")
        await stage.start(YORISOI_CATCH_UP_MINUTES="0")

        await stage.answer(await alice.says(channel, "@Hinata hello again"))

        assert stage.replies(missed) == []


async def test_being_asked_to_end_finishes_what_is_under_way_and_exits_with_0(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        alice, channel = somebody(stage)
        never = asyncio.Event()
        stage.script.when("a story", Answer(text="Once upon a time. There was more.", chunk=18, pause=(never, 1)))
        await alice.says(channel, "@Hinata a story")
        draft = await stage.discord.next_message(channel, by=stage.bot)

        assert await stage.terminate() == 0

        assert draft.deleted
        assert "Traceback" not in stage.logged


async def test_commands_are_given_to_discord_only_when_they_changed(tmp_path: Path) -> None:
    async with staged(tmp_path) as stage:
        await stage.discord.requested(SYNC_COMMANDS)
        assert await stage.terminate() == 0
        await stage.bot.disconnected()
        await stage.start()
        assert await stage.terminate() == 0

        assert len(stage.discord.requests(SYNC_COMMANDS)) == 1


async def test_a_missing_intent_ends_the_process_with_a_clear_message(tmp_path: Path) -> None:
    async with staged(tmp_path, started=False, intents_allowed=Intent(0)) as stage:
        await stage.launch()

        assert await stage.ended() != 0
        last = stage.log[-1]
        assert "Message Content Intent" in last
        assert "YORISOI_MESSAGE_CONTENT=false" in last
        assert "Traceback" not in stage.logged


async def test_a_wrong_token_ends_the_process_with_a_message_that_names_the_variable(tmp_path: Path) -> None:
    async with staged(tmp_path, started=False) as stage:
        await stage.launch(YORISOI_DISCORD_TOKEN="not-the-token-at-all")

        assert await stage.ended() != 0
        assert "YORISOI_DISCORD_TOKEN" in stage.log[-1]
        assert "not-the-token-at-all" not in stage.logged
        assert "Traceback" not in stage.logged


async def test_a_discord_that_is_down_at_the_start_is_waited_for(tmp_path: Path) -> None:
    async with staged(tmp_path, started=False) as stage:
        alice, channel = somebody(stage)
        stage.discord.faults.next(LOGIN).server_error(503)
        await stage.start()

        assert said(await stage.answer(await alice.says(channel, "@Hinata hello"))) == "I hear you."


async def test_several_characters_live_in_one_process_and_a_wrong_token_costs_only_its_own(tmp_path: Path) -> None:
    characters = tmp_path / "characters"
    for name in ("sora", "nobody"):
        write_character(characters / name, name)
    async with staged(tmp_path, started=False, YORISOI_CHARACTERS_DIR=str(characters)) as stage:
        sora = stage.discord.add_bot("Sora", token="token-of-sora")
        alice, channel = somebody(stage)
        assert channel.guild is not None
        channel.guild.join(sora)
        await stage.start(SORA_TOKEN="token-of-sora", NOBODY_TOKEN="a-wrong-token", YORISOI_DISCORD_TOKEN=TOKEN)
        await sora.ready()

        to_hinata = await alice.says(channel, "@Hinata hello")
        to_sora = await alice.says(channel, "@Sora hello")
        await stage.answer(to_hinata)
        await stage.answer(to_sora)

        assert [one.author for one in stage.replies(to_hinata)] == [stage.bot.user]
        assert [one.author for one in stage.replies(to_sora)] == [sora.user]
        await stage.logs("NOBODY_TOKEN")


def write_character(folder: Path, name: str) -> None:
    """Make a small but complete character with a token of its own."""
    folder.mkdir(parents=True)
    (folder / "character.toml").write_text(
        f"""
        name = "{name}"
        call_names = []
        locale = "en"
        timezone = "UTC"
        tier = "balanced"
        token_env = "{name.upper()}_TOKEN"
        tags = []

        [display_name]
        en = {json.dumps(name.title())}

        [introduction]
        en = "A test character."
        """,
        "utf-8",
    )
    (folder / "personality.en.md").write_text("You are kind and brief.\n", "utf-8")
