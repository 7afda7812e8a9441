"""How long the program's own looks at texts and vectors take, each beside the barest thing that has to be done for it.

All times are of the processor, so that other programs on the machine don't count.
"""

import asyncio
import random
import re
from collections.abc import Callable

import numpy as np

from bot.bench import cpu_seconds
from core.facts.time_claims import find_claims
from core.social.ranking import similarities
from core.social.vectors import DIMENSIONS
from core.stance.policy import StancePolicy

_TALK = (
    "今日は図書館に行ったあと、川のそばでラーメンを食べたよ。彼が最近冷たくて、明日の朝までに返事が来るか分からない。",
    "I went to the library today and then we had noodles by the river. He is cold lately, and it is ten past nine.",
)
_ANSWER = (
    "そっか、待っている時間って長いよね。彼が何を考えているかは、ここからは分からないな。よかったら、もう少し聞かせて。",
    "That sounds like a long wait. I can't tell from here what he is thinking, and 9 is early. What would help you?",
)
# One look at every character, as any rule that reads a text has to take.
_BARE = re.compile(r"(?:彼|明日|今日|朝|library|lately|ten past|[0-9]+)")


def measure_ranking(sizes: tuple[int, ...]) -> list[dict[str, float]]:
    """Compare an interest with so many stored vectors; the bare limit is the product of numbers that lie ready."""
    rng = np.random.default_rng(7)
    results = []
    for size in sizes:
        stored = rng.integers(-127, 128, (size, DIMENSIONS), dtype=np.int8)
        features, interest = [row.tobytes() for row in stored], stored[0].tobytes()
        numbers, wanted = stored.astype(np.float32), stored[0].astype(np.float32)
        ours = _seconds(lambda: similarities(interest, features), size)  # noqa: B023 - called before the next size
        bare = _seconds(lambda: numbers @ wanted, size)  # noqa: B023
        results.append(_beside("vectors", size, ours, bare))
    return results


def measure_time_guard(sizes: tuple[int, ...]) -> list[dict[str, float]]:
    """Find the claims about time in texts of so many characters; the bare limit is one regular expression."""
    return [_text(size, find_claims) for size in sizes]


async def measure_stance(
    policy: StancePolicy, by_words: StancePolicy, sizes: tuple[int, ...]
) -> list[dict[str, float]]:
    """Read the signal of texts and judge replies, of so many characters each; the bare limit is as above.

    `by_words` is the policy without a sentence encoder: what is left of the time when nothing is encoded.
    """
    results = []
    for size in sizes:
        ours = await _stance_seconds(policy, size)
        words = round(await _stance_seconds(by_words, size) * 1000, 4)
        results.append(_beside("characters", size, ours, _bare_seconds(size)) | {"words_cpu_ms": words})
    return results


def texts(size: int, count: int, talks: tuple[str, ...] = _TALK) -> list[str]:
    """Return different texts of so many characters, in both languages by turns."""
    rng = random.Random(size)
    made = []
    for number in range(count):
        talk = talks[number % len(talks)]
        words = "".join(f"{rng.randrange(10_000)} {talk}" for _ in range(size // len(talk) + 1))
        made.append(words[:size])
    return made


async def _stance_seconds(policy: StancePolicy, size: int) -> float:
    """Return what a turn and the reply to it take, each seen for the first time, once everything is loaded."""
    count = _count(size)
    turns = list(zip(texts(size, count + 4), texts(size, count + 4, _ANSWER), strict=True))
    for text, reply in turns[count:]:
        await _read_and_judge(policy, text, reply)
    began = cpu_seconds()
    for text, reply in turns[:count]:
        await _read_and_judge(policy, text, reply)
        await asyncio.sleep(0)
    return (cpu_seconds() - began) / count


async def _read_and_judge(policy: StancePolicy, text: str, reply: str) -> None:
    reading = await policy.read(text)
    if reading is None:
        raise RuntimeError("the stance policy is off")
    policy.judge(reading, reply, complete=True)


def _text(size: int, read: Callable[[str], object]) -> dict[str, float]:
    for text in texts(size, 4):
        read(text[::-1])
    few = texts(size, _count(size))
    began = cpu_seconds()
    for text in few:
        read(text)
    return _beside("characters", size, (cpu_seconds() - began) / len(few), _bare_seconds(size))


def _bare_seconds(size: int) -> float:
    few = texts(size, 10 * _count(size))
    began = cpu_seconds()
    for text in few:
        _BARE.findall(text)
    return (cpu_seconds() - began) / len(few)


def _seconds(run: Callable[[], object], size: int) -> float:
    run()
    times = max(3, min(200, 100_000 // size))
    began = cpu_seconds()
    for _ in range(times):
        run()
    return (cpu_seconds() - began) / times


def _count(size: int) -> int:
    return max(4, min(100, 10_000 // size))


def _beside(what: str, size: int, ours: float, bare: float) -> dict[str, float]:
    return {
        what: size,
        "cpu_ms": round(ours * 1000, 4),
        "bare_cpu_ms": round(bare * 1000, 4),
        "ratio": round(ours / bare, 1) if bare else 0.0,
    }
