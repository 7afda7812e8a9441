"""A wrong clock on Discord: the old answer to "what are you up to?" is never seen, at no revision of any message.

The process goes by the machine's clock, so the wrong time is one that is hours away from it.
"""

from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio

from core.clock import SystemClock
from prompts.messages import Messages
from tests.acceptance.discord.stage import Stage, said, staged
from tests.discord_server.message import Message
from tests.model_server import Answer

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]

_TOKYO = ZoneInfo("Asia/Tokyo")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with staged(tmp_path_factory.mktemp("incident")) as stage:
        yield stage


def japanese() -> tuple[str, str, list[str]]:
    """Return the old answer, a good one, and what of the old one must never be seen."""
    now = SystemClock().now().astimezone(_TOKYO)
    wrong = now - timedelta(hours=5)
    clock = f"{wrong.hour}時半"
    return f"もう{clock}だね。お昼寝したら？", "うん、ひと息ついてるところ。", [clock, "昼寝"]


def english() -> tuple[str, str, list[str]]:
    """Return the same in English."""
    wrong = SystemClock().now().astimezone(_TOKYO) - timedelta(hours=5)
    clock = f"{wrong.hour % 12 or 12}:30 {'AM' if wrong.hour < 12 else 'PM'}"
    return (
        f"It's already {clock}. Why don't you take a nap?",
        "Just catching my breath. And you?",
        [clock, "a nap"],
    )


def answer_with(stage: Stage, *answers: Answer) -> None:
    """Let the model answer by these in turn, whatever it is asked (a repair asks otherwise); the last one stays."""
    left = list(answers)
    stage.model.respond = lambda _: left.pop(0) if len(left) > 1 else left[0]


ANSWERS = pytest.mark.parametrize(
    ("question", "answers"), [("ねえ、いま何してた？", japanese), ("hey, what are you up to?", english)]
)


def everything_seen(stage: Stage, asked: Message) -> str:
    """Return every text that stood under a message for any time at all, deleted ones included."""
    replies = [one for one in stage.discord.world.posted if one.channel is asked.channel and one.author.is_bot]
    return "\n".join(content for one in replies for content in one.contents)


@ANSWERS
@pytest.mark.parametrize("chunk", [1, 7, 500])
async def test_the_old_answer_is_written_again_and_never_seen(
    stage: Stage, question: str, answers: Callable[[], tuple[str, str, list[str]]], chunk: int
) -> None:
    old, new, traces = answers()
    alice = stage.discord.add_user("alice")
    answer_with(stage, Answer(text=old, chunk=chunk), Answer(text=new, chunk=chunk))

    asked = await alice.dm(stage.bot, question)

    assert said(await stage.answer(asked)) == new
    seen = everything_seen(stage, asked)
    assert not any(trace in seen for trace in traces)
    await stage.stored(
        "SELECT outcome FROM traces WHERE user_id = ?", alice.id, until=lambda rows: rows == [("repaired",)]
    )
    kept = await stage.stored("SELECT text FROM archive WHERE message_id > ?", asked.id)
    assert kept == [(new,)]


@ANSWERS
async def test_a_model_that_insists_is_never_heard(
    stage: Stage, question: str, answers: Callable[[], tuple[str, str, list[str]]]
) -> None:
    old, _, traces = answers()
    alice = stage.discord.add_user("alice")
    channel = stage.discord.add_guild("Garden", stage.bot, alice).add_text_channel("general")
    answer_with(stage, Answer(text=old, chunk=2))

    asked = await alice.says(channel, f"@Hinata {question}")

    written = {text for locale in ("ja", "en") for text in Messages.load().entry("fallback.time.contradiction", locale)}
    assert said(await stage.answer(asked)) in written
    seen = everything_seen(stage, asked)
    assert not any(trace in seen for trace in traces)


@ANSWERS
async def test_good_sentences_before_the_old_answer_do_not_let_it_through(
    stage: Stage, question: str, answers: Callable[[], tuple[str, str, list[str]]]
) -> None:
    old, new, traces = answers()
    alice = stage.discord.add_user("alice")
    answer_with(stage, Answer(text=f"{new}\n{new}\n{old}", chunk=3), Answer(text=new, chunk=3))

    asked = await alice.dm(stage.bot, question)

    assert said(await stage.answer(asked)) == new
    seen = everything_seen(stage, asked)
    assert not any(trace in seen for trace in traces)
