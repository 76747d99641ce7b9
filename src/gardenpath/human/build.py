"""A study from its specification: items, what their task needs, lists, orders."""

import random
from collections.abc import Mapping
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.human.items import ChosenItems, choose_items
from gardenpath.human.lists import CHECK, assign_lists, show, shuffle
from gardenpath.human.orders import choose_sides, order_list
from gardenpath.human.presets import PRESETS_FOLDER
from gardenpath.human.spec import Check, StudySpec
from gardenpath.human.study import Stimulus, Study, StudyTrial
from gardenpath.io.messages import advise, quote
from gardenpath.suites.given_predictions import example_formula
from gardenpath.suites.suite import Sentence


def build_study(spec: StudySpec, folder: Path | None = None) -> Study:
    """Build a study; the same specification and suites give the same study.

    Relative paths are looked for in `folder`, where study.toml is, and then in the working directory.
    """
    chosen = choose_items(spec, folder)
    advise_of_missing_predictions(chosen)
    checks = [make_check(number, check, spec) for number, check in enumerate(spec.checks, 1)]
    items = add_task_materials(chosen.stimuli, spec, folder)
    stimuli = {**items, **{check.id: check for check in checks}}
    lists = [
        order_list(trials, stimuli, spec, number=number, version=version)
        for number, trials in enumerate(assign_lists(items.values(), spec), 1)
        for version in range(1, spec.versions + 1)
    ]
    return Study(spec, stimuli, make_practice(items, spec), tuple(lists), chosen.suites)


def advise_of_missing_predictions(chosen: ChosenItems) -> None:
    """Warn of suites of test items without predictions, to which responses of people give no outcome."""
    tested = {stimulus.suite for stimulus in chosen.stimuli.values() if stimulus.role == "test"}
    if bare := [suite for suite in chosen.suites if suite.name in tested and not suite.predictions]:
        advise(
            f"no predictions in {quote(suite.name for suite in bare)}, so responses to these items cannot be compared "
            "with models; to add one, write the suite with `gardenpath suites export FILE --format syntaxgym "
            f'--prediction "{example_formula(bare[0])}" --out FILE.json`, and name that file in study.toml'
        )


def make_check(number: int, check: Check, spec: StudySpec) -> Stimulus:
    """The stimulus of a check: a choice between two sentences, or a text to rate with a point that it names."""
    id_ = f"{CHECK}{number}"
    where = f"checks, number {number} ({check.right!r})"
    match spec.task:
        case "choice":
            if not check.wrong or check.wrong == check.right:
                raise InputError(f"{where}: give the sentence not to choose as `wrong`, and let it differ")
            sentences = {"right": Sentence(check.right), "wrong": Sentence(check.wrong)}
            return Stimulus(id_, CHECK, "", id_, CHECK, sentences, "right")
        case "rating":
            if check.answer is None or not 1 <= check.answer <= spec.points:
                raise InputError(
                    f"{where}: `answer` is {check.answer}; give the point to choose, from 1 to {spec.points}"
                )
            return Stimulus(id_, CHECK, "", id_, CHECK, {CHECK: Sentence(check.right)}, str(check.answer))
        case _:
            raise InputError(
                f"{where}: the task {spec.task!r} has no checks, because its trials have no answer to ask for; use "
                "comprehension questions and `question_accuracy`, and remove `checks`"
            )


def add_task_materials(stimuli: dict[str, Stimulus], spec: StudySpec, folder: Path | None) -> dict[str, Stimulus]:
    """Add comprehension questions to what is read, and distractors to a maze."""
    for name, task in (("comprehension", "reading"), ("distractors", "maze")):
        if getattr(spec, name) is not None and spec.task != task:
            raise InputError(f"{name} is {str(getattr(spec, name))!r}, but only the task {task!r} has such a table")
    if spec.task == "reading" and spec.comprehension is not None:
        from gardenpath.human.comprehension import add_questions

        return add_questions(stimuli, find_table(spec.comprehension, folder))
    if spec.task == "maze":
        from gardenpath.human.distractors import add_distractors

        table = None if spec.distractors is None else find_table(spec.distractors, folder)
        model = spec.distractor_model or None
        return add_distractors(stimuli, table=table, seed=spec.seed, model=model, language=spec.language)
    return stimuli


def find_table(path: Path, folder: Path | None) -> Path:
    """The path of a table: beside study.toml, in the working directory, or among those of the presets."""
    folders = ([folder] if folder is not None else []) + [Path(), PRESETS_FOLDER]
    found = next((one / path for one in folders if (one / path).exists()), None)
    if found is None:
        there = " or ".join(str(one.resolve()) for one in folders[:-1])
        raise InputError(f"there is no file {str(path)!r} in {there}; correct its path in study.toml")
    return found


def make_practice(stimuli: Mapping[str, Stimulus], spec: StudySpec) -> tuple[StudyTrial, ...]:
    """The practice trials, in one order for everybody; conditions and sides rotate."""
    shown = shuffle(
        (stimulus for stimulus in stimuli.values() if stimulus.role == "practice"),
        random.Random(f"{spec.seed}/practice"),
    )
    trials = [show(stimulus, number, spec) for number, stimulus in enumerate(shown)]
    return tuple(choose_sides(trials, stimuli, spec.seed, number=0, version=1))
