"""Options that the commands of experiments share."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gardenpath.errors import InputError

if TYPE_CHECKING:
    from gardenpath.experiments.experiment import Experiment

Source = Annotated[
    str, typer.Argument(metavar="FILE|NAME", help="An experiment file (TOML), or one that comes with gardenpath.")
]
Scale = Annotated[str, typer.Option(metavar="NAME", help="One of the scales in the file. Default: the full one.")]
Inputs = Annotated[
    list[str] | None,
    typer.Option("--input", metavar="NAME=PATH", help="A file that the experiment needs; may be repeated."),
]
Corpus = Annotated[
    list[Path] | None,
    typer.Option("--corpus", metavar="PATH", help="A text to train on, like --input corpus=PATH; may be repeated."),
]
Treebank = Annotated[
    list[Path] | None,
    typer.Option(
        "--treebank",
        metavar="PATH",
        help="Trees to train on (a file or a folder), like --input treebank=PATH; may be repeated.",
    ),
]
Supertags = Annotated[
    list[Path] | None,
    typer.Option(
        "--supertags",
        metavar="PATH",
        help="Sentences with supertags (files or a folder), like --input supertags=PATH; may be repeated.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="Folder of the experiment. Default: experiments/NAME-SCALE."),
]
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder of an experiment.")]


def read_experiment(
    source: str, scale: str, inputs: Sequence[str] | None, *, corpus: Sequence[Path] | None,
    treebank: Sequence[Path] | None, supertags: Sequence[Path] | None,
) -> "Experiment":  # fmt: skip
    """Read the experiment that the options name."""
    from gardenpath.experiments.experiment import Experiment

    given: dict[str, list[str | Path]] = {}
    for name, path in map(split_input, inputs or ()):
        given.setdefault(name, []).append(path)
    for name, paths in {"corpus": corpus, "treebank": treebank, "supertags": supertags}.items():
        if paths:
            given.setdefault(name, []).extend(paths)
    return Experiment.read(source, scale=scale, inputs=given)


def split_input(given: str) -> tuple[str, str]:
    """The name and the path of an input."""
    name, equals, path = given.partition("=")
    if not equals or not name or not path:
        raise InputError(f"--input {given}: give a name and a path, such as --input treebank=wsj")
    return name, path


def folder_of(experiment: "Experiment", out: Path | None) -> Path:
    """The folder of an experiment, unless one is given."""
    return out or Path("experiments") / experiment.name.replace(", ", "-")
