"""The equations of crossed random effects with slopes, solved with the largest group eliminated.

With random effects b = Lambda u, every row of the data is a row of A = [Z Lambda, X], and both mixed models solve
equations whose matrix is H = A'WA, plus 1 on the diagonal of the random effects. The effects of two levels of one group
never meet in a row: the part of H of the largest group, usually the items, consists of small blocks, which are
eliminated one by one. What remains is as large as the other groups and the fixed effects.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.effect_blocks import EffectBlock, entry_spans
from gardenpath.statistics.proportions import Floats

MOST_OTHERS = 4_000
"""Random effects beside those of the largest group above which the equations would take minutes."""
MOST_ENTRIES = 60_000_000
"""Numbers between the largest group and the others that are kept in memory."""


@dataclass(frozen=True, slots=True)
class Group:
    """All random effects of one group; independent effects are one block whose triangle has zeros."""

    codes: NDArray[np.int64]
    levels: int
    columns: Floats
    """(rows, width)."""
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    """Where the free entries are in the triangle."""
    entries: NDArray[np.int64]
    """Where they are in theta."""

    @property
    def width(self) -> int:
        """Effects of every level."""
        return int(self.columns.shape[1])

    def triangle(self, theta: Floats) -> Floats:
        """The part of Lambda of one level."""
        result = np.zeros((self.width, self.width))
        result[self.row, self.column] = theta[self.entries]
        return result


def merge_groups(blocks: Sequence[EffectBlock]) -> list[Group]:
    """The groups of some blocks, the one with the most effects first; blocks with the same groups are merged."""
    found: list[list[int]] = []
    for index, block in enumerate(blocks):
        same = [members for members in found if np.array_equal(blocks[members[0]].codes, block.codes)]
        if same:
            same[0].append(index)
        else:
            found.append([index])
    spans = entry_spans(blocks)
    groups = []
    for members in found:
        rows, columns, entries, offset = [], [], [], 0
        for index in members:
            row, column = np.tril_indices(blocks[index].width)
            rows.append(row + offset)
            columns.append(column + offset)
            entries.append(np.arange(*spans[index]))
            offset += blocks[index].width
        first = blocks[members[0]]
        values = np.hstack([blocks[index].columns for index in members])
        triangle = [np.concatenate(part).astype(np.int64) for part in (rows, columns, entries)]
        groups.append(Group(first.codes, first.groups, values, *triangle))
    return sorted(groups, key=lambda group: -group.levels * group.width)


@dataclass(frozen=True, slots=True)
class Rows:
    """The matrix A for one Lambda."""

    values: Floats
    """Z Lambda at the effects of each row: (rows, effects per row)."""
    first: Any
    """The columns of the largest group, sparse."""
    rest: Any
    """Those of the others and the fixed effects, sparse."""

    def times(self, effects: Floats) -> Floats:
        """A times a vector of effects; those that are left out at its end are 0."""
        split = self.first.shape[1]
        rest = np.zeros(self.rest.shape[1])
        rest[: len(effects) - split] = effects[split:]
        return np.asarray(self.first @ effects[:split] + self.rest @ rest, dtype=np.float64)

    def sums(self, by_row: Floats) -> Floats:
        """A' times a number for every row."""
        return np.concatenate([self.first.T @ by_row, self.rest.T @ by_row])


@dataclass(frozen=True, slots=True)
class Factors:
    """H with the largest group eliminated."""

    inverse: Floats
    """Of its blocks: (levels, width, width)."""
    divided: Floats
    """The inverse times the part of H between the largest group and the others: (effects, others)."""
    schur: Floats
    """The others and the fixed effects, with the largest group eliminated."""
    inner: int
    """Random effects among the others."""
    log_first: float
    """The log determinant of the blocks."""

    @property
    def log_determinant(self) -> float:
        """The log determinant of the random effects' part of H."""
        # The determinant of no rows is 1.
        return self.log_first + float(np.linalg.slogdet(self.schur[: self.inner, : self.inner])[1])

    def solve(self, right: Floats) -> Floats:
        """Solve H, or its first rows and columns if the right side is shorter."""
        levels, width, _ = self.inverse.shape
        split = levels * width
        divided = self.divided[:, : len(right) - split]
        known = right[split:] - divided.T @ right[:split]
        later = np.linalg.solve(self.schur[: len(known), : len(known)], known) if len(known) else known
        own = (self.inverse @ right[:split].reshape(levels, width, 1)).ravel()
        return np.concatenate([own - divided @ later, later])


