"""Models and suites as users give them to `run` and `score`: names, paths or objects."""

import os
import re
from collections.abc import Collection, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_text
from gardenpath.io.messages import spell_value
from gardenpath.io.near_paths import is_path
from gardenpath.models.card import DOCUMENT_SEPARATOR
from gardenpath.models.load import load_model, parse_spec, spec_forms, unknown_spec
from gardenpath.models.local_patterns import expand_paths, match_paths
from gardenpath.models.pretrained.find_model import require_model
from gardenpath.models.pretrained.revisions import (
    HUB_KINDS,
    expand_revisions,
    matches_revision,
    split_revision,
    with_default_revision,
)
from gardenpath.models.protocol import AnyModel, LanguageModel, ModelCard, SavedModel, TextModel, TreeModel
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.models.trained.checkpoint_record import RECORD, expand_series, is_series, read_record
from gardenpath.runs.events import LoadingModel, OnRunEvent, RunNote
from gardenpath.runs.first_symbols import is_chosen, require_first_symbols, symbol_for
from gardenpath.runs.known_training import with_training
from gardenpath.runs.model_objects import note_unknown_kind, require_as_made
from gardenpath.runs.protocols import start_and_end
from gardenpath.runs.spec import ModelChoice, RunSpec
from gardenpath.suites.suite import Suite

KINDS = {
    "lstm": "recurrent", "on-lstm": "recurrent", "grnn": "recurrent",
    "gpt2": "transformer", "hf": "transformer", "s2s": "transformer", "gguf": "transformer", "smollm2": "transformer",
}  # fmt: skip
"""Kinds of models as papers tell them apart, by kinds of checkpoints and of names; others are named by themselves."""
BEGINNINGS = (DOCUMENT_SEPARATOR, "<|begin_of_text|>", "<bos>", "<s>", "</s>")
"""Symbols that transformers read before a text, by the names that models share."""
MOST_REASONS = 3
"""Models that a message explains."""
LABELLED = re.compile(r"([^=:/\\]+)=(.+)")


def split_label(name: str) -> tuple[str, str]:
    """The label that a user gives a model, as in LABEL=MODEL, and the model; the label is empty where there is none.

    >>> split_label("large=hf:gpt2-xl"), split_label("hf:gpt2")
    (('large', 'hf:gpt2-xl'), ('', 'hf:gpt2'))
    """
    found = LABELLED.fullmatch(name)
    return (found[1], found[2]) if found and not Path(name).exists() else ("", name)


def model_names(name: str) -> list[str]:
    """Return the names under which options may mean a model: its label, its spec, and that without a revision.

    >>> model_names("big=hf:org/name@step1")
    ['big', 'hf:org/name@step1', 'hf:org/name']
    """
    label, source = split_label(name)
    kind, _, rest = source.partition(":")
    repository = f"{kind}:{split_revision(rest)[0]}" if kind in HUB_KINDS else source
    return list(dict.fromkeys(filter(None, (label, source, repository))))


def model_kind(name: str) -> str:
    """The kind of the model with a name, which may be the directory of one trained here."""
    _, name = split_label(name)
    is_trained = (Path(name) / RECORD).is_file()
    kind: str = read_record(Path(name))["kind"] if is_trained else name.partition(":")[0]
    return KINDS.get(kind, kind)


def expand_choices(spec: RunSpec, objects: Collection[str] = ()) -> list[str]:
    """Return the models of a specification by name; a series stands for its models, a pattern for what it matches."""
    found_here = {name: expand_paths(split_label(name)[1]) for name in spec.models if name not in objects}
    require_use_of_revision(spec.revision, [model for models in found_here.values() for model in models])
    require_first_symbols(spec.bos, {name: model_names(name) for name in spec.models})
    names: list[str] = []
    for name in spec.models:
        if name in objects:
            if is_chosen(spec.bos, [name]):
                raise InputError(
                    f"model {name!r} is an object: choose its first symbol where you make it, not with bos"
                )
            names.append(name)
            continue
        label, _ = split_label(name)
        found = [
            revision
            for member in expand_series(found_here[name])
            for revision in expand_revisions(with_default_revision(member, spec.revision))
        ]
        if label and len(found) > 1:
            raise InputError(
                f"{name} stands for {len(found)} models, which cannot all be called {label!r}; leave it out"
            )
        names += [f"{label}={one}" if label else one for one in found]
    return names


