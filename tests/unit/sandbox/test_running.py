import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.clock import SystemClock
from core.errors import ModelRejectedError
from core.language_model.types import ChatEvent, ChatRequest, Completion, Delta, Role, TokenUsage
from core.ports import ArchiveEntry, ChatModel
from core.sandbox.errors import SandboxError, ToolRefusedError
from core.sandbox.records import Comparison, Stopped
from core.sandbox.session import FrozenClock
from core.sandbox.snapshot import invented
from core.sandbox.tools import ALLOWED, Ledger, guarded
from core.stance.policy import StancePolicy
from core.turn.assembly import Assembly
from core.turn.trace import TurnOutcome
from core.turn.types import AssembledTurn, EnrichedTurn
from core.values import ConversationKey
from tests.fakes.models import ScriptedModel
from tests.fakes.surface import Room
from tests.unit.sandbox.stage import MINIMAL, bench, compared, draft, hinata, shipped


def prompt_of(comparison: Comparison, variant: str, turn: int = 0) -> str:
    attempt = comparison.of(variant)[0].turns[turn].attempts[0]
    return "\n\n".join(message.text for message in attempt.prompt)


@pytest.mark.parametrize(("name", "old", "clock"), [("16-08-ja", "昼寝", "14:30"), ("16-08-en", "nap", "2:30 PM")])
async def test_the_incident_shows_with_the_old_injection_and_is_gone_with_the_capsule(
    name: str, old: str, clock: str
) -> None:
    comparison = await compared(bench(shipped(name)))

    legacy, capsule = comparison.of("legacy")[0], comparison.of("capsule")[0]
    first = legacy.turns[0].attempts[0]
    assert old in first.text
    assert first.rules == ("time.contradiction",)
    assert not legacy.passed
    assert not legacy.good
    assert clock in prompt_of(comparison, "legacy")

    assert capsule.turns[0].outcome is TurnOutcome.ANSWERED
    assert old not in (capsule.turns[0].delivered or old)
    assert capsule.good
    assert clock not in prompt_of(comparison, "capsule")
    assert "<note>" in prompt_of(comparison, "capsule")
    assert "<note>" not in prompt_of(comparison, "legacy")


async def test_a_change_of_the_assembly_changes_the_sandbox_and_production(monkeypatch: pytest.MonkeyPatch) -> None:
    assemble = Assembly.assemble

    def changed(self: Assembly, enriched: EnrichedTurn) -> AssembledTurn:
        turn = assemble(self, enriched)
        first = replace(turn.prompt[0], text=turn.prompt[0].text + "\n\nSpeak like a pirate.")
        return replace(turn, prompt=(first, *turn.prompt[1:]))

    monkeypatch.setattr(Assembly, "assemble", changed)

    assert "Speak like a pirate." in prompt_of(await compared(bench(shipped("16-08-en"))), "capsule")
    model = ScriptedModel(["Fine."])
    await Room(model).say("hello")
    assert "Speak like a pirate." in model.requests[0].messages[0].text


async def test_a_template_written_otherwise_changes_one_variant_alone() -> None:
    of = draft(MINIMAL + "templates = {chat-frame-en = 'You are {{ display_name }}, a cat.'}\n")
    comparison = await compared(bench(of, lambda _v, _r: ScriptedModel(["Fine."])))
    assert prompt_of(comparison, "changed").startswith("You are Hinata, a cat.")
    assert "a cat" not in prompt_of(comparison, "now")


async def test_a_template_can_not_reach_beyond_its_values() -> None:
    of = draft(MINIMAL + "templates = {chat-frame-en = '{{ display_name.__class__.__mro__ }}'}\n")
    with pytest.raises(SandboxError, match="Variant 'changed': prompt template"):
        await compared(bench(of, lambda _v, _r: ScriptedModel(["Fine."])))


@pytest.mark.parametrize("broken", ["{{ 1 / 0 }}", "{{ 'x' + 1 }}", "{% for i in range(10**9) %}{% endfor %}"])
async def test_a_template_that_fails_when_it_is_filled_in_is_told_of(broken: str) -> None:
    of = draft(MINIMAL + f'templates = {{chat-frame-en = "{broken}"}}\n')
    with pytest.raises(SandboxError, match="Variant 'changed': prompt template 'chat-frame-en': "):
        await compared(bench(of, lambda _v, _r: ScriptedModel(["Fine."])))


async def test_all_variants_see_one_snapshot_and_none_leaves_anything_in_it() -> None:
    of = bench(draft(MINIMAL), lambda _v, _r: ScriptedModel(["Fine."]))
    first, second = await compared(of), await compared(of)
    assert prompt_of(first, "now") == prompt_of(first, "changed") == prompt_of(second, "now")
    assert first.snapshot_digest == second.snapshot_digest


