"""Asking to be remembered in English: "please remember that I have two cats", "I'm vegan, don't forget that"."""

import re

_SENTENCE = re.compile(r"[^.!?\n]+(?:\.(?=\S)[^.!?\n]*)*[.!?]*")
_OPENING = r"(?:(?:hey|oh|ok(?:ay)?|so|and|but|also|well|now|just|please|pls|btw|by the way)[, ]+|[\w'-]+, ){0,4}"
_POLITE = (
    r"(?P<asked>(?:can|could|will|would) (?:you )?(?:please )?"
    r"|i(?:'d|’d| would)? (?:want|like|need|love)(?: for)? you to )?"
    r"(?:please )?(?:always |just )?"
)
_VERB = (
    r"(?:remember|(?:don['’]?t|do not|never|not) (?:ever )?forget|(?:keep|bear) in mind"
    r"|(?:make|take) a note(?: of| that)?|note down|memori[sz]e)"
)
_KEEPING = re.compile(_VERB, re.IGNORECASE)
_ASKING = re.compile(
    rf"^\s*{_OPENING}{_POLITE}{_VERB}(?: for me| this| the following)?"
    r"(?P<mark>\s*[:,—–-]\s*|\s+)(?P<that>that\s+)?(?P<told>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_POINTING_BACK = re.compile(
    # What is told ends before what separates it, in one way only: a row of commas would be split in all there are.
    rf"^(?P<told>.*?)(?<![\s,;—–-])[\s,;—–-]*+(?:\b(?:and|so|but)\b[\s,]*+)?{_POLITE}{_VERB}(?: (?:that|this|it))?"
    r"(?:,? (?:for me|please|ok(?:ay)?))*[\s.!]*$",
    re.IGNORECASE | re.DOTALL,
)
# Errands, and memories of something: what is asked there is not to keep a fact.
_NO_FACT = re.compile(
    r"^(?:to|when|how|what|who|where|why|if|whether|which|me|us|him|her|them|it|this|about)\b"
    r"|^that (?:time|day|night|one|guy|girl|man|woman|person|place|movie|song|thing|summer|trip|party|evening)\b",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:i|i['’](?:m|ve|d|ll)|my|mine|me|we|we['’](?:re|ve)|our|us)\b", re.IGNORECASE)
_VERBISH = re.compile(
    r"['’](?:m|s|re|ve|d|ll)\b|\b(?:am|is|are|was|were|have|has|had|do|does|don['’]?t|can|can['’]?t|will|won['’]?t|must"
    r"|like|love|hate|live|work|need|want|prefer|study|speak|play|eat|drink|own|go|get|use|call|\w+(?:ed|es|s))\b",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"[\s,;]*(?:\b(?:please|ok(?:ay)?|for me)\b[\s,]*)*[\s.!]*$", re.IGNORECASE)
_TAG = re.compile(r",?\s*(?:ok(?:ay)?|please|alright|all right|yeah)\s*\?+\s*$", re.IGNORECASE)
_REACH = 200  # characters at the end of a sentence, or before its verb, in which what is not told can be
_LEADING = re.compile(r"^\s*(?:(?:hey|oh|ok(?:ay)?|so|and|but|also|well|btw|by the way)[, ]+)+", re.IGNORECASE)


def wish_in_english(text: str) -> str | None:
    """Return what is to be remembered, as it was written; None where nobody asks for that."""
    if _KEEPING.search(text) is None:
        return None
    earlier: str | None = None
    for whole in _SENTENCE.findall(text):
        sentence = _without_end(_TAG, whole)
        wish = _asked_for(sentence) or _pointed_at(sentence, earlier)
        if wish is not None:
            return wish
        earlier = sentence
    return None


def _asked_for(sentence: str) -> str | None:
    """Return what a request names: "remember that ...", "don't forget I ..."."""
    found = _ASKING.match(sentence)
    if found is None or (sentence.rstrip().endswith("?") and not (found["asked"] or "").lower().startswith(_ASKABLE)):
        return None
    told = _without_end(_TRAILING, found["told"].rstrip("?"))
    named = bool(found["that"]) or ":" in found["mark"]
    whole = (found["that"] or "") + told
    if _NO_FACT.match(told) or _NO_FACT.match(whole):
        return None
    return told if _VERBISH.search(told) and (named or _OWN.search(told)) else None


_ASKABLE = ("can", "could", "will", "would")


def _pointed_at(sentence: str, earlier: str | None) -> str | None:
    """Return what a request points back at: "I'm vegan, remember that", or the sentence before."""
    *_, last = [0, *(verb.start() for verb in _KEEPING.finditer(sentence))]
    before, rest = sentence[: max(0, last - _REACH)], sentence[max(0, last - _REACH) :]
    found = _POINTING_BACK.match(rest)
    if found is None or sentence.rstrip().endswith("?"):
        return None
    told = (before + found["told"]).strip() or (earlier or "")
    if told.rstrip().endswith("?"):
        return None
    told = _LEADING.sub("", _without_end(_TRAILING, told))
    return told if _VERBISH.search(told) and _OWN.search(told) else None


def _without_end(pattern: re.Pattern[str], text: str) -> str:
    """Take away what a pattern finds at the end of a text; looked for from everywhere, long runs would take long."""
    return text[:-_REACH] + pattern.sub("", text[-_REACH:])
