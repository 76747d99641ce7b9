"""Specifications of what can be done with corpora before a training: measure them, draw samples, normalise trees."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from gardenpath.errors import InputError
from gardenpath.io.sizes import Size, Sizes
from gardenpath.io.spec import Flag
from gardenpath.training.specs.parts import (
    AnyLayout,
    Count,
    LetterCase,
    Seeded,
    TextLayout,
    UnaryChains,
    VocabularyChoice,
    WordSplitting,
    as_list,
)
from gardenpath.training.specs.sections import SectionRanges

OptionalFiles = Annotated[tuple[Path, ...], BeforeValidator(as_list)]


class CorpusStatisticsSpec(VocabularyChoice, LetterCase, WordSplitting, AnyLayout):
    """How corpora are measured."""


class CorpusCountSpec(LetterCase, WordSplitting, TextLayout):
    """Which words and sequences of words are counted, and how the text is read."""

    patterns: Annotated[tuple[str, ...], Field(min_length=1), Flag("--pattern")]
    """Words to count; may be repeated. `|` separates alternatives, `*` matches any word: 'hurt himself|herself'."""


class SamplingRule(Seeded):
    """How sentences are drawn from a corpus."""

    block: Count = 1
    """Number of neighbouring sentences drawn together, like the sections of Hu et al. (2020)."""
    held_out: Size = 0
    """First draw a validation and a test set of this many tokens each, which no sample contains."""
    samples: Count = 1
    """Number of independent series of samples; in a series, each sample contains all smaller ones (BLiMP, 6.3: 5)."""


class SampleChoice(SamplingRule):
    """Which samples are drawn from a corpus."""

    sizes: Annotated[Sizes, Flag(metavar="SIZES", as_text=True)]
    """Token budgets, such as 125k,250k,1/2M,1M; a sample has as many random sentences as fit into its budget."""


class CorpusSampleSpec(WordSplitting, AnyLayout, SampleChoice):
    """Which samples are drawn from a corpus, and where they are written."""

    out: Annotated[Path, Flag("--out", "-o", changes_results=False)]
    """Folder for the samples."""


class PreparedCorpusSpec(LetterCase, WordSplitting, TextLayout, SamplingRule):
    """A corpus that several trainings share: its samples, and what is held out from all of them."""

    text: OptionalFiles = ()
    """Texts to draw from; they are concatenated."""
    treebank: OptionalFiles = ()
    """Treebanks to draw from instead: files, or folders of files; they are concatenated."""
    sections: SectionRanges = ""
    """Only these sections of a treebank in numbered folders, such as 2-21."""
    sizes: Annotated[Sizes | None, Flag(metavar="SIZES", as_text=True)] = None
    """Token budgets of nested samples, such as 125k,250k,1M; without them, everything not held out is one sample."""
    valid: Path | None = None
    """A validation set of the same kind (text or treebank), instead of a held-out one."""
    test: Path | None = None
    """A test set of the same kind (text or treebank), instead of a held-out one."""

    @model_validator(mode="after")
    def check_sources(self) -> Self:
        """Refuse no source, two of them, and choices that have no effect."""
        if bool(self.text) == bool(self.treebank):
            both = "both text and treebank are given" if self.text else "neither text nor treebank is given"
            raise InputError(f"a corpus is drawn from texts or from treebanks: {both}; give one of the two")
        if self.text and self.sections:
            raise InputError(f"sections {self.sections}: texts have no sections; name a treebank, or leave them out")
        if self.sizes is None and self.samples > 1:
            raise InputError(f"{self.samples} samples: of which sizes? Give them as sizes, such as 125k,250k,500k")
        if self.valid and self.test and self.held_out:
            raise InputError(f"held_out is {self.held_out:,}, but valid and test are given as files; leave out either")
        return self


class TreebankSpec(UnaryChains):
    """How the trees of a treebank are normalised."""

    tags: Literal["drop", "keep", "absent"] = "drop"
    """Parts of speech: `drop` or `keep` them; `absent`: the trees have none."""
    spelling: Literal["text", "penn"] = "text"
    """Spelling of brackets and slashes in words: ( or -LRB-."""
    sections: SectionRanges = ""
    """Only these sections of a treebank in numbered folders, such as 2-21."""


class TemplateTreesSpec(Seeded):
    """Which trees of templates are written."""

    out: Annotated[Path, Flag("--out", "-o", changes_results=False)]
    """File for the trees, one per line."""
    n: Annotated[int | None, Field(ge=1)] = None
    """Number of trees to draw. Default: all."""
    sentences: bool = False
    """Begin with a capital letter and end with a period, whatever the template says."""


class ParseTextSpec(WordSplitting, TextLayout):
    """How the sentences of a text are parsed."""

    out: Annotated[Path, Flag("--out", "-o", changes_results=False)]
    """File for the trees, one per line."""
    parser: str = "benepar:benepar_en3"
    """benepar:MODEL or spacy:PIPELINE, which you install yourself."""
