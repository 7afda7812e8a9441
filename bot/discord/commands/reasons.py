"""Why a character did something in the community, or left it, in the reader's language.

The core notes it in English with its figures, for logs and programs; here each form becomes a text of `social.why`.
"""

import re

from core.values import Locale
from prompts.messages import Messages

_NUMBER = r"-?\d+(?:\.\d+)?"
_FORMS = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("wish", r"no wish to"),
        ("no_interest", r"no interest to compare with"),
        ("rank", r"rank (?P<rank>\d+) is beyond (?P<most>\d+)"),
        ("far", rf"similarity (?P<likeness>{_NUMBER}) is below (?P<least>{_NUMBER})"),
        ("permission", r"no permission"),
        ("closed", r"the post takes none"),
        ("others", r"it answers somebody else"),
        ("answered", r"it has answered already"),
        ("enough", r"characters among themselves have said enough"),
        ("pace", r"the channel's pace"),
        ("held", r"held back: (?P<rules>.*)"),
        ("ranked", rf"rank (?P<rank>\d+), similarity (?P<likeness>{_NUMBER})"),
        ("near", rf"similarity (?P<likeness>{_NUMBER})"),
        ("idle", rf"similarity (?P<likeness>{_NUMBER}), not active"),
        (
            "compared",
            (
                rf"(?P<source>\w+), weight (?P<weight>{_NUMBER}), drawn (?P<drawn>{_NUMBER}), "
                rf"similarity (?P<likeness>{_NUMBER})"
            ),
        ),
        ("drawn", rf"(?P<source>\w+), weight (?P<weight>{_NUMBER}), drawn (?P<drawn>{_NUMBER})"),
        ("material", r"(?P<people>\d+) people, (?P<posts>\d+) posts"),
        ("length", r"(?P<length>\d+) characters"),
        ("follow", r"should_follow=True"),
        ("no_follow", r"should_follow=False"),
        ("first", r"no interest yet"),
        ("soon", rf"the last one is less than (?P<days>{_NUMBER}) days old"),
        ("nowhere", r"no channel takes one"),
    )
)


def reason(messages: Messages, locale: Locale, why: str) -> str:
    """Return a reason in a language; a form that is not known stays as it is."""
    for name, pattern in _FORMS:
        if (found := pattern.fullmatch(why)) is not None:
            values = found.groupdict()
            if "source" in values:
                values["source"] = messages.text(f"social.source.{values['source']}", locale)
            return messages.text(f"social.why.{name}", locale, **values)
    return f"`{why}`"
