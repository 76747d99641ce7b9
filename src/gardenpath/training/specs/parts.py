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
    """Determines everything random: first weights, dropout, order of batches, samples."""


class TrainSpec(Seeded):
    """Everything that determines a training, and where its model is written; each architecture has its own.

    >>> from gardenpath.training.specs.architectures import SPECS
    >>> isinstance(SPECS["ngram"].from_fields({"corpus": "train.txt", "order": 3, "out": "models/3gram"}), TrainSpec)
    True
    """

    ARCHITECTURE: ClassVar[str]
    """What `train` and the command line call it."""
    KIND: ClassVar[str]
    """What its checkpoints call it."""

    out: Annotated[Path, Flag("--out", "-o", changes_results=False)]
    """The checkpoint directory; a training that was interrupted there resumes."""
    overwrite: Overwrite = False


class TextLayout(Spec):
    """Where the sentences of a text end."""

    layout: Layout = "lines"
    """`lines`: one sentence per line. `running`: sentences are found by rules."""


class LetterCase(Spec):
    """Whether words keep their case."""

    lower: bool = False
    """Put all words into lower case."""


class AnyLayout(TextLayout):
    """Where the sentences of a corpus are: in a text, or in a treebank."""

    layout: Literal["lines", "running", "trees"] = "lines"  # type: ignore[assignment]  # one more than texts alone have
    """`lines`: one sentence per line. `running`: sentences are found by rules. `trees`: the words of a treebank in
    brackets, as for the twin of an RNNG; `--split` is then for the texts a model is evaluated on."""
    sections: SectionRanges = ""
    """Of a treebank that is a folder with numbered folders: only these, such as 2-21."""

    @model_validator(mode="after")
    def check_layout(self) -> Self:
        """Refuse sections of texts."""
        if self.sections and self.layout != "trees":
            raise InputError(f"--sections {self.sections}: texts have none; name a treebank and --layout trees")
        return self


class CorpusReading(LetterCase, AnyLayout):
    """Which text is learned from, and how it is read."""

    corpus: Files
    """The text to learn from; may be repeated: the texts are concatenated. With `--layout trees` a treebank, which is a
    file or a folder of files."""


class UnaryChains(Spec):
    """How unary chains of trees are read."""

    unary: Literal["merge", "keep", "join"] = "merge"
    """Phrases that are all of another: X over X is one X, or keep all, or S over VP is S+VP."""


class WordSplitting(Spec):
    """How sentences are split into words."""

    split: Split = "penn"
    """`penn`: NLTK's Penn Treebank tokenizer. `blanks`: the text is tokenised already, with spaces between words.
    Of a model of trees: how the texts it is evaluated on are split."""


class VocabularyChoice(Spec):
    """Which words of the training corpus have a word id of their own."""

    min_count: Count = 2
    """How often a word of the vocabulary must occur (Hu et al. 2020, section 3.2: twice)."""
    vocabulary_size: Limit = None
    """Keep at most so many words, the most frequent ones (Gulordava et al. 2018: 50,000)."""
    unknown: Unknown = "classes"
    """`classes`: the Berkeley parser's classes of unknown words (UNK-LC-ed, …). `single`: one for all."""


class Series(Spec):
    """A learning curve: one model for each of several nested samples of the corpus."""

    sizes: Annotated[Sizes | None, Flag(metavar="SIZES", as_text=True)] = None
    """Train a series on nested samples of so many words: 125k,250k,1M."""
    samples: Count = 1
    """How many samples of every size; with `sizes`."""

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
    """Predict every word against about so many drawn for the update, not against the whole vocabulary: several times
    faster where that is large. The model is validated and evaluated with all words."""


Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class ActivationPenalties(Spec):
    """What is added to the loss of a recurrent model for the outputs of its last layer (Merity et al. 2018)."""

    activation_penalty: Annotated[Weight, Flag(added=True)] = 0.0
    """Weight of large outputs in the loss: their mean square, after dropout (AR)."""
    temporal_penalty: Annotated[Weight, Flag(added=True)] = 0.0
    """Weight of changing outputs in the loss: mean square of differences from word to word, before dropout (TAR)."""


