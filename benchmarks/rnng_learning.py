"""How fast an RNNG learns, by the ranges of its first projections and by the order of trees in batches.

python benchmarks/rnng_learning.py [--size small preset] [--start before scaled one] [--order length random]
                                   [--seeds 0 1 2] [--updates N] [--beam 100/10/1] [--treebank FILE] [--out results.tsv]

`before`: the projection to words begins within 0.1, that to actions within 1/√width, as in earlier versions. `scaled`:
both within 3/√width, as `gardenpath train rnng` begins. `one`: both within 1, as embeddings.

`small`: 2x128 on 1,500 trees of 4 to 14 words, 10 epochs. `preset`: 2x256 as `--preset hu` on the trees of 2 to 40
words, 300 updates (three quarters of an epoch). Both: batches of 512 words, Adam at 0.001, dropout 0.3, gradients
clipped at 5, one thread. Trees, vocabulary and number of updates are the same in every row of a size. A row has, of
test trees that were not seen: `words`, the perplexity of words alone, summed over the parses of the beam (60
sentences, the end included); `joint`, that of trees with their words; `given`, that of words given the true trees.
Words per second are of processor time: the wall clock counts on a quiet machine only.
"""

import argparse
import math
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from gardenpath.models.trained.rnng.model import RnngModel, describe_rnng
from gardenpath.models.trained.rnng.module import EMBEDDING_RANGE, PROJECTION_RANGE, Rnng, RnngOptions
from gardenpath.models.trained.rnng.options import parse_beam
from gardenpath.text.vocabulary import Vocabulary, VocabularyTokenizer
from gardenpath.training.corpora.treebank import TreeCorpus, encode_treebank, survey, words_of
from gardenpath.training.corpora.word_counts import vocabulary_of
from gardenpath.training.specs.parts import VocabularyChoice
from gardenpath.training.tasks.tree_batches import BatchOrder, TreeBatches
from gardenpath.training.tasks.tree_loss import TreeMeasures, measure_tree_loss, tree_loss
from gardenpath.trees.brackets import read_placed_trees, write_trees
from gardenpath.trees.normalise import TreeOptions
from gardenpath.trees.transitions import Labels, labels_of
from rnng_training import TREEBANK

BATCH_WORDS, VALIDATION_WORDS = 512, 2048
SEARCHED = 60
"""Test sentences that the beam searches."""
STARTS = {
    "before": lambda width: (0.1, width**-0.5),
    "scaled": lambda width: (PROJECTION_RANGE * width**-0.5,) * 2,
    "one": lambda _: (EMBEDDING_RANGE,) * 2,
}
"""The ranges of the projections to words and to actions."""
COLUMNS = ("size", "start", "order", "seed", "updates", "words", "joint", "given", "words/s")


@dataclass(frozen=True, slots=True)
class Size:
    """A model and the trees it learns from."""

    shortest: int
    longest: int
    training: slice
    """Of the trees of such lengths, in random order."""
    test: slice
    width: int
    updates: int


SIZES = {
    "small": Size(4, 14, slice(1500), slice(1800, 2000), 128, 260),
    "preset": Size(2, 40, slice(-600), slice(-120, -60), 256, 300),
}


@dataclass(frozen=True, slots=True)
class Data:
    """Encoded trees."""

    vocabulary: Vocabulary
    labels: Labels
    training: TreeCorpus
    test: TreeCorpus


def draw_treebanks(path: Path, folder: Path) -> dict[str, Data]:
    """Draw the trees of every size, always the same ones."""
    trees = [placed.tree for placed in read_placed_trees(path)]
    lengths = [len(words_of(tree, TreeOptions())) for tree in trees]
    rng = random.Random(0)
    found = {}
    for name, size in SIZES.items():
        chosen = [tree for tree, n in zip(trees, lengths, strict=True) if size.shortest <= n <= size.longest]
        rng.shuffle(chosen)
        training, test = folder / f"{name}.train.mrg", folder / f"{name}.test.mrg"
        write_trees(training, chosen[size.training])
        write_trees(test, chosen[size.test])
        counts = survey(training)
        vocabulary, labels = vocabulary_of(counts.words, VocabularyChoice()), labels_of(counts.labels)
        corpora = (encode_treebank(file, vocabulary, labels, leave_out=True) for file in (training, test))
        found[name] = Data(vocabulary, labels, *corpora)
    return found


