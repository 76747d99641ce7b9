"""Axes of trainings: every combination of architectures, sizes, samples, seeds and options."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from gardenpath.errors import InputError
from gardenpath.experiments.spec import CorpusEntry, TrainingEntry
from gardenpath.io.sizes import size_name

WHOLE = "all"
"""The name of a corpus that is used as a whole, among sizes."""


@dataclass(frozen=True, slots=True)
class Member:
    """One training of an entry: a value on every axis."""

    label: str
    """What the model is called in results: `lstm-60k-seed2`."""
    architecture: str
    size: int | None
    """Words of the sample; None: the whole corpus."""
    sample: int
    """Number of the sample, from 1."""
    seed: int
    options: Mapping[str, Any]

    @property
    def part(self) -> str:
        """The part of the corpus it is trained on, as its files are called: `60k-1`."""
        return WHOLE if self.size is None else f"{size_name(self.size)}-{self.sample}"


def expand_training(name: str, entry: TrainingEntry, corpus: CorpusEntry) -> list[Member]:
    """The trainings of an entry, in the order of its axes."""
    sizes = check_sizes(entry, corpus)
    axes: dict[str, Sequence[Any]] = {
        "architectures": entry.architectures,
        "sizes": sizes,
        "samples": range(1, corpus.samples + 1) if corpus.sizes else (1,),
        **entry.axes,
        "seeds": entry.seeds,
    }
    members = []
    for values in combine_axes(axes, entry.zip):
        architecture, size, sample, seed = (values.pop(key) for key in ("architectures", "sizes", "samples", "seeds"))
        options = {**entry.options, **entry.by_architecture.get(architecture, {}), **values}
        several = {
            "architectures": architecture, "sizes": None if size is None else size_name(size), "samples": sample,
            **{key: f"{key}{value}" for key, value in values.items()}, "seeds": f"seed{seed}",
        }  # fmt: skip
        shown = [str(several[key]) for key, all_values in axes.items() if len(all_values) > 1]
        members.append(Member("-".join([name, *map(plain, shown)]), architecture, size, sample, seed, options))
    return members


def plain(text: str) -> str:
    """A value as part of the name of a folder."""
    return "".join(letter if letter.isalnum() or letter in "._+" else "-" for letter in text)


def check_sizes(entry: TrainingEntry, corpus: CorpusEntry) -> Sequence[int | None]:
    """The sizes that an entry trains on; refuse one that its corpus does not have."""
    if entry.sizes is None:
        return corpus.sizes or (None,)
    unknown = [size for size in entry.sizes if size not in (corpus.sizes or ())]
    if unknown:
        known = ", ".join(map(size_name, corpus.sizes or ())) or "no samples"
        raise InputError(
            f"sizes has {size_name(unknown[0])}, but the corpus {entry.corpus!r} has {known}; add the size there"
        )
    return entry.sizes


def combine_axes(axes: Mapping[str, Sequence[Any]], zipped: Sequence[Sequence[str]]) -> Iterator[dict[str, Any]]:
    """Every combination of the values of axes; those of one group in `zipped` vary together.

    >>> list(combine_axes({"a": [1, 2], "b": [3, 4], "c": [5]}, [["a", "b"]]))
    [{'a': 1, 'b': 3, 'c': 5}, {'a': 2, 'b': 4, 'c': 5}]
    """
    group_of: dict[str, tuple[str, ...]] = {}
    for group in zipped:
        for axis in group:
            if axis not in axes:
                raise InputError(f"zip has {axis!r}, which is not an axis; the axes are {', '.join(axes)}")
            if axis in group_of:
                raise InputError(f"zip has {axis!r} twice; an axis varies with one group only")
            group_of[axis] = tuple(group)
        lengths = {axis: len(axes[axis]) for axis in group}
        if len(set(lengths.values())) > 1:
            shown = ", ".join(f"{axis} has {number}" for axis, number in lengths.items())
            raise InputError(f"axes that vary together need as many values each: {shown}")
    groups = list(dict.fromkeys(group_of.get(axis, (axis,)) for axis in axes))
    choices = [list(zip(*(axes[axis] for axis in group), strict=True)) for group in groups]
    for values in product(*choices):
        chosen = {
            axis: value
            for group, own in zip(groups, values, strict=True)
            for axis, value in zip(group, own, strict=True)
        }
        yield {axis: chosen[axis] for axis in axes}
