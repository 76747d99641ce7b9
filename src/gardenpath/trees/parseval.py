"""Agreement of two trees: precision, recall and F1 over brackets (Black et al. 1991).

Trees are compared without parts of speech (`TreeOptions(tags="drop")`). Three conventions are usual.

`EVALB` is that of the parsing literature (evalb with COLLINS.prm): labelled brackets, counted as often as they occur,
over words without punctuation; ROOT and the like do not count, PRT counts as ADVP. evalb finds punctuation by its tags;
our trees have none, so it is found by its spelling. Counts are summed over sentences before F1 is computed.

`UNLABELLED` counts the same brackets without their labels. It is at least as high as the labelled F1.

`SPANS` is that of unsupervised parsing (Shen et al. 2019, section 5.2): spans without labels, each once, without those
of one word and of the whole sentence. F1 is computed per sentence and averaged (`mean_f1`). It leaves out the brackets
that are easiest to find, so it is usually lower than the unlabelled F1, and may be lower than the labelled one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from statistics import fmean
from typing import Literal

from gardenpath.errors import InputError
from gardenpath.trees.distances import left_branching, right_branching
from gardenpath.trees.normalise import WRAPPERS
from gardenpath.trees.tree import Tree

PUNCTUATION = frozenset({",", ".", ":", ";", "?", "!", "...", "…", "--", "–", "—", "``", "''", '"', "“", "”"})
"""Words whose tags evalb skips: comma, colon, full stop, quotation marks. Hyphens and apostrophes may be words."""
EQUAL = {"PRT": "ADVP"}

Bracket = tuple[str, int, int]
"""Label and half-open span."""
BracketKind = Literal["labelled", "unlabelled", "spans"]
"""Which brackets are counted; see `COUNTED`."""
COUNTED: Mapping[BracketKind, str] = {
    "labelled": "every bracket with its label, as evalb counts: also of one word, of the whole sentence, and repeated",
    "unlabelled": "the same brackets without their labels",
    "spans": "each span once, without those of one word and of the whole sentence (unsupervised parsing)",
}
"""What is counted, in words; punctuation and ROOT never are."""


@dataclass(frozen=True, slots=True)
class Convention:
    """Which brackets count."""

    kind: BracketKind = "labelled"
    """Its name; only `labelled` compares labels."""
    repeated: bool = True
    """Whether a bracket counts as often as it occurs, or once."""
    trivial: bool = True
    """Whether brackets around one word or around the whole sentence count."""
    punctuation: frozenset[str] = PUNCTUATION
    """Words that are skipped."""

    @property
    def labelled(self) -> bool:
        """Whether labels must agree."""
        return self.kind == "labelled"


EVALB = Convention()
UNLABELLED = Convention("unlabelled")
SPANS = Convention("spans", repeated=False, trivial=False)


@dataclass(frozen=True, slots=True)
class BracketCounts:
    """Numbers of brackets of one sentence or of many."""

    matched: int = 0
    gold: int = 0
    predicted: int = 0

    def __add__(self, other: "BracketCounts") -> "BracketCounts":
        return BracketCounts(self.matched + other.matched, self.gold + other.gold, self.predicted + other.predicted)

    @property
    def precision(self) -> float:
        """Matched brackets among the predicted; NaN if nothing is predicted."""
        return self.matched / self.predicted if self.predicted else nan

    @property
    def recall(self) -> float:
        """Matched brackets among the true ones; NaN if there are none."""
        return self.matched / self.gold if self.gold else nan

    @property
    def f1(self) -> float:
        """2PR / (P + R), which is twice the matched brackets among all; NaN if there are none."""
        return 2 * self.matched / (self.gold + self.predicted) if self.gold + self.predicted else nan


def compare_brackets(gold: Tree, predicted: Tree, convention: Convention = EVALB) -> BracketCounts:
    """Count the brackets that two trees over the same words share."""
    if gold.words() != predicted.words():
        raise InputError(
            f"two trees of one sentence have different words: {' '.join(gold.words())!r} and "
            f"{' '.join(predicted.words())!r}; give trees of the same sentences in the same order"
        )
    true, guessed = brackets(gold, convention), brackets(predicted, convention)
    return BracketCounts((true & guessed).total(), true.total(), guessed.total())


def brackets(tree: Tree, convention: Convention = EVALB) -> Counter[Bracket]:
    """The brackets of a tree that count by a convention."""
    found: Counter[Bracket] = Counter()
    length = add_brackets(tree, 0, convention, found)
    if not convention.trivial:
        found = Counter({key: n for key, n in found.items() if 1 < key[2] - key[1] < length})
    return Counter(set(found)) if not convention.repeated else found


def add_brackets(tree: Tree, start: int, convention: Convention, found: Counter[Bracket]) -> int:
    """Add the brackets of a constituent that begins at the word `start`; return where it ends."""
    end = start
    for child in tree.children:
        if isinstance(child, Tree):
            end = add_brackets(child, end, convention, found)
        else:
            end += child not in convention.punctuation
    if end > start and tree.label not in WRAPPERS:
        label = EQUAL.get(tree.label, tree.label) if convention.labelled else ""
        found[label, start, end] += 1
    return end


def mean_f1(sentences: Sequence[BracketCounts]) -> float:
    """The mean of F1 over sentences; where a tree has no brackets, precision or recall is 1."""
    if not sentences:
        raise InputError("there are no sentences to average F1 over; name a treebank")
    return fmean(sentence_f1(sentence) for sentence in sentences)


def sentence_f1(sentence: BracketCounts) -> float:
    """F1 of one sentence."""
    precision = sentence.precision if sentence.predicted else 1.0
    recall = sentence.recall if sentence.gold else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


@dataclass(frozen=True, slots=True)
class TreeAccuracy:
    """Agreement of some trees with those of a treebank."""

    trees: str
    """The name of their parser."""
    brackets: BracketKind
    """Which brackets are counted."""
    precision: float
    """Over all brackets of all sentences, as recall and f1."""
    recall: float
    f1: float
    mean_f1: float
    """The mean of F1 over sentences."""


def measure_trees(gold: Sequence[Tree], found: Sequence[Tree], name: str, *, labelled: bool) -> list[TreeAccuracy]:
    """Compare a parser's trees, and then right- and left-branching ones, with the true trees.

    `labelled`: whether the parser has labels, and may have constituents of one word, so that all brackets count.
    """
    words = [tree.words() for tree in gold]
    return [
        *(compare_trees(name, gold, found, convention) for convention in (EVALB, UNLABELLED) if labelled),
        compare_trees(name, gold, found, SPANS),
        compare_trees("right branches", gold, map(right_branching, words), SPANS),
        compare_trees("left branches", gold, map(left_branching, words), SPANS),
    ]


def compare_trees(name: str, gold: Sequence[Tree], found: Iterable[Tree], convention: Convention) -> TreeAccuracy:
    """Compare trees by one convention."""
    sentences = [compare_brackets(true, guess, convention) for true, guess in zip(gold, found, strict=True)]
    total = sum(sentences, start=BracketCounts())
    return TreeAccuracy(name, convention.kind, total.precision, total.recall, total.f1, mean_f1(sentences))
