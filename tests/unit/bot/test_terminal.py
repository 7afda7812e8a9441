import asyncio
import io
import os
import random
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import set_cell_size
from rich.console import Console

from bot.personal import Personal
from bot.terminal.identity import TERMINAL_USER_ID, Snowflakes, terminal_surface
from bot.terminal.lines import PipedLines
from bot.terminal.names import typed_name
from bot.terminal.session import TerminalChat
from bot.terminal.start import ArchiveHistory
from bot.terminal.view import LiveView, PlainView, View, printable
from core.clock import SimulatedClock
from core.errors import DeliveryError, ModelUnavailableError
from core.stance.policy import StancePolicy
from core.turn.checks.registry import all_checks
from core.turn.companion import Companion
from core.turn.factory import make_companion
from core.turn.policy import TurnPolicy
from core.turn.reply import Reply, ReplyKind
from core.values import Character, Locale, Tier
from prompts.loader import PromptLibrary
from prompts.messages import Messages, commands_in
from tests.fakes.models import ScriptedModel
from tests.fakes.stores import InMemoryStores

START = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)
SORA = Character(
    name="sora",
    display_name={Locale.JA: "そら", Locale.EN: "Sora"},
    call_names=("そら", "Sora"),
    locale=Locale.JA,
    timezone="Asia/Tokyo",
    tier=Tier.BASIC,
    introduction={Locale.JA: "そらです。", Locale.EN: "I'm Sora."},
    personality={Locale.JA: "おだやか。", Locale.EN: "Calm."},
)
# The texts that a terminal chat can show.
_OWN_TEXTS = ("terminal.", "notice.", "refusal.", "timezone.", "memory.", "language.")


def _is_own_text(key: str) -> bool:
    return key.startswith(_OWN_TEXTS)


_HELP_COLUMN = 21


class TypedLines:
    """Lines as a test types them: `say` at the prompt, `interject` while a reply is being written."""

    def __init__(self, *lines: str) -> None:
        self._lines = deque(lines)
        self._more = asyncio.Event()
        self.busy: asyncio.Queue[str] = asyncio.Queue()

    async def next(self) -> str | None:
        return self._lines.popleft() if self._lines else None

    async def next_while_busy(self) -> str | None:
        return await self.busy.get()


@dataclass
class Scene:
    lines: TypedLines
    model: ScriptedModel
    stores: InMemoryStores = field(default_factory=InMemoryStores)
    clock: SimulatedClock = field(default_factory=lambda: SimulatedClock(START))
    out: io.StringIO = field(default_factory=io.StringIO)
    err: io.StringIO = field(default_factory=io.StringIO)

    def __post_init__(self) -> None:
        self.ids = Snowflakes(clock=self.clock)
        self.messages = Messages.load().naming(typed_name)
        self.companion = self._companion()

    def _companion(self) -> Companion:
        return make_companion(
            character=SORA,
            timetable=None,
            model=self.model,
            stores=self.stores,
            history=ArchiveHistory(self.stores.archive, SORA.name),
            stance=StancePolicy.off(),
            recall=None,
            checks=all_checks(StancePolicy.off()),
            prompts=PromptLibrary.load(),
            messages=self.messages,
            policy=TurnPolicy(debounce=0.0, longest_debounce=0.0),
            clock=self.clock,
            rng=random.Random(1),
        )

    def chat(self, *, locale: Locale | None = None, view: View | None = None) -> TerminalChat:
        return TerminalChat(
            companion=self.companion,
            lines=self.lines,
            view=view or PlainView(ids=self.ids, out=self.out, err=self.err),
            clock=self.clock,
            ids=self.ids,
            messages=self.messages,
            personal=Personal(
                users=self.stores.users,
                kept_facts=self.stores.kept_facts,
                consents=self.stores.consents,
                caution=self.companion.caution,
                messages=self.messages,
                clock=self.clock,
            ),
            privacy=self.stores.privacy,
            traces=self.stores.traces,
            user_name="ada",
            locale=locale,
            notices=locale or Locale.EN,
        )


async def test_each_line_is_answered_in_order() -> None:
    scene = Scene(TypedLines("hello", "", "   ", "bye"), ScriptedModel(["Hi!", "See you."]))
    await scene.chat().run()
    assert scene.out.getvalue() == "Hi!\nSee you.\n"
    assert len(scene.model.requests) == 2


