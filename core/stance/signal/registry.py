"""Every rule of the signal, in the order in which they are asked and listed in `matched`."""

from collections.abc import Mapping
from functools import cache

from core.stance.signal.rule import Rule
from core.stance.signal.rules import (
    casual_greeting,
    casual_levity,
    crisis_acute_illness,
    crisis_child,
    crisis_means,
    crisis_preparation,
    crisis_self_harm,
    crisis_violence_now,
    crisis_wish_to_die,
    danger_denied,
    danger_past,
    danger_somebody_else,
    ev_conflict,
    ev_label,
    ev_mind,
    ev_own,
    none_back_channel,
    none_command,
    over_hands,
    over_leans,
    over_only_you,
    over_rest,
    over_secrecy,
    pushback_hedged,
    pushback_normal,
    pushback_repeated,
    pushback_side,
    pushback_verdict,
    reflective_decision,
    reflective_distress,
    reflective_life_decision,
    reflective_mind,
    reflective_plain,
    reflective_praise,
    reflective_verdict,
    stakes_law,
    stakes_medicine,
    stakes_money,
    stakes_violence,
    syc_agreement,
    syc_push,
    task_code,
    task_everyday,
    task_request,
)

RULES: tuple[Rule, ...] = (
    none_back_channel.RULE,
    none_command.RULE,
    crisis_wish_to_die.RULE,
    crisis_means.RULE,
    crisis_preparation.RULE,
    crisis_self_harm.RULE,
    crisis_acute_illness.RULE,
    crisis_violence_now.RULE,
    crisis_child.RULE,
    danger_past.RULE,
    danger_denied.RULE,
    danger_somebody_else.RULE,
    task_code.RULE,
    task_request.RULE,
    task_everyday.RULE,
    casual_greeting.RULE,
    casual_levity.RULE,
    reflective_plain.RULE,
    reflective_distress.RULE,
    reflective_verdict.RULE,
    reflective_decision.RULE,
    reflective_life_decision.RULE,
    reflective_mind.RULE,
    reflective_praise.RULE,
    pushback_verdict.RULE,
    pushback_normal.RULE,
    pushback_side.RULE,
    pushback_repeated.RULE,
    pushback_hedged.RULE,
    over_only_you.RULE,
    over_secrecy.RULE,
    over_rest.RULE,
    over_hands.RULE,
    over_leans.RULE,
    syc_push.RULE,
    syc_agreement.RULE,
    stakes_medicine.RULE,
    stakes_law.RULE,
    stakes_money.RULE,
    stakes_violence.RULE,
    ev_own.RULE,
    ev_mind.RULE,
    ev_label.RULE,
    ev_conflict.RULE,
)


@cache
def rules_near() -> Mapping[str, tuple[int, ...]]:
    """Return for each group the places in `RULES` of those that it is a candidate of; the others can't fire by it."""
    near: dict[str, list[int]] = {}
    for place, rule in enumerate(RULES):
        for group in rule.candidate:
            near.setdefault(group, []).append(place)
    return {group: tuple(places) for group, places in near.items()}
