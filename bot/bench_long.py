"""Messages as long as Discord takes them, of kinds that look for the worst in a pattern: do they hold everybody up?"""

from dataclasses import replace

from bot.bench import Looks, Timed, a_message, cpu_seconds
from bot.terminal.identity import Snowflakes
from core.clock import Clock
from core.turn.companion import Companion

_FIRST = 7
_KINDS = {
    "sentences": "I went to the library. It was nice! Was it? My mother said no. ",
    "one sentence": "I went to the library today and then we had noodles by the river, ",
    "文": "今日は図書館に行ったあと、川のそばでラーメンを食べたよ。",
    "一文": "今日は図書館に行ったあと川のそばでラーメンを食べたよね",
    "asking to keep": "remember that my cat and ",
    "覚えておいて": "傘を忘れないで、これ覚えておいて、",
    "asking when": "when did i say that my mother ",
    "いつ": "いつ言ったっけ、",
    "a mind read": "she says he thinks they hate me because ",
    "心を読む": "彼は私のことが嫌いなんだと思うけどどう思う？",
    "clocks": "12:30 ",
    "時刻": "三時半二十分",
    "blanks": " ",
    "lines": "a\n",
    "marks": "!?.…、",
    "emoji": "\U0001f600",
    "joined emoji": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "accents": "e" + "\u0301" * 30,
    "unseen": "a\u200b",
    "mentions": "<@123456789012345678> ",
    "brackets": "<([{「",
    "code": "```x=1\n",
    "one word": "a",
    "一語": "あいうえおかきくけこ",
}


async def measure_long(
    companion: Companion, *, characters: int, rounds: int, clock: Clock
) -> list[dict[str, float | str]]:
    """Have messages of each kind answered; return how long that took and how long the event loop was held, at most.

    `ratio`: to the processor's time of an ordinary message, which comes first.
    """
    ids = Snowflakes(clock=clock)
    results: list[dict[str, float | str]] = []
    warm = [_text(unit, characters // 2) for unit in ("", *_KINDS.values())]
    for channel in range(2):  # what is loaded lazily, in both languages
        await _rounds(companion, warm[:_FIRST], channel=channel, ids=ids, clock=clock)
    ordinary = 0.0
    for channel, (kind, unit) in enumerate([("an ordinary message", ""), *_KINDS.items()], start=2):
        texts = [_text(unit, characters - round_) for round_ in range(rounds)]
        figures = await _rounds(companion, texts, channel=channel, ids=ids, clock=clock)
        ordinary = ordinary or figures["cpu_ms"]
        results.append({"message": kind, **figures, "ratio": round(figures["cpu_ms"] / ordinary, 1)})
    return results


def _text(unit: str, characters: int) -> str:
    """Return a unit over and over, between two letters, since Discord takes blanks off the ends."""
    return f"x{(unit * characters)[: characters - 2]}x" if unit else ""


async def _rounds(
    companion: Companion, texts: list[str], *, channel: int, ids: Snowflakes, clock: Clock
) -> dict[str, float]:
    """Say texts one after the other in a channel; "" stands for something ordinary. Return the worst of them."""
    looks, took, busy = Looks(clock), [0.0], [0.0]
    for text in texts:
        message = a_message(ids, clock, channel=channel)
        answer, before = Timed(clock, ids, []), cpu_seconds()
        with looks.on():
            await companion.receive(replace(message, text=text or message.text), answer)
            await companion.idle()
        took.append(answer.since())
        busy.append((cpu_seconds() - before) * 1000)
    return {
        "turn_ms": round(max(took), 1),
        "cpu_ms": round(max(busy), 1),
        "longest_hold_ms": round(max(looks.late), 1),
    }
