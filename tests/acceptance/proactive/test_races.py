"""Several real processes on one database come to the same slots at the same moment: each message is sent once."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from core.proactive.attempt import Step
from tests.acceptance.discord.stage import Stage
from tests.acceptance.proactive.scene import Scene, scene
from tests.discord_server.routes import SEND_MESSAGE

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(300)]

SLOTS = 6


@asynccontextmanager
async def crowd(one: Scene, processes: int) -> AsyncIterator[list[Stage]]:
    """Start so many processes; one of them is the scene's own."""
    # The first makes the database; it would be the same, only slower, if all of them tried.
    await one.stage.start()
    others = [one.another_process() for _ in range(processes - 1)]
    try:
        await asyncio.gather(*(other.launch() for other in others))
        await asyncio.gather(*(other.logs("catch_up.done") for other in others))
        yield [one.stage, *others]
    finally:
        one.director.clear()
        await asyncio.gather(*(other.close() for other in others))


@pytest.mark.parametrize("processes", [2, 8])
async def test_of_all_processes_that_claim_a_slot_one_sends(
    processes: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with scene(tmp_path_factory.mktemp("races")) as one, crowd(one, processes):
        people = [one.member(f"person {number}") for number in range(SLOTS)]
        halts = [one.director.halt(Step.REGROUNDED, person.id) for person in people]
        one.subscribe(*people)
        for halt in halts:
            await halt.reached(processes=processes)
        for halt in halts:
            halt.release()

        for person in people:
            state, _, message_id = await one.outcome(person)
            (message,) = one.messages(person)
            assert (state, message_id) == ("sent", message.id)

        claimed = Counter(report.recipient for report in one.director.reports if report.step is Step.CLAIMED)
        assert claimed == {person.id: 1 for person in people}
        nonces = [request.body["nonce"] for request in one.stage.discord.requests(SEND_MESSAGE)]
        assert len(nonces) == len(set(nonces)) == SLOTS


async def test_of_all_processes_that_take_over_a_claim_one_sends(tmp_path_factory: pytest.TempPathFactory) -> None:
    async with scene(tmp_path_factory.mktemp("take-over")) as one, crowd(one, 3) as processes:
        alice = one.member("alice")
        halt = one.director.halt(Step.SENDING, alice.id)
        one.subscribe(alice)
        await halt.reached()
        (holder,) = halt.arrived
        for each in processes:
            if each.process is not None and each.process.pid == holder:
                each.process.kill()
                await each.process.wait()
        one.director.clear()

        state, _, message_id = await one.outcome(alice)

        (message,) = one.messages(alice)
        assert (state, message_id) == ("sent", message.id)
        sending = [report.process for report in one.director.reports if report.step is Step.SENDING]
        assert sending[0] == holder
        assert len(sending) == 2
