"""Small studies for tests of the server, made by hand."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gardenpath.human.spec import Check, Materials, Panel, Question, StudySpec, Task
from gardenpath.human.study import ComprehensionQuestion, Stimulus, Study, StudyList, StudyTrial
from gardenpath.suites.suite import Region, Sentence, Suite

QUESTIONS = (
    Question(name="native", text="Is English your first language?", options=("yes", "no")),
    Question(name="comment", text="Anything else?", required=False, after=True),
)
ANSWERS: dict[Task, dict[str, Any]] = {
    "choice": {"position": 0, "rt": 812.5, "by": "key"},
    "rating": {"rating": 5, "rt": 900, "by": "click"},
    "reading": {"times": [300, 310.5, 290], "question": {"position": 0, "rt": 1200}, "rt": 2100},
    "maze": {
        "words": [
            {"rt": 500, "mistakes": 0, "side": "left"}, {"rt": 700, "mistakes": 2, "side": "right"},
            {"rt": 650, "mistakes": 0, "side": "left"},
        ],
        "rt": 1850,
    },
}  # fmt: skip
"""An answer to any trial of a study of the task; the second word of the maze has mistakes."""


def sentence(item: int, verb: str) -> Sentence:
    """`Key1 is lost.`, in two regions, of three words."""
    text = f"Key{item} {verb} lost."
    noun = len(f"Key{item}")
    return Sentence(text, (Region("noun", 0, noun), Region("verb", noun + 1, len(text))))


def small_study(
    task: Task = "choice", *, lists: int = 2, versions: int = 2, items: int = 4, practice: bool = False, **fields: Any
) -> Study:
    """Lists of all items and a check; in a choice the good sentence is first in odd versions."""
    fields = {"title": "Keys & <locks>", "questions": QUESTIONS, "target": 5} | fields
    spec = StudySpec(
        task=task, lists=lists, versions=versions, materials=[Materials(suites=["keys"], items=items)],
        checks=[Check(right="Choose this.", wrong="Not this.", answer=1)], **fields,
    )  # fmt: skip
    stimuli = {
        f"s{item}": make_stimulus(task, item, "catch" if item == items else "test") for item in range(1, items + 1)
    }
    stimuli["s0"] = make_stimulus(task, 0, "check")
    made = [
        StudyList(number, version, tuple(make_trial(task, f"s{(item + number) % (items + 1)}", version)
                                         for item in range(items + 1)))
        for number in range(1, lists + 1)
        for version in range(1, versions + 1)
    ]  # fmt: skip
    pairs = [(sentence(item, "is").text, sentence(item, "are").text) for item in range(1, items + 1)]
    warm_up = (make_trial(task, "s1", 1),) if practice else ()
    return Study(spec, stimuli, warm_up, tuple(made), (Suite.from_pairs(pairs, name="keys"),))


def make_stimulus(task: Task, item: int, role: str) -> Stimulus:
    """An item in two conditions, with a question and distractors where the task has them."""
    right = {"choice": "good", "rating": "1" if role == "check" else ""}.get(task, "")
    asked = {"good": ComprehensionQuestion("What is lost?", "a key", "a lock")} if task == "reading" else {}
    distractors = {"good": ("of", "him.")} if task == "maze" else {}
    sentences = {"good": sentence(item, "is"), "bad": sentence(item, "are")}
    return Stimulus(f"s{item}", role, "keys", str(item), "keys", sentences, right, asked, distractors)


def make_trial(task: Task, stimulus: str, version: int) -> StudyTrial:
    """A trial in one of the versions."""
    if task == "choice":
        return StudyTrial(stimulus, order=("good", "bad") if version % 2 else ("bad", "good"))
    return StudyTrial(stimulus, "good")


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    ms: int = 1_800_000_000_000

    def __call__(self) -> int:
        return self.ms

    def pass_minutes(self, minutes: float) -> None:
        """Let time pass."""
        self.ms += int(minutes * 60_000)


Post = Callable[..., Any]
"""Sends JSON to an address and returns the response."""


def key_of(trial: int) -> str:
    """The key a page might make for a trial."""
    return f"key-of-trial-{trial}"


def start(post: Post, **fields: Any) -> dict[str, Any]:
    """Start a session."""
    response = post("/api/start", json=fields)
    assert response.status_code == 200, response.text
    return dict(response.json())


def answer(post: Post, token: str, trial: int, content: Any = None, **fields: Any) -> Any:
    """Answer one trial; by default with an answer to a choice."""
    body = {"token": token, "key": key_of(trial), "trial": trial, "answer": content or ANSWERS["choice"]} | fields
    return post("/api/answer", json=body)


def answer_all(post: Post, started: dict[str, Any], task: Task = "choice") -> None:
    """Answer the questions before the trials, and all trials."""
    token = started["token"]
    sent = post("/api/questions", json={"token": token, "when": "before", "answers": {"native": "yes"}})
    assert sent.json() == {"stored": True}, sent.text
    for trial in range(started["next"], len(started["view"]["trials"])):
        assert answer(post, token, trial, ANSWERS[task]).json() == {"stored": True, "next": trial + 1}


def take_part(post: Post, task: Task = "choice", **fields: Any) -> dict[str, Any]:
    """Take part from beginning to end; the answer to /api/finish."""
    started = start(post, **fields)
    answer_all(post, started, task)
    done = post("/api/finish", json={"token": started["token"]})
    assert done.status_code == 200, done.text
    return dict(done.json())


PANEL = Panel(completion_url="https://panel.example/done?cc={code}", code="A B&C")
