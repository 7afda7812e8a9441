"""Floors under the figures of the test side, so that a change of the rules can't lower them unseen.

The words have never been tuned on these lines. The shipped weights are fitted on these lines, too: their floors tell a
file that does not belong to the rules, not how well they do on new lines (`docs/decisions/stance-gate.md` does). The
tenth and the eleventh hand's are the exception: subtle lines that no fit has seen.
"""

from collections.abc import Sequence

import pytest

from core.embedding.remembering import RememberingEncoder
from core.stance.gate.evidence import heard
from core.stance.gate.gate import StanceGate
from core.stance.gate.types import GateAction, GateVerdict
from core.stance.gate.view import look_at
from core.stance.signal.canonical import for_encoder
from core.stance.types import ReflectiveSupportSignal
from tests.unit.stance.gate_corpus import MEASURES, LabelledReply, labelled

ROWS = labelled("test")
Judged = Sequence[tuple[LabelledReply, GateVerdict]]


def judge(gate: StanceGate) -> Judged:
    signal = ReflectiveSupportSignal()
    return [(row, gate.verify(user=row.user, reply=row.reply, signal=signal)) for row in ROWS]


def seen(judged: Judged) -> Judged:
    return [(row, verdict) for row, verdict in judged if row.hand not in MEASURES]


@pytest.fixture(scope="module")
def by_words() -> Judged:
    return judge(StanceGate.load())


@pytest.fixture(scope="module")
def judged() -> Judged:
    encoder = RememberingEncoder()
    encoder.encode([text for row in ROWS for text in (for_encoder(row.user), heard(look_at(row.reply)))])  # at once
    return judge(StanceGate.load(encoder.encode))


@pytest.mark.parametrize("locale", ["ja", "en"])
@pytest.mark.parametrize(
    ("hands", "floor"),
    [
        ({"replies", "replies_own"}, 0.90),
        ({"replies_other"}, 0.40),
        ({"replies_third"}, 0.25),
        ({"replies_fourth"}, 0.25),
        ({"replies_fifth"}, 0.15),
        ({"replies_sixth"}, 0.30),
    ],
)
def test_words_alone_catch_what_they_caught(by_words: Judged, locale: str, hands: set[str], floor: float) -> None:
    bad = [verdict for row, verdict in by_words if row.violations and row.locale == locale and row.hand in hands]
    assert sum(bool(verdict.findings) for verdict in bad) / len(bad) >= floor


def test_words_alone_hardly_touch_a_clean_reply(by_words: Judged) -> None:
    clean = [verdict for row, verdict in by_words if not row.violations]
    assert sum(bool(verdict.findings) for verdict in clean) / len(clean) <= 0.012


@pytest.mark.parametrize("locale", ["ja", "en"])
def test_most_bad_replies_are_caught(judged: Judged, locale: str) -> None:
    bad = [verdict for row, verdict in seen(judged) if row.violations and row.locale == locale]
    assert sum(bool(verdict.findings) for verdict in bad) / len(bad) >= 0.90


@pytest.mark.parametrize("locale", ["ja", "en"])
def test_few_clean_replies_are_touched(judged: Judged, locale: str) -> None:
    clean = [verdict for row, verdict in seen(judged) if not row.violations and row.locale == locale]
    assert sum(bool(verdict.findings) for verdict in clean) / len(clean) <= 0.04


@pytest.mark.parametrize(("hand", "floor"), [("replies_tenth", 0.5), ("replies_eleventh", 0.7)])
@pytest.mark.parametrize("locale", ["ja", "en"])
def test_many_of_the_subtle_lines_that_no_fit_has_seen_are_caught(
    judged: Judged, locale: str, hand: str, floor: float
) -> None:
    unseen = [(row, verdict) for row, verdict in judged if row.hand == hand and row.locale == locale]
    bad = [verdict for row, verdict in unseen if row.violations]
    assert sum(bool(verdict.findings) for verdict in bad) / len(bad) >= floor
    clean = [verdict for row, verdict in unseen if not row.violations]
    assert sum(bool(verdict.findings) for verdict in clean) / len(clean) <= 0.05


def test_hardly_any_clean_reply_is_replaced(judged: Judged) -> None:
    assert sum(verdict.action is GateAction.FALLBACK for row, verdict in judged if not row.violations) <= 1


@pytest.mark.parametrize(("rule", "floor"), [("inflated_praise", 0.9), ("overreliance_continuation", 0.75)])
def test_praise_and_clinging_are_caught(judged: Judged, rule: str, floor: float) -> None:
    bad = [verdict for row, verdict in seen(judged) if rule in row.violations]
    caught = [rule in {found.rule for found in verdict.findings} for verdict in bad]
    assert sum(caught) / len(caught) >= floor
