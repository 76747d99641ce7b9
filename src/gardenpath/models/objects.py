"""Models that are objects: those of users, and networks of the transformers library with their tokenizers."""

from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.extras import require_extras
from gardenpath.io.messages import spell_value
from gardenpath.models.protocol import AnyModel, LanguageModel, TextModel, TreeModel


def check_object(model: Any, tokenizer: Any = None, *, bos: str = "default", masking: str = "within-word") -> AnyModel:
    """Return a model of the user's own, if it is one, or that of a network and a tokenizer."""
    if tokenizer is not None:
        with require_extras("a network of transformers"):
            from gardenpath.models.pretrained.in_memory import read_in_memory

            return read_in_memory(model, tokenizer, bos=bos, masking=masking)
    if not isinstance(model, LanguageModel | TreeModel | TextModel):
        raise InputError(
            f"{' '.join(spell_value(model).split())} of type {type(model).__name__} {describe_need(model)}"
        )
    if bos != "default":
        raise InputError(
            f"model {model.card.name!r} is an object: choose its first symbol (here {bos!r}) where you make it, or "
            "leave out `bos`"
        )
    return model


def require_unused(**given: object) -> None:
    """Refuse options of loading that were given (are true) for an object, which is used as it is."""
    if late := [name for name, is_given in given.items() if is_given]:
        raise InputError(f"a model that is an object is used as it is; leave out {', '.join(late)}")


def describe_need(model: object) -> str:
    """Return what an object lacks that is no model."""
    if hasattr(model, "save_pretrained"):
        return "needs its tokenizer: load_model(network, tokenizer=tokenizer)"
    return (
        "is neither a model spec nor a model: a model has `card`, `tokenizer` and either `start` and `step`, "
        "`score_tree` or `score` (docs/own_model.md)"
    )
