"""From a model spec, as users write it, to a model."""

from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.models.model import AnyModel

DEFAULT_MODEL = "smollm2"
SPECS = {
    "smollm2": "the embedded default: SmolLM2-135M-Instruct (needs no network)",
    "hf:NAME_OR_DIR": "any causal model of Hugging Face transformers, by folder or hub name",
    "gguf:FILE": "a quantised model in a GGUF file",
    "mlm:NAME_OR_DIR": "a masked model of transformers (pseudo-log-likelihood)",
    "ngram:FILE": "an n-gram model, ARPA or KenLM binary",
    "tsv:FILE": "token surprisals computed elsewhere",
}
"""How a model can be named, and what it then is."""
FIXED_BEGINNINGS = {
    "mlm": "a masked model has the special tokens of its tokenizer around the text",
    "ngram": "an n-gram model begins as its file does, with <s> where it has one",
    "tsv": "the surprisals were computed elsewhere",
}
"""Kinds of models whose first symbol is not ours to choose, and why."""


def load_model(spec: str, *, bos: str = "default", masking: str = "within-word") -> AnyModel:
    """The model a spec names; `bos` chooses its first symbol, `masking` the variant for masked models."""
    kind, _, rest = spec.partition(":")
    if (spec != "smollm2" and not rest) or (kind == "smollm2" and rest):
        raise unknown(spec)
    if kind in FIXED_BEGINNINGS and bos != "default":
        raise InputError(
            f"model {spec!r}: a first symbol (here {bos!r}) cannot be chosen: {FIXED_BEGINNINGS[kind]}; leave --bos out"
        )
    model: Any
    match kind:
        case "smollm2":
            from gardenpath.models.gguf import load_embedded

            model = load_embedded(bos=bos)
        case "hf":
            from gardenpath.models.pretrained import load_pretrained

            model = load_pretrained(rest, bos=bos)
        case "gguf":
            from gardenpath.models.gguf import load_gguf

            model = load_gguf(Path(rest), bos=bos)
        case "mlm":
            from gardenpath.models.masked import load_masked

            model = load_masked(rest, variant=masking)
        case "ngram":
            from gardenpath.models.ngram import load_ngram

            model = load_ngram(Path(rest))
        case "tsv":
            from gardenpath.models.precomputed import load_precomputed

            model = load_precomputed(Path(rest))
        case _:
            raise unknown(spec)
    return model  # type: ignore[no-any-return]  # the loaders' own types satisfy the protocols


def unknown(spec: str) -> InputError:
    """What to say of a spec that names nothing."""
    lines = "\n".join(f"  {form:16} {meaning}" for form, meaning in SPECS.items())
    return InputError(f"model spec {spec!r} is not known; a model is named as one of\n{lines}")
