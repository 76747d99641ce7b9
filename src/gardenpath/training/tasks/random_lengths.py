"""Random lengths of truncated back-propagation (Merity et al. 2018, section 4.1).

With fixed lengths the same words end a batch in every epoch, so that their states never learn from the words after
them.
"""

import numpy as np
from numpy.typing import NDArray

FULL_SHARE = 0.95
"""Share of lengths that are drawn around the full one; the others are drawn around half of it."""
DEVIATION = 5.0
"""Standard deviation of both."""
SHORTEST = 5


def draw_ends(width: int, steps: int, seed: tuple[int, ...]) -> NDArray[np.int64]:
    """Where the batches of an epoch end in a row of so many symbols; the last is as long as what is left."""
    rng = np.random.default_rng(seed)
    ends, reached = [], 0
    while reached < width:
        n = width // steps + 8
        means = np.where(rng.random(n) < FULL_SHARE, steps, steps / 2)
        lengths = np.maximum(SHORTEST, rng.normal(means, DEVIATION).astype(np.int64))
        ends.append(reached + np.cumsum(lengths))
        reached = int(ends[-1][-1])
    found = np.concatenate(ends)
    return np.append(found[found < width], width)
