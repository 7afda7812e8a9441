"""The one door to stance integrity: all that a turn knows of it (seed 000, §2 and §10).

A turn asks what it is (`read`), what to add to the prompt (`posture`), what is wrong with a reply (`verify`), what to
say instead (`fallback`) and what the session remembers afterwards (`after`). Importing this loads neither lexicons nor
numpy; `load` does.
"""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from core.stance.account import GateOutcome, StanceTally, TurnAccount, account_of, account_of_steps, tally
from core.stance.allow import (
    LONGEST_PHRASE,
    MOST_PHRASES,
    AllowList,
    PhraseError,
    PhraseFault,
    checked_phrase,
)
from core.stance.caution import Caution, CautionParts
from core.stance.countries import country_of_zone
from core.stance.fallbacks import ACUTE, ALONE, HIGH_STAKES
from core.stance.gate.types import GateAction, GateSeverity, StanceFinding
from core.stance.inertia import advance, firmness_of, note_gate
from core.stance.posture import posture_block
from core.stance.reading import ALLOWED, PREFIX, StanceFault, StanceFlags, StanceJudgement, StanceReading, is_sensitive
from core.stance.resources import Resources, country_of
from core.stance.types import StanceInertia
from core.values import Locale
from prompts.loader import PromptLibrary

if TYPE_CHECKING:
    from core.embedding.encoder import SentenceEncoder
    from core.stance.parts import StanceParts
    from core.stance.signal.signal import SignalReader
    from core.stance.signal.words import Analyser

__all__ = [
    "ALLOWED",
    "LONGEST_PHRASE",
    "MOST_PHRASES",
    "PREFIX",
    "AllowList",
    "Caution",
    "GateOutcome",
    "PhraseError",
    "PhraseFault",
    "Said",
    "StanceFault",
    "StanceFlags",
    "StanceJudgement",
    "StancePolicy",
    "StanceReading",
    "StanceTally",
    "TurnAccount",
    "account_of",
    "account_of_steps",
    "checked_phrase",
    "faults_of_places",
    "tally",
]

Said = tuple[bool, str]
"""One turn of the talk before: whether the user said it (else the character), and the text."""


@dataclass(frozen=True, slots=True)
class Later:
    """Parts that are not loaded yet: `load` makes them, on the calling thread.

    `ignored_places` is known already: what of the operator's file of places is left out.
    """

    load: "Callable[[], StanceParts]"
    encoder: "SentenceEncoder"
    ignored_places: tuple[str, ...]

    async def parts(self) -> "StanceParts":
        """Load the parts in a thread, the encoder beside them: whoever looks at a reply can't wait for it.

        Raises:
            CoreError: a file can't be used; it names file and reason.
        """
        loaded, _ = await asyncio.gather(asyncio.to_thread(self.load), self.encoder.load())
        return loaded


