"""Sentences and their prefixes as users give them to `score`: one, several, a column of a table."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.messages import spell_value


def as_texts(sentences: str | Iterable[str]) -> tuple[str, ...]:
    """Collect the sentences; a single string is one sentence."""
    if isinstance(sentences, str):
        return (str(sentences),)
    refuse_others(sentences)
    texts = tuple(sentences)
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise InputError(f"sentence {index} is {text!r}, of type {type(text).__name__}; sentences are strings")
    if not texts:
        raise InputError("there is no sentence to score; give at least one")
    return tuple(map(str, texts))  # those of numpy are strings of a type of their own


def refuse_others(sentences: Any) -> None:
    """Refuse what holds no sentences, and what holds them under names, such as a table with columns."""
    kind = type(sentences).__name__
    if isinstance(sentences, Path):
        raise InputError(f"sentences is the path {str(sentences)!r}; give its lines: PATH.read_text().splitlines()")
    if isinstance(sentences, Mapping):
        raise InputError(f"sentences is a {kind} with the keys {name_columns(sentences)}; give the list of one key")
    has_schema = hasattr(sentences, "collect_schema")  # frames of polars, also those not read yet
    columns = sentences.collect_schema().names() if has_schema else getattr(sentences, "columns", None)
    if columns is not None:
        names = name_columns(columns)
        example = names.partition(", ")[0]
        raise InputError(f"sentences is a {kind} with the columns {names}; give one column, such as df[{example}]")
    if not isinstance(sentences, Iterable):
        raise InputError(f"sentences is {spell_value(sentences)}, of type {kind}; give a string or a list of strings")


def name_columns(columns: Iterable[Any], most: int = 4) -> str:
    """Write the first names of columns or keys for a message."""
    names = [repr(name) for name in columns]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def as_prefixes(prefix: str | Sequence[str], texts: Sequence[str]) -> tuple[str, ...]:
    """Return what is read before each text: its prefix and a space; empty for a text without a prefix.

    >>> as_prefixes("the", ["dog", "cat"]), as_prefixes(["the ", ""], ["dog", "cat"])
    (('the ', 'the '), ('the ', ''))
    """
    if prefix is None or not isinstance(prefix, Iterable):
        raise InputError(f"prefix is {spell_value(prefix)}; give a string, or a list with one for each sentence")
    prefixes = (prefix,) * len(texts) if isinstance(prefix, str) else tuple(prefix)
    if len(prefixes) != len(texts):
        raise InputError(
            f"prefix has {len(prefixes)} texts for {len(texts)} sentences; give one for each sentence, or one string "
            "for all"
        )
    for index, (before, text) in enumerate(zip(prefixes, texts, strict=True)):
        if not isinstance(before, str):
            raise InputError(f"prefix {index} is {before!r}, of type {type(before).__name__}; prefixes are strings")
        if before and not text.strip():
            raise InputError(
                f"text {index} is empty: nothing is scored after the prefix {before!r}; leave the text out"
            )
    return tuple(str(before) + " " * bool(before and not before[-1].isspace()) for before in prefixes)
