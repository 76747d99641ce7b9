"""The specification of a generated corpus."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from gardenpath.io.sizes import Size
from gardenpath.io.spec import Flag
from gardenpath.training.specs.parts import Count, Seeded, Share


class GeneratedCorpusSpec(Seeded):
    """Which language is generated, how much of it, and where it is written."""

    words: Size
    """Number of words to generate, such as 60k; punctuation counts, and the last sentence is completed."""
    suites: Annotated[tuple[str, ...], Field(min_length=1), Flag("--suite")]
    """Suites whose words the language uses: names, collections or files; may be repeated."""
    sample: Count | None = None
    """Use only the words of this many items of every suite, drawn as by `gardenpath run --sample`."""
    held_out_pairs: Share = 0.0
    """Share of the pairs of a noun and a present-tense verb that never occur as subject and verb."""
    out: Annotated[Path, Flag("--out", "-o", changes_results=False)]
    """File for the trees, one per line, in brackets as in the Penn Treebank."""
    text: Annotated[Path | None, Flag(changes_results=False)] = None
    """File for the sentences, one per line."""
    supertags: Annotated[Path | None, Flag(changes_results=False)] = None
    """File for the words with their categories, word|CATEGORY, for `train multitask`."""
    pairs: Annotated[Path | None, Flag(changes_results=False)] = None
    """File (.tsv) for minimal pairs made from the held-out pairs, a suite for `gardenpath run`."""
