"""`yorisoi social cycle --once --dry-run` and `yorisoi reembed`: the real process, a scripted model, no Discord."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.clock import SystemClock
from core.social.types import AllowedChannel, Digest, Interest, Post
from core.values import Speaker, Surface, SurfaceKind
from data.stores import open_stores
from tests.acceptance.program import run
from tests.fakes.stores import casefolded_words
from tests.model_server.server import model_server
from tests.unit.social.scene import features

pytestmark = pytest.mark.acceptance

_ENCODER = "universal-sentence-encoder-multilingual-3"
_ANSWER = json.dumps(
    {
        "impression": "Salt air.", "tags": ["452:Sea"], "should_like": True, "should_reply": True,
        "should_follow": True, "interest": "Tides.", "content": "The tide takes its time.", "title": "",
    }
)  # fmt: skip


async def fill(path: Path) -> None:
    now = SystemClock().now()
    async with open_stores(path, casefolded_words) as stores:
        await stores.consents.give(5, now=now)
        await stores.social.allow(AllowedChannel(channel_id=10, guild_id=70, per_hour=9))
        surface = Surface(kind=SurfaceKind.CHANNEL, channel_id=10, guild_id=70)
        author = Speaker(id=5, name="Aki")
        post = Post(id=7, author=author, surface=surface, text="The sea.", sent_at=now, language="ja")
        await stores.posts.add([post])
        digest = Digest(summary="The sea.", tags=("Sea",), features=features("sea"))
        await stores.post_summaries.put(post, digest, embedding_model=_ENCODER, now=now)
        interest = Interest(text="The sea.", tags=("Sea",), features=features("sea"), at=now)
        await stores.social.keep_interest("hinata", interest, source="The sea.", embedding_model=_ENCODER, history=5)
        await stores.embeddings.settle(_ENCODER)


def contents(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        kept_out = ("erasure", 'INSERT INTO "usage')  # what was asked of the model is counted
        return [line for line in connection.iterdump() if not any(one in line for one in kept_out)]


async def test_a_rehearsal_tells_what_would_be_done_and_why_and_changes_nothing(tmp_path: Path) -> None:
    database = tmp_path / "yorisoi-data" / "yorisoi.db"
    await fill(database)
    before = contents(database)
    async with model_server() as server:
        server.respond = lambda request: _ANSWER
        models = json.dumps([{"base_url": server.url, "model": "m"}])
        cycle = ("social", "cycle", "--once")
        told = await run(*cycle, "--dry-run", "-c", "hinata", folder=tmp_path, YORISOI_BASIC_MODELS=models)
        refused = await run(*cycle, folder=tmp_path)

    assert (told.code, told.err) == (0, "")
    assert "would read 7: " in told.out
    assert "would like 7: rank 1, similarity 1.00" in told.out
    assert "    The tide takes its time." in told.out
    assert "would post in 10: 24 characters" in told.out
    assert told.out.endswith("Model calls: 5. They are counted; nothing was changed.\n")
    assert contents(database) == before
    assert refused.code == 2
    assert "--dry-run" in refused.err


async def test_another_embedding_model_is_refused_until_everything_was_embedded_anew(tmp_path: Path) -> None:
    database = tmp_path / "yorisoi-data" / "yorisoi.db"
    await fill(database)
    async with model_server() as server:
        server.respond = lambda request: _ANSWER
        model = {"base_url": server.url, "model": "m"}
        settings = {
            "YORISOI_BASIC_MODELS": json.dumps([model]),
            "YORISOI_EMBEDDING_MODEL": json.dumps(model | {"model": "other"}),
        }
        cycle = ("social", "cycle", "--once", "--dry-run")
        refused = await run(*cycle, folder=tmp_path, **settings)
        renewed = await run("reembed", folder=tmp_path, **settings)
        accepted = await run(*cycle, folder=tmp_path, **settings)

    assert refused.code == 1
    assert "yorisoi reembed" in refused.err
    assert "Traceback" not in refused.err
    assert (renewed.code, renewed.out) == (0, "2 vectors were made anew. All vectors are of 'other' now.\n")
    assert accepted.code == 0


async def test_where_there_is_no_database_none_is_made(tmp_path: Path) -> None:
    refused = await run("social", "cycle", "--once", "--dry-run", folder=tmp_path)

    assert refused.code == 1
    assert "there is no database there: check YORISOI_DATA_DIR" in refused.err
    assert files_in(tmp_path) == []


def files_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
