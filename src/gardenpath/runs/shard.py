"""A shard of a run: which of n shares of the work, and which parts of a plan are in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from gardenpath.errors import InputError

SHARD_FILE = "shard.json"
"""In the folder of a shard: what it is a shard of, and what it holds."""
WRITTEN = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of `count` shares of a run, counted from 1."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """Read a shard as it is written on the command line.

        >>> Shard.parse("3/7")
        Shard(number=3, count=7)
        """
        found = WRITTEN.fullmatch(text)
        if found is None:
            raise InputError(f"shard is {text!r}; write a number and the number of all shards, such as 3/7")
        number, count = map(int, found.groups())
        if not 1 <= number <= count:
            raise InputError(
                f"shard is {text!r}; shards are counted from 1 to their number: 1/{max(count, 1)} is the first"
            )
        return cls(number, count)

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def share(self, work: Sequence[int]) -> range:
        """Return the parts of this shard, given the work of every part of a plan.

        Parts stay in their order, so that those of a shard share prefixes. A part belongs to the shard in whose n-th of
        the work its middle lies: shards have nearly equal work, and every part is in one of them.

        >>> [list(Shard(number, 3).share([4, 4, 1, 1, 1, 1])) for number in (1, 2, 3)]
        [[0], [1], [2, 3, 4, 5]]
        """
        total = sum(work)
        middles = [2 * end - size for size, end in zip(work, accumulate(work), strict=True)]
        owners = [min(middle * self.count // max(2 * total, 1), self.count - 1) for middle in middles]
        low = sum(owner < self.number - 1 for owner in owners)
        return range(low, low + owners.count(self.number - 1))