def require_known_form(name: str) -> None:
    """Refuse a name that is of no form of a model spec, or that of a folder that does not exist; nothing is loaded."""
    _, source = split_label(name)
    kind, _, rest = source.partition(":")
    if Path(source).exists() or match_paths(source) is not None:
        return
    if kind not in {form.partition(":")[0] for form in spec_forms()}:
        raise unknown_spec(source)
    parse_spec(source, "default")
    if kind in HUB_KINDS and is_path(rest):
        require_model(rest, kind)


def require_use_of_revision(revision: str | None, models: Sequence[str]) -> None:
    """Refuse the option --revision where no model takes it: all are local or name a revision themselves."""
    if revision is None or any(with_default_revision(model, revision) != model for model in models):
        return
    reasons = [f"{model} {why_without_revision(model)}" for model in models[:MOST_REASONS]]
    more = f" and {len(models) - MOST_REASONS} more" if len(models) > MOST_REASONS else ""
    raise InputError(
        f"--revision {revision} applies only to hub models (hf:NAME, mlm:NAME) that name no revision; "
        f"{', '.join(reasons)}{more}. Leave it out; all checkpoints in a local folder are --model 'hf:DIR/*'"
    )


def why_without_revision(model: str) -> str:
    """Say why the option --revision does not apply to a model."""
    kind, _, name = model.partition(":")
    if kind in HUB_KINDS and not Path(name).exists():
        return "names its own revision"
    return "is a local folder" if Path(name or model).is_dir() else "is not a hub model"


def card_under_protocol(card: ModelCard, spec: RunSpec) -> ModelCard:
    """Add what a protocol means for a model to the decisions that are recorded of it."""
    if card.bos is None and spec.first == "zero":
        card = replace(card, decisions={**card.decisions, "bos": "none: the first token has 0 bits"})
    if spec.protocol is None:
        return card
    return replace(card, decisions={**card.decisions, "protocol": f"{spec.protocol}: {start_and_end(vars(spec))}"})


def note_unread_symbol(source: str, model: AnyModel, spec: RunSpec, notify: OnRunEvent) -> None:
    """Say where a protocol reads nothing before sentences, but a transformer has a symbol for their beginning.

    A recurrent model begins with an empty state, which is what its paper did; a transformer has nothing to attend to.
    """
    if not spec.protocol or spec.bos != "none" or model.card.bos is not None or model_kind(source) != "transformer":
        return
    tokenizer = getattr(model, "tokenizer", None)
    special = tokenizer.special_symbols() if isinstance(tokenizer, SubwordTokenizer) else []
    if found := next((symbol for symbol in BEGINNINGS if symbol in special), None):
        notify(
            RunNote(
                f"model {model.card.name!r}: the protocol {spec.protocol!r} reads no first symbol, and this model has "
                f"one, {found!r}; if it was always trained with it, its scores without it may be much lower: compare "
                "them with those of a run without --protocol (docs/protocols.md)"
            )
        )


def load_choice(choice: ModelChoice, spec: RunSpec, notify: OnRunEvent) -> AnyModel:
    """Load the model that is named; an object that is a model is used as it is."""
    name, model = split_choice(choice, "model")
    if model is None:
        label, source = split_label(name)
        notify(LoadingModel(label or name))
        model = load_model(
            source, bos=choose_symbol(name, spec), masking=spec.masking, beam=spec.beam, conventions=spec.conventions,
            prefix=spec.prefix, device=spec.device, dtype=spec.dtype,
        )  # fmt: skip
        if label:
            model = copy(model)
            object.__setattr__(model, "card", replace(model.card, name=label))  # also of a frozen dataclass
        note_unread_symbol(source, model, spec, notify)
    else:
        require_as_made(name, model.card, spec, bos=choose_symbol(name, spec))
        note_unknown_kind(name, spec, notify)
    if spec.trained:
        label, source = split_label(name)
        patterns = [split_label(one)[1] for one in spec.models if stands_for(one, name)]
        model = with_training(model, spec.trained, [label or source, source, *patterns])
    return model if spec.special == "text" else with_symbols(model)


