"""A whole cycle of a character in a community: the real process, a loopback Discord, a scripted model."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from core.clock import SystemClock
from core.social.types import Interest
from data.stores import open_stores
from tests.acceptance.discord.stage import Stage, staged
from tests.discord_server.actors import Person
from tests.discord_server.flags import Intent
from tests.discord_server.message import Message
from tests.discord_server.model import Channel
from tests.discord_server.routes import SEND_MESSAGE
from tests.fakes.stores import casefolded_words
from tests.model_server.script import ReceivedRequest
from tests.unit.social.scene import Script, features

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(300)]  # a start takes long on a busy machine

ENCODER = "universal-sentence-encoder-multilingual-3"
ANYTHING_IS_NEAR = {
    "YORISOI_SOCIAL_LIKE_SIMILARITY": "-1",
    "YORISOI_SOCIAL_REPLY_SIMILARITY": "-1",
    "YORISOI_SOCIAL_FOLLOW_SIMILARITY": "-1",
}


class Village:
    """A stage with a server on which Alice agreed to be remembered, and Bob did not."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.owner: Person = stage.discord.add_user("operator")
        self.alice: Person = stage.discord.add_user("alice")
        self.bob: Person = stage.discord.add_user("bob")
        self.guild = stage.discord.add_guild("Harbour", self.owner, self.alice, self.bob, stage.bot)
        self.channel: Channel = self.guild.add_text_channel("quay")

    async def start(self) -> None:
        """Let Hinata care about the sea already, and Alice have agreed; then start."""
        now = SystemClock().now()
        async with open_stores(self.stage.database, casefolded_words) as stores:
            await stores.consents.give(self.alice.id, now=now)
            await stores.embeddings.settle(ENCODER)
            sea = Interest(text="The sea.", tags=("Sea",), features=features("sea"), at=now)
            await stores.social.keep_interest("hinata", sea, source="The sea.", embedding_model=ENCODER, history=9)
        self.stage.model.respond = _answers()
        await self.stage.start(**self.settings)

    @property
    def settings(self) -> dict[str, str]:
        models = json.dumps([{"base_url": self.stage.model.url, "api_key": "", "model": "scripted"}])
        return {
            "YORISOI_SOCIAL": "true",
            "YORISOI_SOCIAL_DIGEST_MINUTES": "0.005",
            "YORISOI_OWNER_IDS": str(self.owner.id),
            "YORISOI_BASIC_MODELS": models,
            **ANYTHING_IS_NEAR,
        }

    async def told(self, command: str, **values: object) -> str:
        """Run a command as the operator; return the private answer."""
        values = {name.replace("_", "-"): value for name, value in values.items()}
        asked = await self.owner.runs_command(self.stage.bot, command, values, channel=self.channel)
        answer = await asked.answer(within=40.0)  # the first interest loads the encoder
        assert asked.ephemeral
        return answer.content

    async def open(self, **values: object) -> None:
        await self.told("social channels", channel=self.channel, **values)

    async def summarised(self, post: Message) -> None:
        """Wait until it is known what a post is about; a cycle reads none before that."""
        await self.stage.stored("SELECT 1 FROM social_digests WHERE post_id = ?", post.id)

    async def rows(self, query: str) -> list[Any]:
        return await self.stage.stored(query, until=lambda _: True)

    @property
    def written(self) -> list[Message]:
        """What Hinata wrote in the channel."""
        return self.stage.discord.sent(self.channel)


def _answers() -> Callable[[ReceivedRequest], str]:
    script = Script()

    def respond(request: ReceivedRequest) -> str:
        for attribute, task in (
            ('"should_like"', "post-impression"),
            ('"should_follow"', "peer-impression"),
            ('{"interest"', "interest"),
            ('"title"', "new-post"),
            ('{"summary"', "post-summary"),
        ):
            if attribute in request.last_line:
                return json.dumps(script.answers[task])
        return json.dumps(script.answers["reply-post"])

    return respond


@asynccontextmanager
async def village(folder: Path, **options: Any) -> AsyncIterator[Village]:
    async with staged(folder, started=False, **options) as stage:
        place = Village(stage)
        await place.start()
        yield place


async def test_a_cycle_reads_likes_answers_posts_and_follows_within_its_bounds(tmp_path: Path) -> None:
    async with village(tmp_path) as place:
        stranger = place.stage.discord.add_bot("Other")
        place.guild.join(stranger)
        before = await place.alice.says(place.channel, "The sea is calm today.")
        await place.bob.says(place.channel, "BOBS-SECRET about the harbour")
        await place.alice.says(place.channel, "もう消えてしまいたい")
        assert "no channel takes one now" in await place.told("social dry-run")
        await place.open(per_hour=2)
        assert place.written == []

        await place.told("social run-once")
        await place.summarised(before)
        (posted,) = place.written
        again = await place.told("social run-once")

        # Nothing new may be posted within a day; two an hour are all there may be.
        assert [one.reference_id for one in place.written] == [None, before.id]
        assert [one.content for one in place.written] == ["Salt keeps things honest.", "Rust says otherwise."]
        assert posted.mentions == []
        assert before.reactions == {"👍": [place.stage.bot.user]}
        assert "📝 doesn't post: the last post is too recent" in again
        assert await place.rows("SELECT character, user_id FROM social_follows") == [("hinata", place.alice.id)]
        assert await place.rows("SELECT post_id FROM social_impressions") == [(before.id,)]
        assert await place.rows("SELECT count(*) FROM social_posts WHERE character IS NULL") == [(1,)]
        asked = "\n".join(request.last_text for request in place.stage.model.requests)
        assert "The sea is calm today." in asked
        assert "BOBS-SECRET" not in place.stage.logged
        assert "消えて" not in asked
        assert len(place.stage.model.requests) <= 2 * 24 + 2

        assert "Well put." in await place.told("memory posts")
        assert "Done: " in await place.told("social status")
        await place.alice.deletes(before)
        await place.stage.stored("SELECT count(*) FROM social_impressions", until=lambda rows: rows == [(0,)])


async def test_killed_in_the_middle_it_does_nothing_twice(tmp_path: Path) -> None:
    async with village(tmp_path) as place:
        await place.open(per_hour=9)
        said = await place.alice.says(place.channel, "The sea is calm today.")
        gate = place.stage.discord.faults.next(SEND_MESSAGE).held(stored=True)
        # The post stands, but the program is gone before it hears of that.
        await place.owner.runs_command(place.stage.bot, "social run-once", channel=place.channel)
        await gate.reached(within=40.0)
        await place.stage.kill()
        gate.release()
        await place.stage.start(**place.settings)
        await place.summarised(said)
        await place.told("social run-once")
        await place.told("social run-once")

        assert [one.reference_id for one in place.written] == [None, said.id]
        assert said.reactions == {"👍": [place.stage.bot.user]}
        assert await place.rows("SELECT count(*) FROM social_impressions") == [(1,)]


async def test_without_the_message_content_intent_it_stands_still_and_says_so(tmp_path: Path) -> None:
    async with village(tmp_path, intents_allowed=Intent(0), YORISOI_MESSAGE_CONTENT="false") as place:
        await place.open()
        await place.alice.says(place.channel, "The sea is calm today.")
        assert "message-content intent" in await place.told("social status")
        assert "message-content intent" in await place.told("social run-once")
        assert await place.rows("SELECT count(*) FROM social_posts") == [(0,)]
        assert place.stage.model.requests == []