@pytest.mark.parametrize("number", ["9" * 19, "9" * 30, "9" * 5000, "-1", "x"])
async def test_a_number_that_no_fact_can_have_ends_no_chat(number: str) -> None:
    scene = Scene(TypedLines(f"/memory forget {number}", f"/memory correct {number} x"), ScriptedModel())
    await scene.chat(locale=Locale.EN).run()
    assert scene.err.getvalue().count("Which one?") == 2


async def test_the_second_prompt_knows_the_first_exchange() -> None:
    scene = Scene(TypedLines("my cat is Miso", "what is her name?"), ScriptedModel(["A fine name.", "Miso."]))
    await scene.chat().run()
    texts = [message.text for message in scene.model.requests[1].messages]
    assert any("my cat is Miso" in text for text in texts)
    assert any("A fine name." in text for text in texts)


async def test_a_new_start_reads_earlier_talk_from_the_archive() -> None:
    first = Scene(TypedLines("my cat is Miso"), ScriptedModel(["A fine name."]))
    await first.chat().run()
    second = Scene(TypedLines("what is her name?"), ScriptedModel(["Miso."]), stores=first.stores)
    await second.clock.advance(60)
    second.ids = Snowflakes(clock=second.clock)
    await second.chat().run()
    assert any("my cat is Miso" in message.text for message in second.model.requests[0].messages)


async def test_the_small_print_goes_to_stderr_and_is_shown_once() -> None:
    scene = Scene(TypedLines("hello", "again"), ScriptedModel(["Hi!", "Hi."]))
    await scene.chat().run()
    assert scene.err.getvalue().count("AI") == 1
    assert "AI" not in scene.out.getvalue()


async def test_a_model_that_is_down_is_answered_with_a_visible_apology() -> None:
    scene = Scene(TypedLines("hello"), ScriptedModel([ModelUnavailableError("down")]))
    await scene.chat().run()
    assert scene.out.getvalue().strip() in scene.messages.entry("apology.model", "en")
    assert "yorisoi doctor" in scene.err.getvalue()


async def test_quit_leaves_what_follows_unread() -> None:
    scene = Scene(TypedLines("/quit", "hello"), ScriptedModel())
    await scene.chat().run()
    assert scene.model.requests == []


async def test_help_lists_every_command() -> None:
    scene = Scene(TypedLines("/help"), ScriptedModel())
    await scene.chat().run()
    shown = scene.err.getvalue()
    for command in ("/regenerate", "/stop", "/language", "/timezone", "/remember", "/memory", "/privacy", "/quit"):
        assert f"\n  {command} " in shown
    assert scene.model.requests == []


@pytest.mark.parametrize("locale", Locale)
async def test_help_is_written_in_two_columns(locale: Locale) -> None:
    lines = Scene(TypedLines(), ScriptedModel()).messages.text("terminal.help", locale).splitlines()
    for line in lines:
        names = set_cell_size(line, _HELP_COLUMN)
        if line.startswith("  /"):
            assert names.endswith(" ")
            assert line[len(names)] != " "


@pytest.mark.parametrize("key", sorted(filter(_is_own_text, Messages.load().keys())))
async def test_every_command_that_a_text_names_is_one_of_the_terminals(key: str) -> None:
    scene = Scene(TypedLines(), ScriptedModel())
    entry = scene.messages.entry(key, "en")
    names = [scene.messages.command(command, "en") for command in commands_in(str(entry))]
    known = scene.chat().commands
    assert all(name.partition(" ")[0] in known for name in names)


async def test_the_language_that_was_chosen_is_used_until_it_follows_what_is_typed_again() -> None:
    scene = Scene(
        TypedLines("/language ja", "hello there, how are you?", "/language auto", "hello there, how are you?"),
        ScriptedModel(),
    )
    await scene.chat().run()
    chosen, free = (request.messages[0].text for request in scene.model.requests)
    assert SORA.personality[Locale.JA] in chosen
    assert SORA.personality[Locale.EN] in free
    assert "これからはいつも日本語で返事をします。" in scene.err.getvalue()


