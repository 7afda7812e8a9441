"""What is known to pass is not looked at again; whatever changed is."""

import pytest

from core.proactive.opinion.opinion import BY_WORDS, SecondOpinion
from core.proactive.types import Grounding
from data.packs import admission, passed
from data.packs.admission import refusals
from data.packs.fields import check_activity_text
from data.packs.loader import SHIPPED, load_pack
from tests.evals.admission.passed import FILE, looked_at

PASSED = "The kettle sings in its own key."


class LookedAtError(Exception):
    pass


def _looks(*_: object, **__: object) -> tuple[()]:
    raise LookedAtError


def test_the_file_is_what_looking_at_every_shipped_text_gives() -> None:
    assert FILE.read_text("ascii") == looked_at(), "run: python -m tests.evals.admission.passed"


def test_no_shipped_text_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "examine", _looks)
    monkeypatch.setattr("data.packs.fields.names_a_clock", _looks)

    load_pack(SHIPPED / "hinata")


@pytest.mark.parametrize(
    "changed",
    [
        {"text": PASSED + "!"},
        {"kind": Grounding.SCHEDULE},
        {"activity": "shop"},
        {"opinion": SecondOpinion(encoder=object())},  # type: ignore[arg-type]
        {"opinion": None},
    ],
)
def test_what_differs_in_anything_from_what_passed_is_looked_at(
    monkeypatch: pytest.MonkeyPatch, changed: dict[str, object]
) -> None:
    asked = {"text": PASSED, "kind": Grounding.NEUTRAL, "activity": None, "opinion": BY_WORDS}
    known = frozenset({passed.digest_of((Grounding.NEUTRAL.value, "", PASSED))})
    monkeypatch.setattr(passed, "known", lambda: known)
    monkeypatch.setattr(admission, "examine", _looks)

    assert list(refusals(**asked)) == []  # type: ignore[arg-type]
    with pytest.raises(LookedAtError):
        list(refusals(**asked | changed))  # type: ignore[arg-type]


def test_nothing_is_known_under_other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passed, "rules_digest", lambda: "0" * 64)

    assert passed.known.__wrapped__() == frozenset()


def test_an_activity_that_names_a_clock_is_refused_still() -> None:
    with pytest.raises(ValueError, match="names a time"):
        check_activity_text("tea at 3 pm")
