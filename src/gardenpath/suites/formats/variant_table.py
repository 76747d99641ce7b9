"""Suites whose conditions come in several variants, one sentence per row: the reflexive experiments."""

import csv
import re
from collections.abc import Sequence
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import locate_errors, quote
from gardenpath.io.tables import DELIMITERS, Record
from gardenpath.suites.formats.reflexives import pronoun_predictions
from gardenpath.suites.formats.whole_sentence import with_unique_ids
from gardenpath.suites.suite import Condition, Item, Join, Sentence, Suite, join_regions

VARIANT_COLUMNS = ("suite", "pronoun", "item", "condition", "variant", "sentence")


def has_variants(suite: Suite) -> bool:
    """Return whether the conditions come in variants, all about one pronoun."""
    return "pronoun" in suite.metadata and all("kind" in condition.levels for condition in suite.conditions)


def write_variants(suites: Sequence[Suite], path: Path) -> None:
    """Write every sentence with its condition and variant, as TSV or CSV."""
    for suite in suites:
        if not has_variants(suite):
            raise InputError(f"suite {suite.name!r} has no variants; write it to a separate file")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=DELIMITERS[path.suffix.lower()], lineterminator="\n")
        writer.writerow(VARIANT_COLUMNS)
        for suite in suites:
            kinds = {condition.name: condition.levels["kind"] for condition in suite.conditions}
            for trial, sentence in suite.trials():
                kind = kinds[trial.condition]
                variant = trial.condition.removeprefix(f"{kind}_")
                writer.writerow((suite.name, suite.metadata["pronoun"], trial.item, kind, variant, sentence.text))


def build_variant_suites(records: Sequence[Record], path: Path, join: Join) -> list[Suite]:
    """Build the suites of a file written by `write_variants`."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(record.text("suite"), []).append(record)
    with locate_errors(path):
        return [build_variant_suite(name, group, path, join) for name, group in groups.items()]


def build_variant_suite(name: str, records: Sequence[Record], path: Path, join: Join) -> Suite:
    """Build the suite of some rows."""
    conditions: dict[str, Condition] = {}
    items: dict[str, dict[str, Sentence]] = {}
    for record in records:
        kind, variant = record.text("condition"), record.text("variant")
        condition = Condition(f"{kind}_{variant}", {"kind": kind, "variant": variant})
        conditions.setdefault(condition.name, condition)
        sentences = items.setdefault(record.text("item"), {})
        if condition.name in sentences:
            raise InputError(
                f"{record.where}: item {record.text('item')!r} of {name!r} already has condition {kind!r}, "
                f"variant {variant!r}; remove one of the rows"
            )
        sentences[condition.name] = mark_pronoun(record, join)
    kinds = {condition.levels["kind"] for condition in conditions.values()}
    if kinds != {"baseline", "distractor", "ungrammatical"}:
        raise InputError(
            f"{records[0].where}: the conditions of {name!r} are {quote(sorted(kinds))}, not 'baseline', "
            "'distractor' and 'ungrammatical'"
        )
    return Suite(
        name=name,
        conditions=tuple(conditions.values()),
        items=with_unique_ids([Item(id_, sentences) for id_, sentences in items.items()], path),
        predictions=pronoun_predictions(conditions.values()),
        phenomenon="reflexive_anaphora",
        source=str(path),
        metadata={"pronoun": records[0].text("pronoun")},
    )


def mark_pronoun(record: Record, join: Join) -> Sentence:
    """Return the sentence with the regions prefix, pronoun and rest."""
    text, pronoun = record.text("sentence"), record.text("pronoun")
    match = re.search(rf"\b{re.escape(pronoun)}\b", text)
    if match is None:
        raise InputError(f"{record.where}: the pronoun {pronoun!r} is not a word of {text!r}")
    contents = text[: match.start()], pronoun, text[match.end() :]
    return join_regions(list(zip(("prefix", "pronoun", "rest"), contents, strict=True)), join)
