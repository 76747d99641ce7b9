"""How generated BLiMP pairs differ from published ones: in how they are made up and, with a model, in difficulty.

    python benchmarks/blimp_makeup_compare.py                                  # make-up: 1,000 pairs of each paradigm
    python benchmarks/blimp_makeup_compare.py --only transitive passive_1      # some paradigms, and examples of them
    python benchmarks/blimp_makeup_compare.py --model smollm2 --n 100          # accuracies, too

The published side is a folder of BLiMP files or a table of shares such as facts/blimp_makeup.md. Distances are total
variation over the words that the published side lists and all others as one; 0 to 1.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gardenpath.runs.score import score
from gardenpath.suites.catalog import find_suites
from gardenpath.suites.suite import Suite
from gardenpath.suites.templates.template import ItemSample

SHARED = Path(__file__).parents[2] / "shared"
POSITIVE = "is are was were has have had do does did can could will would should might may must"
NEGATIVE = (
    "isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't didn't can't couldn't won't wouldn't shouldn't"
)
AUXILIARIES = frozenset(f"{POSITIVE} {NEGATIVE}".split())
LOCAL = "about at to of with for from in on over like up around through before after into behind by near"
PREPOSITIONS = frozenset(LOCAL.split())
LISTED = 0.02
"""The share from which a word is listed on its own."""

SHARES = ("unequal", "negation", "preposition", "relative", "name")
OUTLIERS = 10


@dataclass(frozen=True, slots=True)
class Makeup:
    """What the good sentences of a paradigm are made of; shares are between 0 and 1."""

    length: float
    shares: Mapping[str, float]
    types: int
    first: Mapping[str, float]
    auxiliaries: Mapping[str, float]


def count_makeup(pairs: Sequence[tuple[str, str]]) -> Makeup:
    """Count pairs of sentences."""
    good, bad = ([re.findall(r"[A-Za-z'’-]+", pair[side]) for pair in pairs] for side in (0, 1))
    n = len(pairs)
    lower = [[word.lower() for word in sentence] for sentence in good]
    negative = [any(w.endswith("n't") or w in ("not", "no", "never") for w in sentence) for sentence in lower]
    shares = {
        "unequal": sum(len(one) != len(other) for one, other in zip(good, bad, strict=True)) / n,
        "negation": sum(negative) / n,
        "preposition": sum(sentence[-1] in PREPOSITIONS for sentence in lower) / n,
        "relative": sum(not {"that", "who", "which"}.isdisjoint(sentence[1:]) for sentence in lower) / n,
        "name": sum(any(word[0].isupper() for word in sentence[1:]) for sentence in good) / n,
    }
    first = Counter(sentence[0] for sentence in good)
    auxiliaries = Counter(word for sentence in lower for word in sentence if word in AUXILIARIES)
    return Makeup(
        length=sum(map(len, good)) / n,
        shares=shares,
        types=len({word.lower() for sentence in good + bad for word in sentence}),
        first={word: count / n for word, count in first.items()},
        auxiliaries={word: count / n for word, count in auxiliaries.items()},
    )


def read_published(path: Path) -> dict[str, Makeup]:
    """Read how published paradigms are made up: from a folder of pairs, or from a Markdown table."""
    if path.is_dir():
        return {suite.name: count_makeup(pairs_of(suite)) for suite in find_suites(str(path))}
    rows = [line.split("|")[1:-1] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    wide = [[cell.strip() for cell in row] for row in rows if len(row) == 10 and row[0].strip() != "paradigm"]
    return {row[0]: parse_row(row) for row in wide}


def parse_row(row: Sequence[str]) -> Makeup:
    """Parse a row of the table of facts."""
    first, auxiliaries = (
        {word: int(share) / 100 for word, share in re.findall(r"(\S+) (\d+)", cell)} for cell in row[8:10]
    )
    shares = dict(zip(SHARES, (int(cell) / 100 for cell in row[2:7]), strict=True))
    return Makeup(float(row[1]), shares, int(row[7]), first, auxiliaries)


def distance(published: Mapping[str, float], generated: Mapping[str, float], total: float | None) -> float:
    """Return the total variation between two distributions over the published words, and all others as one.

    Without a total (auxiliaries, of which a sentence has several or none) only the listed words are compared.
    """
    listed = {word: share for word, share in published.items() if share >= LISTED}
    same = {word: generated.get(word, 0.0) for word in listed}
    if total is not None:
        listed[""], same[""] = total - sum(listed.values()), total - sum(same.values())
    if not sum(listed.values()) or not sum(same.values()):
        return float(bool(sum(listed.values())) != bool(sum(same.values())))
    ratio = [listed[word] / sum(listed.values()) - same[word] / sum(same.values()) for word in listed]
    return sum(map(abs, ratio)) / 2


def pairs_of(suite: Suite) -> list[tuple[str, str]]:
    """Return the pairs of a suite: the good sentence, then the bad one."""
    return [(item.sentences["good"].text, item.sentences["bad"].text) for item in suite.items]


def print_makeup(published: Mapping[str, Makeup], generated: Mapping[str, Makeup]) -> None:
    """Print distances and differences in percentage points of each paradigm, and their means."""
    print(f"{'paradigm':52} {'first':>6} {'aux':>6} {'length':>7} {'types':>6}", *(f"{s:>12}" for s in SHARES))
    rows = []
    for name, ours in generated.items():
        theirs = published[name]
        distances = distance(theirs.first, ours.first, 1.0), distance(theirs.auxiliaries, ours.auxiliaries, None)
        differences = [100 * (ours.shares[share] - theirs.shares[share]) for share in SHARES]
        rows.append([*distances, ours.length - theirs.length, ours.types - theirs.types, *differences])
        flags = ["*" if abs(d) > 15 else " " for d in differences]
        cells = [f"{d:+11.0f}{flag}" for d, flag in zip(differences, flags, strict=True)]
        first, auxiliary, length, types = rows[-1][:4]
        print(f"{name:52} {first:6.2f} {auxiliary:6.2f} {length:+7.1f} {types:+6.0f}", *cells)
    first, auxiliary, length, types, *means = np.mean(rows, axis=0)
    cells = [f"{value:+11.1f} " for value in means]
    print(f"{'mean':52} {first:6.2f} {auxiliary:6.2f} {length:+7.1f} {types:+6.0f}", *cells)


def accuracies(pairs: Mapping[str, Sequence[tuple[str, str]]], model: str) -> dict[str, float]:
    """Return the share of pairs of each paradigm whose good sentence has fewer bits; a tie is one half."""
    texts = list(dict.fromkeys(text for suite in pairs.values() for pair in suite for text in pair))
    bits = dict(zip(texts, score(model, texts).sentences()["bits"], strict=True))
    return {
        name: float(np.mean([(np.sign(bits[bad] - bits[good]) + 1) / 2 for good, bad in suite]))
        for name, suite in pairs.items()
    }


def reliability(values: Iterable[float], sizes: Iterable[int]) -> float:
    """Return 1 − mean(p(1−p)/n) / variance: the share of the variance of accuracies that is not sampling noise."""
    p = np.array(list(values))
    return float(1 - np.mean(p * (1 - p) / np.array(list(sizes))) / np.var(p, ddof=1))


def print_accuracies(
    published: Mapping[str, Sequence[tuple[str, str]]], generated: Mapping[str, Sequence[tuple[str, str]]], model: str
) -> None:
    """Print how the accuracies of a model on both sides agree, and where they do not."""
    theirs, ours = accuracies(published, model), accuracies(generated, model)
    names = list(ours)
    x, y = np.array([theirs[name] for name in names]), np.array([ours[name] for name in names])
    reliabilities = [reliability(v, [len(side[n]) for n in names]) for v, side in ((x, published), (y, generated))]
    r = float(np.corrcoef(x, y)[0, 1])
    print(
        f"r {r:.3f}, corrected for sampling noise {r / np.prod(reliabilities) ** 0.5:.3f} over {len(names)} paradigms"
    )
    print(f"mean published {x.mean():.3f}, generated {y.mean():.3f}, difference {100 * (y - x).mean():+.1f} points")
    order = np.argsort(-np.abs(y - x))
    for rank, index in enumerate(order if len(order) <= OUTLIERS else order[:OUTLIERS], start=1):
        print(f"{rank:3}. {names[index]:52} published {x[index]:.2f}, generated {y[index]:.2f}")
    print(*(f"{name}\t{theirs[name]:.3f}\t{ours[name]:.3f}" for name in names), sep="\n", file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--makeup", type=Path, default=SHARED / "facts" / "blimp_makeup.md", help="shares, or a folder")
    parser.add_argument("--published", type=Path, default=SHARED / "data" / "blimp", help="pairs that a model scores")
    parser.add_argument("--only", nargs="+", default=[], help="paradigms; all if there are none")
    parser.add_argument("--n", type=int, default=1000, help="generated pairs of each")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--model", help="compare accuracies of this model, too")
    options = parser.parse_args()
    names = [f"blimp/{name}" for name in options.only] or ["blimp"]
    suites = [suite for name in names for suite in find_suites(name, draw=ItemSample(options.n, options.seed))]
    generated = {suite.name.removeprefix("blimp/"): pairs_of(suite) for suite in suites}
    print_makeup(read_published(options.makeup), {name: count_makeup(pairs) for name, pairs in generated.items()})
    for name in options.only:
        print(f"\n{name}", *(f"  {good}  |  {bad}" for good, bad in generated[name][:12]), sep="\n")
    if options.model:
        published = {suite.name: pairs_of(suite) for suite in find_suites(str(options.published))}
        print_accuracies({name: published[name] for name in generated}, generated, options.model)


if __name__ == "__main__":
    main()
