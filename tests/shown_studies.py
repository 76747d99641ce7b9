"""A small study of every task, as the page shows it: consent, questions, practice, a break, lists in two versions."""

from typing import Any

from gardenpath.human.spec import Materials, Question, StudySpec, Task
from gardenpath.human.study import ComprehensionQuestion, Stimulus, Study, StudyList, StudyTrial
from gardenpath.suites.suite import Region, Sentence

CONSENT = "This is a study of how people read.\n\nYou may stop at any time; nobody will know who you are."
QUESTIONS = (
    Question(name="native", text="Is English your first language?", options=("yes", "no")),
    Question(name="age", text="How old are you?", required=False),
    Question(name="comments", text="Is there anything you would like to tell us?", required=False, after=True),
)
NOUNS = ("author", "pilot", "farmer", "guard")
"""One stimulus each; the first is practice, the second a filler."""


def region_of(text: str, name: str, content: str) -> Region:
    return Region(name, text.index(content), text.index(content) + len(content))


def sentence_of(noun: str, verb: str) -> Sentence:
    text = f"The {noun} near the old gates {verb} tired."
    return Sentence(
        text,
        (
            region_of(text, "subject", f"The {noun}"),
            region_of(text, "attractor", "near the old gates"),
            region_of(text, "verb", f"{verb} tired."),
        ),
    )


def stimulus_of(number: int, noun: str, task: Task) -> Stimulus:
    sentences = {"match": sentence_of(noun, "looks"), "mismatch": sentence_of(noun, "look")}
    asked = ComprehensionQuestion("Who was near the gates?", f"the {noun}", "the visitor")
    words = ("goes", "lion", "whom", "did", "unless", "of", "behind")
    return Stimulus(
        id=f"s{number}",
        role=("practice", "filler", "test", "catch")[number],
        suite="near gates",
        item=str(number),
        cell="near gates/singular",
        sentences=sentences,
        correct="match" if task == "choice" else "",
        questions=dict.fromkeys(sentences, asked) if task == "reading" and number % 2 == 0 else {},
        distractors=dict.fromkeys(sentences, words) if task == "maze" else {},
    )


def trial_of_stimulus(number: int, task: Task, version: int) -> StudyTrial:
    order = ("match", "mismatch") if (number + version) % 2 else ("mismatch", "match")
    return StudyTrial(f"s{number}", order=order) if task == "choice" else StudyTrial(f"s{number}", order[0])


def shown_study(task: Task, **fields: Any) -> Study:
    """A study with one practice trial and three trials in each of two lists, the second in reverse order."""
    fields = {"consent": CONSENT, "questions": QUESTIONS, "break_every": 2, "lists": 2, "versions": 2} | fields
    spec = StudySpec(title="Near the gates", task=task, materials=(Materials(suites=("near gates",)),), **fields)
    stimuli = {f"s{number}": stimulus_of(number, noun, task) for number, noun in enumerate(NOUNS)}
    lists = tuple(
        StudyList(
            number,
            version,
            tuple(trial_of_stimulus(n, task, version) for n in range(1, len(NOUNS)))[:: 1 if number == 1 else -1],
        )
        for number in range(1, spec.lists + 1)
        for version in range(1, spec.versions + 1)
    )
    return Study(spec, stimuli, (trial_of_stimulus(0, task, 1),), lists, ())