class CrossedEffects:
    """Random effects by one or more groups, and fixed effects."""

    def __init__(self, blocks: Sequence[EffectBlock], x: Floats) -> None:
        self.groups = merge_groups(blocks)
        self.x = x
        sizes = [group.levels * group.width for group in self.groups]
        self.size, self.first = sum(sizes), sizes[0]
        require_memory(self.size - self.first, self.first, x.shape[1])
        starts = np.cumsum([0, *sizes[:-1]])
        places = [
            start + group.codes[:, None] * group.width + np.arange(group.width)
            for start, group in zip(starts, self.groups, strict=True)
        ]
        self.positions: NDArray[np.int64] = np.hstack(places)
        """Of each row, its effects among all: (rows, effects per row)."""
        fixed = np.broadcast_to(self.size + np.arange(x.shape[1]), x.shape)
        self.later = np.hstack([self.positions[:, self.groups[0].width :], fixed]) - self.first
        ones = np.ones(len(x))
        levels = (self.groups[0].codes, np.arange(len(x)))
        self.by_level: Any = csr_array((ones, levels), shape=(self.groups[0].levels, len(x)))

    def rows(self, theta: Floats) -> Rows:
        """The matrix A for a Lambda."""
        values = np.hstack([group.columns @ group.triangle(theta) for group in self.groups])
        width = self.groups[0].width
        later = np.hstack([values[:, width:], self.x])
        first = stack_rows(values[:, :width], self.positions[:, :width], self.first)
        return Rows(values, first, stack_rows(later, self.later, self.size - self.first + self.x.shape[1]))

    def factors(self, rows: Rows, weights: Floats) -> Factors:
        """H for some weights of the rows, with the largest group eliminated."""
        levels, width = self.groups[0].levels, self.groups[0].width
        own = rows.values[:, :width]
        products = (weights[:, None] * own)[:, :, None] * own[:, None, :]
        blocks = (self.by_level @ products.reshape(len(own), -1)).reshape(levels, width, width) + np.eye(width)
        inverse = np.linalg.inv(blocks)
        rest = rows.rest
        weighted = csr_array(
            (rest.data * np.repeat(weights, np.diff(rest.indptr)), rest.indices, rest.indptr), shape=rest.shape
        )
        beside = (rows.first.T @ weighted).toarray()  # (effects, others)
        divided = (inverse @ beside.reshape(levels, width, -1)).reshape(beside.shape)
        inner = self.size - self.first
        penalty = np.diag((np.arange(rest.shape[1]) < inner).astype(float))
        schur = (rest.T @ weighted).toarray() + penalty - beside.T @ divided
        return Factors(inverse, divided, schur, inner, float(np.linalg.slogdet(blocks)[1].sum()))

    def own_parts(self, rows: Rows, factors: Factors, *, fixed: bool = False) -> Floats:
        """H^-1 a of every row a of A, at the random effects of that row: (rows, effects per row).

        H and A are those of the random effects alone, or with the fixed effects.
        """
        group = self.groups[0]
        inner = factors.inner + fixed * self.x.shape[1]
        width = self.positions.shape[1] - group.width + fixed * self.x.shape[1]
        later = self.later[:, :width]
        first_values = rows.values[:, : group.width]
        values = rows.values[:, group.width :]
        values = np.hstack([values, self.x]) if fixed else values
        inverse = np.linalg.inv(factors.schur[:inner, :inner])
        divided = factors.divided[:, :inner].reshape(group.levels, group.width, inner)
        across = divided @ inverse  # minus the part of H^-1 between the largest group and the others
        corner = factors.inverse + across @ divided.transpose(0, 2, 1)
        beside = across[group.codes[:, None, None], np.arange(group.width)[:, None], later[:, None, :]]
        among = inverse[later[:, :, None], later[:, None, :]]
        first = multiply(corner[group.codes], first_values) - multiply(beside, values)
        others = multiply(among, values) - multiply(beside.transpose(0, 2, 1), first_values)
        return np.hstack([first, others[:, : self.positions.shape[1] - group.width]])

    def entry_slopes(self, by_effect: Floats) -> Floats:
        """The derivative by every entry of Lambda of a function with some derivative by each value of Z Lambda."""
        result = np.zeros(sum(len(group.entries) for group in self.groups))
        begin = 0
        for group in self.groups:
            product = group.columns.T @ by_effect[:, begin : begin + group.width]
            result[group.entries] = product[group.row, group.column]
            begin += group.width
        return result


def stack_rows(values: Floats, places: NDArray[np.int64], width: int) -> Any:
    """A sparse matrix with as many values in each row."""
    count, each = values.shape
    return csr_array((values.ravel(), places.ravel(), np.arange(0, count * each + 1, each)), shape=(count, width))


def multiply(matrices: Floats, vectors: Floats) -> Floats:
    """A matrix times a vector for every row."""
    return np.asarray((matrices @ vectors[:, :, None])[:, :, 0], dtype=np.float64)


def require_memory(others: int, first: int, fixed: int) -> None:
    """Raise if the equations are too large."""
    if others > MOST_OTHERS or first * (others + fixed) > MOST_ENTRIES:
        raise InputError(
            f"{first} random effects of the largest group and {others} of the others are too many to be fitted with "
            f"slopes (at most {MOST_OTHERS} of the others); leave out slopes, or average rows"
        )
