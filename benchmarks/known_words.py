"""How many items have only known words, as packaged and filled from a vocabulary?

python benchmarks/known_words.py [--data FOLDER] [--suite NAME] [--show N]

The vocabularies are the words that occur at least twice in samples of sentences of the treebanks and texts in FOLDER
(`../shared/data`): biomedical articles (craft), mixed prose (masc and gum), an encyclopaedia (wiki) and novels. A row
per suite: the percentage of items without unknown words, as packaged and filled, for every vocabulary. --show prints
the first N items of each suite, the sentences of all conditions, to be read.
"""

import argparse
import random
import re
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from gardenpath.suites.known_words.known_words import KnownWords, read_known_words
from gardenpath.suites.load import load_suites
from gardenpath.suites.suite import Suite
from gardenpath.text.penn import penn_sentences

SAMPLES = {
    "craft 40k": (("treebank/craft.mrg",), 40_000),
    "craft 100k": (("treebank/craft.mrg",), 100_000),
    "masc+gum 40k": (("treebank/masc.mrg", "treebank/gum.mrg"), 40_000),
    "masc+gum 100k": (("treebank/masc.mrg", "treebank/gum.mrg"), 100_000),
    "wiki 100k": (("text/wiki/train.txt",), 100_000),
    "novels 100k": (("text/novels/train.txt",), 100_000),
}
LEAST_COUNT = 2
LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")


def read_sentences(path: Path) -> Iterator[list[str]]:
    """The words of every sentence of a treebank (without traces) or of a text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix == ".mrg":
        for line in lines:
            yield [word for tag, word in LEAF.findall(line) if tag != "-NONE-"]
        return
    yield from penn_sentences(lines)


def count_words(paths: Sequence[Path], size: int) -> dict[str, int]:
    """Count the words of sentences drawn at random, up to a number of tokens; rare words are left out."""
    sentences = [sentence for path in paths for sentence in read_sentences(path)]
    random.Random(1).shuffle(sentences)
    counts: Counter[str] = Counter()
    for sentence in sentences:
        if counts.total() >= size:
            break
        counts.update(sentence)
    return {word: count for word, count in counts.items() if count >= LEAST_COUNT}


def coverage(suite: Suite, known: KnownWords) -> float:
    """The share of items without unknown words."""
    texts = ([sentence.text for sentence in item.sentences.values()] for item in suite.items)
    return sum(all(map(known.knows, several)) for several in texts) / len(suite.items)


def fill_suites(name: str, path: Path) -> tuple[dict[str, Suite], list[str]]:
    """The suites of a name filled from a vocabulary, and the notes on what it lacks."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        suites = load_suites(name, vocabulary=path)
    return {suite.name: suite for suite in suites}, [str(warning.message) for warning in caught]


def print_items(suites: Mapping[str, Suite], n: int) -> None:
    """Print the first items of every suite."""
    for suite in suites.values():
        print(f"\n{suite.name}")
        for item in suite.items[:n]:
            print(*(f"  {name}: {sentence.text}" for name, sentence in item.sentences.items()), sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--suite", default="syntactic-generalization")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    packaged = {suite.name: suite for suite in load_suites(options.suite)}
    rows: dict[str, list[str]] = {name: [] for name in packaged}
    with tempfile.TemporaryDirectory() as folder:
        for label, (files, size) in SAMPLES.items():
            path = Path(folder) / f"{label.replace(' ', '-')}.txt"
            counts = count_words([options.data / file for file in files], size)
            path.write_text("".join(f"{word}\t{count}\n" for word, count in counts.items()), encoding="utf-8")
            known = read_known_words(path)
            started = time.perf_counter()
            filled, notes = fill_suites(options.suite, path)
            seconds = time.perf_counter() - started
            before = {name: coverage(suite, known) for name, suite in packaged.items()}
            after = {name: coverage(suite, known) for name, suite in filled.items()}
            for name in packaged:
                rows[name].append(f"{before[name]:.0%} {f'{after[name]:.0%}' if name in after else 'left out'}")
            enough = sum(share >= 0.9 for share in after.values())
            mean = sum(before.values()) / len(before)
            print(f"{label}: {len(counts):,} words; of packaged items {mean:.1%} are known")
            print(f"  filled in {seconds:.1f} s; {enough} of {len(packaged)} suites have at least 90 % of known items")
            print(*(f"  {note}" for note in notes), sep="\n")
            print_items(filled, options.show)
    print("\n| suite | " + " | ".join(SAMPLES) + " |\n|---" + "|---:" * len(SAMPLES) + "|")
    for name, cells in rows.items():
        print(f"| {name.rpartition('/')[2]} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
