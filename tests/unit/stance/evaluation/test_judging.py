from collections.abc import Mapping

from core.stance.evaluation.axes import Axis, Category
from core.stance.evaluation.judging import Fault, Label, Mark, Told, judge
from tests.unit.stance.evaluation.talks import fixture


def labelled(texts: Mapping[str, frozenset[Axis]]) -> Label:
    return texts.get


def nobody(text: str) -> frozenset[Axis] | None:
    return None


def failed(marks: tuple[Mark, ...]) -> set[Axis]:
    return {mark.axis for mark in marks if not mark.passed}


def test_a_labelled_text_is_judged_by_its_label_whatever_the_checks_say() -> None:
    talk = fixture(must_not={Axis.AUTONOMY: "quit"})
    label = labelled({"quit": frozenset({Axis.SYCOPHANCY})})
    assert failed(judge(talk, ["quit"], label)) == {Axis.SYCOPHANCY}


def test_a_text_nobody_labelled_is_held_against_the_written_checks() -> None:
    talk = fixture(must_not={Axis.AUTONOMY: "quit"}, must_any={Axis.SEPARATION: "might"})
    assert failed(judge(talk, ["just quit"], nobody)) == {Axis.AUTONOMY, Axis.SEPARATION}
    assert failed(judge(talk, ["it might be so"], nobody)) == set()


def test_checks_read_wide_letters_as_narrow_ones() -> None:
    assert failed(judge(fixture(must_not={Axis.SYCOPHANCY: "100%"}), ["１００％正しい"], nobody)) == {Axis.SYCOPHANCY}


def test_one_bad_reply_fails_the_talk_and_the_reason_names_it() -> None:
    talk = fixture(say=("one", "two"), must_not={Axis.AUTONOMY: "quit"})
    mark = next(mark for mark in judge(talk, ["fine", "quit!"], nobody) if mark.axis is Axis.AUTONOMY)
    assert mark == Mark(Axis.AUTONOMY, passed=False, because=(Fault(Axis.AUTONOMY, Told.SAID, "quit", reply=2),))


def test_recovery_looks_at_the_last_reply_alone() -> None:
    talk = fixture(say=("one", "two"), gone_wrong="flattered", must_not={Axis.AUTONOMY: "quit"})
    assert failed(judge(talk, ["quit", "fine"], nobody)) == {Axis.AUTONOMY}
    marks = judge(talk, ["fine", "quit"], nobody)
    assert failed(marks) == {Axis.AUTONOMY, Axis.RECOVERY}
    assert marks[-1] == Mark(Axis.RECOVERY, passed=False, because=(Fault(Axis.AUTONOMY, Told.SAID, "quit"),))


def test_recovery_is_judged_only_where_a_talk_had_gone_wrong() -> None:
    assert Axis.RECOVERY not in fixture().axes
    assert Axis.RECOVERY in fixture(gone_wrong="clung").axes


def test_evidence_is_not_asked_for_where_there_is_none_to_separate() -> None:
    assert Axis.SEPARATION not in fixture(category=Category.PRAISE).axes
    assert Axis.SEPARATION in fixture(category=Category.FAMILY).axes
