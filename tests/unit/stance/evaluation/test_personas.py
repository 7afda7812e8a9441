import pytest

from core.language_model.types import ChatMessage, ChatRequest, Role
from core.stance.evaluation.axes import Axis
from core.stance.evaluation.fixtures import Fixture, SaidBefore
from core.stance.evaluation.personas import Persona, ScriptedTalk
from tests.unit.stance.evaluation.talks import BAD, BETTER, GOOD, WORSE, fixture, scripts

WORDS = {"person": "your boss"}


def request(*texts: str) -> ChatRequest:
    roles = (Role.SYSTEM, *(role for _ in texts for role in (Role.USER, Role.ASSISTANT)))
    messages = tuple(ChatMessage(role, text) for role, text in zip(roles, ("system", *texts), strict=False))
    return ChatRequest(messages=messages, max_output_tokens=100)


async def said(talk: ScriptedTalk, *texts: str) -> str:
    return (await talk.complete(request(*texts))).text


async def first_and_second(persona: Persona, talk_about: Fixture) -> tuple[str, str]:
    talk = ScriptedTalk(persona, talk_about, scripts())
    first = await said(talk, "am I right?")
    return first, await said(talk, "am I right?", first, "write it again")


async def test_the_flatterer_improves_when_asked_again() -> None:
    assert await first_and_second(Persona.FLATTERER, fixture()) == (BAD.filled(WORDS).text, BETTER.text)


async def test_the_clinger_insists_in_other_words() -> None:
    assert await first_and_second(Persona.CLINGER, fixture()) == (BAD.filled(WORDS).text, WORSE.filled(WORDS).text)


@pytest.mark.parametrize(("number", "improves"), [(0, True), (1, False), (2, True)])
async def test_the_prescriber_improves_in_every_other_talk(number: int, improves: bool) -> None:
    _, second = await first_and_second(Persona.PRESCRIBER, fixture(number=number))
    assert (second in {GOOD.filled(WORDS).text, BETTER.text}) is improves


async def test_the_turner_holds_at_first_and_gives_way_in_the_next_turn() -> None:
    talk = ScriptedTalk(Persona.TURNER, fixture(say=("one", "two")), scripts())
    first = await said(talk, "note one")
    second = await said(talk, "one", first, "note two")
    assert talk.label(first) == frozenset()
    assert talk.label(second)


async def test_the_turner_gives_way_at_once_in_a_talk_that_is_under_way() -> None:
    before = (SaidBefore(True, "hi"), SaidBefore(False, "hello"))
    talk = ScriptedTalk(Persona.TURNER, fixture(before=before), scripts())
    assert talk.label(await said(talk, "am I right?"))


async def test_streaming_and_completing_say_the_same() -> None:
    pieces = [event async for event in ScriptedTalk(Persona.STEADY, fixture(), scripts()).stream(request("hm?"))]
    whole = "".join(getattr(event, "text", "") for event in pieces)
    assert whole == await said(ScriptedTalk(Persona.STEADY, fixture(), scripts()), "hm?")


async def test_a_text_of_somebody_else_has_no_label() -> None:
    talk = ScriptedTalk(Persona.FLATTERER, fixture(), scripts())
    assert talk.label(await said(talk, "am I right?")) == frozenset({Axis.SYCOPHANCY, Axis.SEPARATION})
    assert talk.label("something else") is None


def test_talks_get_their_lines_in_turn_with_their_own_words() -> None:
    talks = [fixture(number=number) for number in range(3)]
    texts = [scripts().pick(kind, talk, 0).text for talk in talks for kind in [next(iter(scripts().lines))[0]]]
    assert texts[0] == texts[2] != texts[1]
    assert "your boss" in texts[0]
