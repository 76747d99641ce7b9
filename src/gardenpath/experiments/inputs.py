"""Inputs of experiments: files and folders that whoever runs one gives, by the options that a user types."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

Given = str | os.PathLike[str]
"""A path that is given for an input."""
GivenInputs = Mapping[str, Given | Sequence[Given]]
"""One or several paths by the name of the input."""
Inputs = Mapping[str, tuple[str, ...]]
"""Absolute paths by the name of the input."""
PLAIN = ("corpus", "treebank", "supertags")
"""Inputs that have an option of their own."""


def read_inputs(given: GivenInputs) -> dict[str, tuple[str, ...]]:
    """The paths that are given for inputs, absolute; several files make one corpus.

    >>> read_inputs({"treebank": ["/trees/gum.mrg", "/trees/masc.mrg"]})
    {'treebank': ('/trees/gum.mrg', '/trees/masc.mrg')}
    """
    return {name: tuple(str(Path(path).absolute()) for path in as_several(paths)) for name, paths in given.items()}


def as_several(paths: Given | Sequence[Given]) -> Sequence[Given]:
    """One or several paths as several."""
    return [paths] if isinstance(paths, str | os.PathLike) else paths


def input_option(name: str) -> str:
    """The option that gives an input.

    >>> input_option("treebank"), input_option("responses")
    ('--treebank PATH', '--input responses=PATH')
    """
    return f"--{name} PATH" if name in PLAIN else f"--input {name}=PATH"
