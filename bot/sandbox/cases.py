"""Regression cases: a draft that was seen to tell good from bad, kept to be run again."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.errors import BotError
from bot.sandbox.files import write_private
from core.sandbox.draft import Case, Draft
from core.sandbox.draft_reading import hashed, parse_draft
from core.sandbox.errors import DraftError
from core.sandbox.records import Comparison
from prompts.loader import PromptLibrary

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")


class CaseError(BotError):
    """A comparison can't be kept as a case; the text says why."""


def save_case(source: Path, comparison: Comparison, name: str, folder: Path, prompts: PromptLibrary) -> Path:
    """Keep the draft with what it showed; return the file.

    Raises:
        CaseError: it showed nothing that could be held to, or can't be run again.
        FileError: the file can't be written.
    """
    path = require_case(source, comparison.draft, name, folder)
    case = verified(comparison)
    try:
        content = source.read_text("utf-8-sig").rstrip()
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(f"{source} can't be read any more: {error}") from error
    text = content + "\n" + (_as_toml(case) if _is_toml(source) else _as_yaml(case))
    _require_same(text, source, comparison.draft, prompts)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_private(path, text)
    return path


def require_case(source: Path, draft: Draft, name: str, folder: Path) -> Path:
    """Return where a draft is to be kept; what keeps it from being a case is told before it is run.

    Raises:
        CaseError: there can be no such case.
    """
    if not _NAME.fullmatch(name):
        raise CaseError(f"'{name}' can't name a case: small letters, digits, - and _ only.")
    path = folder / f"{name}{'.toml' if _is_toml(source) else '.yaml'}"
    if taken := [one for one in (path.with_suffix(suffix) for suffix in (".toml", ".yaml", ".yml")) if one.exists()]:
        raise CaseError(f"{taken[0]} is there already: choose another name, or delete it.")
    if draft.conversation is not None:
        raise CaseError("A case can't rest on a real conversation: make a draft of the turn with from-trace.")
    if draft.at is None:
        raise CaseError("A case needs a moment: give the draft `at`.")
    if draft.case is not None:
        raise CaseError("The draft is a case already.")
    return path


def _require_same(text: str, source: Path, ran: Draft, prompts: PromptLibrary) -> None:
    """Look whether what is to be kept is what was run: `--model` is not in the file, which may have changed, too."""
    try:
        kept = parse_draft(text.encode(), str(source), prompts)
    except DraftError as error:
        raise CaseError(
            f"The draft can't be added to. Is it YAML in braces? Write it line by line.\n{error}"
        ) from error
    if hashed(replace(kept, case=None, repetitions=ran.repetitions)).digest != ran.digest:
        raise CaseError(
            f"{source} is not what was run: it was changed meanwhile, or --model was given. A case is run as its file "
            "says: write the model into it."
        )


def _is_toml(source: Path) -> bool:
    return source.suffix.lower() not in {".yaml", ".yml"}


def verified(comparison: Comparison) -> Case:
    """Return what a comparison showed.

    Raises:
        CaseError: nothing that could be held to.
    """
    if comparison.stopped is not None:
        raise CaseError("The comparison was not finished, so it shows nothing yet.")
    holds = tuple(v.name for v in comparison.variants if _is_whole(comparison, v.name))
    shows = tuple(v.name for v in comparison.variants if _has_fault(comparison, v.name))
    if not holds or not shows:
        raise CaseError(
            "A case needs a variant that was good in every sample and one that had the fault at least once; "
            f"here {', '.join(holds) or 'none'} held and {', '.join(shows) or 'none'} had it."
        )
    return Case(holds=holds, shows=shows)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """What became of a case. `broken` holds a line for everything it did not show again."""

    path: Path
    comparison: Comparison
    broken: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether everything was shown again."""
        return not self.broken


def judge(path: Path, comparison: Comparison, case: Case, *, scripted: bool) -> CaseResult:
    """Return whether a case still holds; that the fault shows is asked of a scripted model only."""
    return CaseResult(path=path, comparison=comparison, broken=tuple(_broken(comparison, case, scripted=scripted)))


def _broken(comparison: Comparison, case: Case, *, scripted: bool) -> Sequence[str]:
    if comparison.stopped is not None:
        return [f"not finished ({comparison.stopped})"]
    lines = [f"{name} is not good any more" for name in case.holds if not _is_whole(comparison, name)]
    if scripted:
        lines += [f"{name} does not show the fault any more" for name in case.shows if not _has_fault(comparison, name)]
    return lines


def _is_whole(comparison: Comparison, variant: str) -> bool:
    samples = comparison.of(variant)
    return bool(samples) and all(sample.answered and sample.good for sample in samples)


def _has_fault(comparison: Comparison, variant: str) -> bool:
    return any(sample.answered and not sample.good for sample in comparison.of(variant))


def _as_toml(case: Case) -> str:
    return f"\n[case]\nholds = [{_quoted(case.holds)}]\nshows = [{_quoted(case.shows)}]\n"


def _as_yaml(case: Case) -> str:
    return f"case:\n  holds: [{_quoted(case.holds)}]\n  shows: [{_quoted(case.shows)}]\n"


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
