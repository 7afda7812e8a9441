"""Filters for what people wrote: inside a template it is data, and can't close the tag it stands in.

Whatever a person can choose (words, names, files, cards, facts to be kept) goes into a prompt through one of these.
They leave what is read as it is, and take away what only a machine sees: characters without a shape, other ways to end
a line, and every spelling of the tags of our templates.
"""

import re
import unicodedata

# Characters that show nothing: they can hide a tag from us, or an instruction from the reader.
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Joiners make letters of several scripts and one emoji out of two, variants tell kanji of names apart: one each, behind
# what they can belong to.
_JOINERS = re.compile("(?<![^\x00-\x7f\\s])[\u200c\u200d]|(?<=[\u200c\u200d])[\u200c\u200d]")
_VARIANTS = re.compile(
    "(?<![^\x00-\x22\x24-\x29\x2b-\x2f\x3a-\x7f\\s])[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
    "|(?<=[\ufe00-\ufe0f\U000e0100-\U000e01ef])[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
_SPACE = re.compile(r"\s+")
# Most texts hold none of all these, and none of the brackets: they are told by one look.
_UNTIDY = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e01ef]"
)
_BRACKET = re.compile("[<\ufe64\uff1c]")

_OWN_TAG = re.compile(r"<(?=\s*/?\s*(?:quoted|file|evidence|note|earlier|talk|lore|voice)\b)")
# Letters of other scripts that look like those our tags are spelt with.
_ALIKE = str.maketrans("аеһіјкотԛгуνοιεӏԁυոсϲ", "aehijkotqryvoielduncc")
_CORNERS = str.maketrans("「」", "『』")
_COLONS = str.maketrans({":": "·", "：": "·"})
_LONGEST_NAME = 100
NAMELESS = "?"


def tidy(text: str) -> str:
    """Return text as it is seen: without characters that show nothing, and with LF at the end of every line."""
    if _UNTIDY.search(text) is None:
        return text
    return _JOINERS.sub("", _VARIANTS.sub("", _UNSEEN.sub("", _LINE_ENDS.sub("\n", text))))


def as_data(text: str) -> str:
    """Return text in which the tags of our templates have lost their opening bracket."""
    clean = tidy(text)
    if _BRACKET.search(clean) is None:
        return clean.strip()
    if places := {match.start() for match in _OWN_TAG.finditer(_folded(clean))}:
        clean = "".join("‹" if place in places else char for place, char in enumerate(clean))
    return clean.strip()


def one_line(text: str) -> str:
    """Return text as data on one line, fit to stand between double quotes."""
    return _SPACE.sub(" ", as_data(text)).replace('"', "'")


def in_corners(text: str) -> str:
    """Return text as data on one line, fit to stand between 「 and 」."""
    return one_line(text).translate(_CORNERS)


def as_name(name: str, own: str = "") -> str:
    """Return a name as data: on one line, without a colon that would make the rest of it look like something said.

    Somebody who goes by the name of the character (`own`) is written as a handle, "@name".
    """
    shown = one_line(name).translate(_COLONS)[:_LONGEST_NAME].strip(" \u2800") or NAMELESS
    return f"@{shown}" if _bare(own) and _bare(shown) == _bare(own) else shown


def _folded(text: str) -> str:
    """Return text in which every way to write a letter or bracket is the plain one, each at its place."""
    if text.isascii():
        return text.lower()
    return "".join(folded if len(folded := _plain(char)) == 1 else char for char in text).translate(_ALIKE)


def _plain(char: str) -> str:
    return unicodedata.normalize("NFKC", char).casefold()


def _bare(name: str) -> str:
    return "".join(char for char in _folded(unicodedata.normalize("NFKC", name)) if char.isalnum())
