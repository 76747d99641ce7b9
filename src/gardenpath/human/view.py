"""What the page shows to a participant: one list as JSON, without what would tell the right answers."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from gardenpath.errors import InputError
from gardenpath.human.spec import StudySpec
from gardenpath.human.study import Study, StudyList, StudyTrial
from gardenpath.human.texts import instructions, prompt
from gardenpath.io.digest import digest_text
from gardenpath.suites.suite import Sentence


def participant_view(study: Study, listed: StudyList) -> dict[str, Any]:
    """Return everything the page needs to show a list; trials are counted from 0, practice trials first."""
    trials = trials_of(study, listed)
    first = stimuli_with_right_first(study, listed.version)
    practice = len(study.practice)
    return {
        "study": study_view(study.spec),
        "trials": [trial_view(study, trial, first, practice=n < practice) for n, trial in enumerate(trials)],
    }


def study_view(spec: StudySpec) -> dict[str, Any]:
    """Return what is the same for all lists: texts, questions, and how trials look."""
    fields = ("title", "task", "language", "direction", "consent", "thanks", "points", "layout", "window")
    return {
        **{name: getattr(spec, name) for name in fields},
        "instructions": instructions(spec),
        "prompt": prompt(spec),
        "phrases": dict(spec.phrases),
        "labels": list(spec.labels),
        "break_every": spec.break_every,
        "questions": [
            {
                "name": question.name,
                "text": question.text,
                "options": list(question.options),
                "required": question.required,
                "after": question.after,
            }
            for question in spec.questions
        ],
    }


def trials_of(study: Study, listed: StudyList) -> tuple[StudyTrial, ...]:
    """Return the trials of a list as the page counts them: practice first."""
    return (*study.practice, *listed.trials)


def trial_of(study: Study, listed: StudyList, index: int) -> StudyTrial:
    """Return the trial with the page's index, from 0, practice trials included."""
    trials = trials_of(study, listed)
    if not 0 <= index < len(trials):
        raise InputError(f"list {listed.number} has the trials 0 to {len(trials) - 1}, but trial {index} was given")
    return trials[index]


def trial_view(study: Study, trial: StudyTrial, right_first: set[str], *, practice: bool) -> dict[str, Any]:
    """Return one trial as the page shows it."""
    spec, stimulus = study.spec, study.stimuli[trial.stimulus]
    shown: dict[str, Any] = {"practice": practice, "task": spec.task}
    if spec.task == "choice":
        return {**shown, "options": [stimulus.sentences[condition].text for condition in trial.order]}
    sentence = stimulus.sentences[trial.condition]
    if spec.task == "rating":
        return {**shown, "text": sentence.text}
    texts = [text for text, _ in pieces_of(sentence, spec.window)]
    if spec.task == "maze":
        words = [text for text, _ in pieces_of(sentence, "word")]
        return {**shown, "words": words, "distractors": [None, *stimulus.distractors.get(trial.condition, ())]}
    asked = stimulus.questions.get(trial.condition)
    if asked is None:
        return {**shown, "pieces": texts, "question": None}
    answers = [asked.right, asked.wrong] if stimulus.id in right_first else [asked.wrong, asked.right]
    return {**shown, "pieces": texts, "question": {"text": asked.text, "answers": answers}}


def shown_answers(study: Study, listed: StudyList, index: int) -> tuple[str, str]:
    """Return the answers to a trial's comprehension question in the order the page shows them."""
    trial = trial_of(study, listed, index)
    asked = study.stimuli[trial.stimulus].questions.get(trial.condition)
    if asked is None:
        raise InputError(f"trial {index} of list {listed.number} has no comprehension question")
    first = trial.stimulus in stimuli_with_right_first(study, listed.version)
    return (asked.right, asked.wrong) if first else (asked.wrong, asked.right)


def stimuli_with_right_first(study: Study, version: int) -> set[str]:
    """Return the stimuli whose right comprehension answer is shown first: one half, in even versions the other.

    Half of all stimuli are half of every list, too, where lists have all stimuli.
    """
    asked = [stimulus.id for stimulus in study.stimuli.values() if stimulus.questions]
    shuffled = sorted(asked, key=lambda id_: digest_text(f"{study.spec.seed} {id_}"))
    return set(shuffled[version % 2 :: 2])


def pieces_of(sentence: Sentence, window: str) -> Sequence[tuple[str, str]]:
    """Return the pieces of a sentence, each with the name of the region it begins in ("" where in none).

    A word is what stands between spaces; a region extends to the beginning of the next.
    """
    text = sentence.text
    named = [region for region in sentence.regions if text[region.start : region.end].strip()]
    if window == "region" and named:
        starts = [0, *(region.start for region in named[1:]), len(text)]
        cut = [text[start:end].strip() for start, end in pairwise(starts)]
        return [(piece, region.name) for piece, region in zip(cut, named, strict=True)]
    found = []
    end = 0
    for word in text.split():
        start = text.index(word, end)
        end = start + len(word)
        # A word may begin with a quotation mark that is in no region: the first region it overlaps counts.
        over = next((region.name for region in named if region.start < end and start < region.end), "")
        found.append((word, over))
    return found
