"""Something changes between the moment a message was decided on and the moment it is sent: it is not sent."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from core.proactive.attempt import Step
from tests.acceptance.proactive.director import Halt
from tests.acceptance.proactive.scene import Scene, scene
from tests.discord_server.actors import Person

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]

BEFORE_THE_CLAIM = [Step.SELECTED, Step.REVIEWED, Step.REGROUNDED]
HOUR = 3600.0


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def one(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    async with scene(tmp_path_factory.mktemp("changes")) as one:
        await one.stage.start()
        yield one


async def halted(one: Scene, step: Step) -> tuple[Person, Halt]:
    """Return somebody whose slot has come to that step and waits there."""
    person = one.member("alice")
    halt = one.director.halt(step, person.id)
    one.subscribe(person)
    await halt.reached()
    return person, halt


@pytest.mark.parametrize("step", BEFORE_THE_CLAIM)
async def test_who_has_spoken_meanwhile_is_not_spoken_to_first(one: Scene, step: Step) -> None:
    alice, halt = await halted(one, step)

    reply = await one.stage.answer(await alice.dm(one.stage.bot, "hello there"))
    await one.stage.stored(
        "SELECT 1 FROM proactive_subscriptions WHERE recipient_id = ? AND spoke_at IS NOT NULL", alice.id
    )
    halt.release()

    assert (await one.outcome(alice))[:2] == ("skipped", "spoke")
    assert one.messages(alice) == [reply]


@pytest.mark.parametrize("step", BEFORE_THE_CLAIM)
async def test_of_who_has_opted_out_meanwhile_nothing_is_kept(one: Scene, step: Step) -> None:
    alice, halt = await halted(one, step)

    interaction = await alice.runs_command(one.stage.bot, "privacy opt-out")
    await interaction.answer()
    halt.release()

    await one.stage.stored(
        "SELECT count(*) FROM proactive_subscriptions WHERE recipient_id = ?",
        alice.id,
        until=lambda rows: rows == [(0,)],
    )
    assert await one.rows(alice) == 0
    assert [message for message in one.messages(alice) if message.nonce is not None] == []


@pytest.mark.parametrize("step", BEFORE_THE_CLAIM)
async def test_who_has_switched_it_off_meanwhile_is_not_spoken_to(one: Scene, step: Step) -> None:
    alice, halt = await halted(one, step)

    interaction = await alice.runs_command(one.stage.bot, "proactive off")
    await interaction.answer()
    halt.release()

    state, reason, _ = await one.outcome(alice)
    assert (state, reason) in {("skipped", "changed"), ("skipped", "not_enabled")}
    assert [message for message in one.messages(alice) if message.nonce is not None] == []


@pytest.mark.parametrize("step", [Step.SELECTED, Step.REVIEWED])
async def test_a_schedule_that_was_edited_meanwhile_takes_the_ground_away(one: Scene, step: Step) -> None:
    alice, halt = await halted(one, step)

    edit(one.schedule)
    halt.release()

    assert (await one.outcome(alice))[:2] == ("skipped", "fingerprint")
    assert one.messages(alice) == []


async def test_a_schedule_that_cannot_be_read_any_more_takes_the_ground_away(one: Scene) -> None:
    alice, halt = await halted(one, Step.SELECTED)
    before = one.schedule.read_text("utf-8")

    replace_file(one.schedule, before + "\n[activity.\n")
    halt.release()

    assert (await one.outcome(alice))[:2] == ("skipped", "no_schedule")
    assert one.messages(alice) == []
    replace_file(one.schedule, before)


@pytest.mark.parametrize("seconds", [-HOUR, HOUR], ids=["back", "forward"])
@pytest.mark.parametrize(
    ("step", "outcome"),
    [
        (Step.SELECTED, ("skipped", "clock")),
        (Step.REGROUNDED, ("skipped", "lease")),
        (Step.CLAIMED, ("failed", "lease")),
    ],
)
async def test_a_clock_that_was_set_meanwhile_takes_the_ground_away(
    one: Scene, step: Step, outcome: tuple[str, str], seconds: float
) -> None:
    alice, halt = await halted(one, step)

    one.set_clock(seconds)
    halt.release()

    assert (await one.outcome(alice))[:2] == outcome
    assert one.messages(alice) == []
    one.set_clock(0.0)


def edit(schedule: Path) -> None:
    """Call sleep by another name: it is part of every day."""
    text = schedule.read_text("utf-8")
    changed = text.replace('text.en = "sleep', 'text.en = "sleep and dreams')
    assert changed != text
    replace_file(schedule, changed)


def replace_file(file: Path, text: str) -> None:
    """Write a file the way editors do: all of it, or nothing."""
    new = file.with_suffix(".new")
    new.write_text(text, "utf-8")
    new.replace(file)
