"""Specifications of trainings, by architecture, with what papers trained as presets."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field

from gardenpath.io.choices import Smoothing
from gardenpath.io.spec import Flag
from gardenpath.text.reading import Split, Unknown
from gardenpath.training.specs.parts import (
    ContextBatching,
    CorpusReading,
    Count,
    Files,
    NeuralSpec,
    RecurrentShape,
    Series,
    Share,
    TextSpec,
    TrainSpec,
    UnaryChains,
    VocabularyChoice,
    WordModelSpec,
    WordSplitting,
)
from gardenpath.training.specs.sections import SectionRanges
from gardenpath.trees.tree import DEEPEST

PRESET = Flag(changes_results=False)
"""A preset is a name for values of other fields, which are what counts."""


class NgramSpec(VocabularyChoice, Series, CorpusReading, TrainSpec):
    """An n-gram model: modified Kneser-Ney."""

    ARCHITECTURE: ClassVar = "ngram"
    KIND: ClassVar = "ngram"

    valid: Path | None = None
    """Held-out text, to measure perplexity."""
    order: Count = 5
    """Number of words in the longest n-grams."""
    smoothing: Annotated[Smoothing, Flag(added=True)] = "interpolated"
    """`interpolated`: as in KenLM's lmplz. `back-off`: as in SRILM's -kndiscount, which Marvin & Linzen 2018 used."""
    tokenize: bool = True
    """Split the text into Penn Treebank words; otherwise split it at spaces."""
    unknown: Unknown | None = None  # type: ignore[assignment]  # what no choice means depends on the vocabulary
    """As for an LSTM; by default `single` if no word is left out of the vocabulary."""

    @property
    def split(self) -> Split:
        """How sentences are split into words."""
        return "penn" if self.tokenize else "blanks"


class RecurrentSpec(RecurrentShape, WordModelSpec):
    """An LSTM language model."""

    preset: Annotated[Literal["hu", "hu-chen-levy", "marvin-linzen", "small"], PRESET] = "hu"
    """`hu`: 2x256 of Hu et al. 2020. `hu-chen-levy`: TinyLSTM of Hu, Chen & Levy 2020. `marvin-linzen`: 2x650, 50,000
    words, of Marvin & Linzen 2018. `small`: 1x64, for first steps. Other options override it."""

    PRESETS: ClassVar = {
        # Hu et al. 2020, section 3.3 and Table 2: 2x256, embedding 256, untied (Table 3's counts of parameters), 'based
        # on the boilerplate PyTorch implementation', until the validation perplexity converges; the rest is that
        # implementation's defaults (dropout 0.2, learning rate 20 divided by 4, clip 0.25, batch 20, steps 35).
        "hu": {"patience": 5},
        # Hu, Chen and Levy 2020, section 4, has no more than the corpus; the rest is the command in the authors' code
        # (cpllab/tinylstm): 2x256, embedding 256, dropout 0.3, 40 epochs, and PyTorch's defaults as above.
        "hu-chen-levy": {"dropout": 0.3},
        # Marvin & Linzen 2018, section 5: 2x650, batch 128, dropout 0.2, learning rate 20, 40 epochs, after Gulordava
        # et al. 2018 (truncated at 35, gradients clipped at 0.25, 50,000 words).
        "marvin-linzen": {"width": 650, "batch": 128, "vocabulary_size": 50_000},
        "small": {
            "width": 64, "layers": 1, "dropout": 0.1, "tied": True, "batch": 16, "steps": 20, "budget": "5 epochs",
            "optimizer": "adam", "learning_rate": 5e-3, "clip": 1.0,
        },
    }  # fmt: skip


class LstmSpec(Series, RecurrentSpec):
    """An LSTM language model."""

    ARCHITECTURE: ClassVar = "lstm"
    KIND: ClassVar = "lstm"


class MultitaskSpec(Series, RecurrentSpec):
    """An LSTM that learns from a text and from supertags (Marvin & Linzen 2018, section 5)."""

    ARCHITECTURE: ClassVar = "multitask"
    KIND: ClassVar = "lstm"

    ADDED: ClassVar = frozenset({"sizes", "samples"})

    supertags: Path
    """Sentences to learn categories from: lines of word|CATEGORY or word|POS|CATEGORY, CCGbank's .auto, or a folder of
    such files."""
    supertag_sections: SectionRanges = ""
    """Only these sections of supertags in numbered folders, such as 2-21."""
    valid_supertags: Path
    """Held-out sentences with categories."""
    test_supertags: Annotated[Path | None, Flag(changes_results=False)] = None
    """Sentences to tag with the best weights at the end."""
    weight: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 1.0
    """Weight of the tagging loss in the sum; 0: the single-task twin."""


class OnLstmSpec(Series, WordModelSpec):
    """An ON-LSTM language model (Shen et al. 2019)."""

    ARCHITECTURE: ClassVar = "on-lstm"
    KIND: ClassVar = "on-lstm"

    preset: Annotated[Literal["shen", "small"], PRESET] = "shen"
    """`shen`: 3x1150 of Shen et al. 2019. `small`: 2x64, for first steps. Other options override it."""
    embedding: Count = 400
    """Width of the embedding and of the last layer."""
    width: Count = 1150
    """Units of the other layers."""
    layers: Count = 3
    """Number of layers."""
    chunk: Count = 10
    """Units that share a master gate."""
    tied: Annotated[bool, Flag("--tied/--untied")] = True
    """Whether the embedding is also the output projection."""
    word_dropout: Share = 0.1
    """Dropout of whole words of the embedding, everywhere in a batch (Gal and Ghahramani 2016)."""
    input_dropout: Share = 0.5
    """Dropout on the input of the first layer; the same units for all words of a text, as for the next two."""
    layer_dropout: Share = 0.3
    """Dropout between the layers."""
    output_dropout: Share = 0.45
    """Dropout on the last layer."""
    weight_dropout: Share = 0.45
    """Dropout of recurrent weights, the same for a whole batch (Merity et al. 2018)."""
    dropout_scale: Annotated[float, Field(ge=0)] = 1.0
    """Factor that multiplies all kinds of dropout."""

    PRESETS: ClassVar = {
        # Shen et al. 2019, section 5.1 (and Hu et al. 2020, Table 2): 3x1150, embedding 400, also the width of the last
        # layer, chunks of 10, tied, trained as Merity et al. 2018; the rest is in the command and defaults of its code:
        # learning rate 30, clipping 0.25, batch 20, steps 70, weight decay 1.2e-6, AR 2, TAR 1, 1000 epochs. That code
        # does not stop early; Hu et al. 2020 trained until convergence.
        "shen": {
            "steps": 70, "random_lengths": True, "activation_penalty": 2.0, "temporal_penalty": 1.0,
            "budget": "1000 epochs", "optimizer": "nt-asgd", "learning_rate": 30.0, "schedule": "constant",
            "weight_decay": 1.2e-6, "patience": 5,
        },
        "small": {
            "embedding": 64, "width": 64, "layers": 2, "chunk": 8, "word_dropout": 0.0, "input_dropout": 0.1,
            "layer_dropout": 0.1, "output_dropout": 0.1, "weight_dropout": 0.1, "batch": 16, "steps": 20,
            "budget": "5 epochs", "optimizer": "adam", "learning_rate": 5e-3, "clip": 1.0,
        },
    }  # fmt: skip


class Gpt2Spec(Series, ContextBatching, TextSpec):
    """A GPT-2 from scratch, on words or sub-words."""

    ARCHITECTURE: ClassVar = "gpt2"
    KIND: ClassVar = "gpt2"

    preset: Annotated[Literal["small", "hu", "tiny"], PRESET] = "small"
    """`small`: 4x256, 8,000 sub-words. `hu`: 12x768 of Hu et al. 2020. `tiny`: 2x32, for first steps. Other options
    override it."""
    vocabulary: Annotated[str, Flag(metavar="bpe|words|FILE")] = "bpe"
    """`bpe`: sub-words learned from the corpus (`vocabulary_size` of them). `words`: its words. FILE: a tokenizer.json
    or a vocabulary.json."""
    end_symbol: str | None = None
    """Symbol of a given tokenizer that separates sentences."""
    width: Count = 256
    """Units per layer."""
    layers: Count = 4
    """Number of layers."""
    heads: Count = 4
    """Attention heads per layer."""
    dropout: Share = 0.1
    """Share of units that are dropped in an update."""

    PRESETS: ClassVar = {
        # For corpora of some million words and a CPU: 4x256, AdamW, warm-up and cosine as in Radford et al. 2018.
        "small": {
            "vocabulary_size": 8_000, "budget": "5 epochs", "optimizer": "adamw", "learning_rate": 1e-3,
            "schedule": "cosine", "warmup": 200, "clip": 1.0, "weight_decay": 0.01,
        },
        # Hu et al. 2020, Tables 2 and 3: 12x768, 124.4 million parameters with GPT-2's own 50,257 sub-words (footnote
        # 6; their tokenizer.json is given as `vocabulary`), until the validation perplexity converges. The paper has no
        # more; the rest is the default of train.py in the authors' code (cpllab/gpt-2, after nshepperd/gpt-2): Adam at
        # 2e-5, one context of 1,024 tokens at a time, no dropout, no clipping.
        "hu": {
            "vocabulary_size": 50_257, "width": 768, "layers": 12, "heads": 12, "dropout": 0.0, "batch": 1,
            "steps": 1024, "optimizer": "adam", "learning_rate": 2e-5, "schedule": "constant", "clip": None,
            "patience": 5,
        },
        "tiny": {
            "vocabulary_size": 300, "width": 32, "layers": 2, "heads": 2, "batch": 8, "steps": 32, "budget": "5 epochs",
            "optimizer": "adamw", "learning_rate": 1e-2, "schedule": "constant", "clip": 1.0,
        },
    }  # fmt: skip

    @property
    def tokenizer_file(self) -> Path | None:
        """The file of a given tokenizer; None where the tokens come from the corpus."""
        given = None if self.vocabulary in ("bpe", "words") else Path(self.vocabulary)
        return given / "tokenizer.json" if given is not None and given.is_dir() else given

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Self:
        """Build a specification; the presets' sizes are of sub-words that are learned, and no others."""
        learned = fields.get("vocabulary", "bpe") == "bpe"
        return super().from_fields(fields if learned else {"vocabulary_size": None, **fields})


