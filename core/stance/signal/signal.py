"""The signal of a turn and of a conversation: what the rest of the program asks for."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self, TypeVar

from core.ports import Embedder
from core.stance.signal.canonical import for_encoder
from core.stance.signal.evidence import Evidence
from core.stance.signal.judgement import Context, Judgement
from core.stance.signal.layer import Layer, Scores, Seen
from core.stance.signal.reading import Reader, Reading
from core.stance.signal.session import SaidTurn, SessionReading, after, summarise
from core.stance.signal.words import Analyser
from core.stance.types import ReflectiveSupportSignal

REMEMBERED = 8192
"""Texts whose analysis is kept in memory (5 KB each), a dozen of each conversation: 600 may go on at the same time
before what one of them holds is read again for each of its turns, which takes some ten times as long."""
_AT_ONCE = 300
"""Characters of a text that is looked at on the event loop; a longer one is in a thread, as its analysis takes longer
than the way there."""
_LONGEST_HISTORY = 24
"""Turns before the newest that are looked at."""
_CONTEXTS = 8
"""Contexts in which it is remembered what a text was judged to be: it stays in its own until its talk moves on."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    reading: Reading
    evidence: Evidence
    scores: Scores
    vectored: bool = False
    judged: dict[Context, ReflectiveSupportSignal] = field(default_factory=dict, init=False, repr=False, compare=False)


_Known = OrderedDict[str, _Weighed]
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalReader:
    """Reads turns. `encoder` is the local sentence encoder; without it (or with another one) the words decide alone.

    `sparing`: it is only asked what may be stored, so the encoder looks at nothing that is far from being grave.
    Deterministic: the same conversation gives the same signal. Keeps the analyses of recent texts in memory only.
    """

    reader: Reader
    layer: Layer
    encoder: Embedder | None = None
    judgement: Judgement = field(default_factory=Judgement)
    remembered: int = REMEMBERED
    sparing: bool = False
    _known: _Known = field(default_factory=OrderedDict, repr=False)
    _known_by_words: _Known = field(default_factory=OrderedDict, repr=False)
    _comforts: OrderedDict[str, bool] = field(default_factory=OrderedDict, repr=False)

    @classmethod
    def load(
        cls,
        *,
        analyser: Analyser | None = None,
        encoder: Embedder | None = None,
        remembered: int = REMEMBERED,
        sparing: bool = False,
    ) -> Self:
        """Load lexicons and weights (0.3 s, most of it the Japanese dictionary); to be called in a thread at start.

        `remembered`: how many analyses are kept.

        Raises:
            LexiconError: a lexicon can't be used.
            LayerError: the weights can't be used.
        """
        return cls(
            reader=Reader.load(analyser),
            layer=Layer.load(),
            encoder=encoder,
            remembered=remembered,
            sparing=sparing,
        )

    async def read(self, text: str, history: Sequence[SaidTurn] = ()) -> ReflectiveSupportSignal:
        """Return the signal of a turn. `history` is oldest first and may be cut off anywhere; never raises on text."""
        turns = (*history[-_LONGEST_HISTORY:], SaidTurn(by_user=True, text=text))
        return (await self._signals(turns))[-1]

    async def read_session(self, turns: Sequence[SaidTurn]) -> SessionReading:
        """Return the signals of all user turns of a conversation, with firmness and inertia."""
        return summarise(await self._signals(turns))

    def without_encoder(self) -> "SignalReader":
        """Return a reader that goes by words alone, and remembers what this one found in them."""
        return replace(self, encoder=None, sparing=False, _known=self._known_by_words)

    def read_by_words(self, text: str, history: Sequence[SaidTurn] = ()) -> ReflectiveSupportSignal:
        """Return the signal of a turn without the encoder: under a millisecond, somewhat less sure."""
        turns = (*history[-_LONGEST_HISTORY:], SaidTurn(by_user=True, text=text))
        weighed = [self._look(turn.text)[0] if turn.by_user else None for turn in turns]
        return self._follow(turns, weighed)[-1]

    async def _signals(self, turns: Sequence[SaidTurn]) -> list[ReflectiveSupportSignal]:
        weighed = [await self._weigh(turn.text) if turn.by_user else None for turn in turns]
        return self._follow(turns, weighed)

    def _follow(self, turns: Sequence[SaidTurn], weighed: Sequence[_Weighed | None]) -> list[ReflectiveSupportSignal]:
        context = Context()
        signals: list[ReflectiveSupportSignal] = []
        for turn, found in zip(turns, weighed, strict=True):
            if found is None:
                context = context.with_answer(comforting=context.leaning and self._comforting(turn.text))
                continue
            signal = self._judge(found, context)
            signals.append(signal)
            context = after(context, signal)
        return signals

    def _judge(self, found: _Weighed, context: Context) -> ReflectiveSupportSignal:
        signal = found.judged.get(context)
        if signal is None:
            signal = self.judgement.judge(found.reading, found.evidence, found.scores, context, vectored=found.vectored)
            if len(found.judged) >= _CONTEXTS:
                found.judged.clear()
            found.judged[context] = signal
        return signal

    async def _weigh(self, text: str) -> _Weighed:
        known = self._known.get(text)
        if known is not None:
            self._known.move_to_end(text)
            return known
        looked = self._look(text) if len(text) <= _AT_ONCE else await asyncio.to_thread(self._look, text)
        weighed = await self._with_vector(*looked)
        self._remember(self._known_by_words, text, looked[0])
        self._remember(self._known, text, weighed)
        return weighed

    def _comforting(self, answer: str) -> bool:
        """Return whether the character comforts in what it said; it stays in the talk for a dozen turns."""
        comforts = self._comforts.get(answer)
        if comforts is None:
            comforts = self.reader.read(answer).has("comfort")
            self._remember(self._comforts, answer, comforts)
        return comforts

    def _remember(self, known: OrderedDict[str, _Found], text: str, found: _Found) -> None:
        known[text] = found
        while len(known) > self.remembered:
            known.popitem(last=False)

    def _look(self, text: str) -> tuple[_Weighed, Seen]:
        return self._by_words(self.reader.read(text))

    def _by_words(self, reading: Reading) -> tuple[_Weighed, Seen]:
        evidence = Evidence.gather(reading)
        seen = self.layer.see(reading)
        return _Weighed(reading, evidence, self.layer.by_words(seen)), seen

    async def _with_vector(self, weighed: _Weighed, seen: Seen) -> _Weighed:
        """Ask the encoder where it can matter."""
        if self.encoder is None or self.encoder.name != self.layer.encoder:
            return weighed
        if self.judgement.is_settled(weighed.evidence, weighed.scores):
            return weighed
        if self.sparing and self.judgement.is_unlike(weighed.evidence, weighed.scores):
            return weighed
        (vector,) = await self.encoder.embed([for_encoder(weighed.reading.raw)])
        if vector is None:
            return weighed
        return replace(weighed, scores=self.layer.with_vector(seen, vector), vectored=True)
