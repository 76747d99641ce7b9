"""How a model scores a part of the tree, or a batch of texts, if more than bits is wanted of every token."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from gardenpath.errors import InputError
from gardenpath.models.details import Details, describe_tokens
from gardenpath.models.prefix_tree import PrefixTree
from gardenpath.models.protocol import AnyModel, Bits, LanguageModel, TextModel, TreeModel
from gardenpath.scoring.tree import walk_tree
from gardenpath.text.tokens import Encoded, Ids


def tree_scorer(model: LanguageModel[Any] | TreeModel, details: Details) -> Callable[[PrefixTree], Bits]:
    """Return what scores a tree: a number for every node or, with details, a described token."""
    if not details:
        return model.score_tree if isinstance(model, TreeModel) else partial(walk_tree, model)
    require_spelling(model, details)
    if isinstance(model, TreeModel):
        describe = getattr(model, "describe_tree", None)
        if describe is None:
            raise only_bits(model, details)
        return partial(describe, details=details)
    if not hasattr(model, "distribution") or "layers" in details.kinds:
        raise only_bits(model, details)
    return partial(walk_tree, DescribedSteps(model, details), columns=details.columns)


def text_scorer(model: TextModel, details: Details) -> Callable[[Sequence[str]], tuple[Encoded, Bits]]:
    """Return what scores texts: a number for every token or, with details, a described token."""
    if not details:
        return model.score
    require_spelling(model, details)
    describe = getattr(model, "describe", None)
    if describe is None or "layers" in details.kinds:
        raise only_bits(model, details)
    return partial(describe, details=details)


def require_spelling(model: AnyModel, details: Details) -> None:
    """Refuse to list the likeliest tokens of a model that cannot spell them."""
    if "top" in details.kinds and not hasattr(model.tokenizer, "pieces"):
        raise InputError(
            f"model {model.card.name!r}: its tokenizer has no method `pieces`, which returns the texts of ids, so that "
            "the likeliest tokens cannot be listed; leave out the detail `top`"
        )


def only_bits(model: AnyModel, details: Details) -> InputError:
    """Return the error of a model that does not give all details."""
    if "layers" in details.kinds:
        lacks = "no surprisals of its layers, as transformers have whose sentences are read together"
    else:
        lacks = "no distribution over all tokens, as transformers, LSTMs and n-gram models trained here have"
    return InputError(f"model {model.card.name!r} has {lacks}: leave out the details {', '.join(details.kinds)}")


class DescribedSteps:
    """A model whose steps return described tokens, made of one that has `distribution(state, rows)`."""

    def __init__(self, model: Any, details: Details) -> None:
        self.model = model
        self.card, self.tokenizer = model.card, model.tokenizer
        self.details = details

    def start(self) -> Any:
        """Return the model's first state."""
        return self.model.start()

    def step(self, state: Any, rows: Ids, tokens: Ids, keep: Ids) -> tuple[Bits, Any]:
        """Take the model's step, and describe each token that has bits."""
        bits, after = self.model.step(state, rows, tokens, keep)
        found = np.full((len(bits), 1 + self.details.width), np.nan)
        found[:, 0] = bits
        scored = np.flatnonzero(~np.isnan(bits))
        distribution = partial(self.model.distribution, state)
        found[scored, 1:] = describe_tokens(distribution, rows[scored], tokens[scored], self.details)
        return found, after
