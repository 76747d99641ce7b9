"""Revisions of models of the hub: `hf:NAME@REVISION`, patterns of them, and the training progress in their names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote
from gardenpath.models.pretrained.hub_listing import RevisionList, cached_commits, complete_revisions, list_revisions
from gardenpath.models.protocol import Training

HUB_KINDS = ("hf", "mlm", "mntp", "s2s")
"""Kinds of specs that may name a model of the hub."""
WITH_REVISION = re.compile(r"(?P<repository>[\w.-]+(?:/[\w.-]+)?)@(?P<revision>.*)", re.DOTALL)
WILD = re.compile(r"[*?\[{]")
"""Characters of patterns, which names of revisions do not have."""
BRACES = re.compile(r"\{([^{}]*)\}")
STAGE, INGREDIENT, SEED = re.compile(r"stage(\d+)"), re.compile(r"ingredient(\d+)"), re.compile(r"seed[_-]?(\d+)")
STEP = re.compile(r"(?<![A-Za-z])(?:step_?|checkpoint-)(\d+)([kKmM]?)(?![A-Za-z])")
TOKENS = re.compile(r"tokens(\d+(?:\.\d+)?)([kKmMbBtT]?)(?![A-Za-z])")
WORDS = re.compile(r"(?<![A-Za-z])chck_(\d+(?:\.\d+)?)([kKmMbB])(?![A-Za-z])")
STEP_OF_REPOSITORY = re.compile(r".+-step_\d+[kK]")
"""Models with a repository for every checkpoint, such as google/multiberts-seed_0-step_100k."""
FACTORS = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12}
HEADS = re.compile(r"(ForCausalLM|ForMaskedLM|ForConditionalGeneration|LMHeadModel|WithLMHeadModel)$")
NEAREST = 6
"""Revisions that a message names."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Training progress at a checkpoint, read from its name."""

    stage: int = 1
    ingredient: int = 0
    """The number of a training among several that continue from one stage (OLMo 2)."""
    words: int | None = None
    step: int | None = None
    tokens: int | None = None

    @property
    def is_known(self) -> bool:
        """Whether the name contains any progress."""
        return (self.words, self.step, self.tokens) != (None, None, None)

    @property
    def rank(self) -> tuple[bool, int, int, int, int, int]:
        """Sorts checkpoints by training; those without progress in their names, such as `main`, come last."""
        return (not self.is_known, self.stage, self.ingredient, self.words or 0, self.step or 0, self.tokens or 0)


def read_progress(name: str) -> Progress:
    """Read from the name of a checkpoint how far its training had come.

    >>> read_progress("stage1-step1000-tokens5B")
    Progress(stage=1, ingredient=0, words=None, step=1000, tokens=5000000000)
    """
    stage, ingredient = (int(found[1]) if (found := form.search(name)) else None for form in (STAGE, INGREDIENT))
    words, step, tokens = (count_in(form.search(name)) for form in (WORDS, STEP, TOKENS))
    return Progress(stage or 1, ingredient or 0, words, step, tokens)


def count_in(found: re.Match[str] | None) -> int | None:
    """Return the number of a match with its unit: 1000000 of `chck_1M`."""
    return None if found is None else round(float(found[1]) * FACTORS[found[2].lower()])


def split_revision(name: str) -> tuple[str, str | None]:
    """Split `NAME@REVISION` of a model of the hub; a folder has no revisions, whatever it is called."""
    found = WITH_REVISION.fullmatch(name)
    if found is None or Path(name).exists():
        return name, None
    repository, revision = found["repository"], found["revision"]
    if not revision:
        raise InputError(f"{name!r} has no revision after its @; name one, such as {repository}@main")
    if Path(repository).exists():
        raise InputError(f"{name}: {repository} is a folder, which has no revisions; leave out @{revision}")
    return repository, revision


def with_default_revision(spec: str, revision: str | None) -> str:
    """Add a revision to a spec of a model of the hub that has none; other specs stay as they are."""
    kind, _, name = spec.partition(":")
    if revision is None or kind not in HUB_KINDS or Path(name).exists() or split_revision(name)[1] is not None:
        return spec
    return f"{spec}@{revision}"


