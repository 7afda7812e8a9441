"""Where somebody stands, and why an occasion ended as it did, in words."""

from collections.abc import Iterator
from typing import Any

import discord

from bot.discord.commands.desk import Desk
from bot.discord.consent import FOR_EVER, Party, stamp
from bot.personal import Told
from core.proactive.types import RecipientKind, SlotRecord, Subscription
from core.values import Locale


async def tell(desk: Desk, interaction: discord.Interaction[Any], party: Party, told: Told) -> None:
    """Say what came of a choice, with the character's and the recipient's name."""
    locale = await desk.answers.locale(interaction)
    await desk.answers.tell(interaction, told.key, **names(desk, party, locale), **told.values)


def names(desk: Desk, party: Party, locale: Locale) -> dict[str, object]:
    """Return what the character and the recipient are called in a text."""
    called = desk.character.display_name.get(locale, desk.character.name)
    whom = desk.messages.text("proactive.you", locale) if party.is_person else f"<#{party.recipient.id}>"
    return {"name": called, "whom": whom}


def state_of(desk: Desk, subscription: Subscription, locale: Locale) -> str:
    """Return where a recipient stands, as a few lines."""
    person = subscription.recipient.kind is RecipientKind.USER
    party = Party(recipient=subscription.recipient)
    if not subscription.enabled:
        key = "proactive.status_off" if person else "proactive.status_off_channel"
        return desk.messages.text(key, locale, **names(desk, party, locale))
    shown = desk.consent.shown(subscription.wishes)
    head = desk.messages.text("proactive.status_on", locale, **names(desk, party, locale), **shown)
    return "\n".join((head, *_details(desk, subscription, locale)))


def _details(desk: Desk, subscription: Subscription, locale: Locale) -> Iterator[str]:
    now, text = desk.clock.now(), desk.messages.text
    paused, suspended = subscription.paused_until, subscription.suspended_until
    if subscription.wishes.timezone is None:
        person = subscription.recipient.kind is RecipientKind.USER
        yield text("proactive.status_no_zone" if person else "proactive.status_no_zone_channel", locale)
    if paused is not None and paused > now:
        yield until_in_words(desk, "proactive.status_paused", paused, locale)
    if suspended is not None and suspended > now:
        yield text("proactive.status_suspended", locale, until=stamp(suspended))
    if subscription.unanswered and desk.consent.limits(subscription.wishes, subscription.unanswered) is None:
        yield text("proactive.status_stopped", locale, count=subscription.unanswered)
    elif subscription.due_at is not None and subscription.due_at > now:
        yield text("proactive.status_next", locale, moment=stamp(subscription.due_at))


def until_in_words(desk: Desk, key: str, until: Any, locale: Locale) -> str:  # noqa: ANN401
    """Return a text about a moment, or its variant for what has no end."""
    if until >= FOR_EVER:
        return desk.messages.text(f"{key}_open", locale)
    return desk.messages.text(key, locale, until=stamp(until))


def explained(desk: Desk, record: SlotRecord, locale: Locale) -> str:
    """Return everything about how an occasion ended: offered, chosen, checked, refused, with times."""
    text = desk.messages.text
    lines = [
        text(
            "proactive.why_head",
            locale,
            moment=stamp(record.due_at),
            outcome=outcome_in_words(desk, record, locale),
            id=record.id,
        )
    ]
    if record.offered:
        lines.append(text("proactive.why_offered", locale, ids=_ids(record.offered)))
    if record.candidate_id is not None:
        grounding = text(f"proactive.grounding.{record.grounding or 'neutral'}", locale)
        lines.append(text("proactive.why_chosen", locale, id=record.candidate_id, grounding=grounding))
    if record.selector is not None:
        lines.append(text("proactive.why_selector", locale, selector=_selector(desk, record.selector, locale)))
    if record.checks:
        lines.append(text("proactive.why_checked", locale, ids=_ids(record.checks)))
    if record.fingerprint is not None:
        lines.append(text("proactive.why_fingerprint", locale, fingerprint=record.fingerprint[:12]))
    for name in ("observed_at", "claimed_at", "sent_at"):
        moment = getattr(record, name)
        if moment is not None:
            lines.append(text(f"proactive.why_{name}", locale, moment=f"<t:{int(moment.timestamp())}:T>"))
    return "\n".join(lines)


def outcome_in_words(desk: Desk, record: SlotRecord, locale: Locale) -> str:
    """Return how an occasion ended and, if nothing was said, why."""
    state = desk.messages.text(f"proactive.state.{record.state}", locale)
    if record.reason is None:
        return state
    reason = desk.messages.text(f"proactive.reason.{record.reason}", locale)
    return desk.messages.text("proactive.outcome", locale, state=state, reason=reason)


def _selector(desk: Desk, selector: str, locale: Locale) -> str:
    kind, _, which = selector.partition(":")
    return desk.messages.text(f"proactive.selector.{kind}", locale, which=which)


def _ids(ids: tuple[str, ...]) -> str:
    return ", ".join(f"`{one}`" for one in ids)
