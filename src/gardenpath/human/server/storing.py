"""What participants send during a session, checked and stored; all functions run inside one transaction."""

import json

from gardenpath.errors import InputError
from gardenpath.human.answers import chosen_condition, count_trials, is_correct, parse_answer, show_trial
from gardenpath.human.server.connection import Connection
from gardenpath.human.server.messages import AnswerRequest, FinishRequest, QuestionsRequest, RefusedError
from gardenpath.human.server.sessions import Session, Sessions
from gardenpath.human.spec import Question, StudySpec

FIRST_HOLDS = "This trial has an answer already; the first one holds."
TOO_FAR = "The trials before this one have no answer yet."
OTHER_KEY = "This key was used for another trial."


def store_answer(connection: Connection, sessions: Sessions, request: AnswerRequest) -> int:
    """Store the answer to the next trial, once; the index of the trial after it."""
    session, answered, with_key = sessions.known(connection, request.token, request.key)
    if with_key == request.trial:
        return answered
    if with_key is not None:
        raise RefusedError(409, OTHER_KEY, next_trial=answered)
    if request.trial != answered:
        raise RefusedError(409, FIRST_HOLDS if request.trial < answered else TOO_FAR, next_trial=answered)
    listed = sessions.listed(session)
    if answered >= count_trials(sessions.study, listed):
        raise RefusedError(409, "All trials have an answer.", next_trial=answered)
    try:
        shown = show_trial(sessions.study, listed, request.trial)
        answer = parse_answer(shown, request.answer)
    except InputError as error:
        raise RefusedError(400, str(error)) from None
    correct = is_correct(shown, answer)
    connection.execute(
        "INSERT INTO answers (session, trial, idempotency_key, suite, item, condition, correct, answer, received) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        session.id, request.trial, request.key, shown.stimulus.suite, shown.stimulus.item,
        chosen_condition(shown, answer), None if correct is None else int(correct), answer.model_dump_json(),
        sessions.clock(),
    )  # fmt: skip
    sessions.touch(connection, session, lost_focus=request.lost_focus)
    return answered + 1


def store_questions(connection: Connection, sessions: Sessions, request: QuestionsRequest) -> None:
    """Store the answers to the questions before or after the trials; the first ones hold."""
    session, _, _ = sessions.known(connection, request.token)
    answers = check_questions(sessions.study.spec, request)
    connection.execute(
        "INSERT INTO questions (session, asked, answers, received) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (session, asked) DO NOTHING",
        session.id, request.when, json.dumps(answers), sessions.clock(),
    )  # fmt: skip
    sessions.touch(connection, session, hidden=bool(request.hidden.strip()))


def check_questions(spec: StudySpec, request: QuestionsRequest) -> dict[str, str]:
    """The answers given, if every required question has one and every choice is among its options."""
    asked = {question.name: question for question in questions_of(spec, request.when)}
    for name in request.answers:
        if name not in asked:
            raise RefusedError(400, f"answers: the study has no question {name[:50]!r} {request.when} the trials")
    given = {name: text for name, text in request.answers.items() if text.strip()}
    for question in asked.values():
        text = given.get(question.name)
        if text is None and question.required:
            raise RefusedError(400, f"Please answer: {question.text}")
        if text is not None and question.options and text not in question.options:
            raise RefusedError(400, f"answers.{question.name}: choose one of the answers offered")
    return given


def questions_of(spec: StudySpec, when: str) -> list[Question]:
    """The questions about the participant that are asked before or after the trials."""
    return [question for question in spec.questions if question.after == (when == "after")]


def finish(connection: Connection, sessions: Sessions, request: FinishRequest) -> Session:
    """End a session whose answers are all stored; its code exists only from here on."""
    session, answered, _ = sessions.known(connection, request.token)
    if answered < count_trials(sessions.study, sessions.listed(session)):
        raise RefusedError(409, "Some trials have no answer yet.", next_trial=answered)
    rows = connection.execute("SELECT asked FROM questions WHERE session = ?", session.id)
    stored = {asked for (asked,) in rows}
    for when in ("before", "after"):
        if when not in stored and any(question.required for question in questions_of(sessions.study.spec, when)):
            raise RefusedError(409, f"The questions {when} the trials have no answers yet.", next_trial=answered)
    return sessions.complete(connection, session)
