"""How models from elsewhere were trained, as far as a user knows it: results are compared by it."""

import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace

from gardenpath.errors import InputError
from gardenpath.io.sizes import parse_size
from gardenpath.models.protocol import AnyModel, Training

FORM = re.compile(r"(.+)=([^=,]+),([^=,]+)(?:,([^=,]+))?")
"""A model, its architecture, the words of its text, perhaps the name of that text."""


def parse_training(text: str) -> tuple[str, Training]:
    """A model and how it was trained.

    >>> parse_training("big=5-gram,42M,bllip")[1].words
    42000000
    """
    found = FORM.fullmatch(text)
    if not found:
        raise InputError(
            f"--trained {text}: write MODEL=ARCHITECTURE,WORDS or MODEL=ARCHITECTURE,WORDS,CORPUS, such as "
            "big=5-gram,42M for a model that --model big=ngram:kn5.arpa names"
        )
    name, architecture, words, corpus = found.groups()
    return name, Training(architecture.strip(), (corpus or "").strip(), parse_size(words))


def require_known(trained: Sequence[str], models: Sequence[str]) -> None:
    """Refuse what is known of a model that is not among those that are named, as NAME or LABEL=MODEL."""
    names = {name for model in models for name in (model, model.partition("=")[0])}
    for text in trained:
        name, _ = parse_training(text)
        if name not in names:
            raise InputError(f"--trained {text}: no model is called {name!r}; the models are {', '.join(models)}")


def with_training(model: AnyModel, trained: Sequence[str], names: Sequence[str]) -> AnyModel:
    """The model with what is known of its training by one of its names; what it records of itself is kept."""
    known: Mapping[str, Training] = dict(map(parse_training, trained))
    given = next((known[name] for name in names if name in known), None)
    if given is None:
        return model
    own = model.card.training
    if own is not None and own.words is not None:
        raise InputError(
            f"--trained {names[0]}=…: the model records itself that it is {own.architecture} and was trained on "
            f"{own.words:,} words; leave it out"
        )
    training = given
    if own is not None:
        training = replace(own, architecture=given.architecture, corpus=given.corpus, words=given.words)
    changed = copy(model)
    object.__setattr__(changed, "card", replace(model.card, training=training))  # also of a frozen dataclass
    return changed
