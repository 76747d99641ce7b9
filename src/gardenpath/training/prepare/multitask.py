"""Multi-task LSTMs: their texts, their supertags and first weights."""

from gardenpath.text.vocabulary import Vocabulary
from gardenpath.training.corpora.folders import list_supertags
from gardenpath.training.corpora.supertags import TaggedCorpus, check_tags, encode_supertags, list_tags, write_tags
from gardenpath.training.events import CorpusRead, Emit, Measured, Note, Working
from gardenpath.training.loop.distributed import ProcessGroup
from gardenpath.training.loop.loop import Task
from gardenpath.training.loop.state import can_resume
from gardenpath.training.prepare.lstm import recurrent_task
from gardenpath.training.prepare.texts import Prepared, about_texts, read_word_texts
from gardenpath.training.specs.architectures import MultitaskSpec
from gardenpath.training.tasks.multitask import build_multitask, evaluate_tagging


def prepare_multitask(spec: MultitaskSpec, emit: Emit, group: ProcessGroup) -> Prepared:
    """Read texts and supertags, and draw first weights; without weight it is plain language modelling."""
    # First, so that a fault in them is reported before a large text is read.
    tags = find_tags(spec, emit) if spec.weight else ()
    if spec.test_supertags is not None and not spec.weight:
        emit(Note("--test-supertags: with --weight 0 no categories are learned, so that none are tested"))
    texts = read_word_texts(spec, emit, write=group.is_first)
    language = recurrent_task(spec, texts, group)
    task: Task = language
    if spec.weight:
        tagged = read_tagged(spec, texts.vocabulary, tags, emit)
        task = build_multitask(language, tagged, tags=len(tags), weight=spec.weight, seed=spec.seed)
        if group.is_first and not can_resume(spec.out):
            write_tags(spec.out, tags)
    architecture = "multi-task LSTM" if spec.weight else "LSTM"
    return task, {**about_texts(spec, texts.corpora[1]), "architecture": architecture}


def find_tags(spec: MultitaskSpec, emit: Emit) -> tuple[str, ...]:
    """The categories to learn; held-out files are read for their faults only."""
    emit(Working("Counting categories"))
    tags = list_tags(list_supertags(spec.supertags, spec.supertag_sections))
    for path in (spec.valid_supertags, spec.test_supertags):
        if path is not None:
            check_tags(path, tags)
    return tags


def read_tagged(
    spec: MultitaskSpec, vocabulary: Vocabulary, tags: tuple[str, ...], emit: Emit
) -> tuple[TaggedCorpus, TaggedCorpus]:
    """Both files of supertags in the ids of words and categories."""
    emit(Working("Reading the supertags"))
    files = (list_supertags(spec.supertags, spec.supertag_sections), list_supertags(spec.valid_supertags))
    training, held_out = (encode_supertags(some, vocabulary, tags) for some in files)
    for path, found, rest in (
        (spec.supertags, training, f"{len(tags):,} categories"),
        (spec.valid_supertags, held_out, f"{held_out.unseen / held_out.words:.1%} of categories unseen in training"),
    ):
        emit(CorpusRead(path, found.sentences, found.words, found.unknown, f" to the text's vocabulary, {rest}"))
    return training, held_out


def measure_test_tagging(spec: MultitaskSpec, emit: Emit) -> None:
    """Tag the test sentences with the best weights."""
    if spec.test_supertags is not None:
        accuracy = evaluate_tagging(spec.out, spec.test_supertags).accuracy
        emit(Measured(f"{spec.test_supertags}: tagging accuracy {accuracy:.2%}"))
