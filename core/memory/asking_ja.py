"""Asking to be remembered in Japanese: 「猫が2匹いるの、覚えておいて」「忘れないでね、卵はだめ」."""

import re
from itertools import islice

# A request to the one who reads it: what is told of such a request (「覚えておいてって言われた」) goes on differently.
_ENDING = (
    r"(?:くれ(?:る|ない|ます|ません|たら(?:嬉|うれ)しい)?(?:か(?:な)?)?|下さい(?:ませんか)?|ください(?:ませんか)?|ちょうだい|頂戴"
    r"|(?:ほしい|欲しい)(?:の|な|です|んだ(?:けど)?|んです(?:けど|が)?)?|もらえ(?:る|ない|ます|ません)(?:か(?:な)?)?"
    r"|もらって(?:も)?いい(?:ですか)?|いただけ(?:る|ます|ません)か?|いただきたい(?:です)?|おくれ|や)?"
    r"(?:[ねよなさ]|ねー|よー)*[ーっッ〜~]*"
)
_CLOSED = r"(?=\s*(?:[。．.!！?？…、,:：\n♪☆★♡♥（(^]|$|[\U0001f300-\U0001faff]|w+\s*$|笑))"
_KEEP = (
    r"(?:(?:ちゃんと|しっかり|よく|ずっと|絶対に?|ぜひ|どうか|ちょっと|一応|とりあえず)[、\s]*)*"
    r"(?:(?:覚|憶|おぼ)え(?:てお?いて|といて|てて)|記憶し(?:ておいて|といて)|メモし?(?:て|って|と)(?:おいて|いて)?)"
)
_FORGET_NOT = r"(?:(?:絶対に?|ずっと|どうか)[、\s]*)*忘れないで(?:いて|おいて)?"
_REQUEST = re.compile(rf"(?P<request>(?P<keep>{_KEEP})|(?P<forget_not>{_FORGET_NOT})){_ENDING}{_CLOSED}")
_SENTENCE_END = re.compile(r"[。．!！?？\n♪…]+|(?<=[^\d])\.(?=\s|$)")
# What binds the thing to the request.
_TIE = re.compile(
    r"(?:(?:っていう|という|って|との?)?(?:な(?=こと|の|事))?(?:こと|事|の|ん|件|点)?(?:だけ)?(?:でも)?(?:を|は|も|って|と)?"
    r"|(?:なの|だ|なん?だ|んだ|んです|です)?(?:から|ので|けど|けれど|が|し))[、,，:：\s]*$"
)
_POINTING = re.compile(
    r"(?:じゃあ?|では|あと|それと|ねえ?|あの|えっと)?[、,\s]*(?:これ|それ|あれ|(?:こ|そ|あ)の(?:こと|話|日|件)|今の(?:話|こと)?|いまの(?:話)?"
    r"|(?:今|さっき|いま)(?:の|言った|話した)(?:こと|話)|以下|次のこと)(?:だけ)?(?:を|は|も|って)?[、,：:\s]*"
)
_CALL = re.compile(r"^(?:じゃあ?|では|あと|それと|ねえ?|あの(?:さ|ね)?|えっと|ちなみに|そうだ|そうそう)[、,\s]+")
_NO_FACT = re.compile(
    r"^(?:私|わたし|俺|僕|ぼく|うち|自分|あたし|あなた|君|きみ|みんな)?(?:の)?(?:こと|事|名前|約束|話|気持ち)?$"
)


_MOST_REQUESTS = 20


def wish_in_japanese(text: str) -> str | None:
    """Return what is to be remembered, as it was written; None where nobody asks for that."""
    for request in islice(_REQUEST.finditer(text), _MOST_REQUESTS):
        before, after = text[: request.start()], text[request.end() :]
        *earlier, same = _SENTENCE_END.split(before)
        wish = _cut(same)
        if request["forget_not"] and same.rstrip().endswith("を") and not re.search(r"(?:の|こと|事)を\s*$", same):
            continue  # 「傘を忘れないで」 is about an umbrella.
        if wish is None:
            wish = _told_after(after) or _told_before(earlier)
        if wish is not None and not re.search(r"[?？]", wish):
            return wish
    return None


def _cut(sentence: str) -> str | None:
    """Return what stands before a request in its sentence; None where that only points somewhere, or is nothing."""
    said = _CALL.sub("", sentence.strip())
    if _POINTING.fullmatch(said):
        return None
    kept = _TIE.sub("", said, count=1).strip("、,，:： \t「『")
    return None if not kept or _POINTING.fullmatch(kept) or _NO_FACT.fullmatch(kept) else kept


def _told_after(after: str) -> str | None:
    """Return what follows a request that has nothing before it: 「覚えておいてね、卵はだめ」."""
    rest = after.lstrip("、,，:：。．!！ \t\n♪…")
    first = _SENTENCE_END.split(rest, maxsplit=1)[0].strip()
    return _cut(first) if first else None


def _told_before(earlier: list[str]) -> str | None:
    sentences = [sentence.strip() for sentence in earlier if sentence.strip()]
    return _cut(sentences[-1]) if sentences else None