@pytest.mark.parametrize("typed", ["/language", "/language fr"])
async def test_an_unknown_language_changes_nothing(typed: str) -> None:
    scene = Scene(TypedLines("/language ja", typed), ScriptedModel())
    await scene.chat().run()
    assert (await scene.stores.users.get(TERMINAL_USER_ID)).locale is Locale.JA
    assert "/language auto" in scene.err.getvalue()


async def test_an_unknown_command_is_not_sent_to_the_model() -> None:
    scene = Scene(TypedLines("/hlep"), ScriptedModel())
    await scene.chat().run()
    assert "/hlep" in scene.err.getvalue()
    assert scene.model.requests == []


async def test_a_path_at_the_start_of_a_message_is_no_command() -> None:
    scene = Scene(TypedLines("/etc/hosts is a file, right?"), ScriptedModel(["Right."]))
    await scene.chat().run()
    assert scene.out.getvalue() == "Right.\n"


async def test_regenerate_replaces_the_last_reply_in_the_history() -> None:
    scene = Scene(TypedLines("hello", "/regenerate", "and?"), ScriptedModel(["First.", "Second.", "Third."]))
    await scene.chat().run()
    assert scene.out.getvalue() == "First.\nSecond.\nThird.\n"
    texts = [message.text for message in scene.model.requests[2].messages]
    assert any("Second." in text for text in texts)
    assert not any("First." in text for text in texts)


async def test_regenerate_without_a_reply_says_so() -> None:
    scene = Scene(TypedLines("/regenerate"), ScriptedModel())
    await scene.chat().run()
    assert scene.messages.text("terminal.nothing_to_regenerate", "en") in scene.err.getvalue()


async def test_stop_typed_during_a_reply_stops_it() -> None:
    scene = Scene(TypedLines("tell me a story"), ScriptedModel(["Once upon a time there was a sea."]))
    scene.model.gate.clear()
    talking = asyncio.create_task(scene.chat().run())
    await scene.model.wait_for_requests(1)
    scene.lines.busy.put_nowait("/stop")
    await asyncio.wait_for(talking, 10)
    assert scene.out.getvalue() == ""
    assert scene.messages.text("terminal.stopped", "en") in scene.err.getvalue()


async def test_a_message_typed_during_a_reply_supersedes_it() -> None:
    scene = Scene(TypedLines("what is 2+2"), ScriptedModel(script=lambda request: request.messages[-1].text[-8:]))
    scene.model.gate.clear()
    talking = asyncio.create_task(scene.chat().run())
    await scene.model.wait_for_requests(1)
    scene.lines.busy.put_nowait("I mean 3+3")
    await scene.model.wait_for_requests(2)
    scene.model.gate.set()
    await asyncio.wait_for(talking, 10)
    assert len(scene.out.getvalue().splitlines()) == 1


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("/privacy opt-out", "terminal.which_privacy"),
        ("/privacy remember-me", "terminal.which_privacy"),
        ("/privacy", "privacy.nothing"),
        ("/memory forget", "terminal.which_fact"),
        ("/memory correct three cats", "terminal.which_fact"),
        ("/memory correct 1", "terminal.which_wording"),
    ],
)
async def test_what_a_command_cannot_do_is_said_with_what_it_can(line: str, key: str) -> None:
    scene = Scene(TypedLines(line), ScriptedModel([]))
    await scene.chat().run()
    assert scene.messages.text(key, Locale.EN) in scene.err.getvalue()


async def test_privacy_counts_and_forget_me_deletes_everything() -> None:
    scene = Scene(TypedLines("hello", "/privacy", "/privacy forget-me", "y"), ScriptedModel(["Hi!"]))
    await scene.chat().run()
    assert sum((await scene.stores.privacy.counts(TERMINAL_USER_ID)).values()) == 0
    assert scene.stores.archive.entries == []
    assert "Left: 0." in scene.err.getvalue()


@pytest.mark.parametrize("answer", ["n", "wait", "/help"])
async def test_without_a_yes_nothing_is_forgotten(answer: str) -> None:
    scene = Scene(TypedLines("hello", "/privacy forget-me", answer), ScriptedModel(["Hi!"]))
    await scene.chat().run()
    assert len(scene.stores.archive.entries) == 2
    assert "Nothing was deleted." in scene.err.getvalue()


