"""Whether the user asked for a text to be written or translated: its words are then nobody's claim."""

import re

from core.stance.gate.folding import fold

_JAPANESE = re.compile(
    r"(?:を|に|で)(?:日本語|英語|中国語|韓国語)?(?:訳して|翻訳|英訳|和訳|直訳)"
    r"|(?:翻訳|英訳|和訳|要約|校正|添削|意訳)(?:して|を?お願い|を?頼)"
    r"|(?:小説|物語|台詞|セリフ|せりふ|脚本|台本|歌詞|場面|シーン|例文|一節|ショートショート|会話文|ロールプレイ|悪役)"
    r"[^。\n]{0,20}(?:(?:書いて|考えて|作って)(?!み|い|る|た|まし)|ください|お願い|頂戴|ちょうだい|演じて)"
    r"|(?:役|キャラ)(?:に|を)(?:なりきっ|演じ|やっ)て"
)
_ENGLISH = re.compile(
    r"\btranslate\b|\btranslation of\b|\bproofread\b|\bparaphrase\b|\bsummari[sz]e (?:this|the)\b"
    r"|\b(?:write|draft|compose|give|need|make up|come up with|invent) (?:me |us |a|an|some|the|another|one)"
    r"[^.?!\n]{0,30}\b(?:lines?|scene|story|dialogu?e?|monologue|script|lyrics|villain|character|song|chapter|novel"
    r"|example sentence|speech for)\b"
    r"|\b(?:role-?play|pretend (?:to be|you're|you are)|play the (?:villain|part|role)|in character as)\b"
)


def is_commissioned(user: str) -> bool:
    """Return whether the reply is a piece of work: fiction, a role, a translation, an example sentence."""
    text = fold(user).text
    return bool(_JAPANESE.search(text) or _ENGLISH.search(text))