async def test_another_moment_is_another_snapshot() -> None:
    now, later = bench(draft()).snapshot, bench(draft(MINIMAL.replace("16:08", "16:09"))).snapshot
    assert now.digest == bench(draft()).snapshot.digest
    assert now.digest != later.digest


async def test_a_session_goes_on_with_what_was_answered() -> None:
    of = draft(MINIMAL.replace('["What are you up to?"]', '["One.", "Two."]'))
    comparison = await compared(bench(of, lambda _v, _r: ScriptedModel(["First.", "Second."])))
    second = comparison.of("now")[0].turns[1].attempts[0].prompt
    assert [message.role for message in second] == [Role.SYSTEM, Role.USER, Role.ASSISTANT, Role.USER]
    assert second[1].text.endswith("One.")
    assert second[2].text == "First."
    assert second[3].text.endswith("Two.")


async def test_an_answer_that_is_written_again_is_shown_with_both_tries() -> None:
    models = {"now": ["It's nine in the morning.", "Just resting."], "changed": ["Just resting."]}
    comparison = await compared(bench(draft(), lambda variant, _: ScriptedModel(models[variant.name])))
    turn = comparison.of("now")[0].turns[0]
    assert [attempt.text for attempt in turn.attempts] == models["now"]
    assert [attempt.rules for attempt in turn.attempts] == [("time.contradiction",), ()]
    assert (turn.outcome, turn.delivered) == (TurnOutcome.REPAIRED, "Just resting.")
    assert (comparison.passed("now").count, comparison.passed("changed").count) == (0, 1)


class Endless:
    """A model that begins to write and never ends."""

    name = "endless"
    accepts_images = False
    can_look_up = True

    def __init__(self, begun: asyncio.Event) -> None:
        self.begun = begun

    def cost_micros(self, usage: TokenUsage) -> int:
        return 0

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        yield Delta("Well")
        self.begun.set()
        await asyncio.Event().wait()

    async def complete(self, request: ChatRequest) -> Completion:
        raise AssertionError


async def test_cancelling_returns_what_was_finished() -> None:
    begun, stop = asyncio.Event(), asyncio.Event()
    of = draft(f"repetitions = 3\n{MINIMAL}")
    models: dict[str, ChatModel] = {"now": ScriptedModel(["Fine."]), "changed": Endless(begun)}
    running = asyncio.create_task(
        bench(of, lambda v, _: models[v.name]).compare(stop=stop, advance=lambda _v, _d: None)
    )
    await begun.wait()
    stop.set()
    comparison = await running
    assert comparison.stopped is Stopped.CANCELLED
    assert [(sample.variant, sample.repetition) for sample in comparison.samples] == [("now", 1)]
    assert comparison.planned == 6


async def test_time_that_is_up_ends_an_answer_under_way() -> None:
    begun = asyncio.Event()
    of = draft(MINIMAL + "[budget]\nseconds = 0.05\n")
    comparison = await compared(bench(of, lambda _v, _r: Endless(begun)))
    assert begun.is_set()
    assert (comparison.stopped, comparison.samples) == (Stopped.SECONDS, ())


@pytest.mark.parametrize(
    ("budget", "stopped", "samples"),
    [("answers = 3", Stopped.ANSWERS, 3), ("tokens = 900", Stopped.TOKENS, 1), ("money = 0.002", Stopped.MONEY, 2)],
)
async def test_a_budget_stops_the_comparison(budget: str, stopped: Stopped, samples: int) -> None:
    of = draft(f"repetitions = 5\n{MINIMAL}[budget]\n{budget}\n")
    comparison = await compared(bench(of, lambda _v, _r: ScriptedModel(["Fine."], cost_micros=1000)))
    assert comparison.stopped is stopped
    assert len(comparison.samples) == samples


async def test_a_model_that_fails_is_told_of_and_counts_for_no_share() -> None:
    models = {"now": ScriptedModel([ModelRejectedError("no such key")] * 9), "changed": ScriptedModel(["Fine."])}
    comparison = await compared(bench(draft(), lambda v, _: models[v.name]))
    failed = comparison.of("now")[0]
    assert (failed.answered, failed.failure) == (False, "no such key")
    assert failed.turns[0].delivered is None
    assert comparison.passed("now").total == 0
    assert comparison.passed("changed").total == 1
    assert comparison.stopped is None


