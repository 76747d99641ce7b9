"""Specifications of what can be done with corpora before a training: measure them, draw samples, normalise trees."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from gardenpath.io.spec import Flag
from gardenpath.training.specs.parts import (
    Count,
    LetterCase,
    Seeded,
    TextLayout,
    UnaryChains,
    VocabularyChoice,
    WordSplitting,
)
from gardenpath.training.specs.sizes import Size, Sizes


class CorpusStatisticsSpec(VocabularyChoice, LetterCase, WordSplitting, TextLayout):
    """How corpora are measured."""


class CorpusCountSpec(LetterCase, WordSplitting, TextLayout):
    """Which words and sequences of words are counted, and how the text is read."""

    patterns: Annotated[tuple[str, ...], Field(min_length=1), Flag("--pattern")]
    """Words to count; may be repeated. `|` stands between alternatives, `*` for any word: 'hurt himself|herself'."""


class SampleChoice(Seeded):
    """Which samples are drawn from a corpus."""

    sizes: Annotated[Sizes, Flag(metavar="SIZES", as_text=True)]
    """Token budgets, such as 125k,250k,1/2M,1M; a sample has as many random sentences as its budget holds."""
    samples: Count = 1
    """Independent series of samples; in one, every smaller sample is part of every larger one (BLiMP, 6.3: 5)."""
    block: Count = 1
    """Neighbouring sentences that are drawn together, as the sections of Hu et al. (2020) are."""
    held_out: Size = 0
    """First draw a validation and a test set of so many tokens each, apart from all samples."""


class CorpusSampleSpec(WordSplitting, TextLayout, SampleChoice):
    """Which samples are drawn from a corpus, and where they are written."""

    out: Annotated[Path, Flag("--out", "-o", changes_results=False)]
    """Folder for the samples."""


class TreebankSpec(UnaryChains):
    """How the trees of a treebank are normalised."""

    tags: Literal["drop", "keep", "absent"] = "drop"
    """Parts of speech: leave them out, keep them, or the trees have none."""
    spelling: Literal["text", "penn"] = "text"
    """Of brackets and slashes in words: ( or -LRB-."""


class TemplateTreesSpec(Seeded):
    """Which trees of templates are written."""

    out: Annotated[Path, Flag("--out", "-o", changes_results=False)]
    """File for the trees, one per line."""
    n: Annotated[int | None, Field(ge=1)] = None
    """Draw so many trees; all without it."""
    sentences: bool = False
    """Begin with a capital letter and end with a period, whatever the template says."""


class ParseTextSpec(WordSplitting, TextLayout):
    """How the sentences of a text are parsed."""

    out: Annotated[Path, Flag("--out", "-o", changes_results=False)]
    """File for the trees, one per line."""
    parser: str = "benepar:benepar_en3"
    """benepar:MODEL or spacy:PIPELINE, which you install yourself."""
