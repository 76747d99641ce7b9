"""The symbols that models read before every sentence, which change their scores."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gardenpath.errors import InputError
from gardenpath.io.messages import quote

if TYPE_CHECKING:
    from gardenpath.runs.manifest import Manifest


def symbol_for(bos: str | Sequence[str], own: Iterable[str], models: Iterable[str]) -> str:
    """Return the symbol that a model reads first: that of an entry MODEL=SYMBOL, else the one that is for all.

    own: the names of this model. models: those of all models of the run.

    >>> [symbol_for(("none", "big=<s>"), [name], ["big", "small"]) for name in ("big", "small")]
    ['<s>', 'none']
    """
    own = set(own)
    for entry in as_entries(bos):
        if (name := named_model(entry, own)) is not None:
            return entry[len(name) + 1 :]
    others = {*own, *models}
    return next((entry for entry in as_entries(bos) if named_model(entry, others) is None), "default")


def as_entries(bos: str | Sequence[str]) -> tuple[str, ...]:
    """Return the entries SYMBOL and MODEL=SYMBOL; a single one stands alone."""
    return (bos,) if isinstance(bos, str) else tuple(bos)


def named_model(entry: str, names: Iterable[str]) -> str | None:
    """Return the model that an entry is for, by the longest of the names that fits; None if it is for all."""
    return max((name for name in names if entry.startswith(f"{name}=")), key=len, default=None)


def is_chosen(bos: str | Sequence[str], names: Iterable[str]) -> bool:
    """Whether an entry is for a model with one of these names alone."""
    names = list(names)
    return any(named_model(entry, names) is not None for entry in as_entries(bos))


def require_first_symbols(bos: str | Sequence[str], models: Mapping[str, Sequence[str]]) -> None:
    """Refuse entries that no model uses, and two for one model. models: the names of every model, by its spec."""
    entries, names = as_entries(bos), {name for several in models.values() for name in several}
    plain = [entry for entry in entries if named_model(entry, names) is None]
    own = [[entry for entry in entries if named_model(entry, several) is not None] for several in models.values()]
    listed = quote(models, most=4)
    if len(plain) > 1:
        raise InputError(
            f"--bos: {quote(plain)} are each for all models, and only one can be; write MODEL=SYMBOL with one of the "
            f"models {listed}"
        )
    if len(entries) > 1 and plain and all(own):
        raise InputError(
            f"--bos {plain[0]}: every model has a symbol of its own, so that none reads this one; leave it out, or "
            f"name one of {listed}"
        )
    for model, several in zip(models, own, strict=True):
        if len(several) > 1:
            raise InputError(f"--bos: {quote(several)} are both for {model!r}, which reads one symbol first; keep one")


class ReadSymbol(NamedTuple):
    """The symbol that a model reads before every sentence."""

    symbol: str
    source: str
    """What the model was loaded from; models of one source have the same weights."""


def read_symbols(manifests: Sequence["Manifest"], names: Mapping[tuple[int, str], str]) -> dict[str, ReadSymbol]:
    """List the first symbols of the models of runs, as far as they are recorded; names: as in `RunTables`."""
    found = {}
    for index, manifest in enumerate(manifests):
        entries = [entry.partition("=") for entry in manifest.spec.get("models", ())]
        sources = {label: source for label, _, source in entries if source}
        for model in manifest.models:
            if model.first_symbol is not None:
                source = sources.get(model.name, model.name)
                found[names[index, model.name]] = ReadSymbol(model.first_symbol, source)
    return found


def note_first_symbols(symbols: Mapping[str, ReadSymbol]) -> list[str]:
    """Note that models of a comparison which have the same weights read different first symbols.

    >>> note_first_symbols({"a": ReadSymbol("<s>", "gpt2"), "b": ReadSymbol("<eos>", "lstm")})
    []
    """
    readers: dict[str, dict[str, list[str]]] = {}
    for model, read in symbols.items():
        readers.setdefault(read.source, {}).setdefault(read.symbol, []).append(model)
    differ = [
        "; ".join(f"{symbol} by {quote(models, most=3)}" for symbol, models in own.items())
        for own in readers.values()
        if len(own) > 1
    ]
    return [
        f"the same weights read different first symbols ({groups}) and score differently after another symbol, so that "
        "part of a difference may come from it: --bos (bos=…) chooses one symbol for all"
        for groups in differ
    ]


def with_first_symbols(rows: Iterable[Mapping[str, Any]], symbols: Mapping[str, str]) -> list[dict[str, Any]]:
    """Add the first symbol of its model to every row, where it is known."""
    return [{**row} | ({"bos": symbols[row["model"]]} if row["model"] in symbols else {}) for row in rows]