def expand_revisions(spec: str) -> list[str]:
    """Replace a spec whose revision is a pattern by those of all revisions that match, in the order of training."""
    kind, _, name = spec.partition(":")
    repository, pattern = split_revision(name) if kind in HUB_KINDS else (name, None)
    if pattern is None or not WILD.search(pattern):
        return [spec]
    listed = list_revisions(repository)
    found = {one: [name for name in listed.names if fnmatchcase(name, one)] for one in expand_braces(pattern)}
    matching = sorted({name for names in found.values() for name in names}, key=lambda one: read_progress(one).rank)
    unmatched = [one for one, names in found.items() if not names]
    chosen = [name for name in matching if name not in listed.incomplete]
    # Offline, a revision that is named and not listed may exist; on the hub it does not.
    if not chosen or (unmatched and not listed.why_local):
        raise no_match(repository, unmatched or matching, listed)
    if listed.why_local:
        missing = [*(name for name in matching if name in listed.incomplete), *unmatched]
        absent = f"; not in it: {quote(missing)}" if missing else ""
        advise(
            f"{spec!r} stands for the {len(chosen)} revisions in the local cache, since the hub cannot be reached "
            f"({listed.why_local}){absent}"
        )
    return [f"{kind}:{repository}@{name}" for name in chosen]


def matches_revision(pattern: str, spec: str) -> bool:
    """Return whether a spec is one of those that a spec with a pattern of revisions stands for.

    >>> matches_revision("hf:org/name@step*", "hf:org/name@step1"), matches_revision("hf:org/name", "hf:org/name")
    (True, False)
    """
    kind, _, name = pattern.partition(":")
    other_kind, _, other = spec.partition(":")
    if kind != other_kind or kind not in HUB_KINDS:
        return False
    (repository, wanted), (own, revision) = split_revision(name), split_revision(other)
    if repository != own or wanted is None or revision is None or not WILD.search(wanted):
        return False
    return any(fnmatchcase(revision, one) for one in expand_braces(wanted))


def expand_braces(pattern: str) -> list[str]:
    """Write out the alternatives of a pattern.

    >>> expand_braces("step{0,1*}")
    ['step0', 'step1*']
    """
    found = BRACES.search(pattern)
    if found is None:
        return [pattern]
    before, after = pattern[: found.start()], pattern[found.end() :]
    parts = [part.strip() for part in found[1].split(",")]
    return list(dict.fromkeys(one for part in parts for one in expand_braces(f"{before}{part}{after}")))


def no_match(repository: str, patterns: Sequence[str], listed: RevisionList) -> InputError:
    """Make the error for patterns that no revision matches, with the nearest names."""
    complete = [name for name in listed.names if name not in listed.incomplete]
    where = "in the local cache" if listed.why_local else "on the hub"
    remedy = f"; the hub cannot be reached ({listed.why_local})" if listed.why_local else ""
    return InputError(
        f"no revision of {repository!r} {where} matches {quote(patterns, most=NEAREST)}; the nearest are "
        f"{quote(nearest_revisions(patterns[0], complete))}, of {len(complete)}{remedy}"
    )


def nearest_revisions(wanted: str, names: Sequence[str]) -> list[str]:
    """Return the revisions whose names are most like a pattern, or else the first in the order of training."""
    in_order = sorted(names, key=lambda one: read_progress(one).rank)
    near = get_close_matches(WILD.sub("", wanted), in_order, n=NEAREST, cutoff=0.5)
    return sorted(near, key=in_order.index) or in_order[:NEAREST]


def name_cached(name: str) -> str:
    """Say which revisions the local cache has, for the message that one cannot be loaded; empty if it has it."""
    repository, revision = split_revision(name)
    cached = complete_revisions(repository) if revision else []
    if revision is None or not cached or revision in cached:
        return ""
    return f" (in the local cache are {quote(nearest_revisions(revision, cached))}, of {len(cached)})"


def record_revision(model: Any, name: str) -> Any:
    """Put the revision into the card of a model just loaded, and its training as far as its name tells; return it.

    The name of a folder is read like that of a revision.
    """
    repository, revision = split_revision(name)
    is_folder = Path(name).is_dir()
    card, seed = model.card, SEED.search(name)
    progress = read_progress(revision or (Path(name).name if is_folder else name))
    if revision is None and not (progress.is_known if is_folder else STEP_OF_REPOSITORY.fullmatch(name)):
        return model
    architecture = HEADS.sub("", card.decisions["architecture"]).replace("GPT2", "GPT-2")
    training = Training(
        architecture, seed=int(seed[1]) if seed else None,
        step=progress.step, tokens_read=progress.tokens, words_read=progress.words,
    )  # fmt: skip
    commit = cached_commits(repository).get(revision, revision) if revision else None
    recorded = {"revision": revision, "commit": commit} if revision else {}
    recorded_card = replace(card, decisions={**card.decisions, **recorded}, training=training)
    object.__setattr__(model, "card", recorded_card)  # also of a frozen dataclass
    return model
