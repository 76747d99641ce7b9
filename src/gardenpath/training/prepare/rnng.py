"""RNNGs: their treebanks and first weights."""

from dataclasses import asdict, replace
from pathlib import Path

from gardenpath.io.digest import digest_files
from gardenpath.models.trained.checkpoint_record import read_record, write_text
from gardenpath.models.trained.lstm import VOCABULARY
from gardenpath.models.trained.rnng.module import RnngOptions
from gardenpath.models.trained.rnng.trees import Limits
from gardenpath.text.vocabulary import Vocabulary
from gardenpath.training.corpora.concatenate import corpus_name
from gardenpath.training.corpora.folders import list_treebank
from gardenpath.training.corpora.treebank import encode_treebank, survey
from gardenpath.training.corpora.word_counts import vocabulary_of, vocabulary_record
from gardenpath.training.events import CorpusRead, Emit, Note, Working
from gardenpath.training.loop.distributed import ProcessGroup
from gardenpath.training.loop.state import can_resume
from gardenpath.training.prepare.texts import Prepared
from gardenpath.training.specs.architectures import RnngSpec
from gardenpath.training.tasks.rnng import Treebanks, build_rnng_task
from gardenpath.training.tasks.tree_batches import BatchOrder
from gardenpath.trees.normalise import TreeOptions
from gardenpath.trees.transitions import Labels, labels_of


def rnng_shape(spec: RnngSpec, vocabulary: int = 3, labels: int = 1) -> RnngOptions:
    """The shape of an RNNG."""
    return RnngOptions(
        vocabulary, labels, spec.width, spec.width, spec.layers, spec.dropout, spec.tied, spec.open_limit,
        spec.chain_limit,
    )  # fmt: skip


def prepare_rnng(spec: RnngSpec, emit: Emit, group: ProcessGroup) -> Prepared:
    """Read the treebanks of an RNNG and draw its first weights."""
    vocabulary, labels = find_symbols(spec, emit, write=group.is_first)
    shape = rnng_shape(spec, len(vocabulary), len(labels.names))
    treebanks = read_treebanks(spec, vocabulary, labels, shape.limits, emit)
    facts = {
        "corpus": digest_files(list_treebank(spec.treebank, spec.sections)),
        "held_out": digest_files(list_treebank(spec.valid)), "trees": asdict(tree_options(spec)),
        "vocabulary_from": vocabulary_record(spec), "batch_order": batch_order(spec.out),
    }  # fmt: skip
    task = build_rnng_task(shape, treebanks, words=spec.batch, split=spec.split, seed=spec.seed, facts=facts)
    about = {"corpus_name": corpus_name(spec.treebank), "held_out_unknown": treebanks.held_out.unknown}
    return replace(task, share=group.share), {**about, "spec": spec.record()}


def batch_order(folder: Path) -> BatchOrder | None:
    """The order of the trees in a training; None if it resumes one of an earlier version, which recorded none."""
    return read_record(folder)["training"].get("batch_order") if can_resume(folder) else "random"


def tree_options(spec: RnngSpec) -> TreeOptions:
    """How trees are normalised."""
    return TreeOptions(tags=spec.tags, unary=spec.unary)


def find_symbols(spec: RnngSpec, emit: Emit, *, write: bool) -> tuple[Vocabulary, Labels]:
    """The words and labels of a treebank.

    `write`: whether to write the words into the checkpoint directory, which one of several processes does.
    """
    emit(Working("Counting words and labels"))
    name = corpus_name(spec.treebank) if len(spec.treebank) > 1 else str(spec.treebank[0])
    found = survey(list_treebank(spec.treebank, spec.sections), tree_options(spec), name=name)
    if found.left_out:
        emit(Note(f"{name}: {found.left_out_note()}"))
    vocabulary = vocabulary_of(found.words, spec)
    if write and not can_resume(spec.out):
        write_text(spec.out / VOCABULARY, vocabulary.to_json())
    return vocabulary, labels_of(found.labels)


def read_treebanks(spec: RnngSpec, vocabulary: Vocabulary, labels: Labels, limits: Limits, emit: Emit) -> Treebanks:
    """Both treebanks in the ids of words and actions; held-out trees that the model cannot build are left out."""
    emit(Working("Reading the treebanks"))
    parts = ((list_treebank(spec.treebank, spec.sections), False), (list_treebank(spec.valid), True))
    training, held_out = (
        encode_treebank(files, vocabulary, labels, tree_options(spec), limits=limits, leave_out=leave_out)
        for files, leave_out in parts
    )
    if held_out.left_out:
        emit(Note(f"{spec.valid}: {len(held_out.left_out):,} trees are left out; {held_out.left_out[0]}"))
    treebank = spec.treebank[0] if len(spec.treebank) == 1 else Path(corpus_name(spec.treebank))
    for path, found in ((treebank, training), (spec.valid, held_out)):
        detail = f", {len(labels.names)} labels"
        emit(CorpusRead(path, len(found), len(found.words), found.unknown, detail, unit="trees"))
    return Treebanks(training, held_out, labels)
