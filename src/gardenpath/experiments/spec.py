"""Specifications of experiments: corpora, trainings, models, suites, people, runs, analyses, which name one another."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from gardenpath.errors import InputError
from gardenpath.io.sizes import Size, Sizes
from gardenpath.io.spec import Spec
from gardenpath.training.specs.corpora import PreparedCorpusSpec
from gardenpath.training.specs.parts import Count

Names = Annotated[tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)]
"""One or several names; a single one may stand alone."""
Options = Mapping[str, Any]
Architecture = Literal["ngram", "lstm", "on-lstm", "rnng", "gpt2", "multitask"]


class InputEntry(Spec):
    """A file or folder that whoever runs the experiment gives: `--input NAME=PATH`, or `path` here.

    The inputs `corpus`, `treebank` and `supertags` have options of their own: `--treebank PATH`.
    """

    about: str = ""
    """What it is, for the message when it is missing."""
    path: Names = ()
    """Where it is by default; several files make one corpus."""
    optional: bool = False
    """Whether the experiment can do without it: responses of people, or supertags that can be held out from others."""


class CorpusEntry(PreparedCorpusSpec):
    """A corpus to train on, and the samples that are drawn from it: of texts, of a treebank, or of a language that
    gardenpath generates."""

    text: Names = ()  # type: ignore[assignment]  # relative to the experiment file, or below an input
    """Text files; `$NAME` is an input."""
    treebank: Names = ()  # type: ignore[assignment]  # as text
    """Files or folders of trees in brackets; their words are the text."""
    generate: Names = ()
    """Suites whose words a generated language uses; its sentences have trees and supertags."""
    words: Size = 0
    """Number of words to generate; for other corpora their approximate size, for estimates before the corpus is
    there."""
    valid: str = ""  # type: ignore[assignment]  # as text
    """The validation set, unless it is held out from the corpus."""
    test: str = ""  # type: ignore[assignment]  # as text
    """The test set, unless it is held out from the corpus."""

    @model_validator(mode="after")
    def check_sources(self) -> Self:
        """Refuse a corpus without a source, or with two, or without a validation set."""
        given = [name for name in ("text", "treebank", "generate") if getattr(self, name)]
        if len(given) != 1:
            found = " and ".join(given) or "none"
            raise InputError(f"a corpus has one source, `text`, `treebank` or `generate`; this one has {found}")
        if self.generate and not self.words:
            raise InputError("`generate` names suites; give `words`, the size of what is generated, too")
        if not self.valid and not self.held_out:
            raise InputError("a training needs a validation set: give `valid`, or `held_out` words to hold out")
        return self


class SupertagEntry(Spec):
    """Sentences with categories, for multi-task trainings: files, or those of a generated corpus."""

    train: Names = ()
    """Files or folders; a folder may contain one file each with `train`, `valid` or `dev`, and `test` in its name."""
    valid: str = ""
    """The validation set, unless the folder has one or it is held out."""
    test: str = ""
    held_out: Size = 0
    """Words of sentences to hold out from `train` if no validation set is given."""
    corpus: str = ""
    """A generated corpus, whose sentences have categories."""


class TrainingEntry(Spec):
    """Models of one or several architectures, trained alike on every size, sample and seed."""

    architectures: Annotated[tuple[Architecture, ...], Field(min_length=1)] = ("lstm",)
    """The architectures to train."""
    corpus: str
    """The name of a corpus."""
    sizes: Sizes | None = None
    """Sizes of the corpus to train on; without them, all sizes that it has."""
    seeds: tuple[Annotated[int, Field(ge=0)], ...] = (0,)
    """Every model is trained once with each of these seeds."""
    axes: Mapping[str, tuple[Any, ...]] = Field(default_factory=dict)
    """Options that vary, each with its values: `weight = [0.5, 1.0]`."""
    zip: tuple[tuple[str, ...], ...] = ()
    """Axes that vary together instead of being crossed: `[["sizes", "budget"]]`."""
    options: Options = Field(default_factory=dict)
    """Options for training, as in `gardenpath train ARCHITECTURE`."""
    by_architecture: Mapping[Architecture, Options] = Field(default_factory=dict)
    """Options for one architecture only."""
    supertags: str = ""
    """For multi-task training: the name of an entry of supertags."""
    perplexity_words: Size = 0
    """For models that learn from trees, whose training measures trees with their words: about how many words of the
    validation set beam search scores afterwards, for a perplexity comparable with other models; 0: none."""
    threads: Count = 1
    """Threads for every training run."""
    memory: Count | None = None
    """Megabytes for every training run; without it, as estimated."""


class ModelEntry(Spec):
    """Models from elsewhere."""

    models: Annotated[Names, Field(min_length=1)]
    """As `gardenpath run --model` names them; a path may begin with an input: `$zoo/grnn`."""
    options: Options = Field(default_factory=dict)
    """Options of the run for these models, such as `bos` or `dtype`."""
    architecture: str = ""
    """What the model is, when it is compared with models trained here: `5-gram`, `LSTM`."""
    words: Size = 0
    """Number of words in its training text; with both, a model from elsewhere appears in grids and curves."""
    corpus: str = ""
    """Name of that text, for tables."""
    parameters: Size = 0
    """Number of weights, for the estimates."""
    threads: Count = 2
    memory: Count | None = None
    """Megabytes; without it, as estimated."""

    @model_validator(mode="after")
    def check_training(self) -> Self:
        """Refuse half of what is known of a training, and that of several models at once."""
        if bool(self.architecture) != bool(self.words) or (self.corpus and not self.words):
            raise InputError("`architecture` and `words` belong together: give both, or neither; `corpus` needs both")
        if self.words and len(self.models) > 1:
            raise InputError(
                f"`words` is of one model, and `models` has {len(self.models)}; give each an entry of its own"
            )
        return self


class SuiteEntry(Spec):
    """Suites, and the choice of their items."""

    suites: Annotated[Names, Field(min_length=1)]
    """Suites and collections as in `gardenpath run --suite`, and files."""
    vocabulary: str = ""
    """A corpus or a file of words to fill the slots of the suites with, so that models know the words."""
    options: Options = Field(default_factory=dict)
    """Options of the run that choose items: sample, seed, lexicon, columns, join …"""


class PeopleEntry(Spec):
    """Responses of people, as `gardenpath study import` reads them."""

    responses: Annotated[Names, Field(min_length=1)]
    """Files of responses."""
    format: Literal["mturk", "jspsych", "ibex", "pcibex", "table"]
    """Format of the files."""
    columns: str = ""
    """The column of each field: `participant=WorkerID,rating=Score`."""
    study: str = ""
    """The folder of the study."""


class RunEntry(Spec):
    """Which models are run on which suites: every one on every one."""

    models: Names = ()
    """Names of trainings and of models; without them, all in the file."""
    suites: Names = ()
    """Names of suites; without them, all in the file."""
    options: Options = Field(default_factory=dict)
    """Options for `gardenpath run`, such as `protocol` or `end`."""
    shards: Count = 1
    """Number of steps into which a large run is divided."""
    together: Count = 1
    """Number of models that one step runs, for small models that take longer to start than to score."""


class AnalysisEntry(Spec):
    """A page with the tables and figures of some runs."""

    title: str = ""
    runs: Names = ()
    """Names of runs; without them, all in the file."""
    people: Names = ()
    """Names of people to show with the models."""
    paper: Literal["", "hu-2020", "blimp-2020", "hu-chen-levy-2020", "marvin-linzen-2018"] = ""
    """The paper whose tables and figures to make; without it, all that the runs support."""
    corpora: Names = ()
    """Corpora whose words are counted for some tables of a paper."""


class ExperimentSpec(Spec):
    """A whole experiment; a TOML file has these fields, and a table for every entry: `[trainings.lstm]`.

    >>> spec = ExperimentSpec(suites={"number": {"suites": "agreement"}}, models={"embedded": {"models": "smollm2"}},
    ...                       runs={"all": {}}, analyses={"all": {}})
    >>> spec.runs["all"].shards
    1
    """

    title: str = ""
    """Title of the report."""
    about: str = ""
    """A few sentences about the experiment, for the report."""
    inputs: Mapping[str, InputEntry] = Field(default_factory=dict)
    """Files and folders that are not part of the experiment."""
    corpora: Mapping[str, CorpusEntry] = Field(default_factory=dict)
    """What models are trained on."""
    supertags: Mapping[str, SupertagEntry] = Field(default_factory=dict)
    """What multi-task models also learn from."""
    trainings: Mapping[str, TrainingEntry] = Field(default_factory=dict)
    """Models to train."""
    models: Mapping[str, ModelEntry] = Field(default_factory=dict)
    """Models from elsewhere."""
    suites: Mapping[str, SuiteEntry] = Field(default_factory=dict)
    """What models are evaluated on."""
    people: Mapping[str, PeopleEntry] = Field(default_factory=dict)
    """Responses of people."""
    runs: Mapping[str, RunEntry] = Field(default_factory=dict)
    """Which models are evaluated on which suites."""
    analyses: Mapping[str, AnalysisEntry] = Field(default_factory=dict)
    """Pages of tables and figures."""


SECTIONS: Mapping[str, type[Spec]] = {
    "inputs": InputEntry, "corpora": CorpusEntry, "supertags": SupertagEntry, "trainings": TrainingEntry,
    "models": ModelEntry, "suites": SuiteEntry, "people": PeopleEntry, "runs": RunEntry, "analyses": AnalysisEntry,
}  # fmt: skip
"""The tables of an experiment file with the specification of their entries."""
