"""Answers of participants as the page sends them: their schema and limits, and the rows of responses they become."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gardenpath.errors import InputError
from gardenpath.human.spec import Task
from gardenpath.human.study import Stimulus, Study, StudyList, StudyTrial
from gardenpath.human.view import pieces_of, shown_answers, trial_of, trials_of

MOST_PIECES = 500
Milliseconds = Annotated[float, Field(ge=0, le=24 * 3600 * 1000, allow_inf_nan=False)]
Pressed = Literal["key", "click", "touch"]


class Message(BaseModel):
    """Something a stranger sends: exactly the declared fields, of exactly the declared types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ChoiceAnswer(Message):
    """The position of the sentence chosen."""

    position: Annotated[int, Field(ge=0, le=99)]
    rt: Milliseconds
    by: Pressed


class RatingAnswer(Message):
    """The point of the scale chosen, from 1."""

    rating: Annotated[int, Field(ge=1, le=100)]
    rt: Milliseconds
    by: Pressed


class QuestionAnswer(Message):
    """The position of the answer to a comprehension question."""

    position: Annotated[int, Field(ge=0, le=1)]
    rt: Milliseconds


class ReadingAnswer(Message):
    """The time of every piece of a sentence that was read, and the answer to its question."""

    times: Annotated[list[Milliseconds], Field(max_length=MOST_PIECES)]
    question: QuestionAnswer | None = None
    rt: Milliseconds


class MazeWord(Message):
    """The time and the mistakes of one word of a maze."""

    rt: Milliseconds
    mistakes: Annotated[int, Field(ge=0, le=1000)]
    side: Literal["left", "right"]


class MazeAnswer(Message):
    """All words of a maze."""

    words: Annotated[list[MazeWord], Field(max_length=MOST_PIECES)]
    rt: Milliseconds