class StancePolicy:
    """Stance integrity as far as it is switched on.

    Whatever is switched on, what may not be stored with its text is told (`is_sensitive`); the reader that this takes
    is made by `reader_for_storage`, in a thread, when it is first needed. So are the parts where there is a `later`:
    it makes them, when a turn is first read. Whoever has a reading knows that they are there.
    """

    def __init__(
        self,
        flags: StanceFlags,
        parts: "StanceParts | None",
        *,
        later: "Later | None" = None,
        reader_for_storage: "Callable[[], SignalReader] | None" = None,
        analyser: "Analyser | None" = None,
    ) -> None:
        self._flags = flags
        self._parts = parts if flags.any_on else None
        self._later = later if flags.any_on else None
        self._reader = self._parts.reader if self._parts is not None else None
        self._reader_for_storage = reader_for_storage
        self._loading = asyncio.Lock()
        loaded = None if parts is None else CautionParts.of(parts)
        shares = self._later is not None or reader_for_storage is not None
        self.caution = Caution(loaded, load=self._for_caution if shares else None, analyser=analyser)

    @classmethod
    def off(cls) -> Self:
        """Return the policy that does nothing in turns; what may outlive them is judged all the same (`caution`)."""
        return cls(StanceFlags(), None)

    @classmethod
    def load(
        cls,
        flags: StanceFlags,
        *,
        resources: Path,
        own_resources: Path | None = None,
        prompts: PromptLibrary,
        analyser: "Analyser | None" = None,
        encoder: "SentenceEncoder | None" = None,
    ) -> Self:
        """Load what the flags need (0.3 s; to be called in a thread); nothing yet where all of them are off.

        Without `encoder` words decide alone, which is quicker and somewhat less sure. `own_resources` is the operator's
        file of places; what can't be used of it is left out and told in `ignored_places`.

        Raises:
            CoreError: a lexicon, the weights, the texts or the shipped places can't be used; it names file and reason.
        """
        if not flags.any_on:
            reader = partial(_load_reader, analyser=analyser, encoder=encoder)
            return cls(flags, None, reader_for_storage=reader, analyser=analyser)
        parts = _load_parts(
            resources=resources, own_resources=own_resources, prompts=prompts, analyser=analyser, encoder=encoder
        )
        return cls(flags, parts)

    @classmethod
    def opened(
        cls,
        flags: StanceFlags,
        *,
        resources: Path,
        own_resources: Path | None = None,
        prompts: PromptLibrary,
        analyser: "Analyser | None" = None,
        encoder: "SentenceEncoder",
    ) -> Self:
        """Read the places at once and the rest when a turn is first read, or at `warm_up`; see `load`.

        Raises:
            CoreError: the shipped places can't be used; it names file and reason.
        """
        if not flags.any_on:
            return cls.load(flags, resources=resources, prompts=prompts, analyser=analyser, encoder=encoder)
        load = partial(
            _load_parts,
            resources=resources,
            own_resources=own_resources,
            prompts=prompts,
            analyser=analyser,
            encoder=encoder,
        )
        return cls(flags, None, later=Later(load, encoder, _places(resources, own_resources).ignored))

    def switched(self, flags: StanceFlags, prompts: PromptLibrary) -> "StancePolicy":
        """Return the same with other things switched on and other templates; what is not loaded stays off."""
        if self._parts is None or not flags.any_on:
            return StancePolicy(StanceFlags(), None)
        return StancePolicy(flags, replace(self._parts, prompts=prompts))

    @property
    def reads(self) -> bool:
        """Whether turns are read."""
        return self._parts is not None or self._later is not None

    @property
    def ignored_places(self) -> tuple[str, ...]:
        """What of the operator's file of places is left out: a line each, with file, line and reason."""
        if self._parts is not None:
            return self._parts.fallbacks.resources.ignored
        return () if self._later is None else self._later.ignored_places

    @property
    def has_posture(self) -> bool:
        """Whether the posture block is switched on."""
        return self.reads and self._flags.enable_stance_integrity_policy

    @property
    def has_gate(self) -> bool:
        """Whether replies are checked."""
        return self.reads and self._flags.enable_stance_integrity_gate

    @property
    def has_inertia(self) -> bool:
        """Whether sessions remember."""
        return self.reads and self._flags.enable_stance_inertia_state

    async def read(
        self,
        text: str,
        history: Sequence[Said] = (),
        inertia: StanceInertia | None = None,
        *,
        counts: bool = True,
        allowed: Sequence[str] = (),
    ) -> StanceReading | None:
        """Return what a turn is, None where nothing is switched on. Never raises on text.

        `inertia` is what is remembered of the stance towards the user; `counts` is false for a turn that was counted
        already (an answer that is written anew). `allowed` is the allow-list of the server, as it is stored.

        Raises:
            CoreError: what tells that can't be loaded; it names file and reason.
        """
        parts = await self._loaded()
        if parts is None:
            return None
        signal = await parts.signal(text, history)
        remembered = inertia if inertia is not None and self.has_inertia else StanceInertia()
        now = advance(remembered, signal) if counts or not self.has_inertia else remembered
        return StanceReading(
            text=text, signal=signal, firmness=firmness_of(signal, now), inertia=now, allowed=AllowList.of(allowed)
        )

    async def is_sensitive(self, text: str, history: Sequence[Said] = ()) -> bool:
        """Return whether a text, said after `history` (oldest first), may not be stored; also with everything off.

        Raises:
            CoreError: what tells that can't be loaded; it names file and reason.
        """
        reader = await self._reader_in_any_case()
        if reader is None:
            return False
        from core.stance.signal.session import SaidTurn  # noqa: PLC0415 - brings numpy along

        turns = [SaidTurn(by_user=by_user, text=said) for by_user, said in history]
        return is_sensitive(await reader.read(text, turns))

    async def warm_up(self) -> None:
        """Load ahead of the first turn what any turn needs.

        Raises:
            CoreError: it can't be loaded; the text names file and reason.
        """
        await self._reader_in_any_case()

    async def compile_patterns(self) -> None:
        """Compile what is loaded by now ahead of the texts that need it: one at a time it takes a millisecond each."""
        if self._reader is not None:
            await asyncio.to_thread(self._reader.reader.compile)
        if self._parts is not None:
            await asyncio.to_thread(self._parts.gate.compile)

    async def _loaded(self) -> "StanceParts | None":
        """Return the parts, loading them where that was put off."""
        if self._parts is None and self._later is not None:
            async with self._loading:
                if self._parts is None:
                    self._parts = await self._later.parts()
                    self._reader = self._parts.reader
        return self._parts

    async def _for_caution(self) -> CautionParts:
        parts = await self._loaded()
        if parts is not None:
            return CautionParts.of(parts)
        reader = await self._reader_in_any_case()
        if reader is None:
            raise RuntimeError("there is nothing to load")
        return await asyncio.to_thread(CautionParts.beside, reader)

    async def _reader_in_any_case(self) -> "SignalReader | None":
        await self._loaded()
        if self._reader is None and self._reader_for_storage is not None:
            async with self._loading:
                self._reader = self._reader or await asyncio.to_thread(self._reader_for_storage)
        return self._reader

    def posture(self, reading: StanceReading | None, locale: Locale) -> str | None:
        """Return the lines to add to the prompt, None where the turn calls for none."""
        if self._parts is None or reading is None or not self.has_posture:
            return None
        return posture_block(self._parts.prompts, signal=reading.signal, firmness=reading.firmness, locale=locale)

    def judge(self, reading: StanceReading, reply: str, *, complete: bool) -> StanceJudgement:
        """Return what breaks the stance in a reply, and what the allow-list let pass.

        `complete` is false while the reply is still being written.
        """
        if self._parts is None or not self.has_gate:
            return StanceJudgement()
        verdict = self._parts.gate.verify(
            user=reading.text, reply=reply, signal=reading.signal, allowed=reading.allowed, complete=complete
        )
        let_pass = tuple(PREFIX + finding.rule for finding in verdict.suppressed)
        return StanceJudgement(_faults(verdict.findings, verdict.action), let_pass)

    def verify(self, reading: StanceReading, reply: str, *, complete: bool) -> tuple[StanceFault, ...]:
        """Return what breaks the stance in a reply; `complete` is false while it is still being written."""
        return self.judge(reading, reply, complete=complete).faults

    def fallback(
        self,
        rules: Sequence[str],
        reading: StanceReading | None,
        *,
        locale: Locale,
        zone: str | None,
        rng: random.Random,
    ) -> str | None:
        """Return what to say instead of a reply that broke `rules` (the gravest first; none: there is no reply at all).

        Acute danger is answered whatever was broken, high stakes with places, too. `zone` is where the user lives, if
        they said so. None where the first of the rules is not one of stance and nothing is acute.
        """
        if self._parts is None or reading is None or not self.has_gate:
            return None
        reason = _reason(rules, reading)
        if reason is None:
            return None
        return self._written(reason, reading, locale=locale, zone=zone, rng=rng)

    def lifeline(
        self, reading: StanceReading | None, *, locale: Locale, zone: str | None, rng: random.Random
    ) -> str | None:
        """Return what somebody in acute danger is told where no model may be asked; None where nothing is acute."""
        if reading is None or not self.has_gate or not reading.is_acute:
            return None
        return self._written(ALONE, reading, locale=locale, zone=zone, rng=rng)

    def _written(
        self, reason: str, reading: StanceReading, *, locale: Locale, zone: str | None, rng: random.Random
    ) -> str | None:
        if self._parts is None:
            return None
        country = (country_of_zone(zone) if zone is not None else None) or country_of(locale)
        return self._parts.fallbacks.choose(reason, signal=reading.signal, locale=locale, country=country, rng=rng)

    def after(self, reading: StanceReading, rules: Sequence[str]) -> StanceInertia | None:
        """Return what the session remembers after a turn whose replies broke `rules`; None if it remembers nothing."""
        if not self.has_inertia:
            return None
        return note_gate(reading.inertia, _first_of_ours(rules))


