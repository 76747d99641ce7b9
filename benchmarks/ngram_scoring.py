"""How many n-gram queries a second: our own reader beside KenLM on the same model, the same texts, the same trie.

python benchmarks/ngram_scoring.py DIR [--text FILE] [--repeats 3]

DIR is what `gardenpath train ngram` wrote. The queries are those of the walk, level by level: Marvin & Linzen's
sentences, and a text. Only the time inside `step` counts, processor time, as the machine may be shared and neither uses
a second thread; loading and cutting texts into words do not. KenLM is queried through
`models/ngram/kenlm_model.py`, one word at a time, as its Python package has it.
"""

import argparse
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from gardenpath.models.load import load_model
from gardenpath.models.ngram.kenlm_model import load_ngram
from gardenpath.models.prefix_tree import PrefixTree, build_tree
from gardenpath.scoring.tree import walk_tree
from gardenpath.text.vocabulary import Vocabulary
from marvin_linzen import all_pairs

TEXT = Path(__file__).parents[2] / "shared" / "data" / "text" / "wiki" / "test.txt"


class Timed:
    """A model whose steps are timed."""

    def __init__(self, model: Any) -> None:
        self.model, self.seconds = model, 0.0

    def start(self) -> Any:
        return self.model.start()

    def step(self, *arguments: Any) -> Any:
        begin = time.process_time()
        result = self.model.step(*arguments)
        self.seconds += time.process_time() - begin
        return result


@dataclass(frozen=True, slots=True)
class Rate:
    """One walk."""

    seconds: float
    bits: np.ndarray


def fastest(model: Any, tree: PrefixTree, repeats: int) -> Rate:
    """The fastest of some walks through a tree."""
    rates = []
    for _ in range(repeats):
        timed = Timed(model)
        bits = walk_tree(timed, tree)
        rates.append(Rate(timed.seconds, bits))
    return min(rates, key=lambda rate: rate.seconds)


def renumber(model: Any, vocabulary: Vocabulary, ids: np.ndarray) -> np.ndarray:
    """Map our word ids to those of the KenLM back end, which scores the same words."""
    distinct, positions = np.unique(ids, return_inverse=True)
    return np.array([model.numbering.number(vocabulary.words[word]) for word in distinct])[positions]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--text", type=Path, default=TEXT)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    begin = time.perf_counter()
    own: Any = load_model(str(arguments.folder))
    loaded = time.perf_counter()
    kenlm = load_ngram(arguments.folder / "model.arpa")
    print(f"loading: gardenpath {loaded - begin:.2f} s, KenLM {time.perf_counter() - loaded:.2f} s")
    materials = {
        "Marvin & Linzen": [text for pairs in all_pairs().values() for pair in pairs for text in pair],
        arguments.text.name: [line for line in arguments.text.read_text(encoding="utf-8").split("\n") if line.strip()],
    }
    print(f"{'':20}{'queries':>10}{'per step':>10}{'gardenpath/s':>15}{'KenLM/s':>12}{'ratio':>8}{'largest gap':>14}")
    for name, texts in materials.items():
        encoded = own.tokenizer.encode(texts)
        tree, _ = build_tree(np.split(encoded.ids, encoded.offsets[1:-1]))
        ours = fastest(own, tree, arguments.repeats)
        # The same nodes in the same order, with the words as the other back end numbers them.
        ids = renumber(kenlm, own.tokenizer.vocabulary, tree.tokens)
        theirs = fastest(kenlm, replace(tree, tokens=ids), arguments.repeats)
        gap = np.abs(ours.bits - theirs.bits).max()
        per_step = len(tree) // (int(tree.depths.max()) + 1)
        print(
            f"{name:20}{len(tree):>10,}{per_step:>10,}{len(tree) / ours.seconds:>15,.0f}"
            f"{len(tree) / theirs.seconds:>12,.0f}{theirs.seconds / ours.seconds:>8.1f}{gap:>9.1e} bits"
        )


if __name__ == "__main__":
    main()
