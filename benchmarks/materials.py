"""The sentences that the benchmark scores: published pairs first, then templates, then suites of our own."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gardenpath.suites.catalog import find_suites
from marvin_linzen import all_pairs

BLIMP = Path(__file__).parents[2] / "shared" / "data" / "blimp"
KINDS = ("blimp", "marvin-linzen", "syntactic-generalization")
PAIRS = 3_000
"""Of Marvin & Linzen's 163,124."""


@dataclass(frozen=True, slots=True)
class Material:
    """Sentences, and what `gardenpath run --suite` is given to score the same ones."""

    name: str
    suite: str
    texts: list[str]


def build(kind: str, work: Path) -> Material:
    """Return the sentences of one kind, each once; files that are needed go into `work`."""
    match kind:
        case "blimp":
            lines = [json.loads(line) for path in sorted(BLIMP.glob("*.jsonl")) for line in path.open(encoding="utf-8")]
            texts = [line[side] for line in lines for side in ("sentence_good", "sentence_bad")]
            return Material("published BLiMP sample", str(BLIMP), distinct(texts))
        case "marvin-linzen":
            pairs = sample(all_pairs(), total=PAIRS, rng=random.Random(0))
            path = work / "marvin-linzen.tsv"
            path.write_text("good\tbad\n" + "".join(f"{good}\t{bad}\n" for good, bad in pairs), encoding="utf-8")
            texts = [text for pair in pairs for text in pair]
            return Material("3,000 pairs of Marvin & Linzen's templates", str(path), distinct(texts))
        case _:
            texts = [sentence.text for suite in find_suites(kind) for _, sentence in suite.trials()]
            return Material(f"our own suites: {kind}", kind, distinct(texts))


def distinct(texts: Sequence[str]) -> list[str]:
    """Every text once: no tool should win by being given the same sentence twice."""
    return list(dict.fromkeys(texts))


def sample(cases: Mapping[str, Sequence[tuple[str, str]]], *, total: int, rng: random.Random) -> list[tuple[str, str]]:
    """`total` pairs, from every case in proportion to its size, in the order of enumeration."""
    sizes = quotas([len(pairs) for pairs in cases.values()], total)
    return [
        pairs[index]
        for pairs, size in zip(cases.values(), sizes, strict=True)
        for index in sorted(rng.sample(range(len(pairs)), size))
    ]


def quotas(sizes: Sequence[int], total: int) -> list[int]:
    """Shares of `total` in proportion to sizes; the largest remainders are rounded up."""
    shares = [total * size / sum(sizes) for size in sizes]
    by_remainder = sorted(range(len(shares)), key=lambda index: int(shares[index]) - shares[index])
    rounded_up = set(by_remainder[: total - sum(int(share) for share in shares)])
    return [int(share) + (index in rounded_up) for index, share in enumerate(shares)]
