"""Loading models by their specs, as users write them."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from gardenpath.errors import InputError
from gardenpath.io.extras import require_extras, require_package
from gardenpath.io.near_paths import is_path, suggest_path
from gardenpath.io.plugins import find_plugins
from gardenpath.models.card import DOCUMENT_SEPARATOR, MESSAGE_START
from gardenpath.models.objects import check_object, require_unused
from gardenpath.models.placement import Dtype, Placement
from gardenpath.models.pretrained.find_model import require_model
from gardenpath.models.pretrained.revisions import HUB_KINDS, record_revision
from gardenpath.models.protocol import (
    GPT2,
    WORD_LEVEL_GPT2,
    AnyModel,
    LanguageModel,
    SavedModel,
    TextModel,
    Training,
    TreeModel,
)
from gardenpath.models.published.conventions import Convention
from gardenpath.models.trained.checkpoint_record import read_record, shape_of
from gardenpath.models.trained.rnng.options import DEFAULT_BEAM, parse_beam


class SpecForm(NamedTuple):
    """What a form of a model spec means."""

    meaning: str
    first_symbol: str
    """The symbol that such a model reads before every sentence by default."""


OWN_SYMBOL = f"its own; {DOCUMENT_SEPARATOR} where that is {MESSAGE_START} or missing"
SPEC_FORMS = {
    "smollm2": SpecForm("the embedded default: SmolLM2-135M-Instruct (needs no network)", DOCUMENT_SEPARATOR),
    "hf:NAME_OR_DIR": SpecForm(
        "any causal model of Hugging Face transformers, by folder or hub name (NAME@REVISION)", OWN_SYMBOL
    ),
    "gguf:FILE": SpecForm("a quantised model in a GGUF file", OWN_SYMBOL),
    "mlm:NAME_OR_DIR": SpecForm("a masked model of transformers (pseudo-log-likelihood)", "as its tokenizer begins"),
    "mntp:NAME_OR_DIR": SpecForm("a decoder trained by masked next-token prediction, to see both sides", "as mlm:"),
    "s2s:NAME_OR_DIR": SpecForm("an encoder-decoder of transformers (T5, BART), its decoder scored", "its start"),
    "ngram:FILE": SpecForm("an n-gram model, ARPA or KenLM binary", "<s>, where the file has it"),
    "grnn:FILE": SpecForm(
        "the published LSTM of Gulordava et al. (2018), with its vocab.txt in the same folder", "<eos>"
    ),
    "jrnn:DIR": SpecForm("the published LSTM of Jozefowicz et al. (2016): the release of lm_1b", "<S>"),
    "txl:DIR": SpecForm("the published Transformer-XL (transfo-xl-wt103), or one in its layout", "<eos>"),
    "api:URL#MODEL": SpecForm("a model behind a server that reports log-probabilities of a text", "as its server adds"),
    "tsv:FILE": SpecForm("token surprisals computed elsewhere", "as in the file"),
    "DIR": SpecForm("a model that `gardenpath train` made", "as in its training"),
}
"""The forms of a model spec."""
FIXED_BEGINNINGS = {
    "mlm": "a masked model has the special tokens of its tokenizer around the text",
    "mntp": "a masked model has the special tokens of its tokenizer around the text",
    "ngram": "an n-gram model begins as its file does, with <s> where it has one",
    "tsv": "the surprisals were computed elsewhere",
}
"""Kinds of models whose first symbol cannot be chosen, and why."""
PUBLISHED = ("grnn", "jrnn", "txl")
"""Kinds of models that papers evaluated and others published."""


def spec_forms() -> dict[str, SpecForm]:
    """Return the forms of a model spec, with those of other installed packages; own ones come first."""
    own = {form.partition(":")[0] for form in SPEC_FORMS}
    plugins = [plugin for plugin in find_plugins("models") if plugin.name not in own]
    return SPEC_FORMS | {f"{plugin.name}:NAME": SpecForm(plugin.summary, "as its package says") for plugin in plugins}


def load_model(  # noqa: PLR0913 - every choice in loading
    spec: str | Path | AnyModel | SavedModel,
    *,
    bos: str = "default",
    masking: str = "within-word",
    beam: str = DEFAULT_BEAM,
    conventions: Collection[Convention] = (),
    prefix: str = "",
    device: str = "auto",
    dtype: Dtype = "float32",
    tokenizer: Any = None,
) -> AnyModel:
    """Load the model that a spec names or that `train` returned; an object that is already a model is returned as is.

    `bos` sets the first symbol, `masking` is for masked models, `beam` for RNNGs, `conventions` for `txl:` and
    `jrnn:`, `prefix` for `s2s:`, `device` and `dtype` for pretrained models (docs/devices.md), `tokenizer` for a
    network of transformers that is in memory, given in place of the spec.

    >>> load_model("smollm2").card.bos
    '<|endoftext|>'
    """
    if isinstance(spec, SavedModel) and not isinstance(spec, LanguageModel | TreeModel | TextModel):
        spec = spec.path
    if tokenizer is not None or not isinstance(spec, str | Path):
        require_unused(
            masking=tokenizer is None and masking != "within-word", beam=beam != DEFAULT_BEAM, prefix=prefix,
            conventions=conventions, device=device != "auto", dtype=dtype != "float32",
        )  # fmt: skip
        return check_object(spec, tokenizer, bos=bos, masking=masking)
    spec = str(spec)
    if prefix and not spec.startswith("s2s:"):
        raise InputError(
            f"model {spec!r} has no encoder to read the prefix {prefix!r}; leave it out, or score texts after it with "
            "gardenpath.score(model, texts, prefix=…)"
        )
    with require_extras(f"the model {spec!r}"):
        if (Path(spec) / "checkpoint.json").is_file():
            return load_checkpoint(Path(spec), bos=bos, beam=beam)
        kind, rest = parse_spec(spec, bos)
        if kind in PUBLISHED:
            return load_published(kind, Path(rest), bos=bos, conventions=conventions)
        if kind in HUB_KINDS:
            require_package("torch")  # to be named first: without it no model is read, wherever it is
            require_model(rest, kind)
        return load_kind(kind, rest, bos=bos, masking=masking, prefix=prefix, placement=Placement(device, dtype))


def load_kind(kind: str, rest: str, *, bos: str, masking: str, prefix: str, placement: Placement) -> AnyModel:
    """Load the model of a kind that is named by the rest of a spec."""
    model: Any
    match kind:
        case "smollm2":
            from gardenpath.models.pretrained.gguf import load_embedded

            model = load_embedded(bos=bos, placement=placement)
        case "hf":
            from gardenpath.models.pretrained.remembered import load_causal

            model = record_revision(load_causal(rest, bos=bos, placement=placement), rest)
        case "gguf":
            from gardenpath.models.pretrained.gguf import load_gguf

            model = load_gguf(Path(rest), bos=bos, placement=placement)
        case "mlm" | "mntp":
            from gardenpath.models.pretrained.masked import load_masked

            shift = int(kind == "mntp")
            model = record_revision(load_masked(rest, masking=masking, shift=shift, placement=placement), rest)
        case "s2s":
            from gardenpath.models.pretrained.load_s2s import load_s2s

            model = record_revision(load_s2s(rest, bos=bos, prefix=prefix, placement=placement), rest)
        case "ngram":
            from gardenpath.models.ngram.kenlm_model import load_ngram

            model = load_ngram(Path(rest))
        case "api":
            from gardenpath.models.served.load_served import load_served

            model = load_served(rest, bos=bos)
        case "tsv":
            from gardenpath.models.precomputed.model import load_precomputed

            model = load_precomputed(Path(rest))
        case _:
            model = load_declared(kind, rest, bos=bos, placement=placement)
    return model  # type: ignore[no-any-return]  # the loaders' own types satisfy the protocols


def load_declared(kind: str, rest: str, *, bos: str, placement: Placement) -> AnyModel:
    """Load a model of another package, by the kind that it declares."""
    from gardenpath.models.plugin_models import load_plugin_model

    model = load_plugin_model(kind, rest, bos=bos, placement=placement)
    if model is None:
        raise unknown_spec(f"{kind}:{rest}")
    return model


def load_published(kind: str, path: Path, *, bos: str, conventions: Collection[Convention]) -> AnyModel:
    """Load a model of the papers from the files that its authors released."""
    model: Any
    match kind:
        case "grnn":
            from gardenpath.models.published.gulordava import load_gulordava

            model = load_gulordava(path, bos=bos)
        case "jrnn":
            from gardenpath.models.published.load_jrnn import load_jrnn

            model = load_jrnn(path, bos=bos, conventions=conventions)
        case _:
            from gardenpath.models.published.load_transformer_xl import load_transformer_xl

            model = load_transformer_xl(path, bos=bos, conventions=conventions)
    return model  # type: ignore[no-any-return]  # as above


def parse_spec(spec: str, bos: str) -> tuple[str, str]:
    """Split a spec into the kind of a model and its name; refuse a first symbol where it cannot be chosen."""
    kind, _, rest = spec.partition(":")
    if (spec != "smollm2" and not rest) or (kind == "smollm2" and rest):
        raise unknown_spec(spec)
    if kind in FIXED_BEGINNINGS and bos != "default":
        raise InputError(
            f"model {spec!r}: a first symbol (here {bos!r}) cannot be chosen: {FIXED_BEGINNINGS[kind]}; leave out `bos`"
        )
    return kind, rest


def load_checkpoint(folder: Path, *, bos: str = "default", beam: str = DEFAULT_BEAM) -> AnyModel:
    """Load a model trained here, by the kind in its checkpoint.json."""
    record = read_record(folder)
    model: Any
    match record["kind"]:
        case "ngram":
            from gardenpath.models.ngram.arrays import load_ngram_arrays

            model = load_ngram_arrays(folder, bos=bos)
        case "lstm":
            from gardenpath.models.trained.lstm import load_recurrent

            model = load_recurrent(folder, bos=bos)
        case "gpt2":
            from gardenpath.models.trained.gpt2 import load_gpt2

            model = load_gpt2(folder, bos=bos)
        case "on-lstm":
            from gardenpath.models.trained.on_lstm.module import load_ordered

            model = load_ordered(folder, bos=bos)
        case "rnng":
            from gardenpath.models.trained.rnng.checkpoint import load_rnng

            model = load_rnng(folder, bos=bos, search=parse_beam(beam))
        case kind:
            raise InputError(
                f"{folder} holds a model of the kind {kind!r}; this gardenpath knows: ngram, lstm, gpt2, on-lstm, rnng"
            )
    model.card = replace(model.card, training=training_of(record, folder))
    return model  # type: ignore[no-any-return]  # as above


ARCHITECTURES = {"lstm": "LSTM", "gpt2": GPT2, "on-lstm": "ON-LSTM", "rnng": "RNNG"}
"""Names of the kinds of checkpoints in tables and figures."""


def training_of(record: Mapping[str, Any], folder: Path) -> Training:
    """Read from a checkpoint how the model was trained, and its shape."""
    training, kind = record["training"], architecture_of(record)
    # The samples of a series have about as many words as their size; results are compared by the size.
    words = training.get("size", training.get("words"))
    perplexity = training.get("word_perplexity", training.get("perplexity"))
    architecture, corpus = training.get("architecture", kind), training.get("corpus_name", "")
    found = {**shape_of(record, folder), "budget": training.get("budget")}
    return Training(architecture, corpus, words, training.get("seed"), perplexity, **found)


def architecture_of(record: Mapping[str, Any]) -> str:
    """The architecture of a checkpoint by its kind; n-grams have their order, and GPT-2 the unit of its tokens."""
    kind, options = record["kind"], record["options"]
    if kind == "ngram":
        return f"{options['order']}-gram"
    reads_words = kind == "gpt2" and options.get("tokens", {}).get("unit") == "word"
    return WORD_LEVEL_GPT2 if reads_words else ARCHITECTURES[kind]


def unknown_spec(spec: str) -> InputError:
    """Make the error for a spec that names no model."""
    if spec and Path(spec).is_dir():
        return InputError(
            f"{spec} is a directory without checkpoint.json, so not a model that `gardenpath train` made; "
            f"if it holds a model of transformers, name it as hf:{spec} or mlm:{spec}"
        )
    if is_path(spec) or ("/" in spec and ":" not in spec and suggest_path(spec)):
        return InputError(
            f"{spec} does not exist{suggest_path(spec)}; name the folder of a model that `gardenpath train` made, or a "
            "model from elsewhere by one of the forms that `gardenpath models list` prints"
        )
    forms = spec_forms()
    prefix, colon, rest = spec.partition(":")
    near = get_close_matches(prefix, [form.partition(":")[0] for form in forms], n=1, cutoff=0.5 if colon else 0.6)
    if colon:
        hint = f" (did you mean '{near[0]}:{rest}'?)" if near and near[0] != prefix else ""
    else:
        hint = f" (did you mean {near[0]!r}?)" if near else f" (a model of transformers is 'hf:{spec}')" if spec else ""
    lines = "\n".join(f"  {name:16} {form.meaning}" for name, form in forms.items())
    return InputError(f"unknown model spec {spec!r}{hint}; name a model as one of\n{lines}")
