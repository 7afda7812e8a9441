"""Talk that left the window: summed up in the background, told as such, gone with the first of its messages."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.errors import ModelError, ModelUnavailableError
from core.language_model.types import ChatRequest, Completion
from core.stance.caution import Caution
from core.turn.policy import Budget, TurnPolicy
from core.turn.summarising import Pace
from core.turn.trace import TurnOutcome
from core.values import ConversationKey, ConversationSummary, Speaker, Surface, SurfaceKind, Utterance
from tests.fakes.models import ScriptedModel
from tests.fakes.surface import ALICE, BOB, DM, GENERAL, START, Room

LINE = "We have {} at home near the harbour, and plenty of it in summer."
NOTE = "Alice told of her garden by the sea and of a cat."
HERE = ConversationKey("mio", DM.channel_id)
POLICY = TurnPolicy(debounce=0.0, history_tokens=80, summary_after_tokens=40, summary_gap=0.0, messages_per_minute=1000)
OTHER_CHANNEL = Surface(kind=SurfaceKind.CHANNEL, channel_id=201, guild_id=20)


def is_summary(request: ChatRequest) -> bool:
    return "<talk>" in request.messages[-1].text


def told(request: ChatRequest) -> str:
    return "\n".join(message.text for message in request.messages)


class Talk:
    """A conversation long enough to leave its window, and what the models were asked."""

    def __init__(self, *notes: str | ModelError, policy: TurnPolicy = POLICY) -> None:
        self.notes = [*notes] or [NOTE]
        self.asked = 0
        self.meanwhile: Callable[[], None] = lambda: None
        self.model = ScriptedModel(script=self._reply)
        self.room = Room(self.model, policy=policy)

    def _reply(self, request: ChatRequest) -> str | ModelError:
        if not is_summary(request):
            return "I see, tell me more of that."
        self.asked += 1
        self.meanwhile()
        return self.notes[min(self.asked, len(self.notes)) - 1]

    async def about(self, *topics: str, at: Surface = DM, by: Speaker = ALICE) -> None:
        for topic in topics:
            await self.room.say(LINE.format(topic), at=at, by=by)
            await self.room.companion.at_rest()

    @property
    def summaries(self) -> list[str]:
        """What summaries were asked to be made of."""
        return [told(request) for request in self.model.requests if is_summary(request)]

    @property
    def last(self) -> str:
        """The newest prompt of a turn."""
        return told([request for request in self.model.requests if not is_summary(request)][-1])

    async def held(self, key: ConversationKey = HERE) -> str | None:
        summary = await self.room.stores.summaries.get(key)
        return None if summary is None else summary.text


TOPICS = ("gardens", "cats", "boats", "rain", "bread", "books", "songs", "tea")


async def test_what_left_the_window_is_summed_up_and_told_as_earlier_talk() -> None:
    talk = Talk()
    await talk.about(*TOPICS)

    assert await talk.held() == NOTE
    assert "gardens" in talk.summaries[0]
    await talk.about("stones")
    earlier = talk.last.partition("<earlier>")[2].partition("</earlier>")[0]
    assert earlier.strip() == NOTE
    assert "the newest of it today" in talk.last
    assert talk.last.index("<earlier>") < talk.last.index("stones")
    assert "have gardens" not in talk.last


async def test_a_summary_is_told_until_the_window_reaches_back_to_its_first_message() -> None:
    talk = Talk(policy=replace(POLICY, history_tokens=160, summary_after_tokens=10_000))
    await talk.about(*TOPICS)
    summaries = talk.room.stores.summaries
    said = [one for one in await talk.room.stores.archive.recent(HERE, limit=99) if not one.is_self]
    assert len(said) == len(TOPICS)

    seen = set()
    for topic, first in reversed([*zip(TOPICS, said, strict=True)]):
        summary = ConversationSummary(
            text=NOTE, first=first.id, last=said[-1].id, until=said[-1].sent_at, model="stub", made_at=START
        )
        held, read = await summaries.get(HERE), [one for one in said if one.id >= first.id]
        assert await summaries.put(HERE, summary, read=read, replaces=held)
        await talk.room.say("Hm.")
        await talk.room.companion.at_rest()
        shown = f"have {topic} " in talk.last
        assert (NOTE in talk.last) == (not shown), topic
        seen.add(shown)

    assert seen == {True, False}


async def test_a_message_is_judged_when_it_is_said_not_only_when_it_leaves_the_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judge, judged = Caution.is_sensitive, []

    async def noting(self: Caution, text: str, history: Sequence[tuple[bool, str]] = ()) -> bool:
        judged.append(text)
        return await judge(self, text, history)

    monkeypatch.setattr(Caution, "is_sensitive", noting)
    talk = Talk()
    await talk.about("gardens", "cats")

    assert talk.summaries == []
    assert judged == [LINE.format("gardens"), LINE.format("cats")]


async def test_summaries_that_are_due_at_once_are_begun_one_after_the_other() -> None:
    talk = Talk(policy=replace(POLICY, summary_gap=10.0, history_tokens=400))
    rooms = [Surface(kind=SurfaceKind.DM, channel_id=channel) for channel in (501, 502, 503)]
    for topic in TOPICS * 4:
        for room in rooms:
            await talk.room.say(LINE.format(topic), at=room)
    await talk.room.companion.idle()

    made = []
    for _ in rooms:
        made.append(len(talk.summaries))
        await talk.room.clock.advance(10.0)
    await talk.room.companion.at_rest()

    assert made == [1, 2, 3]


async def test_a_window_that_did_not_move_is_not_looked_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Talk(policy=replace(POLICY, summary_after_tokens=10_000, history_tokens=10_000))
    looks = []
    recent = talk.room.stores.archive.recent

    async def noting(key: ConversationKey, **how: Any) -> list[Utterance]:
        looks.append(how)
        return await recent(key, **how)

    monkeypatch.setattr(talk.room.stores.archive, "recent", noting)
    await talk.about(*TOPICS)

    assert sum("before" in how for how in looks) == 1


async def test_a_short_talk_is_not_summed_up() -> None:
    talk = Talk()
    await talk.about("gardens", "cats")

    assert talk.summaries == []
    assert "<earlier>" not in talk.last


async def test_a_summary_is_carried_on_with_what_left_later() -> None:
    talk = Talk(NOTE, "Alice likes boats, too.")
    await talk.about(*TOPICS, *TOPICS)

    assert len(talk.summaries) > 1
    assert NOTE in talk.summaries[1]
    assert "have gardens" not in talk.summaries[1]
    assert await talk.held() == "Alice likes boats, too."


async def test_the_calls_are_counted_under_their_own_name() -> None:
    talk = Talk()
    await talk.about(*TOPICS)

    counted = [record for record in talk.room.stores.usage.records if record.feature == "summary"]
    assert len(counted) == len(talk.summaries)
    assert {(record.user_id, record.outcome) for record in counted} == {(ALICE.id, "complete")}


@pytest.mark.parametrize("policy", [replace(POLICY, summaries=False), replace(POLICY, archive=False)])
async def test_without_leave_to_keep_it_nothing_is_summed_up(policy: TurnPolicy) -> None:
    talk = Talk(policy=policy)
    await talk.about(*TOPICS)

    assert talk.summaries == []


async def test_over_a_budget_no_summary_is_asked_for() -> None:
    talk = Talk(policy=replace(POLICY, user_budget=Budget(tokens=1)))
    await talk.about(*TOPICS)

    assert talk.summaries == []


async def test_a_summary_stays_in_its_conversation() -> None:
    talk = Talk()
    await talk.about(*TOPICS)
    await talk.about("stones", at=GENERAL)
    assert NOTE not in talk.last
    await talk.about(*TOPICS, at=GENERAL)

    assert await talk.held(ConversationKey("mio", GENERAL.channel_id)) == NOTE
    await talk.about("stones", at=OTHER_CHANNEL)
    assert NOTE not in talk.last


@pytest.mark.parametrize(
    "note",
    [
        "It is half past two and Alice is in her garden.",
        "Alice gets up at 6:30 every day.",
        "彼氏は秋さんを嫌っている。",
        "He is manipulating her and never loved her.",
        "",
        "x" * 2000,
    ],
)
async def test_a_summary_with_a_clock_or_a_verdict_on_somebody_absent_is_dropped(note: str) -> None:
    talk = Talk(note)
    await talk.about(*TOPICS)

    assert len(talk.summaries) >= 1
    assert await talk.held() is None


async def test_a_model_that_fails_costs_nothing_but_the_summary() -> None:
    talk = Talk(ModelUnavailableError("down"))
    await talk.about(*TOPICS)

    assert await talk.held() is None
    assert set(talk.room.outcomes) == {TurnOutcome.ANSWERED}
    assert "failed:ModelUnavailableError" in {record.outcome for record in talk.room.stores.usage.records}


async def test_talk_that_seeks_support_is_in_no_summary_with_every_flag_off() -> None:
    talk = Talk()
    await talk.about("gardens")
    await talk.room.say("I want to die and cannot go on")
    await talk.about(*TOPICS)

    assert "gardens" in talk.summaries[0]
    assert "want to die" not in "".join(talk.summaries)
    texts = {entry.message_id: entry.text for entry in talk.room.stores.archive.entries}
    sources = talk.room.stores.state.summaries[HERE].sources
    assert sources
    assert not any("want to die" in (texts[one] or "") for one in sources)


async def test_the_words_of_those_who_opted_out_are_in_no_summary() -> None:
    talk = Talk()
    await talk.about("pearls", at=GENERAL, by=BOB)
    await talk.room.stores.users.set_opted_out(BOB.id, True)
    await talk.about(*TOPICS, at=GENERAL)

    assert "gardens" in "".join(talk.summaries)
    assert "pearls" not in "".join(talk.summaries)


async def test_an_edited_message_takes_the_summary_along_and_what_is_left_is_summed_up_anew() -> None:
    talk = Talk(NOTE, "Alice told of cats.")
    await talk.about(*TOPICS)
    summary = await talk.room.stores.summaries.get(HERE)
    assert summary is not None

    await talk.room.companion.deleted([summary.first], DM)
    assert await talk.held() is None
    await talk.about("stones")

    assert "gardens" not in talk.summaries[-1]
    assert await talk.held() == "Alice told of cats."


async def test_what_is_deleted_while_it_is_summed_up_is_not_kept() -> None:
    talk = Talk()
    state = talk.room.stores.state

    def delete_the_first() -> None:
        state.drop_message(min(state.archive, key=lambda key: key[1]))

    talk.meanwhile = delete_the_first
    await talk.about(*TOPICS[:6])

    assert len(talk.summaries) == 1
    assert await talk.held() is None


async def test_what_is_deleted_while_a_summary_waits_for_its_turn_is_told_to_no_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    talk = Talk()
    state = talk.room.stores.state

    async def wait(_: Pace) -> None:
        state.drop_message(min(state.archive, key=lambda key: key[1]))

    monkeypatch.setattr(Pace, "wait", wait)
    await talk.about(*TOPICS)

    assert talk.summaries
    assert not any(TOPICS[0] in asked for asked in talk.summaries)


class NeverDone(ScriptedModel):
    """Begins summaries and never ends them."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()

    async def complete(self, request: ChatRequest) -> Completion:
        self.begun.set()
        await asyncio.Event().wait()
        return await super().complete(request)