async def test_what_was_forgotten_is_gone_from_the_next_prompt_too() -> None:
    scene = Scene(TypedLines("my cat is Miso", "/privacy forget-me", "yes", "hello"), ScriptedModel(["Ok.", "Hi!"]))
    await scene.chat().run()
    assert not any("Miso" in message.text for message in scene.model.requests[1].messages)


async def test_the_clock_of_the_place_that_was_named_is_the_one_the_model_is_told() -> None:
    scene = Scene(TypedLines("/timezone New York", "hello", "/timezone forget", "hello again"), ScriptedModel())
    await scene.chat().run()
    first, second = (request.messages[-1].text for request in scene.model.requests)
    assert "5:00 AM" in first
    assert "5:00 AM" not in second
    assert "New York (United States)" in scene.err.getvalue()


async def test_what_is_to_be_remembered_is_told_the_model_until_it_is_forgotten() -> None:
    lines = TypedLines("/remember I have two cats", "hello", "/memory", "/memory forget 1", "hello again", "/memory")
    scene = Scene(lines, ScriptedModel())
    await scene.chat().run()
    first, second = (request.messages[-1].text for request in scene.model.requests)
    assert "I have two cats" in first
    assert "I have two cats" not in second
    assert "1. I have two cats" in scene.err.getvalue()
    assert scene.messages.text("memory.nothing", "en") in scene.err.getvalue()


@pytest.mark.parametrize(
    ("answer", "kept", "shown"),
    [
        ("y", ["I have two cats"], "Remembered: I have two cats"),
        ("はい", ["I have two cats"], "Remembered: I have two cats"),
        ("n", [], "Not remembered."),
    ],
)
async def test_what_is_asked_to_be_remembered_is_kept_once_the_next_line_says_yes(
    answer: str, kept: list[str], shown: str
) -> None:
    scene = Scene(TypedLines("remember that I have two cats", answer, "bye"), ScriptedModel(["Two!", "Bye."]))
    await scene.chat().run()
    assert 'Remember this? "I have two cats" (y / n)' in scene.err.getvalue()
    assert shown in scene.err.getvalue()
    assert [fact.text for fact in await scene.stores.kept_facts.of(TERMINAL_USER_ID)] == kept
    assert scene.out.getvalue() == "Two!\nBye.\n"


async def test_a_line_that_is_no_answer_is_said_and_nothing_is_kept() -> None:
    scene = Scene(TypedLines("remember that I have two cats", "what?", "yes"), ScriptedModel(["Two!", "Cats.", "Yes."]))
    await scene.chat().run()
    assert scene.out.getvalue() == "Two!\nCats.\nYes.\n"
    assert await scene.stores.kept_facts.of(TERMINAL_USER_ID) == []


async def test_what_is_remembered_can_be_corrected() -> None:
    lines = TypedLines(
        "/remember I have two cats", "/memory correct 1 I have three cats", "/memory correct 7 x", "/memory"
    )
    scene = Scene(lines, ScriptedModel())
    await scene.chat().run()
    shown = scene.err.getvalue()
    assert "Number 1 now says: I have three cats" in shown
    assert "number 7" in shown
    assert "1. I have three cats" in shown


async def test_notices_follow_the_language_that_is_typed() -> None:
    scene = Scene(TypedLines("こんにちは", "/nani"), ScriptedModel(["やあ。"]))
    await scene.chat().run()
    assert scene.messages.text("terminal.unknown_command", "ja", command="/nani") in scene.err.getvalue()


async def test_a_fixed_language_stays_whatever_is_typed() -> None:
    scene = Scene(TypedLines("こんにちは", "/nani"), ScriptedModel(["Hi."]))
    await scene.chat(locale=Locale.EN).run()
    assert scene.messages.text("terminal.unknown_command", "en", command="/nani") in scene.err.getvalue()


