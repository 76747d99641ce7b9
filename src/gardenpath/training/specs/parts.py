"""What the specifications of trainings are composed of: each field is declared, documented and validated here once."""

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, PlainSerializer, model_validator

from gardenpath.errors import InputError
from gardenpath.io.sizes import Sizes
from gardenpath.io.spec import Flag, Overwrite, Spec
from gardenpath.text.reading import Layout, Split, Unknown
from gardenpath.training.specs.budget import Budget, exact_text, parse_budget
from gardenpath.training.specs.sections import SectionRanges

ReadingOrder = Literal["stream", "sentences"]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, lt=1)]
Count = Annotated[int, Field(ge=1)]


def as_list(value: Any) -> Any:
    """A single path as a list of one."""
    return [value] if isinstance(value, str | Path) else value


Files = Annotated[tuple[Path, ...], Field(min_length=1), BeforeValidator(as_list)]
BudgetText = Annotated[
    Budget,
    BeforeValidator(lambda value: parse_budget(value) if isinstance(value, str) else value),
    PlainSerializer(exact_text, return_type=str),
]
NONE = (
    Flag(metavar="NUMBER|none", as_text=True),
    BeforeValidator(lambda value: None if value == "none" else value),
    PlainSerializer(lambda value: "none" if value is None else value, when_used="json"),
)
"""For fields that presets set and a user may want to be without: TOML has no null, so None is written as "none"."""
Limit = Annotated[int | None, Field(ge=1), *NONE]


class Seeded(Spec):
    """Where randomness comes from."""

    seed: Annotated[int, Field(ge=0)] = 0
    """Determines everything random: initial weights, dropout, order of batches, samples."""


class TrainSpec(Seeded):
    """Everything that determines a training run, and where its model is written; each architecture has its own fields.

    >>> from gardenpath.training.specs.architectures import SPECS
    >>> isinstance(SPECS["ngram"].from_fields({"corpus": "train.txt", "order": 3, "out": "models/3gram"}), TrainSpec)
    True
    """

    ARCHITECTURE: ClassVar[str]
    """What `train` and the command line call it."""
    KIND: ClassVar[str]
    """What its checkpoints call it."""

    out: Annotated[Path, Flag("--out", "-o", changes_results=False)]
    """Checkpoint directory; an interrupted training run there resumes."""
    overwrite: Overwrite = False


class TextLayout(Spec):
    """Where the sentences of a text end."""

    layout: Layout = "lines"
    """`lines`: one sentence per line. `running`: rules find the sentences."""


class LetterCase(Spec):
    """Whether words keep their case."""

    lower: bool = False
    """Convert all words to lower case."""


class AnyLayout(TextLayout):
    """Where the sentences of a corpus are: in a text, or in a treebank."""

    layout: Literal["lines", "running", "trees"] = "lines"  # type: ignore[assignment]  # one more than texts alone have
    """`lines`: one sentence per line. `running`: rules find the sentences. `trees`: the words of a bracketed treebank,
    as for an RNNG's twin; `--split` then applies to the texts a model is evaluated on."""
    sections: SectionRanges = ""
    """Only these sections of a treebank in numbered folders, such as 2-21."""

    @model_validator(mode="after")
    def check_layout(self) -> Self:
        """Refuse sections of texts."""
        if self.sections and self.layout != "trees":
            raise InputError(f"--sections {self.sections}: texts have none; name a treebank and --layout trees")
        return self


class CorpusReading(LetterCase, AnyLayout):
    """Which text is learned from, and how it is read."""

    corpus: Files
    """Text to train on; may be repeated, and the texts are concatenated. With `--layout trees`, a treebank: a file or a
    folder of files."""


class UnaryChains(Spec):
    """How unary chains of trees are read."""

    unary: Literal["merge", "keep", "join"] = "merge"
    """Unary chains: `merge` turns X over X into one X, `keep` keeps them all, `join` turns S over VP into S+VP."""


class WordSplitting(Spec):
    """How sentences are split into words."""

    split: Split = "penn"
    """`penn`: NLTK's Penn Treebank tokenizer. `blanks`: the text is already tokenised, with spaces between words. For a
    model of trees, this applies to the texts it is evaluated on."""


class VocabularyChoice(Spec):
    """Which words of the training corpus have a word id of their own."""

    min_count: Count = 2
    """How often a word must occur to be in the vocabulary (Hu et al. 2020, section 3.2: twice)."""
    vocabulary_size: Limit = None
    """Keep at most this many words, the most frequent ones (Gulordava et al. 2018: 50,000)."""
    unknown: Unknown = "classes"
    """`classes`: the Berkeley parser's classes of unknown words (UNK-LC-ed, …). `single`: one for all."""


class Series(Spec):
    """A learning curve: one model for each of several nested samples of the corpus."""

    sizes: Annotated[Sizes | None, Flag(metavar="SIZES", as_text=True)] = None
    """Train a series of models on nested samples of these numbers of words: 125k,250k,1M."""
    samples: Count = 1
    """Number of samples of every size; with `sizes`."""

    @property
    def is_series(self) -> bool:
        """Whether this is a series of trainings, not one."""
        return self.sizes is not None

    @model_validator(mode="after")
    def check_series(self) -> Self:
        """Refuse samples without sizes."""
        if self.sizes is None and self.samples > 1:
            raise InputError("--samples: of which sizes? Give them with --sizes, such as --sizes 125k,250k,500k")
        return self