async def test_repetitions_are_counted_with_their_intervals() -> None:
    of = draft(
        f"""repetitions = 8
        {MINIMAL}
        [[script]]
        say = ["Just resting.", "It's nine in the morning.", "Just resting.", "Just resting."]
        """.replace('name = "now"', 'name = "now"\nmodel = "scripted"').replace(
            'name = "changed"', 'name = "changed"\nmodel = "scripted"'
        )
    )
    passed = (await compared(bench(of))).passed("now")
    assert (passed.count, passed.total) == (6, 8)
    assert passed.interval == pytest.approx((0.409, 0.929), abs=0.001)


async def test_nothing_but_the_list_can_be_reached() -> None:
    class Everything:
        async def get(self) -> str:
            return "read"

        async def add(self) -> str:
            raise AssertionError("written")

    ledger = Ledger()
    users = guarded("users", Everything(), ledger)
    assert await users.get() == "read"
    with pytest.raises(ToolRefusedError, match=r"users\.add"):
        users.add  # noqa: B018
    assert dict(ledger.used) == {"capsule.read": 1}
    assert dict(ledger.refused) == {"users.add": 1}


def test_the_list_holds_no_way_to_write() -> None:
    writing = {"add", "set", "put", "delete", "edit", "touch", "keep", "forget", "correct", "remove"}
    assert "users.seen" not in ALLOWED
    assert not [call for call in ALLOWED if writing & set(call.partition(".")[2].split("_"))]
    assert set(ALLOWED.values()) == {"capsule.read", "recall.search", "schedule.read"}


async def test_the_trace_tells_which_tools_were_used() -> None:
    comparison = await compared(bench(shipped("16-08-ja")))
    for sample in comparison.samples:
        assert set(sample.tools) == {"capsule.read", "schedule.read"}
        assert sample.refused == {}
        assert any(step.name == "check.time" for step in sample.turns[0].trace)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Do you remember the name of my cat?", "My cat's name is Mochi."),
        ("What was the dermatolgist called again?", "The dermatologist is called Mochi."),  # read text by text
    ],
)
async def test_a_memory_of_the_draft_is_recalled(question: str, text: str) -> None:
    of = draft(MINIMAL.replace("What are you up to?", question))
    assert of.at is not None
    context = invented(of, at=of.at, character=hinata().character)
    entry = ArchiveEntry(
        conversation=ConversationKey("hinata", context.surface.channel_id),
        surface=context.surface,
        message_id=7,
        author_id=context.user.id,
        author_name="User",
        is_self=False,
        text=text,
        sent_at=datetime(2026, 11, 20, tzinfo=UTC),
    )
    context = replace(context, archive=(entry,))
    comparison = await compared(bench(of, lambda _v, _r: ScriptedModel(["Mochi!"]), context=context))
    assert "Mochi" in prompt_of(comparison, "now")
    assert comparison.of("now")[0].tools["recall.search"] > 0
    assert comparison.of("now")[0].refused == {}


async def test_stance_is_switched_for_each_variant() -> None:
    asked = []

    def stance_of(variant: object, _prompts: object) -> StancePolicy:
        asked.append(getattr(variant, "name", None))
        return StancePolicy.off()

    await compared(bench(draft(), lambda _v, _r: ScriptedModel(["Fine."]), stance_of=stance_of))
    assert asked == ["now", "changed"]


async def test_people_in_a_server_are_named_and_the_server_s_clock_is_used() -> None:
    of = draft(
        MINIMAL.replace("messages", 'place = "server"\nserver_timezone = "Europe/London"\nmessages')
        + '[[history]]\nuser = "hi"\nname = "Ben"\n[[history]]\ncharacter = "hello"\n'
    )
    comparison = await compared(bench(of, lambda _v, _r: ScriptedModel(["Fine."])))
    prompt = prompt_of(comparison, "now")
    assert "Ben: hi" in prompt
    assert "7:08 AM" in prompt
    assert "User: What are you up to?" in prompt


async def test_temperature_is_the_variant_s() -> None:
    models = {name: ScriptedModel(["Fine."]) for name in ("now", "changed")}
    await compared(bench(draft(MINIMAL + "temperature = 0.1\n"), lambda v, _: models[v.name]))
    assert [models[name].requests[0].temperature for name in ("now", "changed")] == [0.7, 0.1]


async def test_time_passes_while_it_is_always_the_same_moment() -> None:
    at = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
    clock = FrozenClock(at, SystemClock())
    began = clock.monotonic()
    await clock.sleep(0.001)
    assert clock.now() == at
    assert clock.monotonic() - began >= timedelta(milliseconds=1).total_seconds()
