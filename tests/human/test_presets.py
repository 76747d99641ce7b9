"""Presets: the designs of the papers to the last number, and starting points that can be built."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.errors import InputError
from gardenpath.human.folder import read_study, start_study
from gardenpath.human.presets import find_preset, load_preset, preset_names, read_notes
from gardenpath.human.study import Study


@pytest.fixture(scope="module")
def marvin_linzen() -> Study:
    return gp.Study.build(load_preset("marvin-linzen-2018"))


@pytest.fixture(scope="module")
def blimp() -> Study:
    return gp.Study.build(load_preset("blimp-2020"))


def test_marvin_and_linzen_have_ten_lists_of_76_with_every_condition_once(marvin_linzen: Study) -> None:
    balance = marvin_linzen.check()
    assert balance.problems == ()
    assert {one.list for one in balance.lists} == set(range(1, 11))
    for one in balance.lists:
        assert one.trials == 76
        assert one.sides == {"first": 38, "second": 38}
        assert one.roles == {"test": 66, "catch": 10}
        simple = {cell: count for cell, count in one.conditions.items() if "simple_agrmt" in cell}
        assert sorted(simple.values()) == [5, 5]
        others = [count for cell, count in one.conditions.items() if cell not in simple]
        assert others == [1] * 66


def test_marvin_and_linzen_have_a_pair_once_and_its_sides_in_turn(marvin_linzen: Study) -> None:
    pairs = Counter(trial.stimulus for listed in marvin_linzen.lists for trial in listed.trials if listed.version == 1)
    assert len(pairs) == 760
    assert set(pairs.values()) == {1}
    first = Counter(t.stimulus for one in marvin_linzen.lists for t in one.trials if t.order[0] == "grammatical")
    assert set(first.values()) == {2}  # of four versions


def test_marvin_and_linzen_pool_npis_over_animacy(marvin_linzen: Study) -> None:
    pooled = {one.cell: set() for one in marvin_linzen.stimuli.values() if "npi" in one.cell}  # type: dict[str, set[str]]
    for one in marvin_linzen.stimuli.values():
        if one.cell in pooled:
            pooled[one.cell].add(one.suite)
            assert one.correct == "grammatical"
            assert ("intrusive" in one.sentences) == one.cell.startswith("npi_across")
    assert pooled.keys() == {"simple_npi/past", "simple_npi/future", "npi_across/past", "npi_across/future"}
    assert all(len(suites) == 2 for suites in pooled.values())


def test_sentences_of_marvin_and_linzen_are_sentences(marvin_linzen: Study) -> None:
    texts = [sentence.text for one in marvin_linzen.stimuli.values() for sentence in one.sentences.values()]
    assert len(set(texts)) == len(texts) == 1520
    assert all(text[0].isupper() and text.endswith(".") for text in texts)


def test_marvin_and_linzen_exclude_more_than_one_error_of_ten(marvin_linzen: Study) -> None:
    spec = marvin_linzen.spec
    assert (spec.lists, spec.target, spec.exclusions.catch_errors) == (10, 10, 1)
    assert Counter(one.cell for one in marvin_linzen.stimuli.values() if one.role == "catch") == {
        "marvin-linzen/simple_agrmt/sing_MS_MV": 50,
        "marvin-linzen/simple_agrmt/plur_MS_MV": 50,
    }


def test_blimp_has_87_lists_of_four_pairs_and_a_check(blimp: Study) -> None:
    balance = blimp.check()
    assert balance.problems == ()
    assert len(balance.lists) == 87 * 4
    for one in balance.lists:
        assert one.trials == 5
        assert one.roles["check"] == 1
        assert one.sides == {"first": 2, "second": 2}
        assert set(one.conditions.values()) == {1}
    assert len([one for one in blimp.stimuli.values() if one.role == "test"]) == 335
    assert sorted(cell.items for cell in balance.cells if cell.role == "filler") == [3, 5, 5]
    assert [cell.items for cell in balance.cells if cell.role == "test"] == [5] * 67


def test_blimp_asks_for_native_speakers_and_has_the_hidden_field(blimp: Study) -> None:
    spec = blimp.spec
    assert spec.target == 20
    assert spec.exclusions.hidden_field
    assert spec.exclusions.answers == {"native": ("yes",)}
    assert [question.name for question in spec.questions] == ["native"]


@pytest.mark.parametrize(("name", "trials"), [("acceptability", 50), ("self-paced-reading", 48)])
def test_starting_points_for_other_tasks(name: str, trials: int, tmp_path: Path) -> None:
    study = start_study(name, tmp_path / "study")
    balance = study.check()
    assert balance.problems == ()
    assert balance.notes == ()
    assert {one.trials for one in balance.lists} == {trials}
    assert {count for one in balance.lists for count in one.shown.values()} == {6}
    assert read_study(tmp_path / "study") == study


def test_half_of_what_is_read_has_a_question(tmp_path: Path) -> None:
    study = start_study("self-paced-reading", tmp_path / "study")
    shown = [one for one in study.stimuli.values() if one.role != "practice"]
    assert sum(bool(one.questions) for one in shown) == 24
    assert (tmp_path / "study" / "self-paced-reading-questions.tsv").exists()


def test_the_maze_is_a_latin_square() -> None:
    spec = load_preset("maze")
    assert (spec.task, spec.assignment, spec.lists) == ("maze", "square", 4)


@pytest.mark.parametrize("name", preset_names())
def test_presets_are_written_as_toml_and_read_back(name: str, tmp_path: Path) -> None:
    spec = load_preset(name)
    (tmp_path / "study.toml").write_text(read_notes(find_preset(name)) + spec.to_toml())
    assert gp.StudySpec.from_toml(tmp_path / "study.toml", {}) == spec
    assert read_notes(find_preset(name)).startswith("# ")
    assert spec.consent
    assert spec.instructions


def test_unknown_presets_are_explained() -> None:
    with pytest.raises(InputError, match=r"unknown preset 'marvin-linzen'.*Did you mean 'marvin-linzen-2018'"):
        find_preset("marvin-linzen")


def test_the_commands(tmp_path: Path) -> None:
    def command(*arguments: str) -> str:
        line = [sys.executable, "-m", "gardenpath", "study", *arguments]
        return subprocess.run(line, check=True, capture_output=True, text=True).stdout

    folder = str(tmp_path / "study")
    assert "Created a rating study: 4 lists of 50 trials, 4 orders each." in command(
        "new", "acceptability", "--out", folder, "--seed", "3"
    )
    path = tmp_path / "study" / "study.toml"
    assert "seed = 3" in path.read_text()
    path.write_text(path.read_text().replace("versions = 4", "versions = 2"))
    assert "50 trials, 2 orders each." in command("build", folder)
    shown = command("check", folder)
    assert "4 lists of 50 trials, each in 2 orders; a participant gets one of them." in shown
    assert "syntactic-generalization/number_prep" in shown
    assert all(name in command("new", "--help") for name in preset_names())
