"""Models whose packed reading was compared with the library once: loaded again without it, which saves seconds."""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from safetensors import safe_open
from safetensors.torch import load_file
from tokenizers import Tokenizer

from gardenpath.errors import InputError
from gardenpath.io.atomic import write_text_atomically
from gardenpath.io.cache_directory import cache_folder
from gardenpath.io.digest import digest_text
from gardenpath.io.near_paths import expand_home
from gardenpath.io.sealed_json import find_sealed, seal_record
from gardenpath.io.verified_files import SETTLED_SECONDS
from gardenpath.models.card import WeightMetadata, choose_bos, describe_subword_model
from gardenpath.models.placement import ON_THIS_MACHINE, Placement
from gardenpath.models.pretrained.head import Head
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.models.pretrained.rotary import RotaryReader, RotaryShape, weight_names
from gardenpath.models.tokenizers import SubwordTokenizer

WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
COMPARISON = 6
"""Raise this when our reader of Llamas changes: all models are then compared with the library again."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Everything about a model's folder that the library knew and that is needed to load it without."""

    metadata: WeightMetadata
    shape: RotaryShape
    symbols: Mapping[str, str]
    """Special symbols by role (bos_token, eos_token, unk_token)."""
    unknown: int | None
    """Id of the unknown-word token."""
    vocabulary: int
    """Tokens that it has weights for."""
    tied: bool
    """Whether the projection to the vocabulary is the embedding."""


def load_causal(
    name: str, *, bos: str = "default", title: str | None = None, placement: Placement = ON_THIS_MACHINE
) -> Any:
    """Load a causal model by its folder or hub name; `bos` is a symbol of its vocabulary, `default` or `none`."""
    title = title or f"hf:{name}"
    if name.startswith("~"):
        name = str(expand_home(name))
    folder = Path(name)
    found = find_comparison(folder) if placement.is_exact else None
    if found is None:
        from gardenpath.models.pretrained.load_causal import load_pretrained  # takes seconds to import

        return load_pretrained(name, bos=bos, title=title, placement=placement)
    tokenizer = SubwordTokenizer(Tokenizer.from_file(str(folder / TOKENIZER)), found.unknown)
    special = dict.fromkeys([*tokenizer.special_symbols(), *found.symbols.values()])
    symbol = choose_bos(bos, found.symbols.get("bos_token"), special=special, vocabulary=tokenizer)
    end = found.symbols.get("eos_token")
    card = describe_subword_model(title, found.metadata, tokenizer, bos=symbol, end=end)
    require_weights_of(symbol, name, tokenizer, found.vocabulary)
    weights = {key: weight.float() for key, weight in load_file(folder / WEIGHTS).items()}
    head = Head(weights["model.embed_tokens.weight" if found.tied else "lm_head.weight"])
    return PackedModel(card, tokenizer, RotaryReader(found.shape, weights), head)


def remember_comparison(folder: Path, compared: Compared, tokenizer: Any) -> None:
    """Remember that a model's packed reading agreed with the library, if its files alone give the same model."""
    path = comparison_path(folder)
    if path is None or Tokenizer.from_file(str(folder / TOKENIZER)).to_str() != tokenizer.backend.to_str():
        return
    with safe_open(folder / WEIGHTS, framework="pt") as file:
        names = set(file.keys())
    if not names.issuperset(weight_names(compared.shape, tied=compared.tied)):
        return  # the library knows other names of the weights, too
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text_atomically(path, seal_record(asdict(compared)))


def require_weights_of(symbol: str | None, name: str, tokenizer: SubwordTokenizer, vocabulary: int) -> None:
    """Refuse a first symbol that the model has no weights for."""
    if symbol is not None and tokenizer.id_of(symbol) >= vocabulary:
        raise InputError(f"{name}: the model has no weights for the symbol {symbol!r}; name another one, or none")


def find_comparison(folder: Path) -> Compared | None:
    """Find what was remembered of these very files, compared with this version of the library."""
    path = comparison_path(folder)
    record = None if path is None else find_sealed(path)
    if record is None:
        return None
    metadata, shape = WeightMetadata(**record["metadata"]), RotaryShape(**record["shape"])
    rest = {name: record[name] for name in ("symbols", "unknown", "vocabulary", "tied")}
    return Compared(metadata, shape, **rest)


def comparison_path(folder: Path) -> Path | None:
    """Return the file in the cache directory for the files of a model as they are now; None if they cannot be used."""
    if not all((folder / name).is_file() for name in (WEIGHTS, TOKENIZER, "config.json")):
        return None
    files = [(path.name, path.stat()) for path in sorted(folder.iterdir()) if path.is_file()]
    newest = max(max(status.st_mtime_ns, status.st_ctime_ns) for _, status in files)
    if time.time() - newest / 1e9 < SETTLED_SECONDS:
        return None  # a file that is written to again might keep its times
    stamps = [(name, status.st_size, status.st_mtime_ns, status.st_ctime_ns) for name, status in files]
    versions = [version(library) for library in ("torch", "transformers", "tokenizers")]
    return (
        cache_folder() / "compared" / f"{digest_text(repr((str(folder.resolve()), stamps, versions, COMPARISON)))}.json"
    )
