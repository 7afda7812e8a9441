"""What a server takes. Servers differ in parameters; one that is refused is left out or renamed from then on."""

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The parameters to use with a server; it begins with what most of them take."""

    limit_as_max_tokens: bool = True
    usage_in_stream: bool = True
    json_schema: bool = True
    json_object: bool = True
    temperature: bool = True
    stop: bool = True


# What a refusal names, and which habits to give up for it, the first that is still kept.
_LESSONS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"max_completion_tokens|max_tokens"), ("limit_as_max_tokens",)),
    (re.compile(r"stream_options|include_usage"), ("usage_in_stream",)),
    (re.compile(r"response_format|json_schema|json_object|schema|grammar"), ("json_schema", "json_object")),
    (re.compile(r"temperature"), ("temperature",)),
    (re.compile(r"\bstop\b"), ("stop",)),
)


def adapt(dialect: Dialect, complaint: str) -> Dialect | None:
    """Return the dialect without what the server's refusal names; None when the refusal is about something else."""
    for pattern, habits in _LESSONS:
        kept = [habit for habit in habits if getattr(dialect, habit)]
        if kept and pattern.search(complaint):
            return replace(dialect, **{kept[0]: False})
    return None