Answer = ChoiceAnswer | RatingAnswer | ReadingAnswer | MazeAnswer
ANSWERS: dict[Task, type[Answer]] = {
    "choice": ChoiceAnswer, "rating": RatingAnswer, "reading": ReadingAnswer, "maze": MazeAnswer,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ShownTrial:
    """A trial as one list shows it, with everything an answer to it is compared with."""

    listed: StudyList
    index: int
    """From 0, practice trials included."""
    trial: StudyTrial
    stimulus: Stimulus
    role: str
    task: Task
    points: int
    """Rating: points of the scale."""
    pieces: tuple[tuple[str, str], ...]
    """Reading and maze: every piece and the region it begins in."""
    answers: tuple[str, ...]
    """Reading: the answers to the question in the order shown; empty where there is no question."""


def show_trial(study: Study, listed: StudyList, index: int) -> ShownTrial:
    """Look up what the trial with the page's index shows; raise an `InputError` where the list has no such trial."""
    trial = trial_of(study, listed, index)
    stimulus, task = study.stimuli[trial.stimulus], study.spec.task
    pieces: tuple[tuple[str, str], ...] = ()
    if task in ("reading", "maze"):
        window = study.spec.window if task == "reading" else "word"
        pieces = tuple(pieces_of(stimulus.sentences[trial.condition], window))
    asked = task == "reading" and trial.condition in stimulus.questions
    return ShownTrial(
        listed, index, trial, stimulus,
        role="practice" if index < len(study.practice) else stimulus.role,
        task=task,
        points=study.spec.points,
        pieces=pieces,
        answers=shown_answers(study, listed, index) if asked else (),
    )  # fmt: skip


def count_trials(study: Study, listed: StudyList) -> int:
    """The trials of a list, practice trials included."""
    return len(trials_of(study, listed))


def parse_answer(shown: ShownTrial, fields: Any) -> Answer:
    """Check an answer against its schema and the trial it belongs to."""
    try:
        answer = ANSWERS[shown.task].model_validate(fields)
    except ValidationError as error:
        raise InputError(explain_error(error, "answer")) from None
    match answer:
        case ChoiceAnswer(position=position) if position >= len(shown.trial.order):
            raise InputError(f"answer.position is {position}; the trial shows {len(shown.trial.order)} sentences")
        case RatingAnswer(rating=rating) if rating > shown.points:
            raise InputError(f"answer.rating is {rating}; the scale ends at {shown.points}")
        case ReadingAnswer(times=times) if len(times) != len(shown.pieces):
            raise InputError(f"answer.times has {len(times)} times; the sentence has {len(shown.pieces)} pieces")
        case ReadingAnswer(question=question) if (question is None) != (not shown.answers):
            raise InputError(f"answer.question is {'missing' if shown.answers else 'given, but the trial has none'}")
        case MazeAnswer(words=words) if len(words) != len(shown.pieces):
            raise InputError(f"answer.words has {len(words)} words; the sentence has {len(shown.pieces)}")
    return answer


def explain_error(error: ValidationError, where: str = "") -> str:
    """Say in one sentence what is wrong with a message, without repeating what was sent."""
    first = error.errors(include_url=False, include_input=False)[0]
    name = ".".join([where] * bool(where) + [str(part)[:50] for part in first["loc"]][:6])
    return f"{name or 'the body'}: {first['msg'][0].lower()}{first['msg'][1:200]}"


def chosen_condition(shown: ShownTrial, answer: Answer) -> str:
    """The condition chosen, or the one shown where nothing is chosen."""
    return shown.trial.order[answer.position] if isinstance(answer, ChoiceAnswer) else shown.trial.condition


def is_correct(shown: ShownTrial, answer: Answer) -> bool | None:
    """Whether an answer is right; None where nothing is right or wrong. A maze is right without any mistake."""
    match answer:
        case ChoiceAnswer():
            right = shown.stimulus.correct
            return chosen_condition(shown, answer) == right if right else None
        case RatingAnswer(rating=rating):
            return str(rating) == shown.stimulus.correct if shown.stimulus.correct else None
        case ReadingAnswer(question=QuestionAnswer(position=position)):
            return shown.answers[position] == shown.stimulus.questions[shown.trial.condition].right
        case MazeAnswer(words=words):
            return not any(word.mistakes for word in words)
        case _:
            return None


def rows_of(shown: ShownTrial, answer: Answer) -> list[dict[str, Any]]:
    """The rows of responses of one answer, but for participant, session and time."""
    stimulus, trial = shown.stimulus, shown.trial
    common = {
        "list": str(shown.listed.number), "version": str(shown.listed.version), "trial": shown.index + 1,
        "role": shown.role, "task": shown.task, "suite": stimulus.suite, "item": stimulus.item, "cell": stimulus.cell,
        "condition": trial.condition or None, "order": None, "choice": None, "correct": is_correct(shown, answer),
        "rating": None, "word": None, "region": None, "text": None, "rt": answer.rt,
    }  # fmt: skip
    match answer:
        case ChoiceAnswer():
            chosen = {"order": list(trial.order), "choice": chosen_condition(shown, answer)}
            return [{**common, "condition": None, **chosen}]
        case RatingAnswer():
            return [{**common, "rating": float(answer.rating)}]
        case ReadingAnswer():
            measured = [{"rt": rt, "correct": None} for rt in answer.times]
        case MazeAnswer():
            measured = [{"rt": word.rt, "correct": not word.mistakes} for word in answer.words]
    words = [
        {**common, "word": number, "text": text, "region": region or None, **one}
        for number, ((text, region), one) in enumerate(zip(shown.pieces, measured, strict=True), start=1)
    ]
    if isinstance(answer, ReadingAnswer) and answer.question:
        choice = shown.answers[answer.question.position]
        words.append({**common, "task": "question", "choice": choice, "rt": answer.question.rt})
    return words


def response_rows(study: Study, listed: StudyList, index: int, answer: Any) -> list[dict[str, Any]]:
    """Turn the answer to a trial, as JSON gives it, into rows of responses without participant, session and time."""
    shown = show_trial(study, listed, index)
    return rows_of(shown, parse_answer(shown, answer))
