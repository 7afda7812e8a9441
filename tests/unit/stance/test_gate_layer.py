"""The file of the learned weights: what it holds, and how a damaged one is told."""

from pathlib import Path

import numpy as np
import pytest

from core.stance.gate.grams import BUCKETS, buckets
from core.stance.gate.layer import ANY, DANGER, DIMENSIONS, Layer
from core.stance.gate.lexicon import LexiconError
from core.stance.gate.registry import RULES


def test_the_shipped_weights_have_a_head_for_every_rule() -> None:
    layer = Layer.load()
    assert layer.heads == (*(rule.id for rule in RULES), ANY, DANGER)
    for bars in layer.bars.values():
        assert set(bars.named) == {rule.id for rule in RULES}
        assert bars.danger_at_stake <= bars.danger


@pytest.mark.parametrize("content", [b"", b"no weights", b"PK\x05\x06" + b"\x00" * 18])
def test_a_damaged_file_is_told(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "evidence.npz"
    file.write_bytes(content)
    with pytest.raises(LexiconError, match=r"evidence\.npz"):
        Layer.load(file)


def test_weights_that_do_not_fit_together_are_told(tmp_path: Path) -> None:
    file = tmp_path / "evidence.npz"
    one = np.zeros((1, 1), dtype=np.float16)
    about = np.array('{"heads": ["any"], "bars": {}}')
    np.savez(file, about=about, pieces=one, pieces_bias=one[0], vectors=one, bias=one[0])
    with pytest.raises(LexiconError, match="do not fit together"):
        Layer.load(file)


def test_what_the_turn_was_changes_what_a_reply_is_worth() -> None:
    layer = Layer.load()
    reply, turn, other = np.eye(3, DIMENSIONS).tolist()
    by_turn, by_other = layer.by_vectors(reply, turn), layer.by_vectors(reply, other)
    turn_alone = layer.by_vectors([0.0] * DIMENSIONS, turn) - layer.by_vectors([0.0] * DIMENSIONS, other)
    assert not np.allclose(by_turn - by_other, turn_alone, atol=1e-3)


@pytest.mark.parametrize("text", ["you never have to go", "もう寝なくていいよ", "𠮷野家", "\ud800"])
def test_pieces_are_numbers_of_buckets_each_once(text: str) -> None:
    for view, numbers in enumerate(buckets(text)):
        assert numbers == sorted(set(numbers))
        assert all(view * BUCKETS <= number < (view + 1) * BUCKETS for number in numbers)


def test_how_many_blanks_there_are_makes_no_difference_to_the_pieces() -> None:
    assert buckets("you  never leave") == buckets("you never leave")
    assert buckets("you never\nleave")[0] == buckets("you never leave")[0]
    assert buckets("帰ら ないで") == buckets("帰らないで")


def test_replies_that_differ_in_one_word_share_most_pieces() -> None:
    one, other = buckets("you can't leave me tonight"), buckets("you can't leave me today")
    for here, there in zip(map(set, one), map(set, other), strict=True):
        assert len(here & there) > len(here ^ there)


def test_the_second_view_knows_where_a_sentence_begins() -> None:
    (_, one), (_, other) = buckets("stay. never go"), buckets("never go. stay")
    whole = buckets("stay, never go")[1]
    assert set(one) - set(whole)
    assert len(set(one) & set(other)) > len(set(one) & set(whole))
