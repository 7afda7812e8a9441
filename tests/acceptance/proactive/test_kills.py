"""`kill -9` at every step boundary: whoever takes over sends the same message, or none; nothing twice, nothing late."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
import pytest_asyncio

from core.proactive.attempt import Step
from tests.acceptance.proactive.scene import Scene, scene
from tests.discord_server.actors import Person
from tests.discord_server.routes import SEND_MESSAGE

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]

IN_FLIGHT = "in flight"
"""Discord has the message, and the process dies before it learns so."""

STEPS = (
    Step.OBSERVED,
    Step.SELECTED,
    Step.REVIEWED,
    Step.REGROUNDED,
    Step.CLAIMED,
    Step.SENDING,
    IN_FLIGHT,
    Step.DELIVERED,
    Step.RECORDED,
)
AFTER_THE_LEASE = {
    Step.OBSERVED: (("skipped", "missed"), 0),
    Step.SELECTED: (("skipped", "missed"), 0),
    Step.REVIEWED: (("skipped", "missed"), 0),
    Step.REGROUNDED: (("skipped", "missed"), 0),
    Step.CLAIMED: (("unknown", "crashed"), 0),
    Step.SENDING: (("unknown", "crashed"), 0),
    IN_FLIGHT: (("unknown", "crashed"), 1),
    Step.DELIVERED: (("unknown", "crashed"), 1),
    Step.RECORDED: (("sent", None), 1),
}


@dataclass(slots=True)
class Crashes:
    """Who stood at which step when the process was killed, and whether it was back at once or after the lease."""

    scene: Scene
    at_once: dict[str, Person] = field(default_factory=dict)
    after_the_lease: dict[str, Person] = field(default_factory=dict)
    twice: Person | None = None


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crashes(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Crashes]:
    """A process dies with somebody at every step; the next dies when it takes over; the third dies for two minutes."""
    async with scene(tmp_path_factory.mktemp("kills")) as one:
        crashes = Crashes(one)
        await one.stage.start()
        twice = crashes.twice = one.member("twice")
        one.director.halt(Step.SENDING, twice.id)
        one.subscribe(twice)
        crashes.at_once = await killed_at_every_step(one)
        taken_over = one.director.halt(Step.RECOVERED, twice.id)
        await one.stage.start()
        await taken_over.reached()
        await one.stage.kill()
        one.director.clear()
        await one.stage.start()
        for person in (twice, *crashes.at_once.values()):
            await one.outcome(person)
        # From here on until the last start, the clock is so far behind that a lease is over when it is right again.
        one.set_clock(-130.0)
        crashes.after_the_lease = await killed_at_every_step(one)
        one.set_clock(0.0)
        await one.stage.start()
        for person in crashes.after_the_lease.values():
            await one.outcome(person)
        yield crashes


async def killed_at_every_step(one: Scene) -> dict[str, Person]:
    """Let the process come to every step, each with somebody else, and kill it there."""
    people = {str(step): one.member(str(step)) for step in STEPS}
    halts = [one.director.halt(Step(step), person.id) for step, person in people.items() if step != IN_FLIGHT]
    channel = people[IN_FLIGHT].dm_channel(one.stage.bot)
    gate = one.stage.discord.faults.next(
        SEND_MESSAGE, where=lambda request: request.params.get("channel_id") == str(channel.id)
    ).held(stored=True)
    one.subscribe(*people.values())
    for halt in halts:
        await halt.reached()
    await gate.reached(within=60.0)
    await one.stage.kill()
    one.director.clear()
    return people


@pytest.mark.parametrize("step", STEPS)
async def test_killed_and_back_at_once_the_message_is_sent_once(crashes: Crashes, step: str) -> None:
    person = crashes.at_once[step]

    (message,) = crashes.scene.messages(person)

    assert await crashes.scene.outcome(person) == ("sent", None, message.id)


async def test_who_takes_over_may_be_killed_as_well(crashes: Crashes) -> None:
    assert crashes.twice is not None
    (message,) = crashes.scene.messages(crashes.twice)

    assert await crashes.scene.outcome(crashes.twice) == ("sent", None, message.id)
    at = [report for report in crashes.scene.director.reports if report.recipient == crashes.twice.id]
    assert len({report.process for report in at if report.step in {Step.SENDING, Step.RECOVERED}}) == 3


@pytest.mark.parametrize("step", STEPS)
async def test_killed_and_back_after_the_lease_nothing_is_sent_late(crashes: Crashes, step: str) -> None:
    person = crashes.after_the_lease[step]
    outcome, out_already = AFTER_THE_LEASE[step]

    assert len(crashes.scene.messages(person)) == out_already
    assert (await crashes.scene.outcome(person))[:2] == outcome
