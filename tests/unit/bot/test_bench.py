"""The model that the benchmarks of turns talk to."""

from bot.bench import StubModel
from core.language_model.types import ChatMessage, ChatRequest, Role
from core.recall.selection import Picks


async def test_the_stub_can_be_asked_which_messages_are_meant_and_picks_none() -> None:
    request = ChatRequest(
        messages=(ChatMessage(Role.USER, "m1: hello"),), max_output_tokens=50, schema=Picks.model_json_schema()
    )

    completion = await StubModel().complete(request)

    assert Picks.model_validate_json(completion.text) == Picks(messages=[])
