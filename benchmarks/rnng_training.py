"""Training an RNNG of 2x256 on a treebank: words per second and memory.

python benchmarks/rnng_training.py [--treebank FILE] [--words 2048] [--batches 20] [--threads 2] [--repeats 3]

Wall-clock time counts on a quiet machine only; words per second of processor time stand beside it, since they depend
less on what else is running. The optimizer (Adam, fused) and the clipping of gradients are part of every update.
"""

import argparse
import resource
import time
from dataclasses import dataclass
from pathlib import Path

import torch

from gardenpath.models.trained.rnng.module import Rnng, RnngOptions
from gardenpath.training.corpora.treebank import encode_treebank, survey
from gardenpath.training.corpora.word_counts import vocabulary_of
from gardenpath.training.specs.parts import VocabularyChoice
from gardenpath.training.tasks.tree_batches import TreeBatches
from gardenpath.training.tasks.tree_loss import tree_loss
from gardenpath.trees.transitions import labels_of
from quiet import wait_for_quiet

TREEBANK = Path(__file__).parents[2] / "shared" / "data" / "treebank" / "gum.mrg"


@dataclass(frozen=True, slots=True)
class Cost:
    """What some updates took."""

    words: int
    wall: float
    processor: float


def measure(module: Rnng, optimizer: torch.optim.Optimizer, batches: TreeBatches, numbers: range) -> Cost:
    """Some updates, from sentences to weights."""
    wall, processor, words = time.perf_counter(), time.process_time(), 0
    for number in numbers:
        loss = tree_loss(module, batches[number])
        optimizer.zero_grad()
        loss.per_word.backward()
        torch.nn.utils.clip_grad_norm_(module.parameters(), 5.0)
        optimizer.step()
        words += loss.n_words
    return Cost(words, time.perf_counter() - wall, time.process_time() - processor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--treebank", type=Path, default=TREEBANK)
    parser.add_argument("--words", type=int, default=2048, help="words per batch")
    parser.add_argument("--batches", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(0)
    found = survey(arguments.treebank)
    vocabulary, labels = vocabulary_of(found.words, VocabularyChoice()), labels_of(found.labels)
    corpus = encode_treebank(arguments.treebank, vocabulary, labels)
    module = Rnng(
        RnngOptions(len(vocabulary), len(labels.names), 256, 256, 2, 0.3, tied=False, open_limit=100, chain_limit=8)
    )
    optimizer = torch.optim.Adam(module.parameters(), lr=1e-3, fused=True)
    batches = TreeBatches(corpus, module.options, words=arguments.words, seed=(0,))
    weights = sum(map(torch.numel, module.parameters())) / 1e6
    print(
        f"{arguments.treebank.name}: {len(corpus):,} sentences, {len(corpus.words):,} words, "
        f"{len(labels.names)} labels, vocabulary of {len(vocabulary):,}; {weights:.1f} M weights; "
        f"batches of {arguments.words} words, {arguments.threads} threads"
    )
    measure(module, optimizer, batches, range(2))
    print(f"{'words':>10}{'seconds':>10}{'words/s':>10}{'words/s of one core':>22}{'peak MB':>10}")
    for _ in range(arguments.repeats):
        wait_for_quiet(patience=60)
        cost = measure(module, optimizer, batches, range(2, min(len(batches), 2 + arguments.batches)))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{cost.words:>10,}{cost.wall:>10.1f}{cost.words / cost.wall:>10,.0f}{cost.words / cost.processor:>22,.0f}"
            f"{peak:>10,.0f}"
        )


if __name__ == "__main__":
    main()
