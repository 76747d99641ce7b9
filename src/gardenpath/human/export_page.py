"""A study as one HTML file that runs without a server: opened from a disk, put on any web space, or under JATOS.

It is our own small page and not jsPsych's: the same scripts that the server uses, so that both show and store the same;
they have the maze, for which jsPsych has no plugin; they resume after a reload; and nothing has to be bundled. The
results have the layout of jsPsych's data, one JSON object per trial, so that tools made for it read them.
"""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gardenpath import __version__
from gardenpath.errors import InputError
from gardenpath.human.page.shell import LOCAL_SCRIPTS, STYLE, asset, shell_html
from gardenpath.human.study import Study, StudyTrial
from gardenpath.human.view import pieces_of, stimuli_with_right_first, study_view, trial_view, trials_of
from gardenpath.io.atomic import write_text_atomically


def export_page(study: Study, path: Path, *, save_to: str = "") -> Path:
    """Write a study as one HTML file.

    Answers are saved as a file at the end, or sent to the address `save_to` as they are given, or kept by JATOS where
    the page runs under it.
    """
    require_address(save_to)
    data = json.dumps({**page_data(study), "save_to": save_to}, ensure_ascii=False)
    scripts = "".join(f"<script>\n{inline(asset(name).decode(), name)}</script>\n" for name in LOCAL_SCRIPTS)
    # Inside a script nothing but "<" could end it or begin a comment.
    embedded = data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    foot = f'<script type="application/json" id="study">{embedded}</script>\n{scripts}'
    style = f"<style>\n{inline(asset(STYLE).decode(), STYLE)}</style>"
    write_text_atomically(path, shell_html(study.spec, head=style, foot=foot))
    return path


def require_address(address: str) -> None:
    """Refuse an address that a page cannot send answers to."""
    parts = urlsplit(address)
    if address and (parts.scheme not in ("http", "https") or not parts.netloc):
        raise InputError(f"cannot save answers to {address!r}; give an address that begins with https:// or http://")


def inline(text: str, name: str) -> str:
    """Return a script or style sheet that can stand inside HTML."""
    if "</script" in text.lower() or "</style" in text.lower() or "<!--" in text:
        raise ValueError(f"{name} cannot stand inside a page: it has an end tag or a comment")
    return text


def page_data(study: Study) -> dict[str, Any]:
    """Return the study as the exported page has it: every different trial once, and the lists by their numbers."""
    numbers: dict[str, int] = {}
    trials: list[dict[str, Any]] = []
    lists = []
    for listed in study.lists:
        first = stimuli_with_right_first(study, listed.version)
        indices = []
        for n, trial in enumerate(trials_of(study, listed)):
            shown = trial_view(study, trial, first, practice=n < len(study.practice))
            record = {"shown": shown, "facts": trial_facts(study, trial, practice=shown["practice"])}
            key = json.dumps(record)
            if key not in numbers:
                numbers[key] = len(trials)
                trials.append(record)
            indices.append(numbers[key])
        lists.append({"number": listed.number, "version": listed.version, "trials": indices})
    spec = study.spec
    return {
        "study": study_view(spec),
        "digest": study.digest,
        "gardenpath": __version__,
        "completion_url": spec.panel.completion_url,
        "code": spec.panel.code,
        "resume_minutes": spec.resume_minutes,
        "trials": trials,
        "lists": lists,
    }


def trial_facts(study: Study, trial: StudyTrial, *, practice: bool) -> dict[str, Any]:
    """Return what the results record about a trial besides the answer."""
    stimulus = study.stimuli[trial.stimulus]
    facts: dict[str, Any] = {
        "role": "practice" if practice else stimulus.role,
        "suite": stimulus.suite,
        "item": stimulus.item,
        "cell": stimulus.cell,
        "condition": trial.condition or None,
        "order": list(trial.order) or None,
        "correct": stimulus.correct,
    }
    if study.spec.task in ("reading", "maze"):
        window = study.spec.window if study.spec.task == "reading" else "word"
        pieces = pieces_of(stimulus.sentences[trial.condition], window)
        facts |= {"pieces": [text for text, _ in pieces], "regions": [region for _, region in pieces]}
    if asked := stimulus.questions.get(trial.condition):
        facts["right"] = asked.right
    return facts
