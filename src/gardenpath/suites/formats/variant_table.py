"""Suites whose conditions come in several variants, one sentence per row: the reflexive experiments."""

import csv
from collections.abc import Sequence
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.atomic import atomic_write
from gardenpath.io.messages import locate_errors
from gardenpath.io.table_text import DELIMITERS
from gardenpath.io.tables import Record
from gardenpath.suites.formats.reflexives import SENTENCE_KINDS, build_pronoun_suite
from gardenpath.suites.suite import Condition, Join, Suite

VARIANT_COLUMNS = ("suite", "pronoun", "item", "condition", "variant", "sentence")


def has_variants(suite: Suite) -> bool:
    """Return whether the conditions come in variants, all about one pronoun."""
    return "pronoun" in suite.metadata and all("kind" in condition.levels for condition in suite.conditions)


def write_variants(suites: Sequence[Suite], path: Path) -> None:
    """Write every sentence with its condition and variant, as TSV or CSV."""
    for suite in suites:
        if not has_variants(suite):
            raise InputError(f"suite {suite.name!r} has no variants; write it to a separate file")
    with atomic_write(path) as scratch, scratch.open("w", encoding="utf-8", newline="") as file:
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
        return [build_pronoun_suite(name, group, read_variant, path, join) for name, group in groups.items()]


def read_variant(record: Record) -> Condition:
    """Return the condition of a row, of which each variant is a condition of the suite."""
    kind, variant = record.text("condition"), record.text("variant")
    if kind not in SENTENCE_KINDS.values():
        raise InputError(f"{record.where}: the condition is {kind!r}, not 'baseline', 'distractor' or 'ungrammatical'")
    return Condition(f"{kind}_{variant}", {"kind": kind, "variant": variant})
