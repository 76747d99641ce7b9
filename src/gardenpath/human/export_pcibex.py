"""A study for PCIbex Farm: a table of trials and a script, to be uploaded as items.csv and main.js."""

import csv
import io
import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from gardenpath import __version__
from gardenpath.errors import InputError
from gardenpath.human.export_page import trial_facts
from gardenpath.human.study import Study, StudyList, StudyTrial
from gardenpath.human.view import stimuli_with_right_first, study_view, trial_view
from gardenpath.io.atomic import write_text_atomically

SEPARATOR = "|"
"""Between the pieces of a sentence that is read piece by piece."""
COMMON = ("Group", "LIST", "VERSION", "TRIAL", "TYPE", "SUITE", "ITEM", "CELL", "CONDITION", "BREAK")
Row = dict[str, str]


def export_pcibex(study: Study, folder: Path) -> tuple[Path, Path]:
    """Write items.csv and main.js into a folder; PCIbex has no maze, which is refused."""
    if study.spec.task == "maze":
        raise InputError(
            "PCIbex Farm has no controller for the maze task; run the study with `gardenpath study serve`, or export "
            "it with `--to jspsych`, whose page also runs under JATOS"
        )
    items, script = folder / "items.csv", folder / "main.js"
    rows = [*practice_rows(study), *list_rows(study)]
    write_text_atomically(items, table_text(rows, columns_of(study)))
    write_text_atomically(script, script_text(study))
    return items, script


def columns_of(study: Study) -> tuple[str, ...]:
    """Return the columns of items.csv, which depend on the task."""
    if study.spec.task == "choice":
        most = max(len(trial.order) for listed in study.lists for trial in listed.trials)
        return (*COMMON, "ORDER", *(f"SENTENCE_{n}" for n in range(1, most + 1)), "CORRECT")
    if study.spec.task == "rating":
        return (*COMMON, "SENTENCE", "CORRECT")
    return (*COMMON, "SENTENCE", "QUESTION", "ANSWER_1", "ANSWER_2", "CORRECT")


def practice_rows(study: Study) -> Iterator[Row]:
    """Yield a row for each practice trial; they belong to no group, so that everybody gets them."""
    for n, trial in enumerate(study.practice):
        yield trial_row(study, trial, study.lists[0].version) | {"TRIAL": str(n + 1), "TYPE": "practice"}


def list_rows(study: Study) -> Iterator[Row]:
    """Yield a row for each trial of every list in every version.

    PCIbex goes through groups in the order of the table: all lists of a version come before the next version.
    """
    practice = len(study.practice)
    for listed in sorted(study.lists, key=lambda one: (one.version, one.number)):
        for n, trial in enumerate(listed.trials):
            yield trial_row(study, trial, listed.version) | {
                "Group": group_of(listed),
                "LIST": str(listed.number),
                "VERSION": str(listed.version),
                "TRIAL": str(practice + n + 1),
                "BREAK": "yes" if n and study.spec.break_every and n % study.spec.break_every == 0 else "",
            }


def group_of(listed: StudyList) -> str:
    """Name the group of a list in one of its orders."""
    return f"list{listed.number}-version{listed.version}"


def trial_row(study: Study, trial: StudyTrial, version: int) -> Row:
    """Return what a trial shows, and what its results record."""
    shown = trial_view(study, trial, stimuli_with_right_first(study, version), practice=False)
    facts = trial_facts(study, trial, practice=False)
    row = {
        "TYPE": facts["role"], "SUITE": facts["suite"], "ITEM": facts["item"], "CELL": facts["cell"],
        "CONDITION": trial.condition, "ORDER": ";".join(trial.order), "CORRECT": facts["correct"],
    }  # fmt: skip
    if study.spec.task == "choice":
        return row | {f"SENTENCE_{n}": text for n, text in enumerate(shown["options"], start=1)}
    if study.spec.task == "rating":
        return row | {"SENTENCE": shown["text"]}
    if any(SEPARATOR in piece for piece in shown["pieces"]):
        raise InputError(
            f"item {facts['item']!r} of suite {facts['suite']!r} has the character {SEPARATOR!r}, which separates the "
            "pieces of a sentence in items.csv; remove it from the item"
        )
    row |= {"SENTENCE": SEPARATOR.join(shown["pieces"])}
    if shown["question"] is None:
        return row
    first, second = shown["question"]["answers"]
    asked = {"QUESTION": shown["question"]["text"], "ANSWER_1": first, "ANSWER_2": second}
    return row | asked | {"CORRECT": facts["right"]}


def table_text(rows: list[Row], columns: tuple[str, ...]) -> str:
    """Return rows as CSV."""
    text = io.StringIO()
    table = csv.DictWriter(text, columns, restval="", extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue()


def script_text(study: Study) -> str:
    """Return main.js: the study's texts and options, and the script that all studies share."""
    spec, shown = study.spec, study_view(study.spec)
    names = ("title", "task", "prompt", "consent", "instructions", "thanks", "points", "labels", "questions")
    said = {
        "Agree": "Agree", "Continue": "Continue", "Start": "Start", "Break": "Take a break, as long as you like.",
        "Begin": "The practice is over. Now the study begins.",
    }  # fmt: skip
    settings = {
        **{name: shown[name] for name in names},
        "practice": bool(study.practice),
        "separator": SEPARATOR,
        "panel": spec.panel.id_parameter,
        "code": spec.panel.code,
        "link": quote(spec.panel.completion_url.replace("{code}", spec.panel.code), safe=":/?&=#%+,;@~"),
        "words": {key: spec.phrases.get(text, text) for key, text in said.items()},
    }
    head = f"// {spec.title!r} for PCIbex Farm, made by gardenpath {__version__} from materials {study.digest}.\n"
    body = files("gardenpath.human.page").joinpath("assets", "pcibex.js").read_text(encoding="utf-8")
    return f"{head}const STUDY = {json.dumps(settings, ensure_ascii=False, indent=2)};\n\n{body}"
