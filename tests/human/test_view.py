"""What the page gets: practice first, sentences in their order, nothing that tells the right answer."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gardenpath.human.page
from gardenpath.errors import InputError
from gardenpath.human.page.shell import LOCAL_SCRIPTS, SCRIPTS, asset, content_type, page_html
from gardenpath.human.spec import Task
from gardenpath.human.texts import INSTRUCTIONS, PHRASES, PROMPTS
from gardenpath.human.view import (
    participant_view,
    pieces_of,
    shown_answers,
    stimuli_with_right_first,
    trial_of,
    trials_of,
)
from gardenpath.suites.suite import Region, Sentence
from shown_studies import shown_study

TASKS: tuple[Task, ...] = ("choice", "rating", "reading", "maze")
ASSETS = Path(gardenpath.human.page.__file__).parent / "assets"


@pytest.mark.parametrize("task", TASKS)
def test_a_view_has_all_trials_practice_first_and_is_json(task: Task) -> None:
    study = shown_study(task)
    view = participant_view(study, study.lists[0])
    assert [trial["practice"] for trial in view["trials"]] == [True, False, False, False]
    assert {trial["task"] for trial in view["trials"]} == {task}
    assert json.loads(json.dumps(view)) == view
    assert (view["study"]["instructions"], view["study"]["prompt"]) == (INSTRUCTIONS[task], PROMPTS[task])


def test_sentences_of_a_choice_stand_in_the_order_of_the_trial_and_no_condition_is_named() -> None:
    study = shown_study("choice")
    first, second = (participant_view(study, listed)["trials"][1] for listed in study.lists[:2])
    assert first == {
        "practice": False,
        "task": "choice",
        "options": ["The pilot near the old gates look tired.", "The pilot near the old gates looks tired."],
    }
    assert second["options"] == first["options"][::-1]
    assert "match" not in json.dumps(participant_view(study, study.lists[0]))


def test_texts_of_the_study_come_before_those_of_the_task() -> None:
    study = shown_study("rating", instructions="Rate.", prompt="Good?", phrases={"Continue": "Weiter"}, points=5)
    shown = participant_view(study, study.lists[0])["study"]
    assert (shown["instructions"], shown["prompt"], shown["points"]) == ("Rate.", "Good?", 5)
    assert shown["phrases"] == {"Continue": "Weiter"}


@pytest.mark.parametrize("version", [1, 2])
def test_the_right_answer_is_first_in_half_of_the_questions_and_second_in_the_other_versions(version: int) -> None:
    study = shown_study("reading")
    asked = {stimulus.id for stimulus in study.stimuli.values() if stimulus.questions}
    first, others = (stimuli_with_right_first(study, number) for number in (version, version + 1))
    assert first | others == asked
    assert not first & others
    assert abs(len(first) - len(others)) <= 1


@pytest.mark.parametrize("number", range(4))
def test_answers_are_shown_as_the_view_has_them(number: int) -> None:
    study = shown_study("reading")
    listed = study.lists[number]
    for index, trial in enumerate(participant_view(study, listed)["trials"]):
        if trial["question"]:
            assert list(shown_answers(study, listed, index)) == trial["question"]["answers"]
        else:
            with pytest.raises(InputError, match="no comprehension question"):
                shown_answers(study, listed, index)


def test_a_trial_is_looked_up_by_its_index_in_the_view() -> None:
    study = shown_study("choice")
    listed = study.lists[2]
    assert [trial_of(study, listed, index) for index in range(4)] == list(trials_of(study, listed))
    for index in (-1, 4):
        with pytest.raises(InputError, match="0 to 3"):
            trial_of(study, listed, index)


def test_a_maze_has_a_distractor_for_every_word_but_the_first() -> None:
    study = shown_study("maze")
    trial = participant_view(study, study.lists[0])["trials"][0]
    assert trial["words"] == ["The", "author", "near", "the", "old", "gates", "looks", "tired."]
    assert trial["distractors"] == [None, "goes", "lion", "whom", "did", "unless", "of", "behind"]


def test_words_and_regions_are_pieces_with_the_region_they_begin_in() -> None:
    sentence = Sentence('"Dogs, bark now', (Region("noun", 1, 5), Region("empty", 7, 7), Region("verb", 7, 11)))
    assert pieces_of(sentence, "word") == [('"Dogs,', "noun"), ("bark", "verb"), ("now", "")]
    assert pieces_of(sentence, "region") == [('"Dogs,', "noun"), ("bark now", "verb")]
    assert pieces_of(Sentence("No regions here"), "region") == [("No", ""), ("regions", ""), ("here", "")]


@given(st.lists(st.text("ab .", min_size=0, max_size=6), min_size=1, max_size=6), st.sampled_from(["word", "region"]))
def test_pieces_make_up_the_sentence(contents: list[str], window: str) -> None:
    starts = [sum(map(len, contents[:n])) for n in range(len(contents) + 1)]
    regions = tuple(Region(f"r{n}", starts[n], starts[n + 1]) for n in range(len(contents)))
    text = "".join(contents)
    pieces = pieces_of(Sentence(text, regions), window)
    assert "".join("".join(piece.split()) for piece, _ in pieces) == "".join(text.split())
    assert all(piece.strip() for piece, _ in pieces)


def test_the_page_has_no_script_or_style_of_its_own_and_escapes_what_the_study_says() -> None:
    study = shown_study("choice", direction="rtl", language="he")
    html = page_html(study.spec.model_copy(update={"title": "<i>&\"'"}))
    assert '<html lang="he" dir="rtl">' in html
    assert "<i>" not in html
    assert not re.search(r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?://", html)
    for name in SCRIPTS:
        assert f'src="/assets/{name}?' in html


@pytest.mark.parametrize("name", sorted({*SCRIPTS, *LOCAL_SCRIPTS, "study.css"}))
def test_assets_are_known_and_name_no_outside_address(name: str) -> None:
    assert not re.search(rb"https?://|eval\(|innerHTML|document\.write", asset(name))
    assert content_type(name).startswith("text/")


@pytest.mark.parametrize("name", ["../shell.py", "pcibex.js", "", "study.css/", "study.js\0"])
def test_other_files_are_not_sent(name: str) -> None:
    with pytest.raises(KeyError):
        asset(name)


def test_every_word_of_the_page_can_be_translated_and_no_phrase_is_unused() -> None:
    scripts = "".join((ASSETS / name).read_text() for name in sorted({*SCRIPTS, *LOCAL_SCRIPTS}))
    said = set(re.findall(r'\bsay\(\s*"([^"]+)"', scripts))
    assert said <= set(PHRASES)
    assert not [phrase for phrase in PHRASES if f'"{phrase}"' not in scripts]
    assert list(PHRASES) == sorted(PHRASES)