async def test_a_summary_that_is_being_made_is_given_up_with_its_user_and_counted() -> None:
    model = NeverDone()
    room = Room(model, policy=POLICY)
    for topic in TOPICS:
        await room.say(LINE.format(topic))
    await model.begun.wait()

    await room.companion.forget_user(ALICE.id)
    await room.companion.at_rest()

    counted = [record.outcome for record in room.stores.usage.records if record.feature == "summary"]
    assert counted == ["dropped"]
    assert await room.stores.summaries.get(HERE) is None


async def test_whoever_is_forgotten_leaves_no_summary() -> None:
    talk = Talk()
    await talk.about(*TOPICS, at=GENERAL)
    await talk.about("pearls", at=GENERAL, by=BOB)
    key = ConversationKey("mio", GENERAL.channel_id)
    assert await talk.held(key) == NOTE

    await talk.room.companion.forget_user(ALICE.id)
    await talk.room.stores.privacy.forget(ALICE.id)

    assert await talk.held(key) is None
    await talk.about("shells", at=GENERAL, by=BOB)
    assert NOTE not in talk.last


async def test_a_summary_of_days_ago_says_so() -> None:
    talk = Talk()
    await talk.about(*TOPICS)
    talk.room.clock.jump_to(START + timedelta(days=3))
    await talk.about("stones")

    assert "the newest of it 3 days ago" in talk.last
