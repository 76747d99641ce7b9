"""Supertags of multi-task trainings: their files, or the step that holds some of them out."""

from collections.abc import Sequence
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.experiments.build_training import Corpora, count_words
from gardenpath.experiments.estimates import estimate_step
from gardenpath.experiments.naming import NOT_GIVEN, Draft, result_of
from gardenpath.experiments.spec import SupertagEntry
from gardenpath.training.corpora.supertag_parts import TRAIN, VALID, find_parts


def find_supertags(draft: Draft, corpora: Corpora) -> dict[str, dict[str, str]]:
    """The files of supertags by the part of the corpus, by entry."""
    return {
        name: generated_tags(draft, name, corpora) if entry.corpus else given_tags(draft, name, entry)
        for name, entry in draft.found.spec.supertags.items()
    }


def generated_tags(draft: Draft, name: str, corpora: Corpora) -> dict[str, str]:
    """The supertags of a generated corpus."""
    corpus = draft.found.spec.supertags[name].corpus
    source = corpora[corpus].generated
    if source is None:
        where = draft.found.where("supertags", name, "corpus")
        raise InputError(f"{where}: the corpus {corpus!r} is not generated; name files with supertags")
    return {"train": result_of(source, "corpus.tags"), "valid": result_of(source, "valid.tags")}


def given_tags(draft: Draft, name: str, entry: SupertagEntry) -> dict[str, str]:
    """Supertags in files: those of a folder that has them by name, those that are named, or some held out."""
    train = [path for text in entry.train for path in draft.find_paths(text, "supertags", name, "train")]
    if not train:
        raise InputError(f"{draft.found.where('supertags', name)}: give `train`, or a generated `corpus`")
    others = {part: find_part(draft, name, part) for part in ("valid", "test")}
    found = {part: path for part, path in others.items() if path}
    if "valid" in found and len(train) == 1:
        return {"train": train[0], **found}
    parts = {} if "valid" in found or len(train) > 1 or not Path(train[0]).is_dir() else find_parts(Path(train[0]))
    if parts:
        return {**{part: draft.add_digest(path, "supertags") for part, path in parts.items()}, **found}
    return {**split_tags(draft, name, train, hold_out="valid" not in found), **found}


def find_part(draft: Draft, name: str, part: str) -> str:
    """The validation or test set of an entry; empty where none is given."""
    text = getattr(draft.found.spec.supertags[name], part)
    paths = draft.find_optional(text, "supertags", name, part) if text else []
    if len(paths) > 1:
        raise InputError(f"{draft.found.where('supertags', name, part)}: {len(paths)} files are given; give one")
    return next(iter(paths), "")


def split_tags(draft: Draft, name: str, train: Sequence[str], *, hold_out: bool) -> dict[str, str]:
    """The step that makes one file of several, and holds out a validation set."""
    held_out = draft.found.spec.supertags[name].held_out
    if hold_out and not held_out:
        raise InputError(
            f"{draft.found.where('supertags', name)}: a training needs a validation set: give `valid`, or `held_out` "
            "words to hold out"
        )
    words = sum(count_words(path) for path in train if not path.startswith(NOT_GIVEN))
    work = {"supertags": list(train), "held_out": held_out if hold_out else 0}
    step = draft.add("corpus", f"{name}-supertags", work, estimate=estimate_step("corpus", amount=words))
    return {"train": result_of(step, TRAIN), **({"valid": result_of(step, VALID)} if hold_out else {})}
