"""A range of Discord's shards. A server belongs to shard `(its id >> 22) % count`, direct messages to shard 0."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

_FORM = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?/(\d{1,6})", re.ASCII)
MOST = 65_536
"""More shards than Discord gives anybody."""


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards from `first` to `last` of `count`, both included."""

    first: int = 0
    last: int = 0
    count: int = 1

    @classmethod
    def read(cls, text: str) -> Self:
        """Return the range of a text such as `0-3/16` or `5/16`.

        Raises:
            ValueError: it is none; the text says why.
        """
        found = _FORM.fullmatch(text.strip())
        if found is None:
            raise ValueError("is not a range of shards: first-last/count, counted from 0")
        first, count = int(found[1]), int(found[3])
        last = int(found[2] or first)
        if not 1 <= count <= MOST:
            raise ValueError(f"has to have from 1 to {MOST} shards in all")
        if last < first:
            raise ValueError(f"ends before it begins: {last} is less than {first}")
        if last >= count:
            raise ValueError(f"names a shard that isn't there: {count} shards are those from 0 to {count - 1}")
        return cls(first, last, count)

    @property
    def ids(self) -> Sequence[int]:
        """The numbers of the shards."""
        return range(self.first, self.last + 1)

    @property
    def is_everything(self) -> bool:
        """Whether no shard is left out."""
        return len(self.ids) == self.count

    def has(self, guild_id: int | None) -> bool:
        """Return whether a server belongs here; None: direct messages."""
        return self.first <= ((guild_id or 0) >> 22) % self.count <= self.last

    def __str__(self) -> str:
        return f"{self.first}-{self.last}/{self.count}"


EVERYTHING = Shards()
"""All there is, not divided."""
