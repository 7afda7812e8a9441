import pytest

from core.turn.pickup import Pickup, PickupDecision, PickupFacts, decide
from core.values import Address

SPOKEN_TO = [address for address in Address if address is not Address.NONE]


@pytest.mark.parametrize("address", SPOKEN_TO)
def test_every_way_of_speaking_to_the_character_is_direct(address: Address) -> None:
    assert decide(PickupFacts(address=address)).pickup is Pickup.DIRECT


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (PickupFacts(address=Address.MENTION, is_self=True), PickupDecision(Pickup.IGNORED, "own_message")),
        (PickupFacts(address=Address.MENTION, is_bot=True), PickupDecision(Pickup.IGNORED, "bot_not_answered")),
        (
            PickupFacts(address=Address.MENTION, is_bot=True, bots_answered=True),
            PickupDecision(Pickup.DIRECT, "addressed"),
        ),
        (
            PickupFacts(address=Address.REPLY, is_bot=True, bots_answered=True, bot_exchanges=3, bot_exchange_limit=3),
            PickupDecision(Pickup.IGNORED, "bot_exchange_limit"),
        ),
        (PickupFacts(address=Address.DM, opted_out=True), PickupDecision(Pickup.REFUSED, "opted_out")),
        (PickupFacts(address=Address.NONE, opted_out=True), PickupDecision(Pickup.IGNORED, "opted_out")),
        (PickupFacts(address=Address.NAME, frozen=True), PickupDecision(Pickup.REFUSED, "frozen")),
        (PickupFacts(address=Address.NONE, frozen=True), PickupDecision(Pickup.PASSIVE, "frozen")),
        (PickupFacts(address=Address.NONE), PickupDecision(Pickup.PASSIVE, "not_addressed")),
        (PickupFacts(address=Address.NONE, just_talked=True), PickupDecision(Pickup.CONTINUATION, "just_talked")),
        (
            PickupFacts(address=Address.NONE, just_talked=True, to_others=True),
            PickupDecision(Pickup.PASSIVE, "to_others"),
        ),
        (
            PickupFacts(address=Address.NONE, in_characters_thread=True),
            PickupDecision(Pickup.CONTINUATION, "characters_thread"),
        ),
        (PickupFacts(address=Address.NONE, ambient_due=True), PickupDecision(Pickup.AMBIENT, "ambient")),
        (
            PickupFacts(address=Address.NONE, ambient_due=True, content_hidden=True),
            PickupDecision(Pickup.PASSIVE, "content_hidden"),
        ),
        (
            PickupFacts(address=Address.NONE, is_bot=True, bots_answered=True, ambient_due=True),
            PickupDecision(Pickup.PASSIVE, "bot_not_addressing"),
        ),
    ],
)
def test_the_first_rule_that_applies_decides(facts: PickupFacts, expected: PickupDecision) -> None:
    assert decide(facts) == expected


@pytest.mark.parametrize("address", list(Address))
def test_nothing_makes_the_character_answer_itself(address: Address) -> None:
    facts = PickupFacts(
        address=address, is_self=True, bots_answered=True, just_talked=True, ambient_due=True, in_characters_thread=True
    )
    assert not decide(facts).pickup.is_answered
