"""What is wrong with a draft, in words, with lines."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from pydantic import BaseModel, ValidationError

from core.complaints import complaint
from core.errors import Problem
from core.sandbox.draft import SCRIPTED
from core.sandbox.draft_file import BaseTable, DraftFile
from core.sandbox.draft_source import KeyPath, Source
from prompts.loader import PromptError, PromptLibrary


def explained(source: Source, error: ValidationError) -> Iterator[Problem]:
    """Yield what the format has against a file."""
    for detail in error.errors(include_url=False):
        path = tuple(detail["loc"])
        where = ".".join(str(part) for part in path)
        message = complaint(detail)
        if detail["type"] == "extra_forbidden":
            known = _known_keys(path[:-1])
            near = get_close_matches(str(path[-1]), known, 1)
            message = f"is unknown; write {near[0]}" if near else f"is unknown; there are: {', '.join(known)}"
        yield source.problem(path, f"{where}: {message}" if where else f"a draft is a table ({message})")


def _known_keys(path: KeyPath) -> list[str]:
    """Return what may stand in the table at a path."""
    model: type[BaseModel] = DraftFile
    for part in path:
        if isinstance(part, int):
            continue
        annotation = model.model_fields[part].annotation
        model = next(iter(_models_in(annotation)), model)
    return list(model.model_fields)


def _models_in(annotation: object) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _models_in(inner)


def contradictions(source: Source, file: DraftFile, prompts: PromptLibrary) -> Iterator[Problem]:
    """Yield what in a file can't be, though each value alone could."""
    yield from _names(source, file)
    yield from _surroundings(source, file)
    yield from _case(source, file)
    tables: Sequence[tuple[KeyPath, BaseTable]] = [
        (("base",), file.base),
        *((("variants", number), variant) for number, variant in enumerate(file.variants)),
    ]
    for place, table in tables:
        yield from _templates(source, place, table, prompts)
        if table.model == SCRIPTED and not file.script:
            yield source.problem((*place, "model"), "the scripted model has nothing to say: add [[script]]")


def _names(source: Source, file: DraftFile) -> Iterator[Problem]:
    names = [variant.name for variant in file.variants]
    for number, name in enumerate(names):
        if name in names[:number]:
            yield source.problem(("variants", number, "name"), f"there is a variant '{name}' already")


def _surroundings(source: Source, file: DraftFile) -> Iterator[Problem]:
    if file.conversation is not None:
        for key in ("user", "history", "place", "server_timezone"):
            if key in file.model_fields_set:
                yield source.problem((key,), f"{key}: a real conversation has its own; leave it out")
    elif file.server_timezone is not None and file.place != "server":
        yield source.problem(("server_timezone",), 'server_timezone: is for place = "server" only')
    seen = file.user.last_seen if file.user is not None else None
    if seen is not None and file.at is not None and seen > file.at:
        yield source.problem(("user", "last_seen"), "user.last_seen: is after `at`")


def _case(source: Source, file: DraftFile) -> Iterator[Problem]:
    if file.case is None:
        return
    names = {variant.name for variant in file.variants}
    for key, listed in (("holds", file.case.holds), ("shows", file.case.shows)):
        for unknown in sorted({*listed} - names):
            yield source.problem(("case", key), f"case.{key}: there is no variant '{unknown}'")
    if file.conversation is not None:
        yield source.problem(("case",), "case: a regression case can't rest on a real conversation")


def _templates(source: Source, place: KeyPath, table: BaseTable, prompts: PromptLibrary) -> Iterator[Problem]:
    for name, text in table.templates.items():
        try:
            prompts.replaced({name: text})
        except PromptError as error:
            yield source.problem((*place, "templates", name), str(error))
