"""The community's rounds: one after the other, each for itself."""

from core.errors import ModelUnavailableError, StorageError
from core.social.cycle import Cycle, CycleReport
from core.social.digesting import Digested
from scheduler.social import CommunityTick, DigestTick
from tests.unit.social.scene import NOW, Scene, post


async def test_each_member_goes_through_its_cycle_and_one_that_fails_leaves_the_others() -> None:
    scene, community = Scene(), CommunityTick()
    await scene.open(post(1))

    def broken(rehearsal: bool) -> Cycle:
        raise StorageError("disk full")

    community.join("ren", broken)
    community.join("mio", lambda rehearsal: scene.cycle(rehearsal=rehearsal))

    assert await community.tick(NOW) == 1
    assert len(await scene.stores.social.cycles("mio", limit=9)) == 1


async def test_who_left_takes_no_part() -> None:
    scene, community = Scene(), CommunityTick()
    community.join("mio", lambda rehearsal: scene.cycle(rehearsal=rehearsal))
    community.leave("mio")

    assert await community.run("mio") is None
    assert await community.tick(NOW) == 0


async def test_an_operators_rehearsal_changes_nothing() -> None:
    scene, community = Scene(), CommunityTick()
    await scene.open(post(1))
    community.join("mio", lambda rehearsal: scene.cycle(rehearsal=rehearsal))

    report = await community.run("mio", rehearsal=True)

    assert isinstance(report, CycleReport)
    assert report.record.done["read"] == 1
    assert await scene.stores.social.counts("mio") == {"interests": 0, "people": 0, "posts": 0, "following": 0}


async def test_posts_are_summarised_a_few_at_a_time() -> None:
    scene = Scene(digests_at_once=2)
    await scene.open()
    await scene.stores.consents.give(1, now=NOW)
    await scene.stores.posts.add([post(1), post(2), post(3)])
    tick = DigestTick(lambda: scene.parts.digesting(scene.model))

    assert await tick.tick(NOW) == Digested(made=2)
    assert await tick.tick(NOW) == Digested(made=1)
    (known,) = await scene.stores.posts.get([3])
    assert known.digest is not None
    assert (known.digest.summary, known.digest.tags) == ("About the sea.", ("Sea",))


async def test_a_post_whose_summary_fails_is_tried_only_so_often() -> None:
    scene = Scene(digest_attempts=2)
    scene.script.answers["post-summary"] = "no JSON"
    await scene.stores.consents.give(1, now=NOW)
    await scene.stores.posts.add([post(1)])
    tick = DigestTick(lambda: scene.parts.digesting(scene.model))

    assert [await tick.tick(NOW) for _ in range(3)] == [Digested(failed=1), Digested(failed=1), Digested()]


async def test_without_a_model_nothing_is_held_against_the_posts() -> None:
    scene = Scene()
    scene.script.answers["post-summary"] = ModelUnavailableError("gone")
    await scene.stores.consents.give(1, now=NOW)
    await scene.stores.posts.add([post(1), post(2)])
    tick = DigestTick(lambda: scene.parts.digesting(scene.model))

    assert await tick.tick(NOW) == Digested(stands_still=True)
    assert len(await scene.stores.post_summaries.waiting(attempts=1, limit=9)) == 2