def _load_parts(
    *,
    resources: Path,
    own_resources: Path | None,
    prompts: PromptLibrary,
    analyser: "Analyser | None",
    encoder: "SentenceEncoder | None",
) -> "StanceParts":
    from core.stance.parts import StanceParts  # noqa: PLC0415 - brings numpy along

    return StanceParts.load(
        resources=resources, own_resources=own_resources, prompts=prompts, analyser=analyser, encoder=encoder
    )


def _load_reader(*, analyser: "Analyser | None", encoder: "SentenceEncoder | None") -> "SignalReader":
    from core.stance.signal.signal import SignalReader  # noqa: PLC0415 - brings numpy along

    return SignalReader.load(analyser=analyser, encoder=encoder, sparing=True)


def faults_of_places(shipped: Path, own: Path) -> tuple[str, ...]:
    """Return what would be left out of the operator's file of places, whatever is switched on.

    Raises:
        CoreError: the shipped file can't be used.
    """
    return _places(shipped, own).ignored


def _places(shipped: Path, own: Path | None) -> Resources:
    places = Resources.load(shipped)
    return places if own is None else places.with_own(own)


def _faults(findings: Sequence[StanceFinding], action: GateAction) -> tuple[StanceFault, ...]:
    """Return the findings as faults whose gravest says what the whole verdict says."""
    any_dangerous = any(finding.severity is GateSeverity.FALLBACK for finding in findings)
    together = action is GateAction.FALLBACK and not any_dangerous
    return tuple(
        StanceFault(
            PREFIX + finding.rule,
            together or finding.severity is GateSeverity.FALLBACK,
            finding.start,
            finding.end,
        )
        for finding in findings
    )


def _reason(rules: Sequence[str], reading: StanceReading) -> str | None:
    if reading.is_acute:
        return ACUTE
    if not rules or not rules[0].startswith(PREFIX):
        return None
    return HIGH_STAKES if reading.is_grave else rules[0].removeprefix(PREFIX)


def _first_of_ours(rules: Sequence[str]) -> str | None:
    return next((rule.removeprefix(PREFIX) for rule in rules if rule.startswith(PREFIX)), None)
