"""Responses compared with the study they belong to: roles, cells, right answers, words and their regions."""

from collections.abc import Iterable

from gardenpath.human.formats.collected import Row
from gardenpath.human.study import Stimulus, Study
from gardenpath.human.view import pieces_of

UNKNOWN = "responses to items that the study does not have"


def compare_with_study(rows: Iterable[Row], study: Study) -> tuple[list[Row], dict[str, int]]:
    """Give responses the role, cell and right answer of their items; those to other items are kept, and counted."""
    items = {(stimulus.suite, stimulus.item): stimulus for stimulus in study.stimuli.values()}
    alone = items_by_id(study)
    completed, unknown = [], 0
    for row in rows:
        stimulus = items.get((row["suite"], row["item"])) or alone.get(row["item"])
        unknown += stimulus is None
        completed.append(row if stimulus is None else complete_row(row, stimulus, study))
    return completed, {UNKNOWN: unknown}


def items_by_id(study: Study) -> dict[str, Stimulus]:
    """Stimuli by their own ids, and by those of items that no two suites share."""
    by_item: dict[str, list[Stimulus]] = {}
    for stimulus in study.stimuli.values():
        by_item.setdefault(stimulus.item, []).append(stimulus)
    single = {item: stimuli[0] for item, stimuli in by_item.items() if len(stimuli) == 1}
    return {**single, **study.stimuli}


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
