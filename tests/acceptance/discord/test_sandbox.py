"""`/sandbox compare`: for those who run the character, in staging; nothing is sent or stored."""

import hashlib
import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from data.sandbox import FOLDER
from tests.acceptance.discord.stage import Stage, said, staged
from tests.acceptance.discord.test_commands import somebody, text_of
from tests.discord_server.message import Message, Upload
from tests.model_server import Hang

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]

DRAFT = """
title = "What was said"
messages = ["kettle"]
[[variants]]
name = "now"
[[variants]]
name = "warm"
temperature = 1.0
"""


def upload(text: str) -> Upload:
    return Upload(filename="mine.toml", data=text.encode(), content_type="text/plain")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with staged(tmp_path_factory.mktemp("sandbox"), started=False) as stage:
        owner = stage.people["owner"] = stage.discord.add_user("owner")
        stage.settings |= {"YORISOI_OWNER_IDS": str(owner.id), "YORISOI_ENVIRONMENT": "staging"}
        await stage.start()
        yield stage


async def finished(stage: Stage, answer: Message) -> Message:
    await stage.discord.wait_for(lambda: bool(answer.attachments), what="the files of a comparison", within=40.0)
    return answer


def stored(stage: Stage) -> dict[str, str]:
    files = (stage.database, stage.database.with_name("yorisoi.db-wal"))
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


async def test_an_operator_compares_and_nothing_is_sent_or_stored(stage: Stage) -> None:
    owner = stage.people["owner"]
    before, posted = stored(stage), len(stage.discord.world.posted)

    interaction = await owner.runs_command(stage.bot, "sandbox compare", {"draft": "16-08-ja", "repetitions": 2})
    answer = await finished(stage, await interaction.answer())

    assert interaction.ephemeral
    assert "legacy**: passed at once 0/2" in answer.content
    assert "capsule**: passed at once 2/2 (34 to 100 %)" in answer.content
    assert [one.filename for one in answer.attachments] == ["comparison.html", "comparison.json"]
    page, told = answer.attachments
    assert "【今日の予定】" in page.data.decode()
    assert json.loads(told.data)["complete"]
    assert stored(stage) == before
    assert [one for one in stage.discord.world.posted[posted:] if one is not answer] == []


async def test_the_page_is_in_the_language_of_who_asked(stage: Stage) -> None:
    owner, asked = stage.people["owner"], {"draft": "16-08-ja"}
    for locale, heading in (("ja", "返事とプロンプト"), ("en-GB", "Answers and prompts")):
        interaction = await owner.runs_command(stage.bot, "sandbox compare", asked, locale=locale)
        answer = await finished(stage, await interaction.answer())
        page = answer.attachments[0].data.decode()
        assert f'<html lang="{locale[:2]}">' in page
        assert f">{heading}</h2>" in page


async def test_nobody_else_may_and_what_is_wrong_is_told(stage: Stage) -> None:
    alice, channel = somebody(stage)
    owner = stage.people["owner"]
    assert "run this character" in await text_of(stage, alice, "sandbox compare", channel, draft="16-08-ja")
    assert "one of the two" in await text_of(stage, owner, "sandbox compare")
    assert "There is no draft 'x'" in await text_of(stage, owner, "sandbox compare", draft="x")
    assert "There is no model 'x'" in await text_of(stage, owner, "sandbox compare", draft="16-08-ja", model="x")
    offered = await owner.autocompletes(stage.bot, "sandbox compare", "draft", "08-e")
    assert [one["value"] for one in offered] == ["16-08-en"]


async def test_a_file_of_one_s_own_is_run_and_its_faults_are_told_with_their_lines(stage: Stage) -> None:
    owner = stage.people["owner"]
    bad = Upload(filename="mine.toml", data=b'title = "x"\ntitel = 1\n', content_type="text/plain")
    assert "mine.toml:2: titel: is unknown; write title" in await text_of(stage, owner, "sandbox compare", file=bad)
    text = (FOLDER / "16-08-en.toml").read_bytes()
    good = Upload(filename="mine.toml", data=text, content_type="text/plain")
    interaction = await owner.runs_command(stage.bot, "sandbox compare", {"file": good})
    answer = await finished(stage, await interaction.answer())
    assert "capsule**: passed at once 1/1" in answer.content


async def test_a_real_conversation_is_compared_and_shown_only_where_it_takes_place(stage: Stage) -> None:
    owner = stage.people["owner"]
    alice, _ = somebody(stage)
    stage.script.when("tomatoes", "How are they doing?")
    stage.script.when("kettle", "It is on.", "It is on.")
    assert said(await stage.answer(await owner.dm(stage.bot, "I planted tomatoes today"))) == "How are they doing?"
    await stage.stored("SELECT 1 FROM archive WHERE text LIKE '%tomatoes%'")
    await stage.stored("SELECT 1 FROM traces WHERE outcome = 'answered'")  # the last thing that is written

    def of(channel: int) -> Upload:
        return upload(f"{DRAFT}[conversation]\nchannel_id = {channel}\n")

    theirs, own = alice.dm_channel(stage.bot).id, owner.dm_channel(stage.bot).id
    refused = await text_of(stage, owner, "sandbox compare", file=of(theirs))
    assert "only where that conversation takes place" in refused

    before = stored(stage)
    interaction = await owner.runs_command(stage.bot, "sandbox compare", {"file": of(own)})
    answer = await finished(stage, await interaction.answer())
    _, told = answer.attachments
    prompt = json.loads(told.data)["variants"][0]["samples"][0]["turns"][0]["attempts"][0]["prompt"]
    assert [message["text"] for message in prompt[1:3]] == ["I planted tomatoes today", "How are they doing?"]
    assert stored(stage) == before


async def test_the_button_stops_it_and_shows_what_was_finished(stage: Stage) -> None:
    owner = stage.people["owner"]
    stage.script.when("kettle", "It is on.", Hang())
    interaction = await owner.runs_command(stage.bot, "sandbox compare", {"file": upload(DRAFT)})
    answer = await interaction.answer()
    await stage.discord.wait_for(lambda: "done: 1 of 2" in answer.content, what="progress", within=20.0)
    await owner.clicks(answer, label="Stop")
    await finished(stage, answer)
    assert "Stopped. This is what was finished." in answer.content
    assert "now**: passed at once 1/1" in answer.content
