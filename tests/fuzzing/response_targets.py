"""Responses that other tools collected: damaged files are refused, or give tables that pass all checks."""

import json
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzzing.target import Target
from gardenpath.human.formats.read import ResponseFormat, read_responses
from gardenpath.human.responses import Responses

DATA = Path(__file__).parents[1] / "data" / "human"
TABLE = "participant,item,condition,rating,rt,time,order,choice,correct,sentence\n" + "".join(
    f"p{person},{item},good,{item},{300 + item},2026-05-01,good;bad,good,1,The {item} keys are here.\n"
    for person in (1, 2)
    for item in (1, 2)
)
PAGE: list[dict[str, Any]] = [
    {"trial_type": "gardenpath-questions", "answers": {"age": "34"}, "hidden_field": ""},
    {"trial_type": "gardenpath-choice", "item": "1", "suite": "k", "order": ["bad", "good"], "choice": "good", "rt": 7},
    {"trial_type": "gardenpath-rating", "item": "1", "suite": "k", "condition": "bad", "rating": 5, "rt": 900},
    {
        "trial_type": "gardenpath-reading", "item": "1", "suite": "k", "times": [300, 310.5], "pieces": ["A", "B."],
        "regions": ["noun", ""], "question": {"choice": "cats", "correct": False, "rt": 800},
    },
    {"trial_type": "gardenpath-maze", "item": "1", "suite": "k", "words": [{"rt": 5, "mistakes": 0}]},
    {"trial_type": "gardenpath-end"},
]  # fmt: skip
PAGE = [
    {"session": "s1", "participant": "p1", "trial_index": n, "time": "2026-05-01T10:00:00Z", **row}
    for n, row in enumerate(PAGE)
]


def copy_sample(name: str) -> Callable[[Path], object]:
    """A function that writes a file of tests/data/human."""
    return lambda folder: (folder / name).write_bytes((DATA / name).read_bytes())


def write_archive(folder: Path) -> None:
    with zipfile.ZipFile(folder / "results.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("study_result_1/comp-result_1/data.txt", json.dumps(PAGE))


def read_as(format: ResponseFormat) -> Callable[[Path], object]:
    """A function that reads the one file of a folder, and saves and reads again what it holds."""

    def read(folder: Path) -> object:
        (path,) = (file for file in folder.iterdir() if file.is_file())
        found = read_responses(path, format=format)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # two suites may have names that differ in case only
            again = Responses.read(found.save(folder / "again", overwrite=True))
        assert again.responses.equals(found.responses), "other responses after saving"
        assert again.sessions.equals(found.sessions), "other sessions after saving"
        return found.responses.height

    return read


def write_responses(folder: Path) -> None:
    read_responses(DATA / "batch.csv", format="mturk").save(folder)


def read_saved(folder: Path) -> object:
    found = Responses.read(folder)
    suites = sorted(suite.hash() for suite in found.suites)
    return found.responses.rows(), found.sessions.rows(), suites, found.source, found.exclusions


def write_text(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text, encoding="utf-8")


RESPONSE_TARGETS = (
    Target("responses: MTurk", copy_sample("batch.csv"), read_as("mturk"), restore_all=True),
    Target("responses: Ibex", copy_sample("ibex_results.txt"), read_as("ibex"), restore_all=True),
    Target("responses: PCIbex", copy_sample("pcibex_results.csv"), read_as("pcibex"), restore_all=True),
    Target("responses: PCIbex of 2021", copy_sample("pcibex_before_2021.csv"), read_as("pcibex"), restore_all=True),
    Target("responses: jsPsych", copy_sample("jspsych_buttons.json"), read_as("jspsych"), restore_all=True),
    Target("responses: page", write_text("page.json", json.dumps(PAGE)), read_as("jspsych"), restore_all=True),
    Target("responses: JATOS", write_archive, read_as("jspsych"), restore_all=True),
    Target("responses: table", write_text("table.csv", TABLE), read_as("table"), restore_all=True),
    Target("responses: folder", write_responses, read_saved, protected=True, share=20),
)