class Batching(ActivationPenalties, SampledSoftmax):
    """How the training text is cut into batches."""

    batch: Count = 20
    """Texts side by side; with `--reading sentences` a batch has at most batch x steps words."""
    steps: Count = 35
    """Words through which gradients are traced back."""
    reading: ReadingOrder = "stream"
    """`stream`: one text without end, the state carried over. `sentences`: each sentence from a fresh start, as suites
    are."""
    random_lengths: Annotated[bool, Flag(added=True)] = False
    """Draw how many words a batch of the stream has, around `steps`, seldom around half of it; the learning rate is
    in proportion (Merity et al. 2018)."""

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
    """Tokens of a context."""


class RecurrentShape(Spec):
    """The shape of a recurrent model."""

    width: Count = 256
    """Units per layer, and of the embedding."""
    layers: Count = 2
    """Layers, one above another."""
    dropout: Share = 0.2
    """Share of units that are left out in an update."""
    tied: Annotated[bool, Flag("--tied/--untied")] = False
    """Whether the embedding is also the projection (Press and Wolf 2017; Inan et al. 2017)."""


class Optimisation(Seeded):
    """How any neural model is trained."""

    budget: BudgetText = Budget(40, "epochs")
    """When to stop at the latest: 5epochs, 2Mtokens, 90s, 30min, 2h."""
    optimizer: Literal["sgd", "adam", "adamw", "nt-asgd"] = "sgd"
    """How weights follow the gradient. `nt-asgd`: SGD, and once validations are no longer better, the mean of the
    weights after every update since (Merity et al. 2018)."""
    trigger: Annotated[Count, Flag(added=True)] = 5
    """With nt-asgd: begin averaging at a validation that is worse than the best of all but the last so many."""
    learning_rate: Positive = 20.0
    """The highest learning rate."""
    schedule: Literal["plateau", "constant", "cosine", "inverse-sqrt"] = "plateau"
    """Of the learning rate. `plateau`: divided by `factor` after a validation that is not the best so far. `cosine`:
    falls to 0 over the budget. `inverse-sqrt`: falls from the end of the warm-up on."""
    factor: Annotated[float, Field(gt=1, allow_inf_nan=False)] = 4.0
    """What the plateau schedule divides the learning rate by."""
    warmup: Annotated[int, Field(ge=0)] = 0
    """Updates over which the learning rate rises to its highest, for all schedules."""
    clip: Annotated[float | None, Field(gt=0, allow_inf_nan=False), *NONE] = 0.25
    """The largest norm of the gradient; none: any."""
    weight_decay: Annotated[float, Field(ge=0)] = 0.0
    """How fast the optimizer lets weights shrink."""
    patience: Limit = None
    """Stop after so many validations in a row without a new best (with nt-asgd counted once averaging has begun); none:
    use up the budget."""
    validations: Count = 1
    """How often per epoch the model is validated on the held-out text, at even distances."""
    checkpoint_every: Annotated[float, Field(ge=0), Flag(changes_results=False)] = 120.0
    """Seconds between two saved states; a killed training loses at most these."""

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
    """The held-out text that chooses the best weights; for an RNNG, or with `--layout trees`, a treebank (a file, or a
    folder such as wsj/22)."""
    device: Annotated[str, Flag(changes_results=False)] = "auto"
    """Where to compute: auto, cpu, cuda, cuda:1 …"""


class TextSpec(VocabularyChoice, WordSplitting, CorpusReading, NeuralSpec):
    """A training of a neural model on texts."""


class WordModelSpec(Batching, TextSpec):
    """A training of a recurrent model on texts of words."""
