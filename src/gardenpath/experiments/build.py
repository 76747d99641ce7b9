"""From an experiment file to its plan: every entry becomes steps, named by digests of what they depend on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.experiments.build_runs import ModelStep, add_runs, choose_suites
from gardenpath.experiments.build_supertags import find_supertags
from gardenpath.experiments.build_training import add_corpora, add_trainings
from gardenpath.experiments.estimates import estimate_step
from gardenpath.experiments.file import FULL, ExperimentFile
from gardenpath.experiments.inputs import Inputs, input_option
from gardenpath.experiments.naming import Draft, result_of
from gardenpath.experiments.plan import Plan, order_steps
from gardenpath.experiments.spec import AnalysisEntry, ModelEntry
from gardenpath.experiments.step import Step

GATHERED = 500
"""Runs that one gathering step reads; more are gathered in groups, so that no step opens thousands of folders."""
REPORT = "report.html"


@dataclass(frozen=True, slots=True)
class BuiltPlan:
    """A plan, and the inputs that were not given, each with what it is."""

    plan: Plan
    missing: Mapping[str, str]
    """That must be given to carry it out."""
    optional: Mapping[str, str]
    """That may be given."""


def build_plan(found: ExperimentFile, root: Path, inputs: Inputs) -> BuiltPlan:
    """Build the plan of an experiment in a folder."""
    check_inputs(found, inputs)
    draft = Draft(found, inputs)
    corpora = add_corpora(draft)
    models: dict[str, list[ModelStep]] = add_trainings(draft, corpora, find_supertags(draft, corpora))
    models |= elsewhere(draft)
    suites = choose_suites(draft, corpora)
    runs = add_runs(draft, models, suites)
    people = add_people(draft)
    analyses = [
        (name, entry, add_analysis(draft, name, entry, {"runs": runs, "people": people, "corpora": corpora}))
        for name, entry in found.spec.analyses.items()
    ]
    add_report(draft, runs, people, analyses)
    name = found.name if found.scale == FULL else f"{found.name}, {found.scale}"
    return BuiltPlan(Plan(root, name, order_steps(draft.steps)), draft.not_given, draft.left_out)


def check_inputs(found: ExperimentFile, inputs: Inputs) -> None:
    """Refuse an input that the experiment does not have."""
    unknown = [name for name in inputs if name not in found.spec.inputs]
    if unknown:
        shown = found.name if found.scale == FULL else f"{found.name} at the scale {found.scale!r}"
        known = ", ".join(map(input_option, found.spec.inputs))
        remedy = f"its inputs are {known}" if known else "it has no inputs; leave it out"
        raise InputError(f"{input_option(unknown[0])}: {shown} has no input {unknown[0]!r}; {remedy}")


def elsewhere(draft: Draft) -> dict[str, list[ModelStep]]:
    """The models from elsewhere, by entry."""
    from gardenpath.models.pretrained.revisions import expand_braces

    found = {}
    for name, entry in draft.found.spec.models.items():
        choices = [one for model in entry.models for one in (expand_braces(model) if "@" in model else [model])]
        if entry.words:
            found[name] = [made_elsewhere(draft, name, entry)]
            continue
        found[name] = [
            ModelStep(plain_label(choice), locate_model(draft, name, choice), entry=entry, threads=entry.threads)
            for choice in choices
        ]
    return found


def made_elsewhere(draft: Draft, name: str, entry: ModelEntry) -> ModelStep:
    """A model whose architecture and training size are known, so that it stands beside those that are trained here."""
    choice = locate_model(draft, name, entry.models[0], label=name)
    trained = ",".join(filter(None, (f"{name}={entry.architecture}", str(entry.words), entry.corpus)))
    return ModelStep(name, choice, entry=entry, trained=trained, threads=entry.threads)


def plain_label(choice: str) -> str:
    """A model as part of the name of a folder."""
    return "".join(letter if letter.isalnum() or letter in "._+-" else "-" for letter in choice.removeprefix("$"))


def locate_model(draft: Draft, name: str, choice: str, *, label: str = "") -> str:
    """A model as a run names it, with the whole path of its file or folder, whose contents count in digests."""
    kind, colon, rest = choice.rpartition(":")
    before = f"{label}={kind}{colon}" if label else f"{kind}{colon}"
    if "$" not in rest and not (draft.found.file.path.parent / rest).exists():
        return f"{before}{rest}"
    path = draft.find_path(rest, "models", name, "models")
    draft.digests[f"{before}{path}"] = f"{before}{draft.digests[path]}"
    return f"{before}{path}"


def add_people(draft: Draft) -> dict[str, list[Step]]:
    """A step for the responses of people of every entry."""
    found: dict[str, list[Step]] = {}
    for name, entry in draft.found.spec.people.items():
        where = ("people", name, "responses")
        responses = [path for text in entry.responses for path in draft.find_optional(text, *where)]
        if not responses:  # an optional input that is not given
            found[name] = []
            continue
        work = {
            "responses": responses,
            "format": entry.format,
            "columns": entry.columns,
            "study": draft.find_path(entry.study, "people", name, "study") if entry.study else "",
        }
        found[name] = [draft.add("people", name, work, estimate=estimate_step("people", amount=1))]
    return found


def add_analysis(draft: Draft, name: str, entry: AnalysisEntry, steps: Mapping[str, Mapping[str, Any]]) -> Step:
    """The step that writes the page of an analysis."""
    runs = [step for key in (entry.runs or steps["runs"]) for step in steps["runs"][key]]
    people = [step for key in entry.people for step in steps["people"][key]]
    work = {
        "name": name,
        "title": entry.title or name,
        "runs": [result_of(step) for step in runs],
        "people": [result_of(step) for step in people],
        "paper": entry.paper,
        # By the names that models record for their texts.
        "corpora": [
            f"{key}-{size}={path}"
            for key in entry.corpora
            for size, path in steps["corpora"][key].training_texts().items()
        ],
    }
    estimate = estimate_step("paper" if entry.paper else "analysis", amount=sum(step.size for step in (*runs, *people)))
    return draft.add("analysis", name, work, estimate=estimate)


def add_report(
    draft: Draft, runs: Mapping[str, Sequence[Step]], people: Mapping[str, Sequence[Step]],
    analyses: Sequence[tuple[str, AnalysisEntry, Step]],
) -> None:  # fmt: skip
    """The steps that gather all scores and write the report."""
    spec, file = draft.found.spec, draft.found.file
    done = list(dict.fromkeys(step.name for steps in (*runs.values(), *people.values()) for step in steps))
    results = [f"step:{name}/result" for name in done]
    parts: list[str] = []
    if len(results) > GATHERED:
        left = iter(results)
        while group := list(islice(left, GATHERED)):
            estimate = estimate_step("gather", amount=len(group))
            part = draft.add("gather", f"scores-{len(parts) + 1}", {"runs": group, "parts": []}, estimate=estimate)
            parts.append(result_of(part))
        results = []
    scores = draft.add(
        "gather", "scores", {"runs": results, "parts": parts}, estimate=estimate_step("gather", amount=len(done))
    )
    work = {
        "title": spec.title or draft.found.name,
        "about": spec.about,
        "experiment": "\n".join(file.lines),
        "name": draft.found.name,
        "scale": draft.found.scale,
        "scores": result_of(scores),
        "analyses": [
            {
                "name": name,
                "title": entry.title or name,
                "page": result_of(step, "page.html"),
                "figures": result_of(step, "figures"),
            }
            for name, entry, step in analyses
        ],
        "publish": REPORT,
    }
    draft.add("report", "report", work, estimate=estimate_step("report", amount=len(done)))
