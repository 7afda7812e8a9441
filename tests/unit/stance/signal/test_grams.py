"""The pieces of a turn that the layer knows."""

from core.stance.signal.grams import forms, grams
from core.stance.signal.layer import Layer
from core.stance.signal.reading import Reader


def test_japanese_gives_pairs_and_triples_of_characters_with_both_edges(reader: Reader) -> None:
    assert grams(reader.read("猫だ")) == {"^猫", "猫だ", "だ$", "^猫だ", "猫だ$"}


def test_english_gives_words_and_pairs_of_words_with_both_edges(reader: Reader) -> None:
    assert grams(reader.read("I can't, ok?")) == {
        *("^", "i", "can't", ",", "ok", "?", "$"),
        *("^ i", "i can't", "can't ,", ", ok", "ok ?", "? $"),
    }


def test_a_text_of_both_scripts_is_taken_as_japanese(reader: Reader) -> None:
    assert "okay" not in grams(reader.read("okayだよ"))


def test_japanese_forms_are_normalised_words_and_pairs_of_them(reader: Reader) -> None:
    assert forms(reader.read("食べた")) == {"F^", "F食べる", "Fた", "F$", "F^ 食べる", "F食べる た", "Fた $"}


def test_english_forms_are_parts_of_words_with_their_edges(reader: Reader) -> None:
    assert forms(reader.read("I sat")) == {"F<i>", "F<sa", "Fsat", "Fat>", "F<sat", "Fsat>", "F<sat>"}


def test_no_form_is_taken_for_a_gram(reader: Reader) -> None:
    for text in ("食べたFた", "F <sat> Fsat"):
        reading = reader.read(text)
        assert not forms(reading) & grams(reading)


def test_pieces_that_nobody_fitted_weigh_nothing(reader: Reader) -> None:
    seen = Layer.load().see(reader.read("ヿヿヿヿ"))
    assert all(piece < len(Layer.load().pieces) for piece in seen.pieces)
    assert float((seen.weights**2).sum()) <= 2.0 + 1e-5  # grams and forms at most 1 each
