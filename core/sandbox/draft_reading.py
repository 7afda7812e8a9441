"""From a file (TOML or YAML) to a draft; every problem is told with its line."""

import re
import unicodedata
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from core.errors import Problem
from core.sandbox.canonical import digest
from core.sandbox.draft import (
    Budget,
    Case,
    Draft,
    Expectation,
    Facts,
    Flags,
    Person,
    RealConversation,
    SaidBefore,
    ScriptRule,
    Variant,
)
from core.sandbox.draft_file import BaseTable, DraftFile, UserTable, VariantTable
from core.sandbox.draft_problems import contradictions, explained
from core.sandbox.draft_source import parsed
from core.sandbox.errors import DraftError
from prompts.loader import PromptLibrary


def read_draft(path: Path, prompts: PromptLibrary) -> Draft:
    """Return the draft in a file; its ending tells whether it is TOML or YAML.

    Raises:
        DraftError: it can't be used; every problem is told with file and line.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise DraftError((Problem(str(path), None, f"can't be read ({error.strerror or error})"),)) from error
    return parse_draft(content, str(path), prompts)


def parse_draft(content: bytes, name: str, prompts: PromptLibrary) -> Draft:
    """Return the draft that a file of that name holds.

    Raises:
        DraftError: it can't be used; every problem is told with file and line.
    """
    source = parsed(content, name)
    try:
        file = DraftFile.model_validate(source.table)
    except ValidationError as error:
        raise DraftError(tuple(explained(source, error))) from error
    if problems := tuple(contradictions(source, file, prompts)):
        raise DraftError(problems)
    return _draft(file)


def hashed(draft: Draft) -> Draft:
    """Return a draft with the hash of what it says, defaults and what variants take of the base filled in."""
    return replace(draft, digest=digest(replace(draft, digest="")))


def _draft(file: DraftFile) -> Draft:
    user, conversation = file.user, file.conversation
    draft = Draft(
        digest="",
        title=file.title,
        messages=tuple(map(_text, file.messages)),
        variants=tuple(_variant(file.base, variant) for variant in file.variants),
        character=file.character,
        at=file.at,
        calendar_read_at=file.calendar_read_at,
        in_server=file.place == "server",
        server_timezone=file.server_timezone,
        person=Person() if user is None else _person(user),
        history=tuple(SaidBefore(s.user is not None, _text(s.user or s.character or ""), s.name) for s in file.history),
        conversation=RealConversation(channel_id=conversation.channel_id, user_id=conversation.user_id)
        if conversation
        else None,
        repetitions=file.repetitions,
        budget=Budget(**file.budget.model_dump()),
        script=tuple(
            ScriptRule(
                say=tuple(map(_text, rule.say)),
                when=re.compile(rule.when) if rule.when is not None else None,
                repair=rule.repair,
            )
            for rule in file.script
        ),
        expect=Expectation(must_not=_patterns(file.expect.must_not), must_any=_patterns(file.expect.must_any)),
        case=Case(holds=tuple(file.case.holds), shows=tuple(file.case.shows)) if file.case else None,
    )
    return hashed(draft)


def _person(user: UserTable) -> Person:
    return Person(
        name=_text(user.name),
        locale=user.locale,
        timezone=user.timezone,
        last_seen=user.last_seen,
        facts=tuple(map(_text, user.facts)),
    )


def _variant(base: BaseTable, own: VariantTable) -> Variant:
    shared, flags = base.flags.model_dump(), own.flags.model_dump()
    return Variant(
        name=own.name,
        facts=own.facts or base.facts or Facts.CAPSULE,
        flags=Flags(**{key: value if value is not None else shared[key] for key, value in flags.items()}),
        templates={**base.templates, **own.templates},
        model=own.model or base.model,
        temperature=own.temperature if own.temperature is not None else base.temperature,
    )


def _patterns(texts: list[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(unicodedata.normalize("NFKC", text), re.IGNORECASE) for text in texts)


def _text(text: str) -> str:
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
