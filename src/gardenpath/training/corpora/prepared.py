"""A corpus prepared for the trainings of an experiment: nested samples, a validation and a test set, in one folder.

    train-125k-1.txt      the first sample of 125,000 tokens
    train-all.txt         without sizes: all that is not held out
    valid.txt, test.txt   held out, or given
    corpus.json           how many sentences and tokens each has

Of a treebank there is also a file of trees beside each text, train-125k-1.mrg.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.digest import digest_files
from gardenpath.io.sealed_json import seal_record
from gardenpath.io.sizes import size_name
from gardenpath.io.write_errors import require_writable_folder
from gardenpath.text.corpus_reader import ReportBytes
from gardenpath.text.reading import Split
from gardenpath.training.corpora.sampling import (
    DrawnSample,
    describe_sample,
    draw_held_out,
    draw_nested,
    measure_sample,
    read_sample_manifest,
    rest_of,
    write_drawn,
)
from gardenpath.training.corpora.sources import Lengths, SampleSource, TextSource, TreeSource, find_source
from gardenpath.training.specs.corpora import PreparedCorpusSpec

MANIFEST = "corpus.json"
TRAIN, VALID, TEST, ALL = "train", "valid", "test", "train-all"


@dataclass(frozen=True, slots=True)
class PreparedCorpus:
    """The files of a prepared corpus; their names follow from the specification, whether they are written or not."""

    spec: PreparedCorpusSpec
    folder: Path

    def text(self, size: int | None = None, sample: int = 1) -> Path:
        """The text of a sample; without a size, all that is not held out."""
        return self.folder / f"{self.sample_name(size, sample)}.txt"

    def trees(self, size: int | None = None, sample: int = 1) -> Path | None:
        """The trees of a sample; None if the corpus has none."""
        return self.folder / f"{self.sample_name(size, sample)}.mrg" if self.has_trees else None

    @property
    def valid_text(self) -> Path | None:
        """The validation set; None without one."""
        return self.folder / "valid.txt" if self.has(VALID) else None

    @property
    def valid_trees(self) -> Path | None:
        """The trees of the validation set; None without one, or without trees."""
        return self.folder / "valid.mrg" if self.has(VALID) and self.has_trees else None

    @property
    def test_text(self) -> Path | None:
        """The test set; None without one."""
        return self.folder / "test.txt" if self.has(TEST) else None

    @property
    def test_trees(self) -> Path | None:
        """The trees of the test set; None without one, or without trees."""
        return self.folder / "test.mrg" if self.has(TEST) and self.has_trees else None

    @property
    def has_trees(self) -> bool:
        """Whether the sentences have trees."""
        return bool(self.spec.treebank)

    @property
    def split(self) -> Split:
        """How the texts are split into words: those of a treebank have spaces between words."""
        return "blanks" if self.has_trees else self.spec.split

    @property
    def files(self) -> tuple[Path, ...]:
        """All files, the manifest last."""
        names = [name for name in (VALID, TEST) if self.has(name)]
        numbers = range(1, self.spec.samples + 1)
        if self.spec.sizes is None:
            names.append(ALL)
        else:
            names += [self.sample_name(size, number) for size in self.spec.sizes for number in numbers]
        endings = TreeSource.ENDINGS if self.has_trees else TextSource.ENDINGS
        return (*(self.folder / f"{name}{ending}" for name in names for ending in endings), self.folder / MANIFEST)

    def has(self, name: str) -> bool:
        """Whether there is a validation or test set."""
        return bool(self.spec.held_out) or getattr(self.spec, name) is not None

    def sample_name(self, size: int | None, sample: int) -> str:
        """Name a sample; one that the specification does not have is refused."""
        sizes, samples = self.spec.sizes, self.spec.samples
        if size is None and sizes is None and sample == 1:
            return ALL
        if size is None or sizes is None or size not in sizes or not 1 <= sample <= samples:
            there = "the whole corpus, without sizes" if sizes is None else ",".join(map(size_name, sizes))
            raise InputError(
                f"the corpus has no sample {sample} of {'all' if size is None else f'{size:,} tokens'}; it has "
                f"{samples} of {there}"
            )
        return f"{TRAIN}-{size_name(size)}-{sample}"

    def manifest(self) -> dict[str, Any]:
        """What is recorded of the corpus: sentences and tokens of every sample; it must have been prepared."""
        found = read_sample_manifest(self.folder, MANIFEST)
        if found is None:
            raise InputError(f"{self.folder} has no whole corpus ({MANIFEST}); prepare it (again)")
        return found


def corpus_inputs(spec: PreparedCorpusSpec) -> dict[str, tuple[Path, ...]]:
    """The files that a prepared corpus is made from, by the field that names them."""
    sources = {"treebank" if spec.treebank else "text": corpus_source(spec), **given_sources(spec)}
    return {field: source.files for field, source in sources.items()}


def corpus_source(spec: PreparedCorpusSpec) -> SampleSource:
    """The sentences that samples are drawn from."""
    layout = "trees" if spec.treebank else spec.layout
    return find_source(spec.treebank or spec.text, layout, split=spec.split, sections=spec.sections, lower=spec.lower)


def given_sources(spec: PreparedCorpusSpec) -> dict[str, SampleSource]:
    """The validation and the test set, where files are given for them."""
    layout = "trees" if spec.treebank else spec.layout
    given = {name: path for name, path in ((VALID, spec.valid), (TEST, spec.test)) if path is not None}
    return {name: find_source([path], layout, split=spec.split, lower=spec.lower) for name, path in given.items()}


def prepare_corpus(
    spec: PreparedCorpusSpec, folder: Path | str, *, workers: int | None = None, progress: ReportBytes | None = None
) -> PreparedCorpus:
    """Write the samples and held-out sets of a corpus into a folder; nothing is done if they are there already.

    The same specification and files give the same bytes. `progress` is called with the bytes that were read.
    """
    corpus = PreparedCorpus(spec, Path(folder))
    require_writable_folder(corpus.folder)
    digests = {name: digest_files(files) for name, files in corpus_inputs(spec).items()}
    made_by = json.loads(json.dumps({"spec": spec.record(), "made_by": spec.digest(**digests)}))
    found = read_sample_manifest(corpus.folder, MANIFEST)
    if found is not None and found.get("made_by") == made_by["made_by"]:
        return corpus
    # The old manifest first: files of two preparations are never taken for one.
    (corpus.folder / MANIFEST).unlink(missing_ok=True)
    files: list[dict[str, Any]] = []
    for source, samples in draw_corpus(spec, workers=workers, progress=progress):
        write_drawn(source, samples, corpus.folder)
        files += [describe_sample(sample, corpus.folder, source.ENDINGS) for sample in samples]
    write_text_atomically(corpus.folder / MANIFEST, seal_record({**made_by, "files": files}))
    return corpus


def draw_corpus(
    spec: PreparedCorpusSpec, *, workers: int | None, progress: ReportBytes | None
) -> Iterator[tuple[SampleSource, list[DrawnSample]]]:
    """The samples of a prepared corpus with their sources: given sets whole, then what is drawn."""
    given = given_sources(spec)
    for name, source in given.items():
        lengths = source.lengths(workers=workers, progress=progress)
        yield source, [whole_sample(name, lengths, np.ones(len(lengths), dtype=np.bool_))]
    source = corpus_source(spec)
    lengths = source.lengths(workers=workers, progress=progress)
    held_out = draw_held_out(lengths, spec, [name for name in (VALID, TEST) if spec.held_out and name not in given])
    if spec.sizes is None:
        rest = rest_of(lengths, held_out)
        if not rest.any():
            raise InputError(f"held_out is {spec.held_out:,}: nothing is left to learn from; hold out fewer tokens")
        yield source, [*held_out, whole_sample(ALL, lengths, rest)]
    else:
        yield source, [*held_out, *draw_nested(lengths, spec, spec.sizes, held_out=held_out, stem=TRAIN)]


def whole_sample(name: str, lengths: Lengths, mask: Any) -> DrawnSample:
    """All sentences of a mask, whatever their number of tokens."""
    tokens = int(lengths[mask].sum(dtype=np.int64))
    return measure_sample(name, tokens, 1 if name == ALL else 0, mask, lengths)
