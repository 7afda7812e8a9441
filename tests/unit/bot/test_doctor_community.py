"""What the doctor says of the community, where it is switched on."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.doctor.community import check_community, check_embedder
from bot.doctor.finding import Finding, Level
from bot.settings import Settings
from core.clock import SimulatedClock
from core.embedding.encoder import SentenceEncoder
from core.social.types import Action, AllowedChannel, CycleRecord, Post, Trouble
from core.values import Speaker, Surface, SurfaceKind
from data.social.glance import CommunityState, look_at_community
from data.stores import open_stores
from tests.fakes.stores import casefolded_words

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
LOCAL = SentenceEncoder.name


def well(**changes: object) -> CommunityState:
    state: dict[str, object] = {
        "channels": 2, "troubles": (), "waiting": 0, "given_up": 0, "oldest": None,
        "last_cycle": NOW - timedelta(minutes=30), "embedding_model": LOCAL, "outdated": 0,
    }  # fmt: skip
    return CommunityState(**(state | changes))  # type: ignore[arg-type]


def findings(state: CommunityState | None, **settings: object) -> list[Finding]:
    return check_community(Settings(_env_file=None, social=True, **settings), state, now=NOW)  # type: ignore[arg-type]


@pytest.mark.parametrize("state", [well(), None])
def test_a_community_that_is_well_needs_nothing(state: CommunityState | None) -> None:
    assert [found.level for found in findings(state)] == [Level.OK]


@pytest.mark.parametrize(
    ("changes", "level", "told"),
    [
        ({"channels": 0}, Level.WARNING, "no channel is open"),
        ({"embedding_model": "old"}, Level.PROBLEM, "the model was 'old'"),
        ({"embedding_model": LOCAL, "outdated": 3}, Level.PROBLEM, "3 vectors are not of"),
        ({"waiting": 40, "oldest": NOW - timedelta(hours=9)}, Level.WARNING, "40 posts wait to be summarised"),
        ({"given_up": 2}, Level.WARNING, "2 posts were given up"),
        ({"last_cycle": NOW - timedelta(hours=4)}, Level.WARNING, "the last cycle was at 2026-11-02 05:00 UTC"),
        (
            {"troubles": (Trouble(character="mio", channel_id=10, action=Action.LIKE, since=NOW),)},
            Level.WARNING,
            "mio may not like in channel 10",
        ),
    ],
)
def test_what_holds_characters_up_is_told_with_a_way_to_mend_it(
    changes: dict[str, object], level: Level, told: str
) -> None:
    (found,) = findings(well(**changes))

    assert found.level is level
    assert told in found.text
    assert found.fix


def test_a_few_posts_that_wait_are_no_backlog() -> None:
    assert findings(well(waiting=3, oldest=NOW - timedelta(hours=9)))[0].level is Level.OK
    assert findings(well(waiting=40, oldest=NOW - timedelta(hours=1)))[0].level is Level.OK


def test_without_the_contents_of_messages_nothing_can_be_read() -> None:
    (found,) = findings(well(), message_content=False)

    assert "message-content intent" in found.text


async def test_an_embedding_model_that_is_out_of_reach_is_a_problem() -> None:
    entry = {"base_url": "http://127.0.0.1:9/v1", "model": "vectors"}
    settings = Settings(_env_file=None, embedding_model=entry)

    found = await check_embedder(settings, clock=SimulatedClock(NOW))

    assert (found.level, found.topic) == (Level.PROBLEM, "embedding model")
    assert "YORISOI_EMBEDDING_MODEL" in found.fix


async def test_the_state_is_read_from_the_database(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    assert await look_at_community(path, ["mio"], attempts=2, model=LOCAL) is None
    surface = Surface(kind=SurfaceKind.CHANNEL, channel_id=10, guild_id=70)
    posts = [
        Post(id=n, author=Speaker(id=1, name="Aki"), surface=surface, text="The sea.", sent_at=NOW) for n in (1, 2, 3)
    ]
    trouble = Trouble(character="mio", channel_id=10, action=Action.POST, since=NOW)
    async with open_stores(path, casefolded_words) as stores:
        await stores.social.allow(AllowedChannel(channel_id=10, guild_id=70))
        await stores.consents.give(1, now=NOW)
        await stores.posts.add(posts)
        for _ in range(2):
            await stores.post_summaries.failed(3)
        await stores.social.note_trouble(trouble)
        await stores.social.record_cycle(CycleRecord(character="mio", began_at=NOW, ended_at=NOW), keep=9)
        await stores.embeddings.settle("old")

    assert await look_at_community(path, ["mio"], attempts=2, model=LOCAL) == CommunityState(
        channels=1, troubles=(trouble,), waiting=2, given_up=1, oldest=NOW, last_cycle=NOW, embedding_model="old",
        outdated=0,
    )  # fmt: skip
