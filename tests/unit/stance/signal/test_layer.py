"""The learned layer fits its lexicons, refuses damaged files, and is given vectors only where they can matter."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.embedding.encoder import DIMENSIONS, SentenceEncoder
from core.stance.reading import is_sensitive
from core.stance.signal.layer import Layer, LayerError
from core.stance.signal.reading import Reader
from core.stance.signal.session import SaidTurn
from core.stance.signal.signal import SignalReader


class CountingEncoder:
    """Remembers what it was asked; every vector is nought."""

    def __init__(self, name: str = SentenceEncoder.name) -> None:
        self.name = name
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        self.asked += texts
        return [[0.0] * DIMENSIONS for _ in texts]


def _reader(reader: Reader, encoder: CountingEncoder, *, sparing: bool = False) -> SignalReader:
    return SignalReader(reader=reader, layer=Layer.load(), encoder=encoder, sparing=sparing)


def test_every_group_of_the_weights_is_in_both_lexicons(reader: Reader) -> None:
    groups = set(Layer.load().groups)
    for lexicon in reader.lexicons.values():
        assert groups <= lexicon.names


@pytest.mark.parametrize("text", ["うん", "👍", "", "/help", "ok thanks", "!roll 2d6"])
async def test_a_turn_with_nothing_to_answer_needs_no_vector(text: str, reader: Reader) -> None:
    encoder = CountingEncoder()
    await _reader(reader, encoder).read(text)
    assert encoder.asked == []


SMALL_TALK = ["このアニメ見た？最高だった", "traffic was awful today", "お昼はカレーにした"]


@pytest.mark.parametrize("text", SMALL_TALK)
@pytest.mark.parametrize("sparing", [True, False])
async def test_where_it_is_only_asked_what_may_be_stored_small_talk_needs_no_vector(
    text: str, sparing: bool, reader: Reader
) -> None:
    encoder = CountingEncoder()
    signal = await _reader(reader, encoder, sparing=sparing).read(text)

    assert not is_sensitive(signal)
    assert len(encoder.asked) == (0 if sparing else 1)


@pytest.mark.parametrize(
    "text",
    [
        "最近、何をしても楽しくなくて。",
        "I don't think they'd notice if I stopped coming.",
        "消えたいって思う夜がある",
        "is it my fault that she left?",
    ],
)
async def test_what_might_be_grave_is_encoded_even_there(text: str, reader: Reader) -> None:
    encoder = CountingEncoder()
    await _reader(reader, encoder, sparing=True).read(text)

    assert len(encoder.asked) == 1


async def test_a_turn_that_words_leave_open_is_encoded_once(reader: Reader) -> None:
    encoder = CountingEncoder()
    signals = _reader(reader, encoder)
    first = await signals.read("誘われなかった。")
    assert await signals.read("誘われなかった。") == first
    assert encoder.asked == ["誘われなかった"]


async def test_only_the_beginning_and_the_end_of_a_long_turn_are_encoded(reader: Reader) -> None:
    encoder = CountingEncoder()
    await _reader(reader, encoder).read("誘われなかった、" + "それから歩いて帰って、" * 90 + "ずっと考えている")
    (asked,) = encoder.asked
    assert len(asked) <= 401
    assert asked.startswith("誘われなかった")
    assert asked.endswith("ずっと考えている")


async def test_who_goes_by_words_alone_reads_nothing_again_and_nothing_otherwise(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "誘われなかった。"
    expected = await SignalReader(reader=reader, layer=Layer.load()).read(text)
    signals = _reader(reader, CountingEncoder())
    with_vector = await signals.read(text)
    monkeypatch.setattr(Reader, "read", None)

    assert await signals.without_encoder().read(text) == expected
    assert await signals.read(text) == with_vector


async def test_a_text_is_judged_anew_where_the_talk_before_it_was_another(reader: Reader) -> None:
    signals = SignalReader(reader=reader, layer=Layer.load())
    asked, grave = "どう思う？", SaidTurn(by_user=True, text="彼氏と別れるべきか、ずっと悩んでて苦しい")
    alone = await signals.read(asked)

    after = await signals.read(asked, [grave])

    assert after != alone
    assert await signals.read(asked) == alone
    assert after == signals.read_by_words(asked, [grave])


async def test_vectors_of_another_model_are_not_asked_for(reader: Reader) -> None:
    encoder = CountingEncoder("another model")
    await _reader(reader, encoder).read("誘われなかった。")
    assert encoder.asked == []


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04"])
def test_a_damaged_file_is_refused_by_name(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "layer.npz"
    file.write_bytes(content)
    with pytest.raises(LayerError, match=r"layer\.npz"):
        Layer.load(file)


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(LayerError, match=r"layer\.npz"):
        Layer.load(tmp_path / "layer.npz")


def test_directions_that_do_not_lead_to_the_anchors_are_refused() -> None:
    layer = Layer.load()
    with pytest.raises(LayerError, match="directions"):
        replace(layer, directions=layer.directions[:, 1:]).check("layer.npz")
