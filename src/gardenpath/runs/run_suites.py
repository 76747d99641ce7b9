"""The suites of a run, and their sentences."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote, suggest
from gardenpath.models.load import spec_forms
from gardenpath.runs.spec import RunSpec
from gardenpath.statistics.accuracy import split_names
from gardenpath.statistics.group_names import POOLED
from gardenpath.statistics.grouping import suggest_group
from gardenpath.suites.check import empty_sides, lone_empty_regions
from gardenpath.suites.check_design import Case
from gardenpath.suites.forgotten_cells import forgotten_cells
from gardenpath.suites.given_predictions import example_formula
from gardenpath.suites.load import load_suites
from gardenpath.suites.rendering import render_suite
from gardenpath.suites.suite import Suite


def load_run_suites(spec: RunSpec, objects: Mapping[str, Suite]) -> list[Suite]:
    """Load the suites of a run as they are scored; suites may be objects, by the names that stand for them."""
    refuse_models(name for name in spec.suites if name not in objects)
    suites = load_suites(
        *(objects.get(name, name) for name in spec.suites),
        join=spec.join, columns=spec.columns, sample=spec.sample, seed=spec.seed, lexicon=spec.lexicon,
        vocabulary=spec.vocabulary, predictions=spec.predictions,
    )  # fmt: skip
    require_factor(suites, spec.by)
    for suite in suites:
        if not suite.predictions:
            advise(
                f"suite {suite.name} has no predictions: its sentences are scored (items.csv has the bits of every "
                f"region), nothing is evaluated; to evaluate them, add for example --prediction "
                f'"{example_formula(suite)}"'
            )
        advise_of_empty_regions(suite, end_region=spec.end_region)
    return [render_suite(suite, case=spec.case, stop=spec.stop) for suite in suites]


def advise_of_empty_regions(suite: Suite, *, end_region: bool) -> None:
    """Warn where a region that a formula names is empty as a forgotten cell, or empties a side of a comparison."""
    lone = list(lone_empty_regions(suite))
    result = "these items are invalid" if forgotten_cells(suite) else "an empty region has 0 bits"
    advise_of_cases(suite, lone, "a region that a formula names", f"{result}; fill it in, or remove the item")
    # The end of the sentence may be in an empty region.
    sides = [] if end_region else [case for case in empty_sides(suite) if case[0] not in dict(lone)]
    result = "an empty region has 0 bits, whatever the model; compare regions that have words in both conditions"
    advise_of_cases(suite, sides, "one side of a comparison", result)


def advise_of_cases(suite: Suite, cases: Sequence[Case], what: str, result: str) -> None:
    """Warn of what is empty in some items: how many, which ones, and the first example."""
    if cases:
        item, example = cases[0]
        items = list(dict.fromkeys(item for item, _ in cases))
        advise(
            f"suite {suite.name!r}: {what} is empty in {len(items)} of {len(suite.items)} items "
            f"({quote(items, most=5)}; first: {example} of item {item!r}), and {result}"
        )


def refuse_models(names: Iterable[str]) -> None:
    """Raise where a model is named as a suite."""
    forms = [form.partition(":")[:2] for form in spec_forms() if form != "DIR"]
    for name in names:
        prefix, colon, _ = name.partition(":")
        if (prefix, colon) in forms and not Path(name).exists():
            raise InputError(f"{name!r} is a model, not a suite; name it with --model {name}")


def require_factor(suites: Sequence[Suite], by: str | None) -> None:
    """Raise where results cannot be grouped as `by` says."""
    known = sorted({level for suite in suites for item in suite.items for level in item.levels})
    slots = {f"filler:{slot}" for suite in suites for item in suite.items for slot in item.fillers}
    allowed = {*known, *(f"level:{level}" for level in known), *slots, *POOLED, "suite", "model"}
    of_conditions = {level for suite in suites for condition in suite.conditions for level in condition.levels}
    for name in split_names(by) if by is not None else ():
        if name in allowed or f"filler:{name}" in slots:
            continue
        if name in of_conditions or name == "condition":
            what = "names the conditions" if name == "condition" else "is a factor of the conditions"
            raise InputError(
                f"{name!r} {what}, and accuracy is per item, over its conditions: leave out "
                "`by`; `gardenpath table RUN --effects` has contrasts of conditions, `gardenpath table RUN --regions` "
                "the mean bits by condition"
            )
        raise InputError(
            f"no item has the factor {name!r}; the items have {', '.join(known) or 'no factors'}: leave out "
            f"`by`, or pool suites by {', '.join(POOLED[:-1])} or {POOLED[-1]}"
            f"{suggest_group(name) or suggest(name, (*known, *POOLED))}"
        )


def list_texts(suites: Sequence[Suite]) -> tuple[str, ...]:
    """List the different sentences of suites in their order."""
    return tuple(dict.fromkeys(sentence.text for suite in suites for _, sentence in suite.trials()))


def locate_sentence(suites: Sequence[Suite], text: str) -> str:
    """Name the first suite, item and condition with a sentence, for messages."""
    return next(
        f"suite {suite.name!r}, item {trial.item!r}, condition {trial.condition!r}"
        for suite in suites
        for trial, sentence in suite.trials()
        if sentence.text == text
    )