class _ClosedPipe(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError(32, "Broken pipe")


async def test_a_reader_that_went_away_ends_the_chat() -> None:
    scene = Scene(TypedLines("one", "two", "three"), ScriptedModel(["1", "2", "3"]), out=_ClosedPipe())
    await scene.chat().run()
    assert len(scene.model.requests) == 1


async def test_lines_of_a_pipe_come_one_by_one_and_the_last_needs_no_newline() -> None:
    reader, writer = os.pipe()
    lines = PipedLines(reader)
    os.write(writer, "\ufeffあ\r\nb\n".encode() + b"c\xff")
    os.close(writer)
    assert [await lines.next() for _ in range(4)] == ["あ", "b", "c\ufffd", None]
    os.close(reader)


async def test_a_character_split_between_two_writes_is_read_whole() -> None:
    reader, writer = os.pipe()
    lines = PipedLines(reader)
    encoded = "寄り添い\n".encode()
    os.write(writer, encoded[:4])
    waiting = asyncio.create_task(lines.next())
    await asyncio.sleep(0)
    os.write(writer, encoded[4:])
    assert await waiting == "寄り添い"
    os.close(writer)
    os.close(reader)


async def test_waiting_for_a_line_can_be_given_up() -> None:
    reader, writer = os.pipe()
    waiting = asyncio.create_task(PipedLines(reader).next())
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    os.close(writer)
    os.close(reader)


async def test_a_closed_input_is_an_ended_one(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    assert await PipedLines(descriptor).next() is None
    os.close(descriptor)


def _live_view() -> tuple[LiveView, io.StringIO]:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=40, color_system=None)
    ids = Snowflakes(clock=SimulatedClock(START))
    return LiveView(ids=ids, name="Sora", you="you", waiting="…", console=console), screen


async def test_a_live_reply_ends_as_plain_text_under_the_name() -> None:
    view, screen = _live_view()
    sink = view.open("t" * 20)
    async with sink.typing():
        await sink.show("Once")
    ids = await sink.finish(Reply(text="Once upon a time.", kind=ReplyKind.ANSWER, footnote="AI"))
    assert ids == view.last_reply
    assert "Sora  Once upon a time." in screen.getvalue()
    assert "AI" in screen.getvalue()


async def test_only_one_live_reply_holds_the_screen() -> None:
    view, _ = _live_view()
    first, second = view.open("a" * 20), view.open("b" * 20)
    async with first.typing(), second.typing():
        await first.show("one")
        await second.show("two")
        await first.withdraw()
        await second.show("two and more")
    await second.finish(Reply(text="two and more.", kind=ReplyKind.ANSWER))


async def test_what_is_typed_during_a_reply_is_shown_below_it_and_what_was_entered_stays() -> None:
    view, screen = _live_view()
    sink = view.open("t" * 20)
    async with sink.typing():
        view.typing("wa")
        await sink.show("Once")
        view.typing("wait")
        assert "you  wait" in screen.getvalue()
        view.typing("")
        view.said("wait")
        assert "you  wait\n" in screen.getvalue().replace("\r", "")
    await sink.finish(Reply(text="Once upon a time.", kind=ReplyKind.ANSWER))
    assert screen.getvalue().rstrip().endswith("Once upon a time.")


async def test_a_terminal_that_is_gone_is_a_delivery_error() -> None:
    view = PlainView(ids=Snowflakes(clock=SimulatedClock(START)), out=_ClosedPipe(), err=_ClosedPipe())
    view.notice("nobody hears this")
    with pytest.raises(DeliveryError):
        await view.open("a" * 20).finish(Reply(text="x", kind=ReplyKind.ANSWER))
    assert view.closed


@given(st.text())
def test_nothing_a_model_writes_can_steer_the_terminal(text: str) -> None:
    shown = printable(text)
    assert not any((ord(char) < 32 and char not in "\n\t") or 127 <= ord(char) < 160 for char in shown)
    assert [char for char in text if char.isprintable()] == [char for char in shown if char.isprintable()]


async def test_ids_grow_also_when_the_clock_goes_back() -> None:
    clock = SimulatedClock(START)
    ids = Snowflakes(clock=clock)
    first, second = ids.next(), ids.next()
    clock.jump_to(datetime(2026, 4, 1, tzinfo=UTC))
    assert first < second < ids.next()


def test_each_character_has_a_place_of_its_own() -> None:
    assert terminal_surface("sora") == terminal_surface("sora")
    assert terminal_surface("sora").channel_id != terminal_surface("hinata").channel_id
    assert terminal_surface("sora").is_private
