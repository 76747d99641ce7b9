"""The stimuli of Hu, Chen and Levy (2020) on reflexive anaphora: one suite per file, several variants per condition.

A sentence is a baseline, has a distractor, or is ungrammatical, by `mismatch_position`: the column `grammatical` is
wrong in a third of one released file. An item counts as correct if the pronoun has more bits in its ungrammatical
variants, taken together, than in its baseline variants and than in its distractor variants.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, locate_errors, quote
from gardenpath.io.tables import Record
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Condition, Item, Join, Sentence, Suite, join_regions

SENTENCE_KINDS = {
    "none": "baseline",
    "": "baseline",
    "rc_subj": "distractor",
    "nonlocal_subj": "distractor",
    "distractor": "distractor",
    "matrix_subj": "ungrammatical",
    "local_subj": "ungrammatical",
    "head": "ungrammatical",
}
"""The kind of a sentence, by the noun that does not match the pronoun."""

VARIANTS = ("RC_verb", "subject", "counterbalance")
"""The columns in which variants of one item and kind differ."""


def build_reflexive_suite(records: Sequence[Record], path: Path, join: Join) -> Suite:
    """Build the suite of the rows of such a file, named after the pronoun and the experiment of the folder."""
    warn_of_contradictions(records, path)
    name = f"{path.parent.name}_{path.stem}" if path.parent.name.startswith("exp") else path.stem
    with locate_errors(path):
        return replace(build_pronoun_suite(name, records, read_condition, path, join), circuit="Licensing")


def build_pronoun_suite(
    name: str, records: Sequence[Record], read: Callable[[Record], Condition], path: Path, join: Join
) -> Suite:
    """Build the suite of rows with an item, a pronoun and a sentence; `read` returns the condition of a row."""
    conditions: dict[str, Condition] = {}
    items: dict[str, dict[str, Sentence]] = {}
    for record in records:
        condition = read(record)
        conditions.setdefault(condition.name, condition)
        sentences = items.setdefault(record.text("item"), {})
        if condition.name in sentences:
            raise InputError(
                f"{record.where}: item {record.text('item')!r} of {name!r} already has the variant {condition.name!r}; "
                "remove one of the rows"
            )
        sentences[condition.name] = mark_pronoun(record, join)
    return Suite(
        name=name,
        conditions=tuple(conditions.values()),
        items=tuple(Item(id_, sentences) for id_, sentences in items.items()),
        predictions=pronoun_predictions(conditions.values()),
        phenomenon="reflexive_anaphora",
        source=str(path),
        metadata={"pronoun": records[0].text("pronoun")},
    )


def read_condition(record: Record) -> Condition:
    """Return the kind of sentence and its variant: `baseline_a`, `distractor_liked_b`."""
    position = record.label("mismatch_position")
    if position not in SENTENCE_KINDS:
        raise InputError(
            f"{record.where}: 'mismatch_position' is {position!r}; known values: {quote(filter(None, SENTENCE_KINDS))}"
        )
    levels = {"kind": SENTENCE_KINDS[position]} | {name: record.label(name) for name in VARIANTS if record.label(name)}
    return Condition("_".join(levels.values()), levels)


def mark_pronoun(record: Record, join: Join) -> Sentence:
    """Return the sentence with the regions prefix, pronoun and rest."""
    text, pronoun = record.text("sentence").removesuffix("<eos>").strip(), record.text("pronoun")
    match = re.search(rf"\b{re.escape(pronoun)}\b", text)
    if match is None:
        raise InputError(f"{record.where}: the pronoun {pronoun!r} is not a word of {text!r}")
    contents = text[: match.start()], pronoun, text[match.end() :]
    return join_regions(list(zip(("prefix", "pronoun", "rest"), contents, strict=True)), join)


def pronoun_predictions(conditions: Iterable[Condition]) -> tuple[Prediction, ...]:
    """Return the paper's criterion and its two halves; sums replace means, so kinds need equally many variants."""
    sums: dict[str, list[str]] = {kind: [] for kind in SENTENCE_KINDS.values()}
    for condition in conditions:
        sums[condition.levels["kind"]].append(f"(pronoun;%{condition.name}%)")
    numbers = {kind: len(terms) for kind, terms in sums.items()}
    if len(set(numbers.values())) > 1:
        raise InputError(f"baseline, distractor and ungrammatical need equally many variants, not {numbers}")
    total = {kind: " + ".join(terms) for kind, terms in sums.items()}
    halves = {other: f"[{total['ungrammatical']}] > [{total[other]}]" for other in ("baseline", "distractor")}
    both = " & ".join(f"[{half}]" for half in halves.values())
    return (Prediction.parse("total", both), *(Prediction.parse(f"vs-{other}", half) for other, half in halves.items()))


def warn_of_contradictions(records: Sequence[Record], path: Path) -> None:
    """Name the lines where the sentences with and without end marker differ."""
    differing = [
        record.line
        for record in records
        if "sentence_no_eos" in record.cells
        and record.label("sentence_no_eos").split() != record.label("sentence").removesuffix("<eos>").split()
    ]
    if differing:
        advise(f"{path}: 'sentence' and 'sentence_no_eos' differ in lines {quote(differing)}; 'sentence' was read")