def choose_symbol(name: str, spec: RunSpec) -> str:
    """Return the first symbol of a model.

    One of a series, or of the revisions of a pattern, has that of the series or pattern, unless it has its own.
    """
    others = [other for one in spec.models for other in model_names(one)]
    own = model_names(name)
    if not is_chosen(spec.bos, own):
        own += [other for one in spec.models if stands_for(one, name) for other in model_names(one)]
    return symbol_for(spec.bos, own, others)


def stands_for(several: str, name: str) -> bool:
    """Whether a series, or a pattern of paths or of revisions, stands for a model, among others."""
    _, source = split_label(several)
    _, member = split_label(name)
    if (found := match_paths(source)) is not None:
        return member in expand_series(found.specs)
    return Path(member).parent == Path(source) if is_series(source) else matches_revision(source, member)


def with_symbols(model: Any) -> Any:
    """Return a model like this one that reads special symbols inside a text as symbols."""
    if not isinstance(model.tokenizer, SubwordTokenizer):
        how = "reads whole words, and no special symbols inside a text"
        if model.card.name.startswith("api:"):
            how = "has the tokenizer of its server, which decides about symbols (,tokenizer=DIR names one of yours)"
        raise InputError(f"model {model.card.name!r} {how}; leave out --special")
    card, changed = model.card, copy(model)
    if card.has_fingerprint:  # else nothing is stored of it
        card = replace(card, fingerprint=digest_text(f"{card.fingerprint} symbols"))
    card = replace(card, decisions={**card.decisions, "special symbols in texts": "read as symbols"})
    try:
        object.__setattr__(changed, "card", card)  # also of a frozen dataclass
        object.__setattr__(changed, "tokenizer", replace(model.tokenizer, reads_symbols=True))
    except AttributeError as error:
        raise InputError(
            f"model {card.name!r} has a card or tokenizer that cannot be replaced ({error}); make both plain "
            "attributes, or give it a SubwordTokenizer with reads_symbols=True and leave out --special"
        ) from error
    return changed


def split_choice(choice: Any, kind: Literal["model", "suite"]) -> tuple[str, Any | None]:
    """Return the name of a model or suite, and the object, if it is one and not a name or a path."""
    match choice:
        case str() | os.PathLike():
            return os.fspath(choice), None
        case Suite() if kind == "suite":
            return choice.name, choice
        case LanguageModel() | TreeModel() | TextModel() if kind == "model":
            return choice.card.name, choice
        case SavedModel() if kind == "model":
            return str(choice.path), None
    needed = {
        "model": "a name, a path, a trained model, or a model object (docs/own_model.md)",
        "suite": "a name, a path or a Suite",
    }
    remedy = f"give {needed[kind]}"
    if hasattr(choice, "save_pretrained"):  # a model of transformers
        remedy = "give gardenpath.load_model(network, tokenizer=tokenizer)"
    shown = " ".join(spell_value(choice).split())  # networks are written in many lines
    raise InputError(f"{shown} of type {type(choice).__name__} is not a {kind}; {remedy}")


def name_objects(fields: dict[str, Any], field: Literal["models", "suites"]) -> dict[str, Any]:
    """Replace objects among the models or suites of a specification by their names, and return them by these names."""
    if field not in fields:
        return {}
    value = fields[field]
    several = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    kind: Literal["model", "suite"] = "model" if field == "models" else "suite"
    chosen = [split_choice(one, kind) for one in several]
    objects: dict[str, Any] = {}
    for name, one in chosen:
        if one is not None and name in objects:
            raise InputError(f"two {field} are called {name!r}; their results would be indistinguishable: rename one")
        if one is not None:
            objects[name] = one
    fields[field] = [name for name, _ in chosen]
    return objects
