"""A picture of a month's tokens, a bar a day.

Figures and Latin letters only: the font that comes with Pillow has no Japanese, and the words stand in the message.
"""

import io
from collections.abc import Sequence
from datetime import date

from PIL import Image, ImageDraw, ImageFont

from core.ports import UsageSum

_WIDTH, _HEIGHT = 1000, 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 96, 24, 64, 56
_PAPER, _INK, _FAINT = "#ffffff", "#1f2430", "#d5d9e0"
# Told apart by their lightness, too.
_READ, _WRITTEN = "#8db8e8", "#1d4f91"
_LINES = 4
_EVERY_DAY = 16


def chart(days: Sequence[UsageSum]) -> bytes:
    """Return a PNG: tokens read (light) and written (dark) on each day, in their order."""
    image = Image.new("RGB", (_WIDTH, _HEIGHT), _PAPER)
    draw = ImageDraw.Draw(image)
    most = round_up(max((one.tokens for one in days), default=0))
    _grid(draw, most)
    _legend(draw, days)
    step = (_WIDTH - _LEFT - _RIGHT) / max(1, len(days))
    for index, one in enumerate(days):
        _bar(draw, one, left=_LEFT + index * step, width=step, most=most)
        if len(days) <= _EVERY_DAY or index % 2 == 0:
            name = f"{one.name.day}" if isinstance(one.name, date) else ""
            draw.text((_LEFT + (index + 0.5) * step, _HEIGHT - _BOTTOM + 10), name, _INK, _font(17), anchor="ma")
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def short(number: int) -> str:
    """Return a number in a few characters: 950, 12k, 3.4M."""
    for unit, name in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        if number >= unit:
            return f"{number / unit:.1f}".removesuffix(".0") + name
    return str(number)


def _grid(draw: ImageDraw.ImageDraw, most: int) -> None:
    for line in range(_LINES + 1):
        y = _HEIGHT - _BOTTOM - _inner() * line / _LINES
        draw.line([(_LEFT, y), (_WIDTH - _RIGHT, y)], fill=_INK if line == 0 else _FAINT)
        draw.text((_LEFT - 10, y), short(most * line // _LINES), _INK, _font(17), anchor="rm")


def _legend(draw: ImageDraw.ImageDraw, days: Sequence[UsageSum]) -> None:
    last = days[-1].name if days else None
    month = f"{last.year}-{last.month:02}" if isinstance(last, date) else ""
    draw.text((_LEFT, 20), f"tokens {month}", _INK, _font(22))
    for x, colour, name in ((_WIDTH - 240, _READ, "input"), (_WIDTH - 120, _WRITTEN, "output")):
        draw.rectangle([(x, 26), (x + 16, 42)], fill=colour)
        draw.text((x + 24, 34), name, _INK, _font(18), anchor="lm")


def _bar(draw: ImageDraw.ImageDraw, one: UsageSum, *, left: float, width: float, most: int) -> None:
    gap = min(8.0, width * 0.15)
    bottom = float(_HEIGHT - _BOTTOM)
    for tokens, colour in ((one.input_tokens, _READ), (one.output_tokens, _WRITTEN)):
        top = bottom - _inner() * tokens / most
        if tokens:
            draw.rectangle([(left + gap, top), (left + width - gap, max(top, bottom - 1))], fill=colour)
        bottom = top


def _inner() -> int:
    return _HEIGHT - _TOP - _BOTTOM


def round_up(most: int) -> int:
    """Return a round number a scale can end with."""
    unit = 4
    while unit * 10 < most:
        unit *= 10
    return next((unit * factor for factor in (1, 2, 5, 10) if unit * factor >= most), unit * 10)


def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)