def build_module(data: Data, width: int, *, start: str, seed: int) -> Rnng:
    """An RNNG with the first weights of one of STARTS."""
    torch.manual_seed(seed)
    shape = RnngOptions(
        len(data.vocabulary), len(data.labels.names), width, width, 2, 0.3, tied=False, open_limit=100, chain_limit=8
    )
    module = Rnng(shape)
    for head, limit in zip((module.word_head, module.action_head), STARTS[start](width), strict=True):
        nn.init.uniform_(head.weight, -limit, limit)
    torch.manual_seed(seed)
    return module.train()


def train(module: Rnng, data: Data, *, order: BatchOrder, updates: int, seed: int) -> float:
    """Make so many updates; the words per second of processor time."""
    optimizer = torch.optim.Adam(module.parameters(), lr=1e-3, fused=True)
    begin, words, done, epoch = time.process_time(), 0, 0, 0
    while done < updates:
        batches = TreeBatches(data.training, module.options, words=BATCH_WORDS, seed=(seed, epoch), order=order)
        for number in range(min(len(batches), updates - done)):
            loss = tree_loss(module, batches[number])
            optimizer.zero_grad()
            loss.per_word.backward()
            nn.utils.clip_grad_norm_(module.parameters(), 5.0)
            optimizer.step()
            words += loss.n_words
            done += 1
        epoch += 1
    return words / (time.process_time() - begin)


def test_perplexities(module: Rnng, data: Data, beam: str) -> tuple[float, float, float]:
    """Perplexities per word of the words alone, of trees with words, and of words given the true trees."""
    module.eval()
    batches = TreeBatches(data.test, module.options, words=VALIDATION_WORDS, seed=None)
    found = sum((measure_tree_loss(module, batches[number]) for number in range(len(batches))), start=TreeMeasures())
    search = parse_beam(beam)
    card = describe_rnng("trained", module, search, fingerprint="")
    model = RnngModel(card, VocabularyTokenizer(data.vocabulary, "blanks"), module, search)
    sentences = [data.test.sentence(index)[0].tolist() for index in range(SEARCHED)]
    bits = sum(parse.sentence_bits for parse in model.parse(sentences))
    joint, given = (nats / found.n_words for nats in (found.joint, found.joint - found.actions))
    return 2 ** (bits / sum(map(len, sentences))), math.exp(joint), math.exp(given)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebank", type=Path, default=TREEBANK)
    parser.add_argument("--size", nargs="+", choices=list(SIZES), default=list(SIZES))
    parser.add_argument("--start", nargs="+", choices=list(STARTS), default=list(STARTS))
    parser.add_argument("--order", nargs="+", choices=["length", "random"], default=["length", "random"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--updates", type=int, help="of every training; by default those of the size")
    parser.add_argument("--beam", default="100/10/1")
    parser.add_argument("--out", type=Path, help="a file to which the rows are added")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        treebanks = draw_treebanks(arguments.treebank, Path(folder))
    print(*COLUMNS, sep="\t")
    trials = (
        (name, start, order, seed)
        for name in arguments.size for seed in arguments.seeds
        for start in arguments.start for order in arguments.order
    )  # fmt: skip
    for name, start, order, seed in trials:
        data, updates = treebanks[name], arguments.updates or SIZES[name].updates
        module = build_module(data, SIZES[name].width, start=start, seed=seed)
        speed = train(module, data, order=order, updates=updates, seed=seed)
        found = test_perplexities(module, data, arguments.beam)
        row = "\t".join(
            map(str, (name, start, order, seed, updates, *(f"{value:.2f}" for value in found), f"{speed:.0f}"))
        )
        print(row, flush=True)
        if arguments.out is not None:
            with arguments.out.open("a", encoding="utf-8") as file:
                file.write(row + "\n")


if __name__ == "__main__":
    main()
