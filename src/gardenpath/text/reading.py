"""How a text file is read: where its sentences end, and how they are split into words."""

from dataclasses import dataclass
from typing import Literal

Layout = Literal["lines", "running"]
Split = Literal["penn", "blanks"]
Unknown = Literal["classes", "single"]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a text file is read."""

    layout: Layout = "lines"
    """`lines`: one sentence per line; `running`: sentences are found by rules, empty lines separate paragraphs."""
    split: Split = "penn"
    """`penn`: words by NLTK's Penn Treebank tokenizer; `blanks`: the text's own, between spaces."""
    lower: bool = False
    """Whether words are put into lower case."""
