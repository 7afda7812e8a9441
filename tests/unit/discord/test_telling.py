"""Why an occasion ended as it did, in words."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import cast

import pytest

from bot.discord.commands.desk import Desk
from bot.discord.commands.proactive.telling import explained, until_in_words
from bot.discord.consent import FOR_EVER
from core.proactive.types import Grounding, Reason, Recipient, RecipientKind, SlotRecord, SlotState
from core.values import Locale
from prompts.messages import Messages

DESK = cast("Desk", SimpleNamespace(messages=Messages.load()))
AT = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
SENT = SlotRecord(
    id="slot1",
    recipient=Recipient("hinata", RecipientKind.USER, 7),
    slot_key="2026-11-30/0830-1100",
    due_at=AT,
    state=SlotState.SENT,
    offered=("moss-roots", "lunch-noodles"),
    candidate_id="lunch-noodles",
    grounding=Grounding.SCHEDULE,
    fingerprint="0123456789abcdef",
    selector="model:tiny",
    checks=("form:ok",),
    observed_at=AT,
    claimed_at=AT,
    sent_at=AT,
)


def test_everything_that_led_to_a_message_is_told() -> None:
    told = explained(DESK, SENT, Locale.EN)

    for part in ("sent", "`slot1`", "`moss-roots`, `lunch-noodles`", "Chosen: `lunch-noodles`", "the schedule says"):
        assert part in told
    for part in ("the model `tiny`", "`form:ok`", "`0123456789ab`", "Looked at the moment:", "Decided:", "Sent:"):
        assert part in told


@pytest.mark.parametrize("reason", list(Reason))
@pytest.mark.parametrize("locale", list(Locale))
def test_every_reason_for_silence_is_told_and_nothing_that_never_was(reason: Reason, locale: Locale) -> None:
    record = SlotRecord(
        id="slot2", recipient=SENT.recipient, slot_key="k", due_at=AT, state=SlotState.SKIPPED, reason=reason
    )

    told = explained(DESK, record, locale)

    assert told.count("\n") == 0
    assert DESK.messages.text(f"proactive.reason.{reason}", locale) in told


def test_what_has_no_end_is_told_without_a_date() -> None:
    assert "<t:" in until_in_words(DESK, "proactive.status_paused", AT, Locale.EN)
    assert "<t:" not in until_in_words(DESK, "proactive.status_paused", FOR_EVER, Locale.EN)
