"""Nested random samples of a corpus: every smaller one is part of every larger one drawn from the same seed."""

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import compress, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write, write_text_atomically
from gardenpath.io.digest import digest_file
from gardenpath.io.sealed_json import find_sealed, seal_record
from gardenpath.io.sizes import size_name
from gardenpath.io.verified_files import has_digest
from gardenpath.io.write_errors import require_writable_folder
from gardenpath.text.corpus_reader import ReportBytes
from gardenpath.training.corpora.concatenate import corpus_name
from gardenpath.training.corpora.sources import Lengths, SampleSource
from gardenpath.training.specs.corpora import SampleChoice, SamplingRule

MANIFEST = "samples.json"
TOGETHER = 4096
"""Sentences that are written at a time."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class DrawnSample:
    """Sentences drawn from a corpus, with their name."""

    name: str
    budget: int
    number: int
    """Of its series, from 1; 0: held out from all."""
    mask: Mask = field(repr=False)
    sentences: int
    tokens: int


def draw_order(sentences: int, *, block: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The order in which sentences are drawn: blocks at random, the sentences of a block in their own order."""
    blocks = rng.permutation(-(-sentences // block))
    order = (blocks[:, None] * block + np.arange(block)).ravel()
    return order[order < sentences]


def draw_prefix(order: NDArray[np.int64], lengths: Lengths, budget: int) -> Mask:
    """The first sentences of an order that fit the budget, as a mask over the corpus."""
    drawn = int(np.searchsorted(np.cumsum(lengths[order], dtype=np.int64), budget, side="right"))
    mask = np.zeros(len(lengths), dtype=np.bool_)
    mask[order[:drawn]] = True
    return mask


def draw_samples(lengths: Lengths, choice: SampleChoice, *, stem: str = "sample") -> list[DrawnSample]:
    """Draw all samples of a corpus, given the lengths of its sentences.

    A sample depends on the seed, its number and its size alone: further sizes or samples leave it as it was.
    """
    held_out = draw_held_out(lengths, choice, [f"{stem}-valid", f"{stem}-test"] if choice.held_out else [])
    return [*held_out, *draw_nested(lengths, choice, choice.sizes, held_out=held_out, stem=stem)]


def draw_held_out(lengths: Lengths, rule: SamplingRule, names: Sequence[str]) -> list[DrawnSample]:
    """Draw sets of sentences for validation and test, one of each name."""
    tokens = int(lengths.sum(dtype=np.int64))
    if len(names) * rule.held_out > tokens:
        raise InputError(
            f"{names[0]}: {rule.held_out:,} tokens each for validation and test from a corpus of {tokens:,}: hold out "
            "less, or name a larger corpus"
        )
    drawn: list[DrawnSample] = []
    order = draw_order(len(lengths), block=rule.block, rng=np.random.default_rng([rule.seed, 0]))
    for name in names:
        mask = draw_prefix(order[rest_of(lengths, drawn)[order]], lengths, rule.held_out)
        drawn.append(measure_sample(name, rule.held_out, 0, mask, lengths))
    return drawn


def draw_nested(
    lengths: Lengths, rule: SamplingRule, sizes: Sequence[int], *, held_out: Sequence[DrawnSample], stem: str
) -> Iterator[DrawnSample]:
    """Draw samples of all sizes and numbers from what is not held out."""
    rest = rest_of(lengths, held_out)
    left_over = int(lengths[rest].sum(dtype=np.int64))
    if max(sizes) > left_over:
        raise InputError(
            f"{stem}: a sample of {max(sizes):,} tokens from a corpus of {left_over:,}"
            f"{' without the held-out sets' if held_out else ''}: draw less, or name a larger corpus"
        )
    for number in range(1, rule.samples + 1):
        order = draw_order(len(lengths), block=rule.block, rng=np.random.default_rng([rule.seed, number]))
        order = order[rest[order]]
        for size in sizes:
            mask = draw_prefix(order, lengths, size)
            yield measure_sample(f"{stem}-{size_name(size)}-{number}", size, number, mask, lengths)


def rest_of(lengths: Lengths, held_out: Sequence[DrawnSample]) -> Mask:
    """The sentences that are not held out."""
    rest = np.ones(len(lengths), dtype=np.bool_)
    for sample in held_out:
        rest &= ~sample.mask
    return rest


def measure_sample(name: str, budget: int, number: int, mask: Mask, lengths: Lengths) -> DrawnSample:
    """Measure a sample; an empty one is refused."""
    if not mask.any():
        raise InputError(f"{name}: the first sentence drawn has more than {budget:,} tokens; draw a larger sample")
    return DrawnSample(name, budget, number, mask, int(mask.sum()), int(lengths[mask].sum(dtype=np.int64)))


def write_samples(
    source: SampleSource, choice: SampleChoice, folder: Path | str, *, workers: int | None = None,
    progress: ReportBytes | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Draw samples and write each with one sentence per line, in the order of the corpus, words untouched.

    Samples of treebanks have a file of trees and one of their words. Return the manifest, which is written beside them.
    """
    folder = Path(folder)
    require_writable_folder(folder)
    manifest = {**source.record(), "options": sample_record(choice)}
    lengths = source.lengths(workers=workers, progress=progress)
    samples = draw_samples(lengths, choice, stem=corpus_name(source.paths))
    write_drawn(source, samples, folder)
    manifest["files"] = [describe_sample(sample, folder, source.ENDINGS) for sample in samples]
    write_text_atomically(folder / MANIFEST, seal_record(manifest))
    return manifest


def write_drawn(source: SampleSource, samples: Sequence[DrawnSample], folder: Path) -> None:
    """Write the files of samples, each complete or not at all."""
    with ExitStack() as stack:
        paths = [[folder / f"{sample.name}{ending}" for ending in source.ENDINGS] for sample in samples]
        scratches = [[stack.enter_context(atomic_write(path)) for path in both] for both in paths]
        files = [[stack.enter_context(scratch.open("w", encoding="utf-8")) for scratch in both] for both in scratches]
        start, sentences = 0, source.sentences()
        while some := list(islice(sentences, TOGETHER)):
            for sample, both in zip(samples, files, strict=True):
                chosen = list(compress(some, sample.mask[start : start + len(some)]))
                for index, file in enumerate(both):
                    file.writelines(f"{lines[index]}\n" for lines in chosen)
            start += len(some)


def find_samples(
    source: SampleSource, choice: SampleChoice, folder: Path | str, *, progress: ReportBytes | None = None
) -> dict[str, Any]:
    """Draw samples, unless the folder has them already; their manifest."""
    folder = Path(folder)
    found = read_sample_manifest(folder)
    wanted = json.loads(json.dumps({**source.record(), "options": sample_record(choice)}))
    wanted.pop("corpus")  # the same corpus may have moved
    if found is None or any(found.get(name) != value for name, value in wanted.items()):
        write_samples(source, choice, folder, progress=progress)
        found = read_sample_manifest(folder)
        assert found is not None
    return found


def sample_record(choice: SampleChoice) -> dict[str, Any]:
    """Which samples were drawn, as the manifest records it."""
    return {name: getattr(choice, name) for name in ("sizes", "samples", "seed", "block", "held_out")}


def read_sample_manifest(folder: Path, name: str = MANIFEST) -> dict[str, Any] | None:
    """Read the manifest of the samples in a folder; None if there are none, or not all of them."""
    found = find_sealed(folder / name)
    if found is None:
        return None
    digests = {path: digest for file in found["files"] for path, digest in files_of(file)}
    return found if all(has_digest(folder / path, digest) for path, digest in digests.items()) else None


def files_of(described: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The names of the files of a sample, with their digests."""
    yield described["file"], described["digest"]
    if "text" in described:
        yield described["text"], described["digest_of_text"]


def describe_sample(sample: DrawnSample, folder: Path, endings: Sequence[str]) -> dict[str, Any]:
    """Describe the files of a sample."""
    first, *others = (f"{sample.name}{ending}" for ending in endings)
    described = {
        "file": first, "budget": sample.budget, "sample": sample.number, "sentences": sample.sentences,
        "tokens": sample.tokens, "digest": digest_file(folder / first),
    }  # fmt: skip
    for other in others:
        described |= {"text": other, "digest_of_text": digest_file(folder / other)}
    return described
