"""How a message is made, apart from what it says: what people tell of themselves is no question and no request."""

import re

_JAPANESE = re.compile(r"[぀-ヿ㐀-鿿]")
_ASKING = ("?", "？")
_QUESTION = re.compile(r"[?？][\s\"')」』…。]*\Z")
_REQUEST = re.compile(
    # What stands between two words is taken in one way only, or a long "ok ok ok" is split in all the ways there are.
    r"\A(?:(?:\W*(?:please|pls|ok|okay|so|hey|and|now|just|can you|could you|will you|would you)\b)+\W*)?"
    r"(?:give|write|explain|make|show|list|tell|help|suggest|translate|summari[sz]e|compare|recommend|draft|define"
    r"|describe|convert|calculate|fix|rewrite|ask|talk|teach|name|find|generate|create|plan|rate|rank|what|how|where|who"
    r"|why|when|which|is|are|does|do|did|can|should|could|would|will|difference|best|any)\b",
    re.IGNORECASE,
)
_REQUEST_JA = re.compile(
    r"(?:ください|下さい|教えて|おしえて|くれ|ちょうだい|ほしい|書いて|作って|考えて|まとめて"
    r"|(?:です|ます|でしょう|ません|でした|ました)か|方法|コツ|やり方|違い|とは|ざっくりで|おすすめ|例|って何|は何|[なの]かな|どう思う)"
    r"[。、？！!?…]*\Z"
)
_END = 16  # characters that a request in Japanese is told by

# In cosines.
_A_QUESTION = -0.2
_A_REQUEST = -0.3
_HARDLY_A_WORD = -0.1

# How short a text is that hardly says anything: characters, and words of other languages.
_FEW_CHARACTERS = 8
_FEW_WORDS = 4


def is_japanese(text: str) -> bool:
    """Return whether there is any Japanese in a text."""
    return not text.isascii() and _JAPANESE.search(text) is not None


def worth_by_form(text: str, *, japanese: bool) -> float:
    """Return what speaks against a text that is a question, asks for a service, or is a word or two, in cosines."""
    short = len(text) < _FEW_CHARACTERS if japanese else text.count(" ") < _FEW_WORDS - 1
    return (
        (_A_QUESTION if _is_question(text) else 0.0)
        + (_A_REQUEST if _is_request(text, japanese=japanese) else 0.0)
        + (_HARDLY_A_WORD if short else 0.0)
    )


def _is_question(text: str) -> bool:
    return any(mark in text for mark in _ASKING) and _QUESTION.search(text) is not None


def _is_request(text: str, *, japanese: bool) -> bool:
    return (_REQUEST_JA.search(text[-_END:]) if japanese else _REQUEST.match(text)) is not None
