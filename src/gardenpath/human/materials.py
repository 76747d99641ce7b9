"""The materials of a study as JSON: stimuli, practice, lists."""

from collections.abc import Mapping, Sequence
from typing import Any

from gardenpath.human.spec import StudySpec
from gardenpath.human.study import ComprehensionQuestion, Stimulus, Study, StudyList, StudyTrial
from gardenpath.io.sealed_json import digest_record
from gardenpath.suites.suite import Region, Sentence, Suite


def record_materials(study: Study) -> dict[str, Any]:
    """Everything that participants are shown, as values that JSON holds; what is empty is left out."""
    return {
        "stimuli": [record_stimulus(stimulus) for stimulus in study.stimuli.values()],
        "practice": [record_trial(trial) for trial in study.practice],
        "lists": [
            {"list": one.number, "version": one.version, "trials": [record_trial(trial) for trial in one.trials]}
            for one in study.lists
        ],
    }


def digest_materials(study: Study) -> str:
    """Name the materials of a study: equal for equal stimuli and lists."""
    return digest_record(record_materials(study))


def record_stimulus(stimulus: Stimulus) -> dict[str, Any]:
    """A stimulus as JSON."""
    record = {
        "id": stimulus.id,
        "role": stimulus.role,
        "suite": stimulus.suite,
        "item": stimulus.item,
        "cell": stimulus.cell,
        "correct": stimulus.correct,
        "sentences": {name: record_sentence(sentence) for name, sentence in stimulus.sentences.items()},
        "questions": {
            name: {"text": asked.text, "right": asked.right, "wrong": asked.wrong}
            for name, asked in stimulus.questions.items()
        },
        "distractors": {name: list(words) for name, words in stimulus.distractors.items()},
    }
    return {key: value for key, value in record.items() if value}


def record_sentence(sentence: Sentence) -> dict[str, Any]:
    """A sentence as JSON, its regions as `name start end`."""
    regions = [f"{region.name} {region.start} {region.end}" for region in sentence.regions]
    return {"text": sentence.text, "regions": regions} if regions else {"text": sentence.text}


def record_trial(trial: StudyTrial) -> dict[str, Any]:
    """A trial as JSON."""
    record = {"stimulus": trial.stimulus, "condition": trial.condition, "order": list(trial.order)}
    return {key: value for key, value in record.items() if value}


def study_of_record(record: Mapping[str, Any], spec: StudySpec, suites: Sequence[Suite]) -> Study:
    """The study that was recorded."""
    stimuli = [stimulus_of_record(one) for one in record["stimuli"]]
    lists = [
        StudyList(one["list"], one["version"], tuple(map(trial_of_record, one["trials"]))) for one in record["lists"]
    ]
    practice = tuple(map(trial_of_record, record["practice"]))
    return Study(spec, {stimulus.id: stimulus for stimulus in stimuli}, practice, tuple(lists), tuple(suites))


def stimulus_of_record(record: Mapping[str, Any]) -> Stimulus:
    """The stimulus that was recorded."""
    return Stimulus(
        id=record["id"],
        role=record["role"],
        suite=record.get("suite", ""),
        item=record["item"],
        cell=record["cell"],
        sentences={name: sentence_of_record(sentence) for name, sentence in record["sentences"].items()},
        correct=record.get("correct", ""),
        questions={name: ComprehensionQuestion(**asked) for name, asked in record.get("questions", {}).items()},
        distractors={name: tuple(words) for name, words in record.get("distractors", {}).items()},
    )


def sentence_of_record(record: Mapping[str, Any]) -> Sentence:
    """The sentence that was recorded."""
    cut = (region.rsplit(" ", 2) for region in record.get("regions", ()))
    return Sentence(record["text"], tuple(Region(name, int(start), int(end)) for name, start, end in cut))


def trial_of_record(record: Mapping[str, Any]) -> StudyTrial:
    """The trial that was recorded."""
    return StudyTrial(record["stimulus"], record.get("condition", ""), tuple(record.get("order", ())))
