"""Responses compared with the study they belong to: roles, cells, right answers, words and their regions."""

from collections.abc import Collection, Iterable

from gardenpath.errors import InputError
from gardenpath.human.formats.collected import Row
from gardenpath.human.study import Stimulus, Study
from gardenpath.human.view import pieces_of
from gardenpath.io.messages import quote

UNKNOWN = "responses to items that the study does not have"


def compare_with_study(
    rows: Iterable[Row], study: Study, *, unnamed: Collection[str] = ()
) -> tuple[list[Row], dict[str, int]]:
    """Give responses the role, cell and right answer of their items; those to other items are left out, and counted.

    unnamed: the suites of responses that name none, for which readers use the name of the file.
    """
    sharing: dict[str, list[Stimulus]] = {}
    for one in study.stimuli.values():
        sharing.setdefault(one.item, []).append(one)
    completed, unknown = [], 0
    for row in rows:
        stimulus = find_stimulus(row, study, sharing.get(row["item"], ()), unnamed=unnamed)
        if stimulus is None:
            unknown += 1
        else:
            completed.append(complete_row(row, stimulus, study))
    return completed, {UNKNOWN: unknown}


def find_stimulus(
    row: Row, study: Study, sharing: Collection[Stimulus], *, unnamed: Collection[str]
) -> Stimulus | None:
    """The stimulus of a response, among those whose items share its id; None if the study does not have it."""
    named = next((stimulus for stimulus in sharing if stimulus.suite == row["suite"]), None)
    if named is not None and row["suite"] not in unnamed:
        return named
    if row["item"] in study.stimuli:
        return study.stimuli[row["item"]]
    fitting = [stimulus for stimulus in sharing if is_shown(row, stimulus)] or list(sharing)
    if len(fitting) > 1 and row["suite"] in unnamed:
        condition = f", condition {row['condition']!r}" if row.get("condition") else ""
        raise InputError(
            f"participant {row['participant']!r}, item {row['item']!r}{condition}: the study has this item in the "
            f"suites {quote(stimulus.suite for stimulus in fitting)}; add a column `suite` that names the suite of "
            "every response, or name the one that does (--columns suite=COLUMN)"
        )
    return fitting[0] if len(fitting) == 1 else None


def is_shown(row: Row, stimulus: Stimulus) -> bool:
    """Whether a stimulus has all conditions, or sentences, that a response mentions."""
    mentioned = [row.get("condition")]
    if row["task"] == "choice":
        mentioned = [row.get("choice"), *(row.get("order") or ())]
    known = {*stimulus.sentences, *(sentence.text for sentence in stimulus.sentences.values())}
    return all(name in known for name in mentioned if name)


def complete_row(row: Row, stimulus: Stimulus, study: Study) -> Row:
    """A response with everything that its stimulus says about it."""
    role = "practice" if row.get("role") == "practice" else stimulus.role
    named = {"suite": stimulus.suite, "item": stimulus.item, "cell": stimulus.cell, "role": role}
    return row | named | right_answer(row, stimulus) | word_of(row, stimulus, study)


def right_answer(row: Row, stimulus: Stimulus) -> Row:
    """Whether a response is right; a choice stored as a sentence becomes its condition."""
    match row["task"]:
        case "choice":
            texts = {sentence.text: condition for condition, sentence in stimulus.sentences.items()}
            choice = texts.get(row["choice"], row["choice"])
            order = [texts.get(one, one) for one in row["order"]] if row.get("order") else None
            known = choice in stimulus.sentences and stimulus.correct
            return {
                "choice": choice,
                "order": order,
                "correct": choice == stimulus.correct if known else row["correct"],
            }
        case "question" if asked := stimulus.questions.get(row.get("condition") or ""):
            return {"correct": row["choice"] == asked.right}
        case "rating" if stimulus.correct:
            return {"correct": f"{row['rating'] or 0:g}" == stimulus.correct}
    return {}


def word_of(row: Row, stimulus: Stimulus, study: Study) -> Row:
    """The word of a row of reading or maze and its region, if the sentence has such a word."""
    sentence = stimulus.sentences.get(row.get("condition") or "")
    if sentence is None or not row.get("word"):
        return {}
    pieces = pieces_of(sentence, study.spec.window if row["task"] == "reading" else "word")
    if row["word"] > len(pieces):
        return {}
    text, region = pieces[row["word"] - 1]
    return {"text": text, "region": region or None}
