"""Models of other installed packages: `NAME:REST` is loaded by the function that a package declares as NAME."""

from copy import copy
from dataclasses import replace
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.plugins import Plugin, find_plugin
from gardenpath.models.placement import Placement
from gardenpath.models.protocol import AnyModel, LanguageModel, TextModel, TreeModel


def load_plugin_model(kind: str, rest: str, *, bos: str, placement: Placement) -> AnyModel | None:
    """Load the model `kind:rest` of another package; None if no package declares the kind.

    The package's function gets `rest`, and those of `bos`, `device` and `dtype` that it declares as parameters.
    """
    plugin = find_plugin("models", kind)
    if plugin is None:
        return None
    if bos != "default" and not plugin.declares("bos"):
        raise InputError(
            f"model '{kind}:{rest}': a first symbol (here {bos!r}) cannot be chosen: the package {plugin.package} "
            "does not offer it; leave out `bos`"
        )
    model = plugin.call(rest, bos=bos, device=placement.device, dtype=placement.dtype)
    if not isinstance(model, LanguageModel | TreeModel | TextModel):
        raise plugin.fault(
            f"returned a {type(model).__name__} for {rest!r}, which is not a model: a model has `card`, `tokenizer` "
            "and either `start` and `step`, `score_tree` or `score`"
        )
    return record_package(model, plugin)


def record_package(model: Any, plugin: Plugin) -> AnyModel:
    """Return the model with its package among the decisions that results record."""
    changed = copy(model)
    card = replace(model.card, decisions={**model.card.decisions, "package": plugin.package})
    try:
        object.__setattr__(changed, "card", card)  # also of a frozen dataclass
    except AttributeError as error:
        raise plugin.fault(f"has a card that cannot be replaced ({error}); make it a plain attribute") from error
    return changed  # type: ignore[no-any-return]  # a copy of a model