class SampledSoftmax(Spec):
    """Against which words a word is predicted in training."""

    sampled: Count | None = None
    """In training, predict every word against about this many sampled words instead of the whole vocabulary, which is
    several times faster for large vocabularies. Validation and evaluation use all words."""


Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class ActivationPenalties(Spec):
    """What is added to the loss of a recurrent model for the outputs of its last layer (Merity et al. 2018)."""

    activation_penalty: Annotated[Weight, Flag(added=True)] = 0.0
    """Weight in the loss of large outputs: their mean square, after dropout (AR)."""
    temporal_penalty: Annotated[Weight, Flag(added=True)] = 0.0
    """Weight in the loss of changing outputs: mean square of differences from word to word, before dropout (TAR)."""


class Batching(ActivationPenalties, SampledSoftmax):
    """How the training text is cut into batches."""

    batch: Count = 20
    """Number of texts side by side; with `--reading sentences`, a batch has at most batch x steps words."""
    steps: Count = 35
    """Number of words through which gradients are backpropagated."""
    reading: ReadingOrder = "stream"
    """`stream`: one endless text, whose state is carried over. `sentences`: each sentence from a fresh state, as in
    suites."""
    random_lengths: Annotated[bool, Flag(added=True)] = False
    """Draw the number of words in a batch of the stream at random, usually around `steps`, seldom around half of it,
    and scale the learning rate in proportion (Merity et al. 2018)."""

    @model_validator(mode="after")
    def check_lengths(self) -> Self:
        """Refuse random lengths of sentences."""
        if self.random_lengths and self.reading != "stream":
            raise InputError("--random-lengths: only a stream is cut at random; leave it out, or --reading sentences")
        return self


class ContextBatching(SampledSoftmax):
    """How the training text is cut into contexts of a transformer."""

    batch: Count = 16
    """Contexts per update."""
    steps: Annotated[int, Field(ge=2)] = 128
    """Tokens per context."""


class RecurrentShape(Spec):
    """The shape of a recurrent model."""

    width: Count = 256
    """Units per layer, and of the embedding."""
    layers: Count = 2
    """Number of layers."""
    dropout: Share = 0.2
    """Share of units that are dropped in an update."""
    tied: Annotated[bool, Flag("--tied/--untied")] = False
    """Whether the embedding is also the output projection (Press and Wolf 2017; Inan et al. 2017)."""


class Optimisation(Seeded):
    """How any neural model is trained."""

    budget: BudgetText = Budget(40, "epochs")
    """Stop training at the latest after this: 5epochs, 2Mtokens, 90s, 30min, 2h."""
    optimizer: Literal["sgd", "adam", "adamw", "nt-asgd"] = "sgd"
    """The optimizer. `nt-asgd`: SGD and, once validations no longer improve, the mean of the weights after every update
    since then (Merity et al. 2018)."""
    trigger: Annotated[Count, Flag(added=True)] = 5
    """With nt-asgd: begin averaging at a validation that is worse than the best of all earlier ones except the last
    N."""
    learning_rate: Positive = 20.0
    """Highest learning rate."""
    schedule: Literal["plateau", "constant", "cosine", "inverse-sqrt"] = "plateau"
    """Schedule of the learning rate. `plateau`: divided by `factor` after a validation that is not the best so far.
    `cosine`: falls to 0 over the budget. `inverse-sqrt`: falls after the warm-up."""
    factor: Annotated[float, Field(gt=1, allow_inf_nan=False)] = 4.0
    """Number by which the plateau schedule divides the learning rate."""
    warmup: Annotated[int, Field(ge=0)] = 0
    """Number of updates over which the learning rate rises to its highest value, for all schedules."""
    clip: Annotated[float | None, Field(gt=0, allow_inf_nan=False), *NONE] = 0.25
    """Largest norm of the gradient; none: no limit."""
    weight_decay: Annotated[float, Field(ge=0)] = 0.0
    """Weight decay of the optimizer."""
    patience: Limit = None
    """Stop after this many validations in a row without a new best (with nt-asgd, counted once averaging has begun);
    none: use up the budget."""
    validations: Count = 1
    """Number of validations per epoch on the held-out text, at even distances."""
    checkpoint_every: Annotated[float, Field(ge=0), Flag(changes_results=False)] = 120.0
    """Seconds between two checkpoints; a killed training run loses at most this much."""

    @model_validator(mode="after")
    def check_schedule(self) -> Self:
        """Refuse a schedule that lacks what it falls from."""
        if self.schedule == "inverse-sqrt" and self.warmup < 1:
            raise InputError(
                "the schedule inverse-sqrt falls from the end of the warm-up on; give a warmup of 1 or more"
            )
        return self


class NeuralSpec(Optimisation, TrainSpec):
    """A training of a neural model."""

    valid: Path
    """Held-out text that determines the best weights; for an RNNG, or with `--layout trees`, a treebank (a file, or a
    folder such as wsj/22)."""
    device: Annotated[str, Flag(changes_results=False)] = "auto"
    """Where to compute: auto, cpu, cuda, cuda:1 …"""


class TextSpec(VocabularyChoice, WordSplitting, CorpusReading, NeuralSpec):
    """A training of a neural model on texts."""


class WordModelSpec(Batching, TextSpec):
    """A training of a recurrent model on texts of words."""
