"""A picture of how a character's interest moved: its way across a plane, and how like it was to what it is now.

Figures and Latin letters only: the font that comes with Pillow has no Japanese, and the words stand in the message.
"""

import io
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from core.social.vectors import DIMENSIONS, decode

_WIDTH, _HEIGHT = 1200, 520
_PAPER, _INK, _FAINT = "#ffffff", "#1f2430", "#d5d9e0"
# Told apart by their lightness and their shape, too.
_PAST, _NOW, _STEP = (190, 214, 242), (20, 62, 122), "#c7641f"
_MAP = (40, 76, 540, 460)
_LINES = (660, 76, 1160, 460)


@dataclass(frozen=True, slots=True)
class Movement:
    """Interests, oldest first: where each stands in the plane of their largest differences, and how like each is.

    `to_now`: the cosine with the present one; `to_before`: with the one before it, 1 for the first.
    """

    places: NDArray[np.float64]
    to_now: tuple[float, ...]
    to_before: tuple[float, ...]


def movement(features: Sequence[bytes]) -> Movement:
    """Return how the interest moved, from at least one stored vector."""
    rows = decode(np.frombuffer(b"".join(features), np.int8).reshape(-1, DIMENSIONS))
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    steps = np.einsum("ij,ij->i", units[1:], units[:-1])
    return Movement(
        places=_plane(units),
        to_now=tuple(float(one) for one in units @ units[-1]),
        to_before=(1.0, *(float(one) for one in steps)),
    )


def chart(moved: Movement, moments: Sequence[datetime]) -> bytes:
    """Return a PNG: the way on the left, likenesses on the right; `moments` are when each interest was written."""
    image = Image.new("RGB", (_WIDTH, _HEIGHT), _PAPER)
    draw = ImageDraw.Draw(image)
    _way(draw, moved.places)
    _likenesses(draw, moved, moments)
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _plane(units: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the two principal coordinates of each row; zeros where there is no difference."""
    centred = units - units.mean(axis=0)
    if len(units) < 2 or not np.any(centred):
        return np.zeros((len(units), 2))
    left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
    places: NDArray[np.float64] = np.zeros((len(units), 2))
    kept = min(2, len(sizes))
    places[:, :kept] = left[:, :kept] * sizes[:kept]
    return places


def _way(draw: ImageDraw.ImageDraw, places: NDArray[np.float64]) -> None:
    left, top, right, bottom = _MAP
    draw.text((left, 24), "interest, from first to now", _INK, _font(22))
    draw.rectangle(_MAP, outline=_FAINT)
    # One scale for both directions: distances mean something.
    reach = float(np.abs(places).max()) or 1.0
    scale = (min(right - left, bottom - top) / 2 - 30) / reach
    points = [((left + right) / 2 + x * scale, (top + bottom) / 2 - y * scale) for x, y in places.tolist()]
    for index, (one, other) in enumerate(itertools.pairwise(points)):
        draw.line([one, other], fill=_shade((index + 1) / (len(points) - 1)), width=3)
    for index, (x, y) in enumerate(points):
        shade = _shade(index / max(1, len(points) - 1))
        draw.ellipse([(x - 4, y - 4), (x + 4, y + 4)], fill=shade)
    (x, y), (a, b) = points[-1], points[0]
    draw.rectangle([(a - 8, b - 8), (a + 8, b + 8)], outline=_INK, width=2)
    draw.ellipse([(x - 10, y - 10), (x + 10, y + 10)], fill=_NOW, outline=_PAPER, width=2)
    draw.rectangle([(left, bottom + 22), (left + 14, bottom + 36)], outline=_INK, width=2)
    draw.text((left + 22, bottom + 29), "first", _INK, _font(17), anchor="lm")
    draw.ellipse([(left + 92, bottom + 21), (left + 108, bottom + 37)], fill=_NOW)
    draw.text((left + 116, bottom + 29), "now", _INK, _font(17), anchor="lm")


def _likenesses(draw: ImageDraw.ImageDraw, moved: Movement, moments: Sequence[datetime]) -> None:
    left, _, right, bottom = _LINES
    draw.text((left, 24), "similarity (cosine)", _INK, _font(22))
    lowest = min(0.0, *moved.to_now, *moved.to_before)
    floor = 0.0 if lowest >= 0 else -1.0
    for part in range(5):
        value = floor + (1.0 - floor) * part / 4
        y = _height(value, floor)
        draw.line([(left, y), (right, y)], fill=_INK if part == 0 else _FAINT)
        draw.text((left - 10, y), f"{value:.2f}", _INK, _font(17), anchor="rm")
    for values, colour, dotted in ((moved.to_before, _STEP, True), (moved.to_now, _NOW, False)):
        points = [
            (_across(moment, moments), _height(value, floor)) for moment, value in zip(moments, values, strict=True)
        ]
        if not dotted:
            draw.line(points, fill=colour, width=3)
        for x, y in points:
            size = 3 if dotted else 4
            draw.ellipse([(x - size, y - size), (x + size, y + size)], fill=colour)
    draw.text((left, bottom + 8), f"{moments[0]:%Y-%m-%d}", _INK, _font(17))
    draw.text((right, bottom + 8), f"{moments[-1]:%Y-%m-%d}", _INK, _font(17), anchor="ra")
    draw.line([(right - 330, 60), (right - 300, 60)], fill=_NOW, width=3)
    draw.text((right - 292, 60), "to now", _INK, _font(17), anchor="lm")
    draw.ellipse([(right - 203, 57), (right - 197, 63)], fill=_STEP)
    draw.text((right - 190, 60), "to the one before", _INK, _font(17), anchor="lm")


def _across(moment: datetime, moments: Sequence[datetime]) -> float:
    left, _, right, _ = _LINES
    whole = (moments[-1] - moments[0]).total_seconds()
    return right if whole == 0 else left + (right - left) * (moment - moments[0]).total_seconds() / whole


def _height(value: float, floor: float) -> float:
    _, top, _, bottom = _LINES
    return bottom - (bottom - top) * (value - floor) / (1.0 - floor)


def _shade(share: float) -> tuple[int, int, int]:
    """Return a colour on the way from the past's to the present's."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(_PAST, _NOW, strict=True))
    return red, green, blue


def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)
