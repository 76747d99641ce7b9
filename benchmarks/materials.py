"""Make the sentences that the benchmark scores, from a seed and nothing else.

python benchmarks/materials.py frames FILE                            67 contrasts in the manner of BLiMP, 10 pairs each
python benchmarks/materials.py marvin-linzen FILE [--pairs 10000]     a sample of Marvin & Linzen's pairs
"""

import argparse
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from frames import frame_pairs
from marvin_linzen import all_pairs

Pair = dict[str, str]
KINDS = ("frames", "marvin-linzen")


def build(kind: str, *, seed: int = 0, sampled: int = 10_000) -> list[Pair]:
    """The pairs of one kind of material; `sampled` pairs of Marvin & Linzen's."""
    rng = random.Random(seed)
    match kind:
        case "frames":
            return frame_pairs(per_frame=10, rng=rng)
        case "marvin-linzen":
            return sample(all_pairs(), total=sampled, rng=rng)
        case _:
            raise ValueError(f"unknown material {kind!r}; known: {', '.join(KINDS)}")


def sample(cases: Mapping[str, Sequence[tuple[str, str]]], *, total: int, rng: random.Random) -> list[Pair]:
    """`total` pairs, from every case in proportion to its size, in the order of enumeration."""
    sizes = quotas([len(pairs) for pairs in cases.values()], total)
    return [
        {"case": name, "good": pairs[index][0], "bad": pairs[index][1]}
        for (name, pairs), size in zip(cases.items(), sizes, strict=True)
        for index in sorted(rng.sample(range(len(pairs)), size))
    ]


def quotas(sizes: Sequence[int], total: int) -> list[int]:
    """Shares of `total` in proportion to sizes; the largest remainders are rounded up."""
    shares = [total * size / sum(sizes) for size in sizes]
    by_remainder = sorted(range(len(shares)), key=lambda index: int(shares[index]) - shares[index])
    rounded_up = set(by_remainder[: total - sum(int(share) for share in shares)])
    return [int(share) + (index in rounded_up) for index, share in enumerate(shares)]


def write(pairs: Sequence[Pair], path: Path) -> None:
    """One pair a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(pair) + "\n" for pair in pairs))


def describe(pairs: Sequence[Pair]) -> str:
    """How long the sentences are, and how much of them is shared prefix, in words."""
    sentences = [pair[member].split() for pair in pairs for member in ("good", "bad")]
    words = sum(len(sentence) for sentence in sentences)
    prefixes = {tuple(sentence[:length]) for sentence in sentences for length in range(1, len(sentence) + 1)}
    within = sum(
        len({tuple(text.split()[:length]) for text in (pair["good"], pair["bad"]) for length in range(1, 99)})
        for pair in pairs
    )
    return (
        f"{len(sentences):,} sentences of {words / len(sentences):.1f} words; every shared prefix read once, "
        f"{within / words:.0%} of the words are left within pairs and {len(prefixes) / words:.0%} over the whole set"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("file", type=Path)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    pairs = build(arguments.kind, seed=arguments.seed, sampled=arguments.pairs)
    write(pairs, arguments.file)
    print(describe(pairs))


if __name__ == "__main__":
    main()
