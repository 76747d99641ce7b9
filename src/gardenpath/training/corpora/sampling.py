"""Nested random samples of a corpus: every smaller one is part of every larger one drawn from the same seed."""

import json
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write, write_text_atomically
from gardenpath.io.digest import digest_file
from gardenpath.io.sealed_json import find_sealed, seal_record
from gardenpath.io.verified_files import has_digest
from gardenpath.io.write_errors import require_writable_folder
from gardenpath.text.corpus_reader import ReportBytes, TextBlock, block_sentences, block_words, map_blocks, text_blocks
from gardenpath.text.reading import Reading
from gardenpath.training.specs.corpora import SampleChoice
from gardenpath.training.specs.sizes import size_name

MANIFEST = "samples.json"

Lengths = NDArray[np.int32]
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


def sentence_lengths(
    path: Path | str, reading: Reading, *, workers: int | None = None, progress: ReportBytes | None = None
) -> Lengths:
    """Count the words of every sentence of a text."""
    work = partial(block_lengths, reading=reading)
    return np.concatenate(list(map_blocks(Path(path), reading.layout, work, workers=workers, progress=progress)))


def block_lengths(block: TextBlock, reading: Reading) -> Lengths:
    """Count the words of every sentence of a block."""
    return np.array([len(words) for words in block_words(block, reading)], dtype=np.int32)


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
    rest = np.ones(len(lengths), dtype=np.bool_)
    drawn = []
    tokens = int(lengths.sum(dtype=np.int64))
    if 2 * choice.held_out > tokens:
        raise InputError(
            f"{stem}: {choice.held_out:,} tokens each for validation and test from a corpus of {tokens:,}: hold out "
            "less, or name a larger corpus"
        )
    if choice.held_out:
        order = draw_order(len(lengths), block=choice.block, rng=np.random.default_rng([choice.seed, 0]))
        for name in ("valid", "test"):
            mask = draw_prefix(order[rest[order]], lengths, choice.held_out)
            drawn.append(measure_sample(f"{stem}-{name}", choice.held_out, 0, mask, lengths))
            rest &= ~mask
    left_over = int(lengths[rest].sum(dtype=np.int64))
    if max(choice.sizes) > left_over:
        raise InputError(
            f"{stem}: a sample of {max(choice.sizes):,} tokens from a corpus of {left_over:,}"
            f"{' without the held-out sets' if choice.held_out else ''}: draw less, or name a larger corpus"
        )
    for number in range(1, choice.samples + 1):
        order = draw_order(len(lengths), block=choice.block, rng=np.random.default_rng([choice.seed, number]))
        order = order[rest[order]]
        for size in choice.sizes:
            mask = draw_prefix(order, lengths, size)
            drawn.append(measure_sample(f"{stem}-{size_name(size)}-{number}", size, number, mask, lengths))
    return drawn


def measure_sample(name: str, budget: int, number: int, mask: Mask, lengths: Lengths) -> DrawnSample:
    """Measure a sample; an empty one is refused."""
    if not mask.any():
        raise InputError(f"{name}: the first sentence drawn has more than {budget:,} tokens; draw a larger sample")
    return DrawnSample(name, budget, number, mask, int(mask.sum()), int(lengths[mask].sum(dtype=np.int64)))


def write_samples(
    path: Path | str, reading: Reading, choice: SampleChoice, folder: Path | str, *, workers: int | None = None,
    progress: ReportBytes | None = None,
) -> list[DrawnSample]:  # fmt: skip
    """Draw samples and write each as a file with one sentence per line, in the order of the corpus, words untouched."""
    path, folder = Path(path), Path(folder)
    require_writable_folder(folder)
    digest = digest_file(path)
    lengths = sentence_lengths(path, reading, workers=workers, progress=progress)
    samples = draw_samples(lengths, choice, stem=path.stem)
    with ExitStack() as stack:
        scratches = [stack.enter_context(atomic_write(folder / f"{sample.name}.txt")) for sample in samples]
        files = [stack.enter_context(scratch.open("w", encoding="utf-8")) for scratch in scratches]
        start = 0
        for block in text_blocks(path, reading.layout):
            sentences = block_sentences(block, reading.layout)
            for sample, file in zip(samples, files, strict=True):
                file.writelines(f"{sentence}\n" for sentence in compress(sentences, sample.mask[start:]))
            start += len(sentences)
    source = {"corpus": str(path), "digest_of_corpus": digest, "reading": asdict(reading)}
    written = [describe_sample(sample, folder) for sample in samples]
    manifest = {**source, "options": sample_record(choice), "files": written}
    write_text_atomically(folder / MANIFEST, seal_record(manifest))
    return samples


def find_samples(
    path: Path | str, reading: Reading, choice: SampleChoice, folder: Path | str, *, progress: ReportBytes | None = None
) -> dict[str, Any]:
    """Draw samples, unless the folder has them already; their manifest."""
    folder = Path(folder)
    wanted = json.loads(json.dumps({"reading": asdict(reading), "options": sample_record(choice)}))
    found = read_sample_manifest(folder)
    wanted["digest_of_corpus"] = digest_file(path)
    if found is None or any(found.get(name) != value for name, value in wanted.items()):
        write_samples(path, reading, choice, folder, progress=progress)
        found = read_sample_manifest(folder)
        assert found is not None
    return found


def sample_record(choice: SampleChoice) -> dict[str, Any]:
    """Which samples were drawn, as the manifest records it."""
    return {name: getattr(choice, name) for name in ("sizes", "samples", "seed", "block", "held_out")}


def read_sample_manifest(folder: Path) -> dict[str, Any] | None:
    """Read the manifest of the samples in a folder; None if there are none, or not all of them."""
    found = find_sealed(folder / MANIFEST)
    if found is None:
        return None
    whole = all(has_digest(folder / file["file"], file["digest"]) for file in found["files"])
    return found if whole else None


def describe_sample(sample: DrawnSample, folder: Path) -> dict[str, Any]:
    """Describe the file of a sample."""
    name = f"{sample.name}.txt"
    return {
        "file": name, "budget": sample.budget, "sample": sample.number, "sentences": sample.sentences,
        "tokens": sample.tokens, "digest": digest_file(folder / name),
    }  # fmt: skip