class RnngSpec(Series, RecurrentShape, UnaryChains, VocabularyChoice, WordSplitting, NeuralSpec):
    """An RNNG (Dyer et al. 2016): a model that builds trees word by word."""

    ARCHITECTURE: ClassVar = "rnng"
    KIND: ClassVar = "rnng"

    preset: Annotated[Literal["hu", "small"], PRESET] = "hu"
    """`hu`: 2x256 of Hu et al. 2020. `small`: 1x64, for first steps. Other options override it."""
    ADDED: ClassVar = frozenset({"sizes", "samples"})

    treebank: Files
    """Trees to train on, in brackets as in the Penn Treebank: a file, or a folder of files; may be repeated."""
    sections: SectionRanges = ""
    """Only these sections of a treebank in numbered folders, such as 2-21."""
    tags: Literal["drop", "absent"] = "drop"
    """`drop`: leave out parts of speech. `absent`: the treebank has none."""
    batch: Count = 512
    """Approximate number of words per batch."""
    open_limit: Annotated[int, Field(ge=1, le=DEEPEST)] = 100
    """Maximum number of constituents that are open at once."""
    chain_limit: Count = 8
    """Maximum number of constituents opened directly in a row."""

    PRESETS: ClassVar = {
        # Hu et al. 2020, Table 2: 2x256, embedding 256; dropout 0.3 as Dyer et al. 2016. Those learned from one tree at
        # a time by SGD at 0.1; we learn from batches (of 512 words, small because treebanks are), with Adam at 0.001,
        # halved when a validation is no better, and gradients clipped at 5.
        "hu": {"dropout": 0.3, "optimizer": "adam", "learning_rate": 1e-3, "factor": 2.0, "clip": 5.0, "patience": 4},
        "small": {
            "width": 64, "layers": 1, "dropout": 0.1, "batch": 256, "budget": "5 epochs", "optimizer": "adam",
            "learning_rate": 5e-3, "clip": 5.0,
        },
    }  # fmt: skip


SPECS: Mapping[str, type[TrainSpec]] = {
    spec.ARCHITECTURE: spec for spec in (NgramSpec, LstmSpec, Gpt2Spec, MultitaskSpec, OnLstmSpec, RnngSpec)
}
"""The specification of each architecture, by name."""
